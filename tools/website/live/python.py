"""The Python of the live notebooks: Pyodide beside the pages, with a list of its own of what it can load.

The list is Pyodide's, of the packages that are here, and the course with what it needs. A kernel loads the packages of
`AT_ONCE` together; any other is fetched when it is first imported.
"""

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from the_course import HOUSE
from website.live.fetch import wanted

KERNEL = re.compile(r"/pypi/((?:ipykernel|piplite|pyodide_kernel)-[^/]+\.whl)$")  # inside of the wheel that brings it
COURSE = "mha_course"
START = "page_start"
# What the kernel asks for before anything else. Two of these it can do without, and gets nothing for them.
ASKED_FOR = ("ssl", "sqlite3", "ipykernel", "comm", "pyodide_kernel", "jedi", "ipython")
DONE_WITHOUT = ("ssl", "jedi")
AT_ONCE = (*ASKED_FOR, "micropip", "piplite", COURSE, "ipywidgets", "anywidget", "page-start")
READING = (COURSE,)  # what a page to read needs when it comes alive
NEEDS = {  # what comes from elsewhere than Pyodide's list -> what it needs
    "mha-course": ["numpy", "traitlets", "comm", "threadpoolctl", "cloudpickle", "packaging"],
    "anywidget": ["ipywidgets", "psygnal", "typing-extensions"],
    "ipywidgets": ["comm", "ipython", "traitlets"],
    "piplite": ["micropip"],
    "pyodide-kernel": ["ipython", "comm"],
}
NOT_PYTHON = ("done", "jupyterlab_widgets-*", "jupyterlite_*", "bundled", "pyodide.mjs")
CONFIG = 'c.InteractiveShellApp.extensions = ["mha_course.engine.browser.page_kernel"]\n'
PACKED = ("pyodide.asm.js", "pyodide.asm.wasm", "pyodide-lock.json")  # and unpacked by unpacking.js
CORE = ("pyodide.js", "python_stdlib.zip", *(f"{name}.packed" for name in PACKED))


class Loaded(NamedTuple):
    """The files of Python that are loaded before the first cell of a notebook runs, and to wake a page to read."""

    notebook: list[str]
    reading: list[str]


def put_python(folder: Path, pyodide: Path) -> Loaded:
    """Put Python with all its packages into a folder."""
    shutil.copytree(pyodide, folder, ignore=shutil.ignore_patterns(*NOT_PYTHON))
    _kernel_wheels(folder, pyodide)
    _course_wheel(folder)
    _start_wheel(folder)
    lock = folder / "pyodide-lock.json"
    list_of_all = listed(json.loads(lock.read_text()), folder)
    lock.write_text(json.dumps(list_of_all))
    for name in PACKED:
        _pack(folder / name)
    packages = list_of_all["packages"]
    return Loaded(notebook=[*CORE, *wanted(packages, AT_ONCE)], reading=[*CORE, *wanted(packages, READING)])


def _pack(path: Path):
    """Put in a file's place what a page unpacks: the same bytes for the same file, whenever they are packed."""
    path.with_name(f"{path.name}.packed").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    path.unlink()


def listed(official: dict, folder: Path) -> dict:
    """Return the list of what is in the folder. official: Pyodide's own list."""
    here = {path.name: path for path in folder.iterdir()}
    packages = {name: each for name, each in official["packages"].items() if each["file_name"] in here}
    known = {each["file_name"] for each in packages.values()}
    for path in sorted(here.values()):
        if path.suffix == ".whl" and path.name not in known:
            packages[_name(path)] = _entry(_name(path), path)
    for name in DONE_WITHOUT:
        packages[name] = _entry(name, here[f"{START}-1-py3-none-any.whl"])
    for package in packages.values():
        package["depends"] = [each for each in package["depends"] if each.replace("_", "-") in packages]
    return official | {"packages": packages}


def _name(wheel: Path) -> str:
    return wheel.name.partition("-")[0].replace("_", "-")


def _entry(name: str, wheel: Path) -> dict:
    return {
        "name": name,
        "version": wheel.name.split("-")[1],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": [name.replace("-", "_")],
        "depends": NEEDS.get(name, []),
        "unvendored_tests": False,
    }


def _kernel_wheels(folder: Path, pyodide: Path) -> None:
    (path,) = pyodide.glob("jupyterlite_pyodide_kernel-*.whl")
    with zipfile.ZipFile(path) as wheel:
        for name in wheel.namelist():
            if found := KERNEL.search(name):
                (folder / found[1]).write_bytes(wheel.read(name))


def _course_wheel(folder: Path) -> None:
    """Build the course's wheel from a copy: where it is built, files are left that the next one would take in."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    with TemporaryDirectory() as work:
        shutil.copytree(HOUSE / COURSE, Path(work, COURSE), ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(HOUSE / name, work)
        subprocess.run([*command, "-w", str(folder), work], check=True)


def _start_wheel(folder: Path) -> None:
    """Write a package that holds one thing: the setting by which the kernel begins with the course's own words."""
    info = f"{START}-1.dist-info"
    with zipfile.ZipFile(folder / f"{START}-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {START}\nVersion: 1\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{START}-1.data/data/etc/ipython/ipython_config.py", CONFIG)
        wheel.writestr(f"{info}/RECORD", "")

"""The licences of all that a live lesson brings into the browser, in one file."""

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

FILE = "LICENCES.txt"
LICENCE = re.compile(r"\.dist-info/(licenses/.*|LICEN[CS]E[^/]*|COPYING[^/]*)$")
ELSEWHERE = {  # what holds no text of its own: where that, and the source, can be found
    "Pyodide": "Mozilla Public License 2.0, https://pyodide.org",
    "Python": "Python Software Foundation License 2, https://docs.python.org/3/license.html",
    "OpenBLAS": "BSD 3-Clause, https://www.openblas.net",
    "SQLite": "in the public domain, https://sqlite.org/copyright.html",
}


def put_licences(folder: Path) -> None:
    """Write the licences of what is in a folder of live notebooks."""
    parts = [*ELSEWHERE.items(), *_of_wheels(folder / "python"), *_of_scripts(folder)]
    (folder / FILE).write_text("\n\n".join(f"{name}\n{'=' * len(name)}\n\n{text.strip()}" for name, text in parts))


def _of_wheels(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(path) as wheel:
            for name in filter(LICENCE.search, wheel.namelist()):
                if text := wheel.read(name).decode(errors="replace"):
                    yield f"{path.name.partition('-')[0]}: {Path(name).name}", text


def _of_scripts(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("third-party-licenses.json")):
        for package in json.loads(path.read_text())["packages"]:
            yield f"{package['name']} {package['versionInfo']}", package["extractedText"] or package["licenseId"]

"""What stands around JupyterLite's own pages: the course's bar, the sentences where something fails, and the keeper."""

import base64
import hashlib
import json
import shutil
from pathlib import Path

from bs4 import BeautifulSoup
from website.live.python import READING, Loaded

from mha_course import __version__
from mha_course.engine.browser.plain_page import SCRIPT as PLAIN_PAGE

HERE = Path(__file__).parent / "page"
# JupyterLab compiles schemas, a widget's script is a blob, and Python is WebAssembly.
HEAD = """<meta http-equiv="Content-Security-Policy" content="
      default-src 'self';
      script-src 'self' 'unsafe-eval' blob: 'sha256-{inline}';
      style-src 'self' 'unsafe-inline';
      img-src 'self' data: blob:;
      font-src 'self' data:;
      connect-src 'self' blob: data:;
      worker-src 'self' blob:;
      frame-src 'self' blob: data:;
      object-src 'none';
      base-uri 'self'">
    <link rel="stylesheet" href="../page/bar.css">
    <script src="../page/first_aid.js"></script>
    <script type="module" src="../page/course.js"></script>"""
NO_SCRIPT = """<noscript><div id="course-note" class="end">
      <p>A live lesson needs JavaScript, which is switched off here.</p>
      <p><a href="../../index.html">Read the lessons without running them</a></p>
    </div></noscript>"""
OFFLINE = ("files/*.ipynb", "build/MathJax_*")  # what another lesson needs that the first one did not
KEEPER, OF_JUPYTERLITE = "service-worker.js", "lite-service-worker.js"


def put_page(folder: Path, apps: tuple[str, ...], loaded: Loaded, fetched: Path) -> None:
    """Put the course's own scripts around the pages of JupyterLite in a folder.

    loaded: the files that are needed of Python. fetched: where the scripts are that come from npm.
    """
    shutil.copytree(HERE, folder / "page", ignore=shutil.ignore_patterns(KEEPER))
    shutil.copytree(fetched / "bundled", folder / "page" / "bundled")
    shutil.copy(PLAIN_PAGE, folder / "page")
    parts = {
        "version": __version__,
        "python": _sizes(folder / "python", loaded.notebook),
        "reading": {"files": _sizes(folder / "python", loaded.reading), "packages": READING},
        "lessons": _lessons(folder / "files"),
        "offline": [
            path.relative_to(folder).as_posix() for pattern in OFFLINE for path in sorted(folder.glob(pattern))
        ],
    }
    (folder / "page" / "parts.json").write_text(json.dumps(parts))
    for app in apps:
        file = folder / app / "index.html"
        file.write_text(_around(file.read_text()))
    (folder / KEEPER).rename(folder / OF_JUPYTERLITE)
    write_keeper(folder)


def write_keeper(folder: Path) -> None:
    """Write the script that keeps the files of a folder in the browser, with what each of them is now.

    It is one file: a browser always asks the server for this script itself, but perhaps not for what it imports.
    """
    files = f"const FILES = {json.dumps(_kept(folder), indent=0)};\n"
    more = f'importScripts("{OF_JUPYTERLITE}");\n' if (folder / OF_JUPYTERLITE).exists() else ""
    (folder / KEEPER).write_text(f"{files}{(HERE / KEEPER).read_text()}{more}")


def _around(written: str) -> str:
    """Return a page of JupyterLite with the course's head, for which JupyterLite has no setting."""
    page = BeautifulSoup(written, "html.parser")
    (inline,) = page.find_all("script", src=False, type=False)
    digest = base64.b64encode(hashlib.sha256(inline.string.encode()).digest()).decode()
    page.select_one("meta[name=viewport]").insert_after(BeautifulSoup(HEAD.format(inline=digest), "html.parser"))
    page.select_one("meta[name=Description]")["content"] = "A lesson on attention that runs in this page."
    page.title.string = "Multi-head attention"
    page.noscript.replace_with(BeautifulSoup(NO_SCRIPT, "html.parser"))
    return str(page)


def _sizes(folder: Path, names: list[str]) -> list[dict]:
    return [{"name": name, "bytes": (folder / name).stat().st_size} for name in names]


def _lessons(folder: Path) -> list[dict]:
    read = {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.ipynb"))}
    return [
        {"name": name, "title": _title(notebook), "stamp": notebook["metadata"]["lesson"]}
        for name, notebook in read.items()
    ]


def _title(notebook: dict) -> str:
    return "".join(notebook["cells"][0]["source"]).splitlines()[0].removeprefix("# ")


def _kept(folder: Path) -> dict[str, str]:
    """Return path -> the beginning of its SHA-256, for every file that the keeper may keep."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != KEEPER)
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()[:12] for path in files}

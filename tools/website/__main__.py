"""Builds the site from the notebooks as they are stored: `python -m website FOLDER [--hub=https://…]`."""

import argparse
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from sphinx.cmd.build import build_main
from the_course import NOTEBOOKS, pages
from website import lessons
from website.addresses import Hosts
from website.live import fetch, jupyter
from website.live.page_shell import write_keeper

HERE = Path(__file__).parent


def write_sources(folder, hosts):
    """Write what Sphinx reads: the lessons as the site shows them, and the pages beside them."""
    read = {path.stem: nbformat.read(path, 4) for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
    notebooks = pages().in_sight(read)
    linked = lessons.linked_cells(notebooks.values())
    prepared = {name: lessons.prepared(notebook, name, linked, hosts) for name, notebook in notebooks.items()}
    for name, notebook in prepared.items():
        nbformat.write(notebook, folder / f"{name}.ipynb")
    for name, text in pages().texts(prepared, hosts).items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


def build(folder, hosts):
    """Build the pages into a folder. A link to a lesson that is not there is an error. Returns 0 if all went well."""
    shutil.rmtree(folder, ignore_errors=True)
    with TemporaryDirectory() as work:
        sources, kept = Path(work, "sources"), Path(work, "kept")
        sources.mkdir()
        write_sources(sources, hosts)
        asked = ["-W", "--keep-going", "-q", "-b", "html", "-c", HERE, "-d", kept, sources, folder]
        return build_main([str(each) for each in asked])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m website")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--hub", default="", help="the address of a JupyterHub with nbgitpuller")
    given = parser.parse_args()
    print("Building the site …", flush=True)
    is_live = pages().RUNS_HERE and fetch.is_here()
    if build(given.folder, Hosts(given.hub, is_live)):
        sys.exit("The site was not built.")
    print(f"The site is built: open {given.folder / 'index.html'}")
    if is_live:
        print("Building the live notebooks …", flush=True)
        try:
            jupyter.build(given.folder / "run", fetch.HERE)
            write_keeper(given.folder)
        except jupyter.NotBuilt as error:
            sys.exit(str(error))
        print(f"Live notebooks need a server: python -m http.server -d {given.folder}, then http://localhost:8000")
    elif pages().RUNS_HERE:
        print("Live notebooks were left out: Python for a web page is missing, and `make .venv/pyodide` says why.")

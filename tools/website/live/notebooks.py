"""The lessons as live notebooks: with the page's kernel, and a line where one can only be read."""

import hashlib
import json
from pathlib import Path

import nbformat
from the_course import NOTEBOOKS
from website.addresses import ONLY_READ, Hosts

KERNEL = {"name": "python", "display_name": "Python (in this page)", "language": "python"}
INSTEAD = """**Here you can only read this lesson.** {why} So you see the stored outputs. To run it, open it
[on Binder]({binder}) or in JupyterLab on your own computer; *My work* above downloads what you have done, so that you
can take it along."""


def write_lessons(folder: Path) -> None:
    """Write all lessons into a new folder."""
    folder.mkdir()
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        notebook = nbformat.read(path, 4)
        notebook.metadata.lesson = _stamp(notebook.cells)
        notebook.metadata.kernelspec = KERNEL
        if why := ONLY_READ.get(path.stem):
            text = INSTEAD.format(why=why, binder=Hosts().of(path.stem)["on Binder"])
            notebook.cells.insert(1, nbformat.v4.new_markdown_cell(text, id="only-read"))
        nbformat.write(
            notebook, folder / path.name, split_lines=False
        )  # lines of a picture would get commas between them


def _stamp(cells: list) -> str:
    """Return a short name for what a lesson is: it differs where anything in it does."""
    return hashlib.sha256(json.dumps(cells, sort_keys=True).encode()).hexdigest()[:16]

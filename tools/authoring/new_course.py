"""Makes a course of one small lesson, to be filled: `python -m authoring.new_course FOLDER NAME "Title"`.

It gets a package with a board, a notebook, tests, and a Makefile that calls the tools here for it.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
from address import GITHUB, PLACEHOLDER, REPOSITORY
from authoring.new_lesson import put_in_order, read_title
from nbformat.v4 import new_code_cell, new_markdown_cell
from the_course import HOUSE

TEMPLATE = Path(__file__).parent / "template" / "course"
LESSON = "first_steps", "First steps"
CALLED = {"gitignore": ".gitignore", "pyproject": "pyproject.toml"}  # which would count where the template lies
BOARD = """## A board

Change a number, and press *Compute*."""


def make(folder, name, title=""):
    """Make a course. Errors: `ValueError` for a folder that is there, or a name that cannot be or is taken."""
    folder = Path(folder).resolve()
    if folder.exists():
        raise ValueError(f"folder is {str(folder)!r}, but must be one that is not there yet")
    if not re.fullmatch(r"[a-z][a-z_]*[a-z]", name) or name in sys.stdlib_module_names:
        raise ValueError(f"name is {name!r}, but must be small letters joined by _, and no module of Python's own")
    title = read_title(title, name)
    shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for there, called in {"course_package": name, **CALLED}.items():
        (folder / there).rename(folder / called)
    (folder / "notebooks").mkdir()
    words = {
        "course_package": name, "Course title": title, "HOUSE_FOLDER": os.path.relpath(HOUSE, folder),
        "HOUSE_REPOSITORY": REPOSITORY, "COURSE_REPOSITORY": f"{GITHUB}{PLACEHOLDER}/{name}",
        "COURSE_SITE": f"https://{PLACEHOLDER}.github.io/{name}",
    }  # fmt: skip
    for path in filter(Path.is_file, folder.rglob("*")):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub("|".join(words), lambda found: words[found[0]], text), encoding="utf-8")
    environment = os.environ | {"COURSE_FOLDER": str(folder), "PYTHONPATH": f"{HOUSE / 'tools'}{os.pathsep}{folder}"}
    subprocess.run([sys.executable, "-m", "authoring.new_lesson", *LESSON], env=environment, check=True)
    notebook = folder / "notebooks" / f"00_{LESSON[0]}.ipynb"
    _put_the_board(notebook, name)
    subprocess.run([sys.executable, HOUSE / "tools" / "run_notebooks.py", notebook], env=environment, check=True)
    put_in_order(folder)
    print(f"{folder} is a course. There, `make` says what can be done; `make lab` opens it, `make test` tests it.")


def _put_the_board(path, package):
    """Put the board into the notebook, before the first question."""
    notebook = nbformat.read(path, 4)
    place = next(number for number, cell in enumerate(notebook.cells) if cell.id == "predict-sum")
    call = f"from {package} import Board\n\nBoard()"
    notebook.cells[place:place] = [new_markdown_cell(BOARD, id="board-text"), new_code_cell(call, id="board")]
    nbformat.write(notebook, path)


if __name__ == "__main__":
    try:
        make(*sys.argv[1:])
    except ValueError as error:
        sys.exit(str(error))

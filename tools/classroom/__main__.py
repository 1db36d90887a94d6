"""Builds the teacher's kit from the notebooks: `python -m classroom FOLDER`."""

import shutil
import sys
from pathlib import Path

import nbformat
from classroom import copies, grading, slides, teaching

from mha_course.lessons import catalogue

EXERCISES = catalogue.exercises()

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
NOTES = ROOT / "docs" / "teaching.md"


def build(folder):
    """Write the students' and the teachers' copies, the course folder of nbgrader, and the slides."""
    shutil.rmtree(folder, ignore_errors=True)
    notes = NOTES.read_text(encoding="utf-8")
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        print(f"building {path.name} …", flush=True)
        lesson, notebook = int(path.name[:2]), nbformat.read(path, 4)
        section = teaching.section(notes, lesson)
        _write_for_students(copies.student(notebook), folder / "student" / path.name)
        _write(copies.instructor(notebook, section, EXERCISES), folder / "instructor" / path.name)
        if lesson:
            _write_for_students(grading.assignment(notebook), folder / "nbgrader" / "source" / path.stem / path.name)
        page = folder / "slides" / f"{path.stem}.html"
        page.parent.mkdir(exist_ok=True)
        page.write_text(slides.to_html(notebook), encoding="utf-8")
    grading.equip(folder / "nbgrader")
    slides.add_library(folder / "slides")
    print(f"The teacher's kit is in {folder}.")


def _write_for_students(notebook, path):
    _write(notebook, path)
    (path.parent / ".gitignore").write_text(copies.GITIGNORE, encoding="utf-8")


def _write(notebook, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    build(Path(sys.argv[1]))

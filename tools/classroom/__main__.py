"""Builds the teacher's kit from the notebooks: `python -m classroom FOLDER`."""

import shutil
import sys
from pathlib import Path

import nbformat
from classroom import copies, grading, papers, slides, teaching
from classroom.quizzes.page import key, sheet

from mha_course.lessons import LESSONS, catalogue

EXERCISES = catalogue.exercises()

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"


def build(folder):
    """Write the students' and the teachers' copies, nbgrader's course folder, the slides and the quizzes."""
    shutil.rmtree(folder, ignore_errors=True)
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        print(f"building {path.name} …", flush=True)
        lesson, notebook = int(path.name[:2]), nbformat.read(path, 4)
        _write_for_students(copies.student(notebook), folder / "student" / path.name)
        _write(copies.instructor(notebook, teaching.section(lesson), EXERCISES), folder / "instructor" / path.name)
        if lesson:
            place = folder / "nbgrader" / "source" / path.stem
            _write_for_students(grading.assignment(notebook), place / path.name)
            _lay(papers.for_learners(), place)
        _write_page(slides.to_html(notebook), folder / "slides" / f"{path.stem}.html")
    _write_quizzes(folder / "quizzes")
    grading.equip(folder / "nbgrader")
    slides.add_library(folder / "slides")
    _lay_papers(folder)
    print(f"The teacher's kit is in {folder}.")


def _write_quizzes(folder):
    for each in LESSONS.values():
        stem = Path(each.notebook).stem
        _write_page(sheet(each), folder / f"{stem}.html")
        _write_page(key(each), folder / f"{stem}_key.html")


def _lay_papers(folder):
    _lay(papers.for_teachers(), folder)
    _lay(papers.for_students(), folder / "student")
    for name in ("instructor", "nbgrader", "quizzes", "slides"):
        _lay(papers.licence(), folder / name)


def _write_for_students(notebook, path):
    _write(notebook, path)
    (path.parent / ".gitignore").write_text(copies.GITIGNORE, encoding="utf-8")
    (path.parent / ".gitattributes").write_text(copies.GITATTRIBUTES, encoding="utf-8")


def _lay(texts, folder):
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def _write_page(page, path):
    path.parent.mkdir(exist_ok=True)
    path.write_text(page, encoding="utf-8")


def _write(notebook, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    build(Path(sys.argv[1]))

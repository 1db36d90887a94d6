"""Builds the teacher's kit from the notebooks: `python -m classroom FOLDER`."""

import shutil
import sys
from pathlib import Path

import nbformat
from classroom import copies, grading, papers, slides, teaching
from classroom.quizzes.quiz_page import key, sheet
from the_course import CATALOGUE, LESSONS, NOTEBOOKS


def build(folder, lessons):
    """Write the students' and the teachers' copies, nbgrader's course folder, the slides and the quizzes."""
    shutil.rmtree(folder, ignore_errors=True)
    for lesson in lessons:
        print(f"building {lesson.notebook} …", flush=True)
        _build(lesson, folder)
    grading.equip(folder / "nbgrader")
    slides.add_library(folder / "slides")
    _lay_papers(folder)
    print(f"The teacher's kit is in {folder}.")


def _build(lesson, folder):
    """Write everything that is made from one lesson."""
    name, stem = lesson.notebook, Path(lesson.notebook).stem
    notebook, notes = nbformat.read(NOTEBOOKS / name, 4), teaching.notes(lesson.name)
    _write(copies.student(notebook), folder / "student" / name)
    _write(copies.instructor(notebook, notes, CATALOGUE.exercises), folder / "instructor" / name)
    if lesson.exercises:
        place = folder / "nbgrader" / "source" / stem
        _write(grading.assignment(notebook), place / name)
        _lay(papers.for_learners(), place)
    _lay({f"{stem}.html": slides.to_html(notebook)}, folder / "slides")
    _lay({f"{stem}.html": sheet(lesson), f"{stem}_key.html": key(lesson)}, folder / "quizzes")


def _lay_papers(folder):
    _lay(papers.for_teachers(), folder)
    _lay(papers.for_students(), folder / "student")
    for name in ("instructor", "nbgrader", "quizzes", "slides"):
        _lay(papers.licence(), folder / name)


def _lay(texts, folder):
    """Write texts by their file names."""
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def _write(notebook, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    build(Path(sys.argv[1]), LESSONS.values())

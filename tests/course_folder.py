"""A course folder of nbgrader, and nbgrader run in it for real."""

import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
from classroom import grading
from classroom.cells import has_tag
from nbgrader.api import Gradebook
from stored import ROOT


def read(path):
    return nbformat.read(path, 4)


LESSON = "03_scaled_scores"


def released(home):
    """Make the folder that every `CourseFolder` begins with."""
    course = CourseFolder(home)
    source = grading.assignment(read(ROOT / "notebooks" / f"{LESSON}.ipynb"))
    source.cells = [c for c in source.cells if c.id in ("title", "imports") or "nbgrader" in c.metadata]
    course.write(source, "source")
    grading.equip(course.folder)
    course.run("generate_assignment")


class CourseFolder:
    """A course folder with one assignment: the exercises of a lesson."""

    def __init__(self, home, begun=None):
        """Make it in a home, as a copy of one in which the assignment is released already."""
        self.folder, self.lesson = home / "course", LESSON
        self.environment = os.environ | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),  # for the kernels: the course that is tested
            **{name: str(home / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")},
        }
        if begun:
            shutil.copytree(begun / "course", self.folder)

    def path(self, *parts):
        return self.folder.joinpath(*parts, self.lesson, f"{self.lesson}.ipynb")

    def write(self, notebook, *parts):
        self.path(*parts).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, self.path(*parts))

    def submit(self, who, answers, edit=None):
        """Hand in the released notebook: `answers` instead of the stubs, and whatever `edit` does to its checks."""
        notebook = read(self.path("release"))
        for stub in (cell for cell in notebook.cells if has_tag(cell, "stub")):
            stub.source = answers.get(stub.id, stub.source)
        if edit:
            edit(notebook, [cell for cell in notebook.cells if has_tag(cell, "check")])
        self.write(notebook, "submitted", who)

    def run(self, command, *options):
        """Run nbgrader, and return what it says."""
        arguments = [sys.executable, "-m", "nbgrader", command, self.lesson, *options]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        done = subprocess.run(arguments, cwd=self.folder, env=self.environment, timeout=600, check=False, **pipes)
        assert done.returncode == 0, done.stdout.decode()[-3000:]
        return done.stdout.decode()

    def feedback(self, who):
        """Return the text of a feedback page."""
        page = self.path("feedback", who).with_suffix(".html").read_text(encoding="utf-8")
        return html.unescape(re.sub("<[^>]+>", "", page))

    def grades(self, who):
        """Return for each check its points, and whether a person has to look at them."""
        with Gradebook(f"sqlite:///{self.folder}/gradebook.db") as gradebook:
            found = gradebook.find_submission_notebook(self.lesson, self.lesson, who).grades
            return {grade.name: (grade.auto_score, grade.needs_manual_grade) for grade in found}

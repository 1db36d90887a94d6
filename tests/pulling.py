"""A teacher's repository, and a student who clicks the link of nbgitpuller: real repositories, real pulls."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import nbformat
from classroom import papers
from stored import ROOT

GUIDE = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
SET_UP = re.search(r"^ +(git config --system merge\..*)$", GUIDE, re.MULTILINE)[1]


def committed(folder):
    """Make a folder a repository in which all its files are committed."""
    who = ["-c", "user.name=Teacher", "-c", "user.email=teacher@example.org"]
    for command in (["init", "-q", "-b", "main"], ["add", "."], [*who, "commit", "-qm", "all"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


class HandedOut:
    """A folder that a teacher publishes, and the copy that a student's clicks fetch and bring up to date."""

    def __init__(self, home, lessons, hub_is_set_up=True):
        """Publish lessons by their file names, and let the student fetch them."""
        self.teacher, self.student = home / "teacher", home / "student"
        self.environment = os.environ | {
            "HOME": str(home),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "GIT_CONFIG_SYSTEM": str(home / "system_config"),
            "GIT_CONFIG_GLOBAL": str(home / "own_config"),
        }
        self.teacher.mkdir(parents=True)
        self.run("git", "config", "--global", "user.name", "Teacher")
        self.run("git", "config", "--global", "user.email", "teacher@example.org")
        self.run("git", "init", "--quiet", "--initial-branch=main")
        if hub_is_set_up:
            self.run(*shlex.split(SET_UP))
        (self.teacher / ".gitattributes").write_text(papers.FOR_GIT[".gitattributes"], encoding="utf-8")
        self.publish(lessons)
        self.click()

    def run(self, *command):
        """Run a command in the teacher's folder, and return what it says. Errors: `AssertionError` if it fails."""
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        ended = subprocess.run(command, cwd=self.teacher, env=self.environment, text=True, timeout=600, **pipes)
        assert ended.returncode == 0, ended.stdout
        return ended.stdout

    def publish(self, lessons):
        """Write the teacher's lessons, and commit all that changed."""
        for name, lesson in lessons.items():
            nbformat.write(lesson, self.teacher / name)
        self.run("git", "add", "--all")
        self.run("git", "commit", "--quiet", "--message", "update")

    def click(self):
        """Do what a click on the link does."""
        where = (f"file://{self.teacher}", "main", str(self.student))
        return self.run(sys.executable, "-m", "nbgitpuller.pull", *where)

    def save(self, lessons):
        """Write the student's lessons as JupyterLab saves them."""
        for name, lesson in lessons.items():
            nbformat.write(lesson, self.student / name)

    def open(self, name):
        """Read a lesson of the student's. Errors: `AssertionError`, `ValidationError` if JupyterLab would complain."""
        text = (self.student / name).read_text(encoding="utf-8")
        ids = [cell["id"] for cell in json.loads(text)["cells"]]
        assert len(ids) == len(set(ids))
        lesson = nbformat.reads(text, 4)
        nbformat.validate(lesson)
        return lesson

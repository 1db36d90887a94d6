"""A course folder of nbgrader, and nbgrader run in it for real."""

import html
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import nbformat
import psutil
from classroom import grading
from classroom.cells import has_tag
from stored import ROOT

MEMORY = 2 * 10**9  # bytes; a kernel with more is killed, as a container does


def read(path):
    return nbformat.read(path, 4)


class CourseFolder:
    """A course folder with one assignment: the exercises of a lesson."""

    def __init__(self, home, lesson):
        self.folder, self.lesson = home / "course", lesson
        self.environment = os.environ | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),  # for the kernels: the course that is tested
            **{name: str(home / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")},
        }
        source = grading.assignment(read(ROOT / "notebooks" / f"{lesson}.ipynb"))
        source.cells = [c for c in source.cells if c.id in ("title", "imports") or "nbgrader" in c.metadata]
        self.write(source, "source")
        (self.folder / grading.CONFIG.name).write_bytes(grading.CONFIG.read_bytes())
        self.run("generate_assignment")

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
        """Run nbgrader, kill each kernel that takes too much memory, and return what nbgrader says."""
        arguments = [sys.executable, "-m", "nbgrader", command, self.lesson, *options]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        with subprocess.Popen(arguments, cwd=self.folder, env=self.environment, **pipes) as nbgrader:
            threading.Thread(target=_kill_hungry_kernels, args=(nbgrader,), daemon=True).start()
            try:
                output, _ = nbgrader.communicate(timeout=240)
            finally:
                nbgrader.kill()
        assert nbgrader.returncode == 0, output.decode()[-3000:]
        return output.decode()

    def feedback(self, who):
        """Return the text of a feedback page."""
        page = self.path("feedback", who).with_suffix(".html").read_text(encoding="utf-8")
        return html.unescape(re.sub("<[^>]+>", "", page))


def _kill_hungry_kernels(nbgrader):
    while nbgrader.poll() is None:
        try:
            for kernel in psutil.Process(nbgrader.pid).children(recursive=True):
                if kernel.memory_info().rss > MEMORY:
                    kernel.kill()
        except psutil.NoSuchProcess:
            pass
        time.sleep(0.05)

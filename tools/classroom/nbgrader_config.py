"""How nbgrader treats this course.

It collects what a learning platform exports. What did not run to its end gets no points, whatever happened.
"""

import os
import re
import unicodedata
from functools import cached_property
from pathlib import Path

from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat.v4 import new_output
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.plugins import FileNameCollectorPlugin
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from nbgrader.utils import is_grade

os.environ["MHA_COURSE_PROGRESS"] = os.devnull  # grading is nobody's progress
c = get_config()  # noqa: F821 - nbgrader gives it

SECONDS = 30  # for one cell; the checks stop an endless function sooner, and say so
STOPPED = "This cell still ran when time was up, so it was stopped."


class PlatformCollector(FileNameCollectorPlugin):
    """Tells from the names that Canvas and Moodle give to files whose they are. The newest attempt counts."""

    NAMED = r"""
        (?: .*/)? (?P<name> [^/]+?) (?: _(?i:late))? _(?P<number> \d+) _
        (?: (?P<upload> \d+) _ | assignsubmission_file [_/] (?: .*/)?)  # Canvas | Moodle, with folders or without
        %s [ ]? [-(]? (?P<copy> \d*) \)? \.ipynb
    """

    def collect(self, submitted_file):
        """Return the student and the notebook of a file, or nothing for a file that does not count."""
        student = self._newest.get(Path(submitted_file))
        return student and {"student_id": student, "file_id": self.parent.coursedir.assignment_id}

    @cached_property
    def _newest(self):
        """Each student's newest file -> the student."""
        folder = Path(self.parent._format_collect_path(self.parent.extracted_directory))
        named = re.compile(self.NAMED % re.escape(self.parent.coursedir.assignment_id), re.VERBOSE)
        attempts = {}
        for path in folder.rglob("*.ipynb"):
            if found := named.fullmatch(path.relative_to(folder).as_posix()):
                number = tuple(int(found[part] or 0) for part in ("upload", "copy"))
                attempts.setdefault(_student(found), []).append((number, path))
        return {max(each)[1]: student for student, each in attempts.items()}


def _student(found):
    """Return an id without spaces. The platform's number stays in it: two students may have one name."""
    name = re.sub(r"\W+", "-", unicodedata.normalize("NFC", found["name"]))
    return f"{name}_{found['number']}"


class ForgetEarlierPoints(NbGraderPreprocessor):
    """Begins each grading with no points, or those of an earlier submission would stay where nothing runs now."""

    def preprocess(self, nb, resources):
        """Take away what the autograder gave before. What a person gave stays."""
        where = resources["nbgrader"]
        with Gradebook(where["db_url"]) as gradebook:
            for grade in gradebook.find_submission_notebook(
                where["notebook"], where["assignment"], where["student"]
            ).grades:
                grade.auto_score, grade.needs_manual_grade = None, True
            gradebook.db.commit()
        return nb, resources


class ExecuteWithProof(Execute):
    """Runs a submission, and marks each graded cell of which the kernel never said how it ended.

    nbgrader gives all points to a graded cell without an error in its output, so also to one that never
    ran. If a kernel dies, it gives up the whole submission, feedback included.
    """

    def preprocess(self, nb, resources, km=None):
        """Run all cells, or as many as the kernel lives for."""
        self.ended = set()
        why = "This cell did not run."
        try:
            nb, resources = super().preprocess(nb, resources, km)
        except DeadKernelError:
            why = "The kernel died before this cell was done. Perhaps it used up all memory."
        except CellTimeoutError:
            why = "The kernel could not be stopped when time was up, so this cell did not run."
        for cell in filter(is_grade, nb.cells):
            if cell.metadata.nbgrader.grade_id not in self.ended:
                cell.outputs.append(new_output("error", ename="NotRun", evalue=why, traceback=[why]))
        return nb, resources

    def on_cell_executed(self, cell, cell_index, execute_reply):
        """Note the graded cells that ended. One that ended in an error has it in its outputs: nbgrader sees to it."""
        super().on_cell_executed(cell=cell, cell_index=cell_index, execute_reply=execute_reply)
        status = execute_reply["content"]["status"]
        if is_grade(cell) and status in ("ok", "error"):
            self.ended.add(cell.metadata.nbgrader.grade_id)
            _tidy(cell.outputs, status)


def _tidy(outputs, status):
    """Keep what nbgrader takes for a failure to failures, and what it says of a wrong answer to plain words."""
    for output in outputs:
        if output.output_type == "stream" and status == "ok":
            output.name = "stdout"  # a mere warning on stderr costs no points
        if output.output_type == "error" and output.ename == "AssertionError":
            output.traceback = [output.evalue]  # the verdict stands above it; the line that asked for it helps nobody


c.CourseDirectory.course_id = "mha_course"
c.ZipCollectApp.collector_plugin = PlatformCollector
c.ClearSolutions.enabled = False  # the source is the student's form already
c.Execute.timeout = SECONDS
c.Execute.error_on_timeout = {"ename": "CellTimeoutError", "evalue": STOPPED, "traceback": [STOPPED]}
c.Autograde.sanitize_preprocessors = [ForgetEarlierPoints, *Autograde.sanitize_preprocessors.default()]
c.Autograde.autograde_preprocessors = [
    ExecuteWithProof if each is Execute else each for each in Autograde.autograde_preprocessors.default()
]

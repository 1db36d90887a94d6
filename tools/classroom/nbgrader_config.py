"""How nbgrader treats this course.

It collects what a learning platform exports. A submission runs in a sandbox, and its points come from outside of it.
"""

import os
import re
import sys
import unicodedata
from functools import cached_property
from pathlib import Path

from nbgrader.apps import AutogradeApp
from nbgrader.converters import Autograde
from nbgrader.plugins import FileNameCollectorPlugin
from nbgrader.preprocessors import Execute
from traitlets.config import Application

sys.path.insert(0, os.path.dirname(__file__))  # these lie beside this file
from judging.restoring import Restoring
from judging.steps import ForgetEarlierPoints, Judging, LeaveToAPerson, refusal
from platform_names import handed_in

c = get_config()  # noqa: F821 - nbgrader gives it


class PlatformCollector(FileNameCollectorPlugin):
    """Tells from the names that Canvas and Moodle give to files whose they are. The newest attempt counts."""

    COPY = r" ?[-(]?(\d*)\)?\.ipynb"  # what stands behind the assignment's name, with a number if there was one already

    def collect(self, submitted_file):
        """Return the student and the notebook of a file, or nothing for a file that does not count."""
        student = self._newest.get(Path(submitted_file))
        return student and {"student_id": student, "file_id": self.parent.coursedir.assignment_id}

    @cached_property
    def _newest(self):
        """Each student's newest file -> the student."""
        folder = Path(self.parent._format_collect_path(self.parent.extracted_directory))
        called = re.compile(re.escape(self.parent.coursedir.assignment_id) + self.COPY)
        attempts = {}
        for path in folder.rglob("*.ipynb"):
            found = handed_in(path.relative_to(folder))
            if found and (copy := called.fullmatch(found.file)):
                attempts.setdefault(_student(found), []).append((found.upload, int(copy[1] or 0), path))
        return {max(each)[-1]: student for student, each in attempts.items()}


def _student(found):
    """Return an id without spaces."""
    return found._replace(name=re.sub(r"\W+", "-", unicodedata.normalize("NFC", found.name))).student


def stop_where_it_is_not_safe():
    """End `nbgrader autograde` before it touches anything, where nothing keeps submissions from the teacher's files."""
    running = Application.instance() if Application.initialized() else None
    if isinstance(running, AutogradeApp):
        trusted = str(running.cli_config.Judging.get("i_trust_them", False)) == "True"
        if why := refusal(trusted):
            raise SystemExit(why)


c.CourseDirectory.course_id = "mha_course"
c.ZipCollectApp.collector_plugin = PlatformCollector
c.ClearSolutions.enabled = False  # the source is the student's form already
c.Autograde.sanitize_preprocessors = [Restoring, ForgetEarlierPoints, *Autograde.sanitize_preprocessors.default()]
c.Autograde.autograde_preprocessors = [
    *(Judging if each is Execute else each for each in Autograde.autograde_preprocessors.default()),
    LeaveToAPerson,
]
stop_where_it_is_not_safe()

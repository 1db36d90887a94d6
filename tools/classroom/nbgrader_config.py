"""How nbgrader treats this course.

It collects what a learning platform exports. A submission runs in a sandbox, and its points come from outside of it.
"""

import atexit
import os
import sys
from pathlib import Path

from nbgrader.apps import AutogradeApp
from nbgrader.converters import Autograde
from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin
from nbgrader.preprocessors import Execute
from traitlets.config import Application

sys.path.insert(0, os.path.dirname(__file__))  # these lie beside this file
from judging import log_messages
from judging.exporting import WithoutUndecided
from judging.graded_course import PACKAGE
from judging.hand_in_files import Arriving
from judging.restored_notebook import Restoring
from judging.steps import BeginAnew, Judging, LeaveToAPerson, PutBack, refusal
from unpacking import lines, unpack

c = get_config()  # noqa: F821 - nbgrader gives it


class PlatformExtractor(ExtractorPlugin):
    """Takes out of the zips of Canvas and Moodle each student's newest notebook."""

    def extract(self, archive_path, extracted_path):
        """Write them, one folder a student, and say at the very end what is left out."""
        left_out = unpack(Path(archive_path), Path(extracted_path), self.parent.coursedir.assignment_id)
        atexit.register(lambda: print(*lines(left_out, Path(extracted_path)), sep="\n"))


class PlatformCollector(FileNameCollectorPlugin):
    """Tells from the folder whose a notebook is."""

    def collect(self, submitted_file):
        """Return the student and the notebook of a file."""
        return {"student_id": Path(submitted_file).parent.name, "file_id": self.parent.coursedir.assignment_id}


def prepare():
    """Prepare `nbgrader autograde`, if that is what runs. It ends before it touches anything where nothing is safe."""
    running = Application.instance() if Application.initialized() else None
    if not isinstance(running, AutogradeApp):
        return
    trusted = str(running.cli_config.Judging.get("i_trust_them", False)) == "True"
    if why := refusal(trusted):
        raise SystemExit(why)
    c.NbGrader.logfile = log_messages.LOG
    log_messages.prepare(running)


c.CourseDirectory.course_id = PACKAGE
c.ZipCollectApp.extractor_plugin = PlatformExtractor
c.ZipCollectApp.collector_plugin = PlatformCollector
c.ExportApp.plugin_class = WithoutUndecided
c.ClearSolutions.enabled = False  # the source is the student's form already
c.Autograde.exporter_class = Arriving
c.Autograde.sanitize_preprocessors = [Restoring, PutBack, BeginAnew, *Autograde.sanitize_preprocessors.default()]
c.Autograde.autograde_preprocessors = [
    *(Judging if each is Execute else each for each in Autograde.autograde_preprocessors.default()),
    LeaveToAPerson,
]
prepare()

"""The lessons as assignments of nbgrader: points come from the same checks that the student sees."""

import re
import shutil
from copy import deepcopy
from pathlib import Path

from classroom import copies
from classroom.cells import exercises
from the_course import PACKAGE, PLACE

CONFIG = "nbgrader_config.py", "platform_names.py", "unpacking.py"
JUDGING = "judging"
HERE = Path(__file__).parent
GRADED = """
from IPython.display import display
from {package} import check

verdict = {call}
display(verdict)
assert verdict.is_right, "No points yet, for the reason above."
""".strip()


def assignment(notebook):
    """Return a lesson for the course folder: a student's copy in which checks are locked and have points."""
    copy = deepcopy(notebook)
    for each in exercises(copy):
        each.stub.metadata.nbgrader = _metadata(each.stub, solution=True)
        each.check.metadata.nbgrader = _metadata(each.check, grade=True, locked=True, points=each.points)
        each.check.source = GRADED.format(package=PACKAGE, call=each.call)
        each.check.outputs, each.check.execution_count = [], None
    return copies.student(copy)


def equip(folder):
    """Put what nbgrader needs for this course into a course folder."""
    for name in CONFIG:
        shutil.copy(HERE / name, folder)
    shutil.copytree(HERE / JUDGING, folder / JUDGING, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    named = folder / JUDGING / "graded_course.py"
    text = named.read_text(encoding="utf-8")
    named.write_text(re.sub('^COURSE = ".*?"', f'COURSE = "{PLACE}"', text, flags=re.MULTILINE), encoding="utf-8")


def _metadata(cell, **what):
    nothing = {"grade": False, "solution": False, "locked": False, "task": False}
    return {"schema_version": 3, "grade_id": cell.id, "cell_type": cell.cell_type} | nothing | what

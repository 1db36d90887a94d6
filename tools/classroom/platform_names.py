"""How Canvas and Moodle name what a student handed in, in the zip that they make for a teacher.

It stands by itself: a course folder of nbgrader's gets a copy.
"""

import re
from typing import NamedTuple

WHO = r"(?P<name>[^/]+?)(?:_(?i:late))?_(?P<number>[0-9]+)"
CANVAS = re.compile(WHO + r"_(?P<upload>[0-9]{1,18})_(?P<file>.+)", re.DOTALL)
MOODLE = re.compile(WHO + r"_assignsubmission_[a-z]+(?:_(?P<file>.*))?", re.DOTALL)  # a file, or a folder with files
STUDENT = re.compile(r"(?P<name>.*)_(?P<number>\d+)")


class HandedIn(NamedTuple):
    """Whose a file is, by name and by the platform's number; how it was called; the number of its upload, or 0."""

    name: str
    number: str
    file: str
    upload: int = 0

    @property
    def student(self):
        """Who it is, in one word that `STUDENT` reads: two students may have one name."""
        return f"{self.name}_{self.number}"


def handed_in(path):
    """Read the path of a file in a platform's zip; None where it does not say whose it is, or could mean two students.

    Only the beginning of the path is the platform's own: a student chose what comes after it.

    >>> from pathlib import PurePath
    >>> handed_in(PurePath("doejane_late_12_34_notes.ipynb"))
    HandedIn(name='doejane', number='12', file='notes.ipynb', upload=34)
    >>> handed_in(PurePath("Jane Doe_12_assignsubmission_file_/notes.ipynb")).student
    'Jane Doe_12'
    >>> handed_in(PurePath("doejane_12_34_x_99_assignsubmission_file_notes.ipynb")) is None
    True
    """
    first, *inner = path.parts or ("",)
    canvas, moodle = CANVAS.fullmatch(first), MOODLE.fullmatch(first)
    if moodle and not canvas and first.count("_assignsubmission_") == 1 and (inner or moodle["file"]):
        return HandedIn(moodle["name"], moodle["number"], path.name if inner else moodle["file"])
    if canvas and not moodle and not inner:
        return HandedIn(canvas["name"], canvas["number"], canvas["file"], int(canvas["upload"]))
    return None

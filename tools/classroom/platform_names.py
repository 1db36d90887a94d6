"""How Canvas and Moodle name what a student handed in, in the zip that they make for a teacher.

It stands by itself: a course folder of nbgrader's gets a copy.
"""

import re
from typing import NamedTuple

WHO = r"(?P<name>[^/]+?)(?:_(?i:late))?_(?P<number>\d+)"
CANVAS = re.compile(WHO + r"_(?P<upload>\d+)_(?P<file>.+)")
MOODLE = re.compile(WHO + r"_assignsubmission_file(?:_(?P<file>.+))?.*")  # of a file, or of a folder with files
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
    """Read a path below the folder of an unpacked zip; None where no platform made it.

    >>> from pathlib import PurePath
    >>> handed_in(PurePath("doejane_late_12_34_notes.ipynb"))
    HandedIn(name='doejane', number='12', file='notes.ipynb', upload=34)
    >>> handed_in(PurePath("Jane Doe_12_assignsubmission_file_/notes.ipynb")).student
    'Jane Doe_12'
    """
    for part in path.parts:
        if found := MOODLE.fullmatch(part):
            is_the_file = part == path.name and found["file"]
            return HandedIn(found["name"], found["number"], found["file"] if is_the_file else path.name)
    found = CANVAS.fullmatch(path.name)
    return found and HandedIn(found["name"], found["number"], found["file"], int(found["upload"]))

"""Whose a file is, as its name and its folders tell."""

import hashlib
import re
import unicodedata
from itertools import pairwise
from pathlib import PurePath

from classroom.platform_names import handed_in
from classroom.report.downloads import NAME
from the_course import LESSONS

from mha_course.engine.progress.progress_lines import to_line

COURSE = "autograded", "submitted"  # nbgrader's folders, in which each student has one
TEACHERS = "source", "release", "feedback", "downloaded"  # beside them
LESSON = re.compile("|".join(rf"{lesson.number:02}_{name}" for name, lesson in LESSONS.items()))
COPIED = re.compile(r"([ -]*\(\d+\)|[ _-]+copy\d*)$", re.IGNORECASE)
NOBODYS = re.compile(rf"my_progress(_to_hand_in)?|{NAME.pattern}|{LESSON.pattern}")  # what the course calls a file
NO_NAME = "notebooks", "lessons", "progress"  # folders that are named after no student


def student_of(path):
    """Return the student whose file this is. path: below the folder that was handed in.

    A learning platform or nbgrader says so. Else it is what the file's name adds to the course's own name, or else
    the nearest folder; "" where neither says anything.

    >>> from pathlib import Path
    >>> names = "jane/my_progress.jsonl", "week 1/jane.jsonl", "03_scaled_scores/jane_03_scaled_scores (2).ipynb"
    >>> [student_of(Path(name)) for name in (*names, "submitted/jane/01_inputs/01_inputs.ipynb", "my_progress.jsonl")]
    ['jane', 'jane', 'jane', 'jane', '']
    """
    path = type(path)(unicodedata.normalize("NFC", str(path)))  # a Mac writes ë as two characters
    parts = path.parts
    for folder, within in pairwise(parts[:-1]):
        if folder in COURSE:
            return within
    below = (PurePath(*parts[place:]) for place in range(len(parts)))  # the outermost that a platform wrote counts
    if found := next(filter(None, map(handed_in, below)), None):
        return found.student
    folders = [part for part in parts[:-1] if not LESSON.fullmatch(part) and part.lower() not in NO_NAME]
    return _added(path) or next(reversed(folders), "")


def is_a_teachers(path, root):
    """Whether a file lies in a folder of an nbgrader course that holds no student's work, or is kept twice."""
    parts = path.parts
    for place, part in enumerate(parts[:-1]):
        if part in TEACHERS and (root.joinpath(*parts[:place]) / "submitted").is_dir():
            return True
        if part == "submitted" and root.joinpath(*parts[:place], "autograded", *parts[place + 1 :]).is_file():
            return True
    return any(part.startswith((".", "__MACOSX")) for part in parts)


def pseudonyms(events):
    """Give every student a number that only who has their files can trace: the files decide it. events: by student.

    The same files give the same numbers, and others give others.
    """
    everything = hashlib.sha256(b"".join(to_line(event) for each in events.values() for event in each)).digest()
    order = sorted(events, key=lambda student: hashlib.sha256(everything + student.encode()).digest())
    return {student: f"Student {number}" for number, student in enumerate(order, 1)}


def _added(path):
    """Return what a file's name adds to the name that the course gives it."""
    stem = COPIED.sub("", path.stem)
    if path.suffix == ".ipynb" and not LESSON.search(stem) and len(path.parts) > 1:
        return ""  # some other notebook in a student's folder
    return NOBODYS.sub("", stem, count=1).strip(" _-")

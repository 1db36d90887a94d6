"""What lies beside the copies: the licence, what the course keeps about a learner, where to begin, and git's part."""

import re
from pathlib import Path

from classroom import teaching

ROOT = Path(__file__).parents[2]
ELSEWHERE = re.compile(r"\[([^]]+)\]\(\.\./[^)]*\)")  # a link to what is not handed out
FOR_GIT = {
    ".gitignore": "my_progress*\n",  # a student who keeps the copy in git publishes no progress
    ".gitattributes": "*.ipynb merge=mha_course\n",  # an update is merged by cells: engine/progress/merge_driver.py
}


def licence():
    """Return what has to go with every copy: file name -> text."""
    return {"LICENSE": _read("LICENSE")}


def for_learners():
    """Return what a learner needs with every notebook."""
    return _with_privacy() | FOR_GIT


def for_students():
    """Return what a student finds beside the lessons."""
    return for_learners() | {"README.md": _read("tools/classroom/for_students.md")}


def for_teachers():
    """Return what a teacher finds on top of the kit."""
    return _with_privacy() | {"README.md": ELSEWHERE.sub(r"\1", teaching.handbook())}


def _with_privacy():
    return licence() | {"privacy.md": _read("docs/privacy.md")}


def _read(path):
    return (ROOT / path).read_text(encoding="utf-8")

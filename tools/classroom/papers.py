"""What lies beside the copies: the licence, what the course keeps about a learner, and where to begin."""

import re
from pathlib import Path

from classroom import teaching

ROOT = Path(__file__).parents[2]
LICENCE = "LICENSE"
ELSEWHERE = re.compile(r"\[([^]]+)\]\(\.\./[^)]*\)")  # a link to what is not handed out


def licence():
    """Return what has to go with every copy: file name -> text."""
    return {LICENCE: (ROOT / LICENCE).read_text(encoding="utf-8")}


def for_learners():
    """Return what a learner needs with every notebook."""
    return licence() | {"privacy.md": (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")}


def for_students():
    """Return what a student finds beside the lessons."""
    readme = Path(__file__).with_name("for_students.md").read_text(encoding="utf-8")
    return for_learners() | {"README.md": readme}


def for_teachers():
    """Return what a teacher finds on top of the kit."""
    return for_learners() | {"README.md": ELSEWHERE.sub(r"\1", teaching.notes())}

"""What lies beside the copies: the licence, what the course keeps about a learner, where to begin, and git's part."""

import re

from classroom import teaching
from the_course import COURSE, ROOT

ELSEWHERE = re.compile(r"\[([^]]+)\]\(\.\./[^)]*\)")  # a link to what is not handed out
KEPT = COURSE.identity.progress.removesuffix(".jsonl")
FOR_GIT = {
    ".gitignore": f"{KEPT}*\n",  # a student who keeps the copy in git publishes no progress
    ".gitattributes": "*.ipynb merge=mha_course\n",  # an update is merged by cells: engine/progress/merge_driver.py
}


def licence():
    """Return what has to go with every copy: file name -> text."""
    return _there({"LICENSE": "LICENSE"})


def for_learners():
    """Return what a learner needs with every notebook."""
    return _with_privacy() | FOR_GIT


def for_students():
    """Return what a student finds beside the lessons."""
    return for_learners() | _there({"README.md": "docs/for_students.md"})


def for_teachers():
    """Return what a teacher finds on top of the kit."""
    return _with_privacy() | {"README.md": ELSEWHERE.sub(r"\1", teaching.handbook())}


def _with_privacy():
    return licence() | _there({"privacy.md": "docs/privacy.md"})


def _there(papers):
    """Return the text of each paper that the course has, by its name in the kit."""
    return {name: (ROOT / path).read_text(encoding="utf-8") for name, path in papers.items() if (ROOT / path).exists()}

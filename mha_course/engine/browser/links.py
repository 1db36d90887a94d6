"""Lets the links of an open notebook lead to their headings: something in the page, with nothing to see."""

from functools import cache
from pathlib import Path

from mha_course.engine.browser.base import Base
from mha_course.engine.browser.notebook_cell import present_place

PAGE = Path(__file__).parent / "page"
SCRIPTS = [PAGE / name for name in ("one_for_all.js", "host.js", "links.js")]


class _Links(Base):
    _esm = "\n".join(each.read_text(encoding="utf-8") for each in SCRIPTS)


def follow_links() -> None:
    """Bring the heading that a link names to the top of the page, if a learner has a notebook open."""
    if present_place() is not None:
        _follow()


@cache  # one is enough for all the pages that a kernel serves
def _follow() -> _Links:
    return _Links()

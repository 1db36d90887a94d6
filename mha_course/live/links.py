"""Lets the links of an open notebook lead to their headings: something in the page, with nothing to see."""

import anywidget

from mha_course.live.place import present_place
from mha_course.live.widget import FOLDER


class _Links(anywidget.AnyWidget):
    _esm = (FOLDER / "links.js").read_text(encoding="utf-8")


def follow_links() -> None:
    """Bring the heading that a link names to the top of the page, if a learner has a notebook open."""
    if present_place() is not None:
        _Links()

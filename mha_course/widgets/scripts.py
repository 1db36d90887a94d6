"""The scripts and styles of the boards, with what all widgets share before them."""

from pathlib import Path

from mha_course.engine.browser import widget
from mha_course.identity import IDENTITY

FOLDER = Path(__file__).parent / "browser"


def script(*names: str) -> str:
    """Return scripts of this folder as one."""
    return widget.script(*(FOLDER / name for name in names))


def styles(*names: str) -> str:
    """Return style sheets of this folder as one, with a colour for each role."""
    return widget.styles(*(FOLDER / name for name in names), identity=IDENTITY)

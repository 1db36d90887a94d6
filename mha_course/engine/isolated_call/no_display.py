"""Drops what a call displays, and the figures that it draws: a check calls a function a dozen times."""

import builtins
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mha_course.engine.isolated_call.replacement import Places, Replaced


@contextmanager
def unseen() -> Iterator[None]:
    """Show nothing of what is displayed until the end of the block; figures that are opened in it are closed.

    >>> with unseen():
    ...     print("What is printed is another matter.")
    What is printed is another matter.
    """
    before = _figures()
    try:
        with _DISPLAY.meanwhile():
            yield
    finally:
        for number in _figures() - before:
            sys.modules["matplotlib.pyplot"].close(number)


def _figures() -> set[int]:
    """Return the numbers of the open figures, if there is anything that draws some."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums()) if hasattr(pyplot, "get_fignums") else set()


def _places() -> Places:
    publisher: Any = getattr(getattr(builtins, "get_ipython", lambda: None)(), "display_pub", None)
    if publisher is not None:
        yield publisher, "publish", lambda *shown, **how: None


_DISPLAY = Replaced(_places)

"""What a call prints, as far as anybody reads it, and whether it goes on; what it displays and draws is dropped."""

import builtins
import io
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mha_course.engine.isolated_call.replacement import Places, Replaced

MOST_PRINTED = 2000  # characters


class Printed(io.StringIO):
    """What a call prints. It cannot be closed, so that all of it can be read."""

    def __init__(self) -> None:
        """Begin with nothing, now."""
        super().__init__()
        self._begun = self._last = time.monotonic()

    def write(self, text: str) -> int:
        """Take more."""
        self._last = time.monotonic()
        return super().write(text)

    def goes_on(self) -> bool:
        """Whether it is more than anybody reads, and some of it came in the last quarter of the time until now."""
        now = time.monotonic()
        return self.tell() > MOST_PRINTED and now - self._last < (now - self._begun) / 4

    def close(self) -> None:
        """Stay open."""


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

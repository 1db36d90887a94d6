"""Lets a function look at the clock itself, at every turn of a loop and every return: for a Python without threads."""

import sys
import time
from collections.abc import Callable
from sys import setrecursionlimit as set_recursion_limit  # Python's own, whatever stands in its place meanwhile
from typing import TypeVar

Returned = TypeVar("Returned")

TOOL = 4  # of the six that may watch at a time; 0 to 2 and 5 are for debuggers and the like
TURNS = 100  # between two looks at the clock
DEPTH = 200  # calls inside of each other: where a page's small stack would overflow, Python would end


class Watch:
    """Raises `KeyboardInterrupt` when time is up, and again at each turn after: no bare except outlasts that."""

    def __init__(self, seconds: float, note: Callable[[], None]) -> None:
        """Begin to count at once. note: is told when time is up."""
        self._end, self._note, self._is_over, self._left = time.monotonic() + seconds, note, False, TURNS

    if sys.version_info >= (3, 12):  # no Python without threads is older

        def run(self, function: Callable[..., Returned], *given: object) -> Returned:
            """Return what the function gives. Errors: its own, and `KeyboardInterrupt` when time is up."""
            watching = sys.monitoring
            if watching.get_tool(TOOL):  # a check inside of a check
                return function(*given)
            watching.use_tool_id(TOOL, __name__)
            # At the call itself, the error of a recursion too deep would seem to lie in the line of the def.
            events = (watching.events.JUMP, watching.events.PY_RETURN)
            for event in events:
                watching.register_callback(TOOL, event, self._check)
            most = sys.getrecursionlimit()
            try:
                set_recursion_limit(min(most, depth() + DEPTH))
                watching.set_events(TOOL, sum(events))
                return function(*given)
            finally:
                watching.set_events(TOOL, 0)
                watching.free_tool_id(TOOL)
                set_recursion_limit(most)

    else:

        def run(self, function: Callable[..., Returned], *given: object) -> Returned:
            """Return what the function gives, unwatched."""
            return function(*given)

    def _check(self, *where: object) -> None:
        self._left -= 1
        if self._left > 0 and not self._is_over:
            return
        self._left = TURNS
        if self._is_over or time.monotonic() > self._end:
            self._is_over = True
            self._note()
            raise KeyboardInterrupt


def depth() -> int:
    """Return how many calls are under way."""
    frame, depth = sys._getframe(), 0
    while frame.f_back:
        frame, depth = frame.f_back, depth + 1
    return depth

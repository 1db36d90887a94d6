"""Makes a call in another process first, which can be stopped whatever it does.

Only a call that came to its end there is made here, where its error, its prints and its result are the
learner's own, with nothing lost on the way from one process to the other.
"""

import io
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import cloudpickle  # type: ignore[import-untyped]

from mha_course.workbook.checking.child import Child
from mha_course.workbook.checking.own_code import NOT_THE_LEARNERS

MOST_MEMORY = 2**30  # bytes that one call may take: half of what a small server gives
MOST_SENT = 10**8  # bytes
LOADING = 20.0  # seconds for starting a process, and for what the function imports
PAUSE = 0.02  # seconds between two looks at the memory

Why = Literal["time", "memory", "death"]

_child: Child | None = None
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class Stop:
    """Why a call must not be made here, and what it printed until then."""

    why: Why
    printed: str


def rehearse(function: Callable[..., object], arguments: tuple[object, ...], seconds: float) -> Stop | None:
    """Make the call in another process; None if it ended there, or if it cannot be made there."""
    try:
        sent = packed(function, arguments)
    except Exception:  # a lock, an open file, something large: whatever cannot be sent
        return None
    with _one_at_a_time:
        try:
            return _watched(sent, seconds)
        except OSError:  # no process can be started here, or it is gone before it was asked anything
            _end()
        except BaseException:  # the Stop button
            _end()
            raise
    return None


def _watched(sent: bytes, seconds: float) -> Stop | None:
    child = _sent(sent, seconds)
    if child is None:
        return None
    printed, end, allowed = [], time.monotonic() + seconds, child.memory() + MOST_MEMORY
    why: Why | None = None
    while why is None:
        match child.answer(PAUSE):
            case ("ended",):
                return None
            case ("printed", text):
                printed.append(text)
            case ("gone",):
                why = "death"
        if child.memory() > allowed:
            why = "memory"
        elif time.monotonic() > end:
            why = "time"
    _end()
    return Stop(why, "".join(printed))


def _sent(sent: bytes, seconds: float) -> Child | None:
    """Return the child, in which the call now begins; None if what was sent cannot be read there."""
    global _child
    if _child is None or not _child.is_alive:
        _end()
        _child = Child()
    _child.send(seconds, sent)
    answer = _child.answer(LOADING)
    if answer == ("begun",):
        return _child
    if answer != ("unreadable",):
        _end()
    return None


def _end():
    global _child
    if _child is not None:
        _child.stop()
        _child = None


def packed(function: Callable[..., object], arguments: tuple[object, ...]) -> bytes:
    """Return a call as bytes. Errors: whatever cloudpickle raises of what cannot be sent."""
    module = sys.modules.get(str(getattr(function, "__module__", None)))
    if module is not None and not (getattr(module, "__file__", None) or "").startswith(NOT_THE_LEARNERS):
        cloudpickle.register_pickle_by_value(module)  # a file of the learner's: as it is now, not as it was first read
    file = _Limited()
    cloudpickle.Pickler(file).dump((function, arguments))
    return file.getvalue()


class _Limited(io.BytesIO):
    """A file in memory that does not grow too large."""

    def write(self, data: bytes) -> int:  # type: ignore[override]
        if self.tell() + memoryview(data).nbytes > MOST_SENT:
            raise ValueError("too much to send")
        return super().write(data)

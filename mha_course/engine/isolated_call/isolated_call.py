"""Makes a call in another process first, which can be stopped whatever it does.

Only a call that came to its end there is made here, where its error, its prints and its result are the
learner's own, with nothing lost on the way from one process to the other.
"""

import io
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import cloudpickle  # type: ignore[import-untyped]

from mha_course.engine.isolated_call.output_capture import Printed
from mha_course.engine.isolated_call.own_code import is_own_file
from mha_course.engine.isolated_call.stopwatch import Stopwatch
from mha_course.engine.isolated_call.warm_process import WarmProcess

MOST_MEMORY = 2**30  # bytes that the calls of one function may take: half of what a small server gives
MOST_SENT = 10**8  # bytes
LOADING = 20.0  # seconds for starting a process, and for what the function imports
PAUSE = 0.02  # seconds between two looks at the memory

Why = Literal["time", "memory", "death"]

_child: WarmProcess | None = None
_present: "IsolatedCall | None" = None  # whose function is there
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class Stopped:
    """Why a call must not be made here, and what it printed until then. has_waited, prints_on: as in `Attempt`."""

    why: Why
    printed: str
    has_waited: bool
    prints_on: bool


class IsolatedCall:
    """Makes the calls of one function in another process first.

    The function is sent there once, and stays: what it remembers from call to call it remembers there as it does here.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        """Begin with nothing sent."""
        self._function = function

    def stop(self, arguments: tuple[object, ...], seconds: float) -> Stopped | None:
        """Make a call in the other process; None if it ended there, or if it cannot be made there."""
        with _one_at_a_time:
            try:
                return self._watched(seconds) if self._begin(arguments, seconds) else None
            except OSError:  # no process can be started here, or it is gone before it was asked anything
                _end()
            except BaseException:  # the Stop button
                _end()
                raise
        return None

    def _begin(self, arguments: tuple[object, ...], seconds: float) -> bool:
        """Send a call, and return whether it has begun; not if it cannot be sent, or be read there.

        Then it is made here alone, so the function is sent anew with the next call, with all that it remembers.
        """
        global _child, _present
        if _child is None or not _child.is_alive:
            _end()
            _child = WarmProcess()
        is_known, _present = _present is self, None
        try:
            sent = packed(None if is_known else self._function, arguments)
        except Exception:  # a lock, an open file, something large: whatever cannot be sent
            return False
        _child.send(seconds, sent)
        answer = _child.answer(LOADING)
        if answer not in (("begun",), ("unreadable",)):
            _end()
        if answer != ("begun",):
            return False
        if not is_known:  # what it imports is there now, and does not count
            self._allowed = _child.memory() + MOST_MEMORY
        _present = self
        return True

    def _watched(self, seconds: float) -> Stopped | None:
        assert _child
        printed, watch = Printed(), Stopwatch(_child.computed)
        why: Why | None = None
        while why is None:
            match _child.answer(PAUSE):
                case ("ended",):
                    return None
                case ("printed", text):
                    printed.write(text)
                case ("gone",):
                    why = "death"
            if _child.memory() > self._allowed:
                why = "memory"
            elif watch.seconds() > seconds:
                why = "time"
        stopped = Stopped(why, printed.getvalue(), watch.has_waited(), why == "time" and printed.goes_on())
        _end()
        return stopped


def _end():
    global _child, _present
    if _child is not None:
        _child.stop()
        _child = _present = None


def packed(function: Callable[..., object] | None, arguments: tuple[object, ...]) -> bytes:
    """Return a call as bytes. function: None for the one that was sent before.

    Errors: whatever cloudpickle raises of what cannot be sent.
    """
    module = sys.modules.get(str(getattr(function, "__module__", None)))
    if module is not None and is_own_file(getattr(module, "__file__", None) or ""):
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

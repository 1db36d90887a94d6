"""The other process: makes each call it is sent, and tells how far it is. See `isolated_call`."""

import builtins
import contextlib
import copy
import faulthandler
import io
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable
from typing import BinaryIO

from mha_course.engine.isolated_call.output_capture import MOST_PRINTED
from mha_course.engine.isolated_call.stopwatch import WAITING

BREATH = 0.02  # seconds between two words that it prints on
GRACE = 10.0  # seconds over its time after which a call ends this process, should nobody be left to do so


Tell = Callable[..., None]


def serve(make: Callable[[bytes, float, Tell], object]) -> None:
    """Make calls until the pipe that they come through is closed. make: does so with (what was sent, seconds, tell)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the Stop button is for the kernel, which then ends this process
    sys.setrecursionlimit = lambda most: None  # what calls itself without end is told so
    builtins.breakpoint = lambda *given, **how: None
    builtins.display = lambda *shown, **how: None  # type: ignore[attr-defined]  # which every notebook has
    calls, answers = taken(0, "rb"), taken(1, "wb")

    def _tell(*answer: str):
        pickle.dump(answer, answers)
        answers.flush()

    while True:
        try:
            seconds, sent = pickle.load(calls)
        except EOFError:
            return
        make(sent, seconds, _tell)


def taken(number: int, mode: str) -> BinaryIO:
    """Return a standard stream as a file of its own; what the learner's code reads or writes there goes nowhere."""
    stream: BinaryIO = os.fdopen(os.dup(number), mode)  # type: ignore[assignment]
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, number)
    os.close(nowhere)
    return stream


class _Working:
    """Makes the calls of the function that was sent last."""

    _function: Callable[..., object]

    def make(self, sent: bytes, seconds: float, tell: Tell) -> None:
        try:
            function, arguments = pickle.loads(sent)
        except BaseException:  # whatever a module of the learner's does when it is imported
            return tell("unreadable")
        self._function = function or self._function
        tell("begun")
        latest = WAITING * seconds + GRACE
        faulthandler.dump_traceback_later(latest, exit=True)  # needs no help of Python, which may be busy
        with contextlib.suppress(BaseException), contextlib.redirect_stdout(_Printing(tell)):
            copy.deepcopy(self._function(*arguments))
        faulthandler.cancel_dump_traceback_later()
        tell("ended")


class _Printing(io.TextIOBase):
    """Tells what is printed while it is printed: the first part of it, for nobody reads more, then that it goes on."""

    def __init__(self, tell: Tell):
        self._tell, self._left = tell, MOST_PRINTED + 1  # one more than is shown tells that there is more
        self._told = 0.0

    def write(self, text: str) -> int:
        if text and (self._left > 0 or time.monotonic() > self._told + BREATH):
            self._tell("printed", str(text[: self._left]))
            self._left, self._told = max(0, self._left - len(text)), time.monotonic()
        return len(text)


if __name__ == "__main__":
    serve(_Working().make)

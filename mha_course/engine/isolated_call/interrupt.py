"""Interrupts a function that does not come to an end, should it not have been stopped in the other process."""

import _thread
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

from mha_course.engine.isolated_call.stopwatch import Stopwatch
from mha_course.engine.isolated_call.time_limit import Watch
from mha_course.engine.platform_support import HAS_THREADS

Returned = TypeVar("Returned")

AGAIN = 0.5  # seconds between two interruptions of a loop that swallows the first
SHORTEST = 0.01  # seconds between two looks at the clock


class Guard:
    """Interrupts the main thread when time is up, as the Stop button does; elsewhere Python cannot.

    Without threads nobody else can look at the clock, so the function does: see `Watch`.
    """

    def __init__(self, seconds: float | None, stopwatch: Stopwatch):
        """Begin with nothing interrupted.

        seconds: how long a function may take, by the stopwatch; None if it is known to end.
        """
        self.has_fired, self._was_asked = False, False
        self._seconds, self._stopwatch = seconds, stopwatch
        self._lock, self._is_over = threading.Lock(), threading.Event()

    def run(self, function: Callable[..., Returned], *given: object) -> Returned:
        """Return what the function gives. Errors: its own, and `KeyboardInterrupt` when time is up."""
        if self._seconds is None:
            return self._as_known(function, *given)
        if not HAS_THREADS:
            return Watch(self._seconds, self._note).run(function, *given)
        if threading.current_thread() is not threading.main_thread():
            return function(*given)
        tracer, handler = sys.gettrace(), signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._watch, args=(self._seconds,), daemon=True).start()
        try:
            return function(*given)
        finally:
            sys.settrace(tracer)
            with self._lock:
                self._is_over.set()
            signal.signal(signal.SIGINT, handler)

    def _as_known(self, function: Callable[..., Returned], *given: object) -> Returned:
        try:
            return function(*given)
        except KeyboardInterrupt:  # which is no error of a function that is known
            self._was_asked = True
            raise

    @property
    def was_stopped_by_hand(self) -> bool:
        """Whether the Stop button was pressed meanwhile; a function may raise the same error by itself."""
        return self._was_asked and not self.has_fired

    def _note(self):
        self.has_fired = True

    def _watch(self, seconds: float):
        pause = seconds
        while not self._is_over.wait(pause):
            left = seconds - self._stopwatch.seconds()
            pause = max(left, SHORTEST) if left > 0 else AGAIN
            with self._lock:
                if left <= 0 and not self._is_over.is_set():
                    self.has_fired = True
                    _interrupt_main()

    def _interrupt(self, number: int, frame: FrameType | None):
        if self.has_fired:  # raise once more at the next line: a bare except there cannot catch that
            sys.settrace(_raise_again)
            while frame and frame.f_code.co_filename != __file__:
                frame.f_trace = _raise_again
                frame = frame.f_back
        else:
            self._was_asked = True
        raise KeyboardInterrupt


def _interrupt_main():
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)  # wakes it up, should it sleep
    else:
        _thread.interrupt_main()


def _raise_again(frame: FrameType, event: str, argument: object):
    if frame.f_code.co_filename == __file__:
        return None
    if event == "line":
        raise KeyboardInterrupt
    return _raise_again

"""Calls a learner's function once: with copies, for a few seconds at most, whatever it does."""

import _thread
import contextlib
import copy
import io
import os
import signal
import sys
import sysconfig
import threading
import traceback
from dataclasses import dataclass

import numpy as np

SECONDS = 3.0
AGAIN = 0.5  # seconds between two interruptions of a loop that swallows the first
MOST_PRINTED = 2000  # characters
LIBRARIES = [sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")]
NOT_THE_LEARNERS = tuple(folder + os.sep for folder in (os.path.dirname(os.path.dirname(__file__)), *LIBRARIES))


@dataclass(frozen=True, eq=False)
class Attempt:
    """What came of one call: a value, or an error with its line, or that time ran out.

    changed: the numbers of the arguments, from 0, that the function changed in place.

    >>> call(lambda x: x + 1, (2,)).value
    3
    """

    value: object = None
    error: BaseException | None = None
    line: str | None = None
    ran_out_of_time: bool = False
    changed: tuple = ()


def call(function, arguments, seconds=SECONDS, quiet=False):
    """Call a function with copies of the arguments, and return the `Attempt`.

    quiet: whether what the function prints is dropped. Warnings of NumPy always are.
    Errors: none of the function's own gets out; the Stop button's does.

    >>> call(lambda: 1 / 0, ()).error
    ZeroDivisionError('division by zero')
    >>> def forever():
    ...     while True:
    ...         pass
    >>> call(forever, (), seconds=0.1).ran_out_of_time
    True
    """
    given = copy.deepcopy(arguments)
    guard, printed = _Guard(seconds), io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
            value = guard.run(function, given)
    except KeyboardInterrupt:
        if not guard.has_fired:
            raise
    except BaseException as error:  # also SystemExit, which would end the kernel
        return Attempt(error=error, line=_line_of(error))
    finally:
        _print(printed.getvalue(), quiet)
    if guard.has_fired:  # also where the function swallowed the interruption, and went on
        return Attempt(ran_out_of_time=True)
    changed = tuple(i for i, (a, b) in enumerate(zip(arguments, given, strict=True)) if not _same(a, b))
    return Attempt(value=_copied(value), changed=changed)


class _Guard:
    """Interrupts the main thread when time is up, as the Stop button does; elsewhere Python cannot."""

    def __init__(self, seconds):
        self.has_fired = False
        self._seconds, self._lock, self._is_over = seconds, threading.Lock(), threading.Event()

    def run(self, function, given):
        """Return what the function gives. Errors: its own, and `KeyboardInterrupt` when time is up."""
        if threading.current_thread() is not threading.main_thread():
            return function(*given)
        tracer, handler = sys.gettrace(), signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._watch, daemon=True).start()
        try:
            return function(*given)
        finally:
            sys.settrace(tracer)
            with self._lock:
                self._is_over.set()
            signal.signal(signal.SIGINT, handler)

    def _watch(self):
        pause = self._seconds
        while not self._is_over.wait(pause):
            with self._lock:
                if not self._is_over.is_set():
                    self.has_fired = True
                    _interrupt_main()
            pause = AGAIN

    def _interrupt(self, number, frame):
        if self.has_fired:  # raise once more at the next line: a bare except there cannot catch that
            sys.settrace(_raise_again)
            while frame and frame.f_code.co_filename != __file__:
                frame.f_trace = _raise_again
                frame = frame.f_back
        raise KeyboardInterrupt


def _interrupt_main():
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)  # wakes it up, should it sleep
    else:
        _thread.interrupt_main()


def _raise_again(frame, event, argument):
    if frame.f_code.co_filename == __file__:
        return None
    if event == "line":
        raise KeyboardInterrupt
    return _raise_again


def _print(text, quiet):
    if text and not quiet:
        print(text[:MOST_PRINTED], end="" if len(text) <= MOST_PRINTED else "\n… and more.\n")


def own_frames(error):
    """List the frames of the learner's own code that an error passed, each with the number of its line.

    >>> own_frames(ValueError("raised by nobody"))
    []
    """
    passed = traceback.walk_tb(error.__traceback__)
    return [(frame, line) for frame, line in passed if not frame.f_code.co_filename.startswith(NOT_THE_LEARNERS)]


def _line_of(error):
    """Return the last line of the learner's own code that the error passed."""
    own = traceback.StackSummary.extract(iter(own_frames(error)))
    return own[-1].line if own else None


def _copied(value):
    try:
        return copy.deepcopy(value)
    except Exception:  # a generator, a module: nothing that could be right
        return value


def _same(a, b):
    try:
        return bool(np.array_equal(a, b))
    except (TypeError, ValueError):
        return a == b

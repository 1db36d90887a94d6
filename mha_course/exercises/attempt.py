"""Calls a learner's function once: with copies, for a few seconds at most, whatever it does."""

import _thread
import contextlib
import copy
import io
import os
import threading
import traceback
from dataclasses import dataclass

import numpy as np

SECONDS = 5.0
AGAIN = 0.5  # seconds between two interruptions of a loop that swallows the first
PACKAGE = os.path.dirname(os.path.dirname(__file__))


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
    guard = _Guard(seconds)
    printed = contextlib.redirect_stdout(io.StringIO()) if quiet else contextlib.nullcontext()
    try:
        with guard, printed, np.errstate(all="ignore"):
            value = copy.deepcopy(function(*given))
    except KeyboardInterrupt:
        if not guard.has_fired:
            raise
        return Attempt(ran_out_of_time=True)
    except (Exception, SystemExit) as error:
        return Attempt(error=error, line=_line_of(error))
    changed = tuple(i for i, (a, b) in enumerate(zip(arguments, given, strict=True)) if not _same(a, b))
    return Attempt(value=value, changed=changed)


class _Guard:
    """Interrupts the main thread when time is up, as the Stop button does; elsewhere Python cannot."""

    def __init__(self, seconds):
        self.has_fired = False
        self._seconds, self._lock, self._is_over = seconds, threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():
            self._thread.start()

    def __exit__(self, *error):
        with self._lock:
            self._is_over.set()

    def _watch(self):
        pause = self._seconds
        while not self._is_over.wait(pause):
            with self._lock:
                if not self._is_over.is_set():
                    self.has_fired = True
                    _thread.interrupt_main()
            pause = AGAIN


def _line_of(error):
    """Return the last line of the learner's own code that the error passed."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if not each.filename.startswith(PACKAGE) and "site-packages" not in each.filename]
    return own[-1].line if own else None


def _same(a, b):
    try:
        return bool(np.array_equal(a, b))
    except (TypeError, ValueError):
        return a == b

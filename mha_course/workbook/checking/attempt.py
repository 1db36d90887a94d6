"""Calls a learner's function: with copies, for a few seconds at most, whatever it does."""

import contextlib
import copy
import io
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import numpy as np

from mha_course.workbook.checking.guard import Guard
from mha_course.workbook.checking.own_code import is_the_courses, last_own_line
from mha_course.workbook.checking.rehearsal import MOST_MEMORY, Rehearsal, Why
from mha_course.workbook.checking.rehearsal_process import MOST_PRINTED
from mha_course.workbook.checking.returned import spelt_out
from mha_course.workbook.this_python import HAS_PROCESSES

# Makes one call: returns what came of it, and the numbers of the arguments, from 0, that it changed.
Make = Callable[[tuple[object, ...]], tuple[object, tuple[int, ...]]]

SECONDS = 3.0
ERRORS: dict[Why, Exception] = {
    "memory": MemoryError(f"It used more than {MOST_MEMORY / 2**30:g} GB of memory, so it was stopped."),
    "death": ChildProcessError("It ended Python itself, as os._exit does, or a crash inside a library."),
}


@dataclass(frozen=True, eq=False)
class Attempt:
    """What came of one call: a value, or an error with its line, or why it had to be stopped.

    stopped: also has an error, unless time ran out. seconds: how long the call took, if it was not stopped.
    changed: the numbers of the arguments, from 0, that the function changed in place.
    """

    value: object = None  # anything that a function can return
    error: BaseException | None = None
    line: str | None = None
    stopped: Why | None = None
    changed: tuple[int, ...] = ()
    seconds: float = 0.0

    @property
    def ran_out_of_time(self) -> bool:
        """Whether it still ran when its time was over."""
        return self.stopped == "time"


class Caller:
    """Makes the calls of one function, which is sent to be rehearsed only once.

    function: what is called; the checks read it, too.
    """

    def __init__(self, function: Callable[..., object] | None, make: Make | None = None) -> None:
        """Begin with nothing called.

        make: has the calls made where they can do no harm, if not here. Then `function` is only read; None if there is
        nothing to read.
        """
        self.function, self._rehearsal = function, cast(Rehearsal | None, None)
        self._is_known_to_end = make is None and is_the_courses(function)
        if make is None:
            assert function is not None
            listing = spelt_out(function)
            make = partial(_made_here, listing)
            self._rehearsal = Rehearsal(listing) if HAS_PROCESSES and not self._is_known_to_end else None
        self._make = make

    def call(self, arguments: tuple[object, ...], seconds: float = SECONDS, quiet: bool = False) -> Attempt:
        """Make a call, and return the `Attempt`; see `call`."""
        stop = self._rehearsal.stop(arguments, seconds) if self._rehearsal else None
        if stop is not None:
            _print(stop.printed, quiet)
            return Attempt(error=ERRORS.get(stop.why), stopped=stop.why)
        begin = time.monotonic()
        attempt = _guarded(self._make, arguments, None if self._is_known_to_end else seconds, quiet)
        return replace(attempt, seconds=time.monotonic() - begin)


def call(
    function: Callable[..., object] | Caller,
    arguments: tuple[object, ...],
    seconds: float = SECONDS,
    quiet: bool = False,
) -> Attempt:
    """Call a function with copies of the arguments, and return the `Attempt`.

    It is rehearsed in another process before, if there can be one, unless it is the course's own. Of what can be run
    through once only, the attempt has a list.

    function: or its `Caller`, for many calls. quiet: whether what the function prints is dropped. Warnings of NumPy
    always are.
    Errors: none of the function's own gets out; the Stop button's does.

    >>> call(lambda: 1 / 0, ()).error
    ZeroDivisionError('division by zero')
    >>> def forever():
    ...     while True:
    ...         pass
    >>> call(forever, (), seconds=0.1).ran_out_of_time
    True
    """
    caller = function if isinstance(function, Caller) else Caller(function)
    return caller.call(arguments, seconds, quiet)


def _made_here(function: Callable[..., object], arguments: tuple[object, ...]) -> tuple[object, tuple[int, ...]]:
    given = copy.deepcopy(arguments)
    value = function(*given)
    return value, tuple(i for i, (a, b) in enumerate(zip(arguments, given, strict=True)) if not _same(a, b))


def _guarded(make: Make, arguments: tuple[object, ...], seconds: float | None, quiet: bool) -> Attempt:
    guard, printed = Guard(seconds), io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
            value, changed = guard.run(make, arguments)
    except KeyboardInterrupt:
        if not guard.has_fired:
            raise
    except BaseException as error:  # also SystemExit, which would end the kernel
        return Attempt(error=error, line=last_own_line(error))
    finally:
        _print(printed.getvalue(), quiet)
    if guard.has_fired:  # also where the function swallowed the interruption, and went on
        return Attempt(stopped="time")
    return Attempt(value=_copied(value), changed=changed)


def _print(text: str, quiet: bool):
    if text and not quiet:
        print(text[:MOST_PRINTED], end="" if len(text) <= MOST_PRINTED else "\n… and more.\n")


def _copied(value):
    try:
        return copy.deepcopy(value)
    except Exception:  # a generator, a module, a tensor that was computed with a gradient: it stays as it is
        return value


def _same(a, b) -> bool:
    try:
        return bool(np.array_equal(a, b))
    except (TypeError, ValueError):
        return a == b

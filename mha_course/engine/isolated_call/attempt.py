"""Calls a learner's function: with copies, for a few seconds at most, whatever it does."""

import contextlib
import copy
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, cast

import numpy as np

from mha_course.engine.isolated_call.interrupt import Guard
from mha_course.engine.isolated_call.isolated_call import MOST_MEMORY, IsolatedCall
from mha_course.engine.isolated_call.output_capture import MOST_PRINTED, Printed, unseen
from mha_course.engine.isolated_call.own_code import is_the_courses, last_own_line
from mha_course.engine.isolated_call.plain_values import TooMany, plainly
from mha_course.engine.isolated_call.refused_calls import WouldAsk, WouldEnd, staying
from mha_course.engine.isolated_call.stopwatch import Clock, Stopwatch, clock_of_this_thread
from mha_course.engine.platform_support import HAS_PROCESSES

# Makes one call: returns what came of it, and the numbers of the arguments, from 0, that it changed.
Make = Callable[[tuple[object, ...]], tuple[object, tuple[int, ...]]]

Why = Literal["time", "memory", "death", "exit", "input", "size"]

SECONDS = 3.0  # of a processor that one call may take; see `Stopwatch` for what sleeps
ERRORS: dict[Why, Exception] = {
    "memory": MemoryError(f"It used more than {MOST_MEMORY / 2**30:g} GB of memory, so it was stopped."),
    "death": ChildProcessError("It ended Python itself, as os._exit does, or a crash inside a library."),
}
STOPS: dict[type[BaseException], Why] = {WouldEnd: "exit", WouldAsk: "input", TooMany: "size"}


@dataclass(frozen=True, eq=False)
class Attempt:
    """What came of one call: a value, or an error with its line, or why it had to be stopped.

    stopped: also has an error, unless time ran out. seconds: how long the call took, by a `Stopwatch`, if it was not
    stopped. has_waited: whether it did not compute for most of its time. prints_on: whether its time ran out while it
    still printed, more than anybody reads.
    changed: the numbers of the arguments, from 0, that the function changed in place.
    """

    value: object = None  # anything that a function can return
    error: BaseException | None = None
    line: str | None = None
    stopped: Why | None = None
    changed: tuple[int, ...] = ()
    seconds: float = 0.0
    has_waited: bool = False
    prints_on: bool = False

    @property
    def ran_out_of_time(self) -> bool:
        """Whether it still ran when its time was over."""
        return self.stopped == "time"


class Caller:
    """Makes the calls of one function, which is sent to the other process only once.

    function: what is called; the checks read it, too.
    """

    def __init__(
        self, function: Callable[..., object] | None, make: Make | None = None, clock: Clock | None = None
    ) -> None:
        """Begin with nothing called.

        make: has the calls made where they can do no harm, if not here. Then `function` is only read; None if there is
        nothing to read. clock: of what is computed there.
        """
        self.function, self._isolated, self._clock = function, cast(IsolatedCall | None, None), clock
        self._is_known_to_end = make is None and is_the_courses(function)
        if make is None:
            assert function is not None
            plain = plainly(function)
            make = partial(made_by, plain)
            self._isolated = IsolatedCall(plain) if HAS_PROCESSES and not self._is_known_to_end else None
        self._make = make

    def call(self, arguments: tuple[object, ...], seconds: float = SECONDS, quiet: bool = False) -> Attempt:
        """Make a call, and return the `Attempt`; see `call`."""
        stop = self._isolated.stop(arguments, seconds) if self._isolated else None
        if stop is not None:
            _print(stop.printed, quiet)
            error = ERRORS.get(stop.why)
            return Attempt(error=error, stopped=stop.why, has_waited=stop.has_waited, prints_on=stop.prints_on)
        watch = Stopwatch(self._clock or clock_of_this_thread())
        attempt = _guarded(self._make, arguments, Guard(None if self._is_known_to_end else seconds, watch), quiet)
        return replace(attempt, seconds=watch.seconds(), has_waited=watch.has_waited())


def call(
    function: Callable[..., object] | Caller,
    arguments: tuple[object, ...],
    seconds: float = SECONDS,
    quiet: bool = False,
) -> Attempt:
    """Call a function with copies of the arguments, and return the `Attempt`.

    It is called in another process before, if there can be one, unless it is the course's own. Of what can be run
    through once only, the attempt has a list.

    function: or its `Caller`, for many calls. quiet: whether what the function prints, displays and draws is dropped.
    Warnings of NumPy always are.
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


def made_by(function: Callable[..., object], arguments: tuple[object, ...]) -> tuple[object, tuple[int, ...]]:
    """Call a function with copies; return a copy of what it gives, and the numbers of the arguments that it changed."""
    given = copy.deepcopy(arguments)
    value = _copied(function(*given))
    return value, tuple(i for i, (a, b) in enumerate(zip(arguments, given, strict=True)) if not _same(a, b))


def _guarded(make: Make, arguments: tuple[object, ...], guard: Guard, quiet: bool) -> Attempt:
    printed = Printed()
    try:
        with _surroundings(printed, quiet):
            attempt = _outcome(guard, make, arguments)
    finally:
        _print(printed.getvalue(), quiet)
    if guard.has_fired:  # also where it swallowed the interruption
        return Attempt(stopped="time", prints_on=printed.goes_on())
    return attempt


def _outcome(guard: Guard, make: Make, arguments: tuple[object, ...]) -> Attempt:
    try:
        value, changed = guard.run(make, arguments)
    except BaseException as error:  # also SystemExit, which would end the kernel
        if isinstance(error, KeyboardInterrupt) and guard.was_stopped_by_hand:
            raise
        return Attempt(error=error, line=last_own_line(error), stopped=STOPS.get(type(error)))
    return Attempt(value=value, changed=changed)


@contextlib.contextmanager
def _surroundings(printed: io.StringIO, quiet: bool) -> Iterator[None]:
    """Make a call's surroundings harmless; all is as before at the end of the block."""
    shown = unseen() if quiet else contextlib.nullcontext()
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"), shown, staying():
        yield


def _print(text: str, quiet: bool):
    if text and not quiet:
        with contextlib.suppress(OSError, ValueError):  # who closed the notebook's own output reads nothing there
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

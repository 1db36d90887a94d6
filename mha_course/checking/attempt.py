"""Calls a learner's function once: with copies, for a few seconds at most, whatever it does."""

import contextlib
import copy
import io
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mha_course.checking.guard import Guard
from mha_course.checking.own_code import last_own_line

SECONDS = 3.0
MOST_PRINTED = 2000  # characters


@dataclass(frozen=True, eq=False)
class Attempt:
    """What came of one call: a value, or an error with its line, or that time ran out.

    changed: the numbers of the arguments, from 0, that the function changed in place.
    """

    value: object = None  # anything that a function can return
    error: BaseException | None = None
    line: str | None = None
    ran_out_of_time: bool = False
    changed: tuple[int, ...] = ()


def call(
    function: Callable[..., object], arguments: tuple[object, ...], seconds: float = SECONDS, quiet: bool = False
) -> Attempt:
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
    guard, printed = Guard(seconds), io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
            value = guard.run(function, given)
    except KeyboardInterrupt:
        if not guard.has_fired:
            raise
    except BaseException as error:  # also SystemExit, which would end the kernel
        return Attempt(error=error, line=last_own_line(error))
    finally:
        _print(printed.getvalue(), quiet)
    if guard.has_fired:  # also where the function swallowed the interruption, and went on
        return Attempt(ran_out_of_time=True)
    changed = tuple(i for i, (a, b) in enumerate(zip(arguments, given, strict=True)) if not _same(a, b))
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

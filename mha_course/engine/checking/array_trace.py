"""Watches the arrays that a function meets on its way."""

import linecache
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from mha_course.engine.checking.exercise import Arguments, Function
from mha_course.engine.isolated_call.attempt import Caller, call
from mha_course.engine.isolated_call.own_code import is_own

SECONDS = 1.0
MOST = 2000  # arrays that are kept: a loop over all entries makes more than anybody looks at


@dataclass(frozen=True, eq=False)
class SeenArray:
    """An array that a function met, and the learner's line that had it; no line if nobody knows."""

    array: np.ndarray
    line: str


def watched(function: Function | Caller, arguments: Arguments) -> list[SeenArray]:
    """Call a function, and return the arrays that it computes with or makes, in their order; its result is the last.

    >>> [each.array.tolist() for each in watched(lambda x: (x + 1).sum(), (np.array([1, 2]),))]
    [[2, 3], 5]
    """
    seen_arrays: list[SeenArray] = []
    given = tuple(_watching(value, seen_arrays) if isinstance(value, np.ndarray) else value for value in arguments)
    made = call(function, given, SECONDS, quiet=True).value
    last = made if isinstance(made, tuple) else (made,)
    return [
        *seen_arrays,
        *(SeenArray(np.asarray(part), "") for part in last if not isinstance(part, _Watching) and _is(part)),
    ]


class _Watching(np.ndarray):
    """An array that writes down what is computed with it, and whatever comes of that."""

    seen_arrays: list[SeenArray] | None = None

    def __array_finalize__(self, origin: object):
        self.seen_arrays = getattr(origin, "seen_arrays", None)
        if self.base is not None and isinstance(origin, _Watching):  # a transpose, a part, another shape
            self._note(self)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **named: Any):
        for value in inputs:
            if not isinstance(value, _Watching):
                self._note(value)
        into = named.pop("out", None)
        if into is not None:
            named["out"] = tuple(map(_plain, into))
        made = getattr(ufunc, method)(*map(_plain, inputs), **{name: _plain(value) for name, value in named.items()})
        self._note(made)
        return into[0] if into is not None else _watching(made, self.seen_arrays) if _is(made) else made

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any):
        made = super().__array_function__(function, types, args, kwargs)
        self._note(made)
        return made

    def _note(self, value: object):
        if self.seen_arrays is not None and len(self.seen_arrays) < MOST and _is(value):
            self.seen_arrays.append(SeenArray(np.array(value), _own_line()))


def _watching(array: Any, seen_arrays: list[SeenArray] | None) -> _Watching:
    watching = np.array(array).view(_Watching)
    watching.seen_arrays = seen_arrays
    return watching


def _plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, _Watching) else value


def _is(value: object) -> bool:
    """Whether it is an array of numbers, or a single one."""
    return isinstance(value, (np.ndarray, np.number)) and value.dtype.kind in "biuf"


def _own_line() -> str:
    """Return the line of the learner's own code that is running."""
    frame = sys._getframe(1)
    while frame is not None and not is_own(frame.f_code):
        frame = frame.f_back  # type: ignore[assignment]
    return linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip() if frame is not None else ""

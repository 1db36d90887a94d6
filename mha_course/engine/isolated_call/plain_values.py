"""Turns what a learner's function gave back into lists and arrays, as long as that can still be stopped.

A value may have code of its own for its length or its numbers, which may take forever. Afterwards nobody runs it again.
"""

import functools
from collections.abc import Callable, Iterable, Iterator
from types import GeneratorType
from typing import TypeGuard

import numpy as np

from mha_course.engine.isolated_call.error_text import PLAIN, told
from mha_course.engine.isolated_call.return_value import Unreadable, as_array

MOST = 10**6  # numbers: a thousand times what any right answer has
AS_THEY_ARE = (str, bytes, dict, set, frozenset, type, np.generic)
GIVES_NUMBERS = ("__array__", "__array_interface__", "__array_struct__", "__getitem__", "__buffer__")


YIELDS = "It yields its result, piece by piece: write return in place of yield."


class TooMany(Exception):
    """More numbers than anybody will look at."""


def plainly(function: Callable[..., object]) -> Callable[..., object]:
    """Return the function with plain values for what it gives back, and errors that are safe to read.

    Whatever can be run through once only becomes a list.
    Errors: the function's own; `TooMany`.

    >>> plainly(lambda n: (map(abs, range(n)), n))(3)
    ([0, 1, 2], 3)
    """

    @functools.wraps(function)
    def _plain(*given: object) -> object:
        try:
            value = function(*given)
        except BaseException as error:
            said = told(error)
            if said is error:
                raise
            raise said from None
        return plain(value)

    return _plain


def plain(value: object) -> object:
    """Return a value as lists, tuples and arrays. Errors: `TooMany`."""
    return _Reading().plain(value)


def is_yielded(value: object) -> TypeGuard[GeneratorType]:
    """Whether it comes from a def with yield; one in round brackets, which has no name, is as good as a list."""
    return isinstance(value, GeneratorType) and value.gi_code.co_name.isidentifier()


class _Reading:
    """Reads one value, and counts the numbers in it."""

    def __init__(self) -> None:
        self._count = 0

    def plain(self, value: object) -> object:
        if type(value) in PLAIN:  # a list may hold a million
            self._add(1, "It returned more")
            return value
        if isinstance(value, np.ma.MaskedArray):
            return self._unmasked(value)
        if isinstance(value, np.ndarray):
            return self._array(value)
        if is_yielded(value):
            self._list(value)  # its errors come first
            return Unreadable(TypeError(YIELDS))
        if isinstance(value, Iterator):
            return self._list(value)
        if isinstance(value, list):
            return self._list(list.__iter__(value))
        if isinstance(value, tuple):
            return tuple(self._list(tuple.__iter__(value)))
        self._add(1, "It returned more")
        if isinstance(value, AS_THEY_ARE) or not any(hasattr(type(value), name) for name in GIVES_NUMBERS):
            return value
        try:
            return self._array(as_array(value))
        except (TypeError, ValueError) as error:
            return Unreadable(error)

    def _list(self, parts: Iterable[object]) -> list[object]:
        return [self.plain(part) for part in parts]

    def _array(self, array: np.ndarray) -> np.ndarray:
        self._add(array.size, f"It returned an array of shape {array.shape}: more")
        return array

    def _unmasked(self, array: np.ma.MaskedArray) -> object:
        masked = int(np.ma.getmaskarray(array).sum())
        if not masked:
            return self._array(array.data)
        of = f"{masked} of {array.size} entries are masked" if array.size > 1 else "the one entry is masked"
        return Unreadable(TypeError(f"It returns a masked array: {of}. Fill the gaps with .filled(…)."))

    def _add(self, count: int, said: str) -> None:
        self._count += count
        if self._count > MOST:
            raise TooMany(f"{said} than the {MOST:,} numbers that are looked at.")

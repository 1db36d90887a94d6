"""The functions of the learner's own file, by their words."""

import difflib
import inspect
import re
from collections.abc import Callable
from functools import cache, wraps

import numpy as np

from mha_course.engine.course.own_file import OwnFile

SHAPE = re.compile(r"(\([^)]*\))( twice)?|[^,()\s]+")


class Mine:
    """The learner's functions as far as their checks were right, and the course's in place of the others.

    Printed, it says whose those are that were asked for since it was last printed. At the end of a cell it shows all of
    them, one below the other.
    """

    def __init__(self, file: OwnFile):
        """Begin with nothing asked for."""
        self._file, self._asked = file, list[str]()

    def __getattr__(self, word: str) -> Callable[..., object]:
        """Return a function. Its arguments must have as many axes as its check gave them: it was tried with no others.

        Errors: `AttributeError` with the nearest word there is.
        """
        if word.startswith("_"):
            raise AttributeError(word)
        words = self._file.exercise_of
        if word not in words:
            near = difflib.get_close_matches(word, words, n=1)
            hint = f"Did you mean mine.{near[0]}?" if near else f"There are {', '.join(words)}."
            raise AttributeError(f"mine has no {word!r}. {hint}")
        self._asked += [word] * (word not in self._asked)
        return _with_its_axes(f"mine.{word}", self._file.function(word), self._file.shapes(word))

    def __dir__(self) -> list[str]:
        return list(self._file.exercise_of)

    def __str__(self) -> str:
        asked = [word for word in self._file.exercise_of if word in self._asked or not self._asked]
        said = [f"{word}: {self._file.whose(word)}." for word in asked]
        self._asked.clear()
        return " ".join(filter(None, [self._file.problem(), *said]))

    def __repr__(self) -> str:
        return self._file.listing()


def _with_its_axes(name: str, function: Callable[..., object], shapes: str) -> Callable[..., object]:
    """Return a function that refuses an array with more or fewer axes than its line of shapes says.

    >>> _with_its_axes("mine.total", lambda x: x.sum(), "(n,) -> one number")(np.ones((2, 3)))
    Traceback (most recent call last):
    ValueError: x: mine.total needs an array of the shape (n,), but got one of the shape (2, 3).
    """

    @wraps(function)
    def with_its_axes(*given: object) -> object:
        for place, (value, (shape, axes)) in enumerate(zip(given, _needed(shapes), strict=False)):
            if axes and not (isinstance(value, np.ndarray) and value.ndim == axes):
                argument = _parameter(function, place)
                raise ValueError(f"{argument}: {name} needs an array of the shape {shape}, but got {_said(value)}.")
        return function(*given)

    return with_its_axes


@cache
def _needed(shapes: str) -> list[tuple[str, int]]:
    """Return each argument's shape with the number of its axes, none for a number.

    >>> _needed("(n,), (n, d) twice, h -> (n, d)")
    [('(n,)', 1), ('(n, d)', 2), ('(n, d)', 2), ('', 0)]
    """
    found = SHAPE.findall(shapes.partition(" -> ")[0])
    return [
        (shape, sum(map(bool, shape.strip("()").split(",")))) for shape, twice in found for _ in range(1 + bool(twice))
    ]


def _parameter(function: Callable[..., object], place: int) -> str:
    names = list(inspect.signature(function).parameters)
    return names[min(place, len(names) - 1)]  # the last one may collect the rest


def _said(value: object) -> str:
    return f"one of the shape {value.shape}" if isinstance(value, np.ndarray) else f"a {type(value).__name__}"

"""Reads what a learner's function gave back."""

import inspect
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real

import numpy as np

from mha_course.engine.validation import as_numbers

Arrays = list[np.ndarray]
NUMBERS = (Real, Decimal, np.bool_)  # whatever can stand in an array of objects


@dataclass(frozen=True)
class Unreadable:
    """Stands for what could not be read as numbers when somebody tried. why: `TypeError` or `ValueError`."""

    why: Exception


def read(value: object, results: tuple[str, ...]) -> Arrays:
    """Return what a function gave back as one array for each of its results.

    Errors: `TypeError` or `ValueError` that says in plain words what it is instead.

    >>> read([[1, 2]], ("scores",))
    [array([[1, 2]])]
    >>> read(3, ("Q", "K"))
    Traceback (most recent call last):
    TypeError: It returns one int, but needs 2 results: Q, K.
    """
    if len(results) == 1:
        return [_numbers(value, results[0])]
    parts = value if isinstance(value, (tuple, list)) else as_array(value)
    if isinstance(parts, np.ndarray) and not parts.ndim:
        raise TypeError(
            f"It returns one {type(value).__name__}, but needs {len(results)} results: {', '.join(results)}."
        )
    if len(parts) != len(results):
        results_came = "one result" if len(parts) == 1 else f"{len(parts)} results"
        raise ValueError(f"It returns {results_came}, but needs {len(results)}: {', '.join(results)}.")
    return [_numbers(part, name) for part, name in zip(parts, results, strict=True)]


def as_array(value: object) -> np.ndarray:
    """Return what came as one array, a list of tensors too.

    Errors: `ValueError` for rows of different lengths, `TypeError` for what cannot give its numbers.
    """
    if isinstance(value, Unreadable):
        raise value.why
    try:
        return _stacked(value)
    except ValueError:
        raise
    except Exception as error:  # whatever a library's own type raises
        kind, why = type(value).__name__, str(error) or type(error).__name__
        raise TypeError(f"It returns something of the type {kind}, which cannot be read as numbers: {why}") from None


def _stacked(value) -> np.ndarray:
    if isinstance(value, (list, tuple)):
        return np.asarray([_stacked(part) for part in value])
    array = as_numbers(value)
    if array.dtype != object or not all(isinstance(part, NUMBERS) for part in array.flat):
        return array
    plain = np.array(array.tolist())
    return plain.astype(float) if plain.dtype == object else plain


def _numbers(value, name: str) -> np.ndarray:
    try:
        array = as_array(value)
    except ValueError:
        many = f"It returns {len(value)} things, but needs one: {name}." if isinstance(value, tuple) else ""
        raise ValueError(many or f"{name} has rows of different lengths.") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(_instead_of_numbers(value, array, name))
    return array


def _instead_of_numbers(value, array: np.ndarray, name: str) -> str:
    """Say in the learner's words what came where numbers were needed."""
    if inspect.iscoroutine(value):
        value.close()
        return "It returns a coroutine: leave out async."
    if callable(value):
        return "It returns a function, not its result: are the round brackets missing, as in products.sum()?"
    if hasattr(value, "output"):
        return f"It returns everything that was computed. Only {name} is asked for: take .output."
    if isinstance(value, (list, tuple)):
        return f"{name} is a {type(value).__name__} that does not hold numbers alone, or not in equal rows."
    if array.dtype.kind == "c":
        return f"{name} holds complex numbers, but real ones are needed."
    what = "an array of texts or objects" if isinstance(value, np.ndarray) else f"of the type {type(value).__name__}"
    return f"{name} is {what}, but numbers are needed."

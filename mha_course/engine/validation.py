"""Reads numbers and choices that a caller gave, or says in plain words what is wrong with them."""

import math
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

NAMES_THEMSELVES = (str, int, float, type(None))  # what is written in few characters


def as_numbers(value: ArrayLike) -> np.ndarray:
    """Return the value as NumPy's array, also a tensor of PyTorch that requires a gradient or lies elsewhere.

    Shapes: as the value.
    Errors: those of NumPy and PyTorch.

    >>> as_numbers([[1, 2]])
    array([[1, 2]])
    """
    given: Any = value
    if hasattr(given, "requires_grad"):  # a tensor: its numbers, without their history
        given = given.detach().numpy(force=True)
    return np.asarray(given)


def is_whole(value: object) -> bool:
    """Whether it is a whole number; True and False are none.

    >>> is_whole(np.int64(2)), is_whole(2.0), is_whole(True)
    (True, False, False)
    """
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def read_count(name: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """Return a whole number of at least 1, or as given, as an int. most: None for no end.

    Errors: `TypeError` if it is not a whole number, `ValueError` if it is too small or too large.

    >>> read_count("num_channels", 2)
    2
    >>> read_count("num_channels", 0)
    Traceback (most recent call last):
    ValueError: num_channels is 0, but must be at least 1.
    >>> read_count("num_channels", 10**6, most=16)
    Traceback (most recent call last):
    ValueError: num_channels is 1000000, but must be at most 16.
    """
    if not is_whole(value):
        raise TypeError(f"{name} is {value!r}, but must be a whole number.")
    if value < least:
        raise ValueError(f"{name} is {value}, but must be at least {least}.")
    if most is not None and value > most:
        raise ValueError(f"{name} is {value}, but must be at most {most}.")
    return int(value)


def read_positive(name: str, value: object) -> float:
    """Return a positive, finite number as a float.

    Errors: `TypeError` if it is not a number, `ValueError` if it is not above 0 or not finite.

    >>> read_positive("temperature", 2)
    2.0
    >>> read_positive("temperature", -1)
    Traceback (most recent call last):
    ValueError: temperature is -1, but must be a finite number above 0.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} is {value!r}, but must be one number.")
    try:
        number = float(value)
    except OverflowError:  # a whole number beyond every float
        number = math.inf
    if not 0 < number < math.inf:
        raise ValueError(f"{name} is {value}, but must be a finite number above 0.")
    return number


def read_choice(argument: str, given: object, ids: Collection[str]) -> str:
    """Return the id that was given. Errors: `ValueError` listing the ids there are.

    >>> read_choice("mask", "last_padded", ["none", "last_padded"])
    'last_padded'
    """
    if isinstance(given, str) and given in ids:
        return given
    came = repr(given) if isinstance(given, NAMES_THEMSELVES) else f"of the type {type(given).__name__}"
    raise ValueError(f"{argument} is {came}, but must be one of {list(ids)}.")

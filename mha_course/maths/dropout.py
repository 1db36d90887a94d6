"""Leave out some numbers by chance, so that a model does not lean on a few."""

import numpy as np
from numpy.typing import ArrayLike

from mha_course.maths import formulas
from mha_course.maths.array_arguments import finite, overflow_is_reported, read_arrays


@overflow_is_reported
def dropout(values: ArrayLike, rate: float, rng: "np.random.Generator") -> np.ndarray:
    """Set each entry to 0 with the chance `rate`, and divide the others by 1 - rate.

    The division keeps the expected value of every entry. Dropped weights no longer sum to 1; on average they do.

    Shapes: values (...,) -> the same shape.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Srivastava et al. 2014. Vaswani et al. 2017, section 5.4, drop what a sublayer adds; code since then drops
    weights as well.

    >>> dropout([1, 2, 3, 4, 5, 6], 0.5, np.random.default_rng(0)).tolist()
    [2.0, 0.0, 0.0, 0.0, 10.0, 12.0]
    """
    (numbers,) = read_arrays(values=(values, "last"))
    return finite("dropout", formulas.dropout(numbers, read_rate("rate", rate), read_rng(rng)))


def read_rng(rng: object) -> "np.random.Generator":
    """Return a random generator as it is.

    Errors: `TypeError` if it is something else.

    >>> read_rng(42)
    Traceback (most recent call last):
    TypeError: rng is 42, but must be a random generator: np.random.default_rng(seed).
    """
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng is {rng!r}, but must be a random generator: np.random.default_rng(seed).")
    return rng


def read_rate(name: str, rate: object) -> float:
    """Return a rate of dropout as a float.

    Errors: `TypeError` if it is not a number, `ValueError` if it is not from 0 to below 1.

    >>> read_rate("dropout", 0)
    0.0
    >>> read_rate("dropout", 1)
    Traceback (most recent call last):
    ValueError: dropout is 1, but must be at least 0 and below 1.
    """
    if isinstance(rate, bool) or not isinstance(rate, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} is {rate!r}, but must be one number.")
    if not 0 <= rate < 1:
        raise ValueError(f"{name} is {rate}, but must be at least 0 and below 1.")
    return float(rate)

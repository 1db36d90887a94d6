"""Lesson 8: leave out some numbers by chance, so that a model does not lean on a few."""

import numpy as np

from mha_course.maths.arguments import read_arrays


def dropout(values, rate, rng):
    """Set each entry to 0 with the chance `rate`, and divide the others by 1 - rate.

    The division keeps the expected value of every entry. Dropped weights no longer sum to 1; on average they do.

    Shapes: values (...,) -> the same shape.
    Dtypes: float32 stays float32, integers become float64.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Srivastava et al. 2014. Vaswani et al. 2017, section 5.4, drop what a sublayer adds; code since then drops
    weights as well.

    >>> dropout(np.ones(6), 0.5, np.random.default_rng(0)).tolist()
    [2.0, 0.0, 0.0, 0.0, 2.0, 2.0]
    """
    (values,) = read_arrays(values=(values, "last"))
    rate = read_rate("rate", rate)
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng is {rng!r}, but must be a random generator: np.random.default_rng(seed).")
    is_kept = rng.random(values.shape) >= rate
    return values * is_kept / values.dtype.type(1 - rate)


def read_rate(name, rate):
    """Return a rate of dropout as a float.

    Errors: `TypeError` if it is not a number, `ValueError` if it is not from 0 to below 1.

    >>> read_rate("dropout", 0)
    0.0
    """
    if isinstance(rate, bool) or not isinstance(rate, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} is {rate!r}, but must be one number.")
    if not 0 <= rate < 1:
        raise ValueError(f"{name} is {rate}, but must be at least 0 and below 1.")
    return float(rate)

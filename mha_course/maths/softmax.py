"""Lesson 4: turn one row of scores into shares that sum to 1."""

import numpy as np

from mha_course.maths.arguments import read_arrays, read_positive


def softmax(scores, temperature=1.0):
    """Return exp(scores / temperature), divided by its sum along the last axis.

    The largest score of each row is subtracted first. That changes no share, and no exp overflows.

    Shapes: scores (..., n_k) -> weights (..., n_k); each row sums to 1.
    Dtypes: float32 stays float32, integers become float64.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, equation 1.

    >>> softmax([2, 4, 4]).round(4).tolist()
    [0.0634, 0.4683, 0.4683]
    """
    (scores,) = read_arrays(scores=(scores, "n_k"))
    temperature = read_positive("temperature", temperature)
    limits = np.finfo(scores.dtype)  # as float32, 1e-60 would be 0 and 1e60 infinite
    temperature = min(max(temperature, float(limits.tiny)), float(limits.max))
    with np.errstate(over="ignore", under="ignore"):  # a far smaller score gets a share of 0
        below_largest = scores - scores.max(axis=-1, keepdims=True)
        powers = np.exp(below_largest / temperature)
    return powers / powers.sum(axis=-1, keepdims=True)

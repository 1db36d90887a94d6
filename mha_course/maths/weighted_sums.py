"""Mix the values in the shares that the weights give."""

import numpy as np
from numpy.typing import ArrayLike

from mha_course.maths.array_arguments import finite, overflow_is_reported, read_arrays


@overflow_is_reported
def contributions(weights: ArrayLike, V: ArrayLike) -> np.ndarray:
    """Return what every value row adds to every output row, before they are summed.

    Shapes: weights (..., n_q, n_k), V (..., n_k, d_v) -> (..., n_q, n_k, d_v).
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, equation 1, written out as a sum.

    >>> contributions([[0.25, 0.75]], [[4, 0], [8, 4]]).tolist()
    [[[1.0, 0.0], [6.0, 3.0]]]
    """
    shares, values = read_arrays(weights=(weights, "n_q n_k"), V=(V, "n_k d_v"))
    return finite("contributions", shares[..., :, :, None] * values[..., None, :, :])


@overflow_is_reported
def weighted_sum(weights: ArrayLike, V: ArrayLike) -> np.ndarray:
    """Return weights @ V: every output row is a mix of the value rows.

    Shapes: weights (..., n_q, n_k), V (..., n_k, d_v) -> (..., n_q, d_v).
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, equation 1.

    >>> weighted_sum([[0.25, 0.75]], [[4, 0], [8, 4]]).tolist()
    [[7.0, 3.0]]
    """
    shares, values = read_arrays(weights=(weights, "n_q n_k"), V=(V, "n_k d_v"))
    return finite("output", shares @ values)

"""How well does each query match each key?"""

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import read_positive
from mha_course.maths import formulas
from mha_course.maths.array_arguments import finite, overflow_is_reported, read_arrays


@overflow_is_reported
def scaled_scores(Q: ArrayLike, K: ArrayLike, scale: float | None = None) -> np.ndarray:
    """Return Q Kᵀ / scale: the dot product of every query with every key, made smaller.

    scale is what the dot products are divided by: √d_k unless another number is given.
    (PyTorch's argument of that name is what they are multiplied by.)

    Shapes: Q (..., n_q, d_k), K (..., n_k, d_k) -> (..., n_q, n_k).
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, equation 1.

    >>> scaled_scores([[1, 0, 2]], [[0, 1, 1], [4, 4, 0]], scale=1).tolist()
    [[2.0, 4.0]]
    """
    queries, keys = read_arrays(Q=(Q, "n_q d_k"), K=(K, "n_k d_k"))
    scale = None if scale is None else read_positive("scale", scale)
    return finite("scores", formulas.scaled_scores(queries, keys, scale))

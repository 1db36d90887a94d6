"""One parameter matrix turns every token's row into a query, a key or a value."""

import numpy as np
from numpy.typing import ArrayLike

from mha_course.maths import formulas
from mha_course.maths.array_arguments import finite, overflow_is_reported, read_arrays


@overflow_is_reported
def project(X: ArrayLike, W: ArrayLike, b: ArrayLike | None = None) -> np.ndarray:
    """Return X @ W, plus b if there is one: every row of X becomes a new row, made with the same parameters.

    Shapes: X (..., n, d_model), W (..., d_model, d_k), b (d_k,) -> (..., n, d_k).
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, section 3.2.2, the products Q W_i^Q, K W_i^K, V W_i^V.

    >>> project([[1, 0, 1, 0]], [[1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]]).tolist()
    [[1.0, 0.0, 2.0]]
    """
    if b is None:
        arrays = read_arrays(X=(X, "n d_model"), W=(W, "d_model d_k"))
        return finite("X @ W", formulas.project(*arrays))
    arrays = read_arrays(X=(X, "n d_model"), W=(W, "d_model d_k"), b=(b, "d_k"))
    return finite("X @ W + b", formulas.project(*arrays))

"""Bring every token's row to a size of 1, without subtracting its mean."""

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import read_positive
from mha_course.maths import formulas
from mha_course.maths.array_arguments import finite, limits, overflow_is_reported, read_arrays
from mha_course.maths.layer_norm import EPS


@overflow_is_reported
def rms_norm(x: ArrayLike, gain: ArrayLike | None = None, eps: float = EPS) -> np.ndarray:
    """Return x / √(mean of its squares + eps) · gain, each row by itself.

    Unlike `layer_norm` it does not subtract the mean, and it adds no bias.

    Shapes: x (..., d_model), also one row alone; gain (d_model,), 1 unless given -> (..., d_model).
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Zhang and Sennrich 2019, Root Mean Square Layer Normalization, equation 4; eps as in `layer_norm`.

    >>> rms_norm([1, 7]).round(3).tolist()
    [0.2, 1.4]
    >>> rms_norm([[1, 7], [0, 2]], gain=[1, 10]).round(3).tolist()
    [[0.2, 14.0], [0.0, 14.142]]
    """
    given = {} if gain is None else {"gain": (gain, "d_model")}
    arrays = dict(zip(("x", *given), read_arrays(x=(x, "d_model"), **given), strict=True))
    rows = arrays["x"]
    eps = max(read_positive("eps", eps), float(limits(rows).tiny))  # as float32, 1e-60 would be 0
    finite("the mean square of x", np.vecdot(rows, rows))
    return finite("rms_norm", formulas.rms_norm(rows, arrays.get("gain", 1), eps))

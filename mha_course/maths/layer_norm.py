"""Bring every token's row to mean 0 and variance 1."""

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import read_positive
from mha_course.maths.array_arguments import finite, limits, overflow_is_reported, read_arrays

EPS = 1e-5


@overflow_is_reported
def layer_norm(
    x: ArrayLike, gain: ArrayLike | None = None, bias: ArrayLike | None = None, eps: float = EPS
) -> np.ndarray:
    """Return (x - mean) / √(variance + eps) · gain + bias, each row by itself.

    eps keeps a row of equal entries from being 0 / 0.

    Shapes: x (..., d_model), also one row alone; gain and bias (d_model,), 1 and 0 unless given -> (..., d_model).
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Ba, Kiros and Hinton 2016, equation 4; Vaswani et al. 2017, section 3.1.

    >>> layer_norm([1, 2, 3, 6]).round(3).tolist()
    [-1.069, -0.535, 0.0, 1.604]
    >>> layer_norm([[1, 2, 3, 6], [0, 0, 2, 2]], gain=[1, 1, 1, 10], bias=[5, 0, 0, 0]).round(3).tolist()
    [[3.931, -0.535, 0.0, 16.036], [4.0, -1.0, 1.0, 10.0]]
    """
    given = {name: (value, "d_model") for name, value in (("gain", gain), ("bias", bias)) if value is not None}
    arrays = dict(zip(("x", *given), read_arrays(x=(x, "d_model"), **given), strict=True))
    rows = arrays["x"]
    eps = max(read_positive("eps", eps), float(limits(rows).tiny))  # as float32, 1e-60 would be 0
    centred = rows - rows.mean(axis=-1, keepdims=True)
    variance = finite("the variance of x", (centred * centred).mean(axis=-1, keepdims=True))
    return finite("layer_norm", centred / np.sqrt(variance + eps) * arrays.get("gain", 1) + arrays.get("bias", 0))

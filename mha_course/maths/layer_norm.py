"""Lesson 8: bring every token's row to mean 0 and variance 1."""

import numpy as np

from mha_course.maths.arguments import finite, overflow_is_reported, read_arrays, read_positive

EPS = 1e-5


@overflow_is_reported
def layer_norm(x, gain=None, bias=None, eps=EPS):
    """Return (x - mean) / √(variance + eps) · gain + bias, each row by itself.

    eps keeps a row of equal entries from being 0 / 0.

    Shapes: x (..., n, d_model), gain and bias (d_model,), 1 and 0 unless given -> (..., n, d_model).
    Dtypes: float32 stays float32, integers become float64.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Ba, Kiros and Hinton 2016, equation 4; Vaswani et al. 2017, section 3.1.

    >>> layer_norm([[1, 2, 3, 6]]).round(3).tolist()
    [[-1.069, -0.535, 0.0, 1.604]]
    """
    given = {"x": (x, "n d_model"), "gain": (gain, "d_model"), "bias": (bias, "d_model")}
    read = dict(zip(given, (None,) * 3, strict=True))
    present = {name: pair for name, pair in given.items() if pair[0] is not None}
    read |= dict(zip(present, read_arrays(**present), strict=True))
    x, eps = read["x"], read_positive("eps", eps)
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = finite("the variance of x", (centred * centred).mean(axis=-1, keepdims=True))
    result = centred / np.sqrt(variance + x.dtype.type(eps))
    if gain is not None:
        result = result * read["gain"]
    if bias is not None:
        result = result + read["bias"]
    return finite("layer_norm", result)

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
    (x,) = read_arrays(x=(x, "n d_model"))
    gain = np.ones(x.shape[-1], x.dtype) if gain is None else gain
    bias = np.zeros(x.shape[-1], x.dtype) if bias is None else bias
    x, gain, bias = read_arrays(x=(x, "n d_model"), gain=(gain, "d_model"), bias=(bias, "d_model"))
    eps = read_positive("eps", eps)
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = finite("the variance of x", (centred * centred).mean(axis=-1, keepdims=True))
    return finite("layer_norm", centred / np.sqrt(variance + x.dtype.type(eps)) * gain + bias)

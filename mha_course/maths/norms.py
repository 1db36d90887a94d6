"""Bring every token's row to one size: the layer norm of 2017, and the shorter one of newer models."""

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import read_positive
from mha_course.maths import formulas
from mha_course.maths.array_arguments import finite, limits, overflow_is_reported, read_arrays
from mha_course.maths.formulas import EPS


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
    rows, eps, parameters = _read(x, eps, gain=gain, bias=bias)
    normed, deviation = formulas.standardized(rows, eps)
    finite("the variance of x", deviation)
    return finite("layer_norm", normed * parameters.get("gain", 1) + parameters.get("bias", 0))


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
    rows, eps, parameters = _read(x, eps, gain=gain)
    finite("the mean square of x", np.vecdot(rows, rows))
    return finite("rms_norm", formulas.rms_norm(rows, eps=eps, **parameters))


def _read(x: ArrayLike, eps: float, **parameters: ArrayLike | None) -> tuple[np.ndarray, float, dict[str, np.ndarray]]:
    given = {name: (value, "d_model") for name, value in parameters.items() if value is not None}
    rows, *arrays = read_arrays(x=(x, "d_model"), **given)
    eps = max(read_positive("eps", eps), float(limits(rows).tiny))  # as float32, 1e-60 would be 0
    return rows, eps, dict(zip(given, arrays, strict=True))

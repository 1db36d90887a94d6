"""Say where a token stands by turning its query and its key, so that a score depends on their distance."""

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import read_positive
from mha_course.maths import formulas
from mha_course.maths.array_arguments import finite, overflow_is_reported, read_arrays

BASE = 10_000.0


@overflow_is_reported
def rotate(x: ArrayLike, positions: ArrayLike | None = None, base: float = BASE) -> np.ndarray:
    """Turn each pair of neighbouring columns by an angle that grows with the position of the row.

    The pair i (counted from 0) of a row at position p turns by the angle p / base^(2i / d_k). Where queries and
    keys are turned like this, a score depends on how far apart the two tokens stand, not on where.

    Shapes: x (..., n, d_k) with an even d_k, positions (n,), 0 to n - 1 unless given -> (..., n, d_k).
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Su et al. 2021, RoFormer, equation 34: there the pairs are neighbours too, and the base is 10,000.

    >>> rotate([[1, 0], [1, 0], [1, 0]]).round(4).tolist()  # by 0, 1 and 2 radians
    [[1.0, 0.0], [0.5403, 0.8415], [-0.4161, 0.9093]]
    >>> q, k = [[1, 2, 3, 4]], [[0, 5, 1, 0]]
    >>> [float((rotate(q, [p]) @ rotate(k, [p - 3]).T).round(4)[0, 0]) for p in (3, 8)]
    [-6.3157, -6.3157]
    """
    (rows,) = read_arrays(x=(x, "n d_k"))
    n, d_k = rows.shape[-2:]
    if d_k % 2:
        raise ValueError(f"x has shape {rows.shape}, but needs an even number of columns: they turn in pairs.")
    (places,) = read_arrays(positions=(np.arange(n) if positions is None else positions, "n"))
    if places.shape != (n,):
        raise ValueError(f"positions has shape {places.shape}, but needs (n = {n},), because x has shape {rows.shape}.")
    angles = formulas.rotary_angles(places, d_k, read_positive("base", base))  # (n, d_k / 2)
    return finite("the turned rows", formulas.rotate(rows, *(f(angles).astype(rows.dtype) for f in (np.cos, np.sin))))

"""Lessons 3 to 5 in one call: scores, weights, output."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import read_positive
from mha_course.maths import formulas
from mha_course.maths.array_arguments import finite, overflow_is_reported, read_arrays
from mha_course.maths.masks import read_mask, split_additive_mask


@dataclass(frozen=True, eq=False)
class Attention:
    """What attention computed: the output, and the weights and scores it was made from.

    Shapes: output (..., n_q, d_v), weights (..., n_q, n_k), scores (..., n_q, n_k).

    >>> Attention(np.ones((2, 3)), np.ones((2, 4)), np.ones((2, 4)))
    Attention(output (2, 3), weights (2, 4), scores (2, 4))
    """

    output: np.ndarray
    weights: np.ndarray
    scores: np.ndarray

    def __repr__(self) -> str:
        shapes = (f"{name} {array.shape}" for name, array in vars(self).items())
        return f"{type(self).__name__}({', '.join(shapes)})"


@overflow_is_reported
def attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    mask: ArrayLike | None = None,
    scale: float | None = None,
    additive_mask: ArrayLike | None = None,
) -> Attention:
    """Return softmax(Q Kᵀ / scale) V with everything on the way.

    mask: True where a query may attend to a key. (PyTorch's MultiheadAttention means the opposite.) A query
    that may attend to nothing gets weights and an output of exactly 0. scale: what the products are divided
    by, √d_k unless given. additive_mask: numbers that are added to the scores, -infinity for "may not". A sum
    beyond the end of the scores' dtype counts as the last number before it, so the smallest float64 hides a key
    from float32 queries as well.

    Shapes: Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v), masks as `read_mask` takes them
    -> `Attention`. Where Q has the axes (batch, h, n_q, d_k), a mask without the axis h is for all heads.
    Dtypes: mask is bool; an additive mask is of any dtype, and the scores keep theirs.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, equation 1.

    >>> attention([[1, 0, 2]], [[0, 1, 1], [4, 4, 0]], [[1, 2], [2, 8]], scale=1).output.round(4).tolist()
    [[1.8808, 7.2848]]
    >>> attention([[1, 0, 2]], [[0, 1, 1], [4, 4, 0]], [[1, 2], [2, 8]], mask=[[True, False]]).output.tolist()
    [[1.0, 2.0]]
    """
    queries, keys, values = read_arrays(Q=(Q, "n_q d_k"), K=(K, "n_k d_k"), V=(V, "n_k d_v"))
    scale = None if scale is None else read_positive("scale", scale)
    scores = finite("scores", formulas.scaled_scores(queries, keys, scale))  # (..., n_q, n_k)
    if additive_mask is None:
        may_attend = None if mask is None else read_mask(mask, scores.shape)
    else:
        may_attend, added = split_additive_mask(additive_mask, mask, scores.shape)
        scores = _sum(scores, added)
    weights = formulas.masked_softmax(scores, may_attend)  # (..., n_q, n_k)
    return Attention(finite("output", weights @ values), weights, scores)


def _sum(scores: np.ndarray, added: np.ndarray) -> np.ndarray:
    limits = np.finfo(scores.dtype)
    return np.clip(scores + added, limits.min, limits.max).astype(scores.dtype, copy=False)

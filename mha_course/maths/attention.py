"""Lessons 3 to 5 in one call: scores, weights, output."""

from dataclasses import dataclass

import numpy as np

from mha_course.maths.arguments import read_arrays
from mha_course.maths.masks import split_additive_mask
from mha_course.maths.scores import scaled_scores
from mha_course.maths.softmax import softmax
from mha_course.maths.weighted_sums import weighted_sum


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

    def __repr__(self):
        shapes = (f"{name} {array.shape}" for name, array in vars(self).items())
        return f"{type(self).__name__}({', '.join(shapes)})"


def attention(Q, K, V, mask=None, scale=None, additive_mask=None):
    """Return softmax(Q Kᵀ / scale) V with everything on the way.

    mask: True where a query may attend to a key. (PyTorch's MultiheadAttention means the opposite.) A query
    that may attend to nothing gets weights and an output of exactly 0. scale: what the products are divided
    by, √d_k unless given. additive_mask: numbers that are added to the scores, -infinity for "may not".

    Shapes: Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v), masks as `read_mask` takes them
    -> `Attention`. Where Q has the axes (batch, h, n_q, d_k), a mask without the axis h is for all heads.
    Dtypes: float32 stays float32, integers become float64; mask is bool.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, equation 1.

    >>> attention([[1, 0, 2]], [[0, 1, 1], [4, 4, 0]], [[1, 2], [2, 8]], scale=1).output.round(4).tolist()
    [[1.8808, 7.2848]]
    >>> attention([[1, 0, 2]], [[0, 1, 1], [4, 4, 0]], [[1, 2], [2, 8]], mask=[[True, False]]).output.tolist()
    [[1.0, 2.0]]
    """
    Q, K, V = read_arrays(Q=(Q, "n_q d_k"), K=(K, "n_k d_k"), V=(V, "n_k d_v"))
    scores = scaled_scores(Q, K, scale)  # (..., n_q, n_k)
    if additive_mask is not None:
        mask, added = split_additive_mask(additive_mask, mask, scores.shape)
        scores = scores + added.astype(scores.dtype)
    weights = softmax(scores, mask=mask)  # (..., n_q, n_k)
    return Attention(weighted_sum(weights, V), weights, scores)

"""Lessons 2 to 5: queries, keys and values, scores, weights, output; one step at a time, in one call, and backwards."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import read_positive
from mha_course.maths import formulas
from mha_course.maths.array_arguments import finite, limits, overflow_is_reported, promoted, read_arrays
from mha_course.maths.gradients import AttentionGradients, of_attention
from mha_course.maths.masks import read_mask, split_additive_mask


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


@overflow_is_reported  # a far smaller score gets a share of 0
def softmax(scores: ArrayLike, temperature: float = 1.0, mask: ArrayLike | None = None) -> np.ndarray:
    """Return exp(scores / temperature), divided by its sum along the last axis.

    The largest score of each row is subtracted first. That changes no share, and no exp overflows.
    Where a mask is False the share is exactly 0; a row that is False throughout is 0 throughout.

    Shapes: scores (..., n_k), mask as `read_mask` takes it -> weights (..., n_k); each row sums to 1.
    Dtypes: a mask is bool.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, equation 1.

    >>> softmax([2, 4, 4]).round(4).tolist()
    [0.0634, 0.4683, 0.4683]
    >>> softmax([[2, 4, 4]], mask=[[True, True, False]]).round(4).tolist()
    [[0.1192, 0.8808, 0.0]]
    """
    (rows,) = read_arrays(scores=(scores, "n_k"))
    temperature = read_positive("temperature", temperature)
    floats = np.finfo(np.result_type(limits(rows).dtype, np.float32))  # as float32, 1e-60 would be 0 and 1e60 infinite
    temperature = min(max(temperature, float(floats.tiny)), float(floats.max))
    may_attend = None if mask is None else read_mask(mask, rows.shape)
    return formulas.masked_softmax(rows, may_attend, temperature)


@overflow_is_reported
def weighted_sum(weights: ArrayLike, V: ArrayLike) -> np.ndarray:
    """Return weights @ V: every output row is a mix of the value rows.

    Shapes: weights (..., n_q, n_k), V (..., n_k, d_v) -> (..., n_q, d_v).
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, equation 1.

    >>> weighted_sum([[0.25, 0.75]], [[4, 0], [8, 4]]).tolist()
    [[7.0, 3.0]]
    """
    shares, values = read_arrays(weights=(weights, "n_q n_k"), V=(V, "n_k d_v"))
    return finite("output", shares @ values)


@overflow_is_reported
def contributions(weights: ArrayLike, V: ArrayLike) -> np.ndarray:
    """Return what every value row adds to every output row, before they are summed.

    Shapes: weights (..., n_q, n_k), V (..., n_k, d_v) -> (..., n_q, n_k, d_v).
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, equation 1, written out as a sum.

    >>> contributions([[0.25, 0.75]], [[4, 0], [8, 4]]).tolist()
    [[[1.0, 0.0], [6.0, 3.0]]]
    """
    shares, values = read_arrays(weights=(weights, "n_q n_k"), V=(V, "n_k d_v"))
    return finite("contributions", shares[..., :, :, None] * values[..., None, :, :])


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


@overflow_is_reported
def attention_gradients(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    G: ArrayLike,
    mask: ArrayLike | None = None,
    scale: float | None = None,
) -> AttentionGradients:
    """Return the gradients of a loss whose gradient for the output of `attention(Q, K, V, mask, scale)` is G.

    Where Q, K or V served several batches or heads, its gradient is the sum over all of them. A G that serves several
    is the gradient for each of them.

    Shapes: Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v), G (..., n_q, d_v), mask as `read_mask` takes it
    -> `AttentionGradients`.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: the chain rule; for the softmax, Bridle 1990, *Probabilistic Interpretation of Feedforward Classification
    Network Outputs*.

    Two equal scores, values 1 and 3, and a loss that falls as the output grows:

    >>> found = attention_gradients([[1.0]], [[0.0], [0.0]], [[1.0], [3.0]], G=[[-1.0]])
    >>> found.scores.tolist(), found.V.tolist()
    ([[0.5, -0.5]], [[-0.5], [-0.5]])
    """
    arrays = read_arrays(Q=(Q, "n_q d_k"), K=(K, "n_k d_k"), V=(V, "n_k d_v"), G=(G, "n_q d_v"))
    queries, keys, values, gradient = promoted(*arrays)
    divisor = queries.shape[-1] ** 0.5 if scale is None else read_positive("scale", scale)
    scores = finite("scores", formulas.scaled_scores(queries, keys, divisor))  # (..., n_q, n_k)
    weights = formulas.masked_softmax(scores, None if mask is None else read_mask(mask, scores.shape))
    leading = np.broadcast_shapes(*(array.shape[:-2] for array in (weights, values, gradient)))
    gradient = np.broadcast_to(gradient, (*leading, *gradient.shape[-2:]))
    return of_attention(queries, keys, values, weights, gradient, divisor)


def _sum(scores: np.ndarray, added: np.ndarray) -> np.ndarray:
    limits = np.finfo(scores.dtype)
    return np.clip(scores + added, limits.min, limits.max).astype(scores.dtype, copy=False)

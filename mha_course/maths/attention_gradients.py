"""By how much a loss changes with every query, key and value of one attention."""

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import read_positive
from mha_course.maths import formulas
from mha_course.maths.array_arguments import finite, overflow_is_reported, promoted, read_arrays
from mha_course.maths.gradients import AttentionGradients, of_attention
from mha_course.maths.masks import read_mask


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

"""The bare formulas: what every checked function of the course, and its layer, is made of.

They expect arrays that fit, of any numbers that NumPy can compute with.
"""

import numpy as np


def turned(array):
    """Exchange the last two axes: the transpose of every matrix in a stack.

    Shapes: (..., n, d) -> (..., d, n).

    >>> turned(np.ones((5, 2, 3))).shape
    (5, 3, 2)
    """
    return array.swapaxes(-1, -2)


def scaled_scores(Q, K, scale=None):
    """Return Q Kᵀ / scale, where scale is √d_k unless another is given.

    Shapes: Q (..., n_q, d_k), K (..., n_k, d_k) -> (..., n_q, n_k).

    >>> scaled_scores(np.array([[2, 0, 0, 0]]), np.array([[3, 1, 1, 1]])).tolist()
    [[3.0]]
    """
    return Q @ turned(K) / (Q.shape[-1] ** 0.5 if scale is None else scale)


def softmax(scores, axis=-1, temperature=1.0):
    """Return exp(scores / temperature), divided by its sum along the axis.

    Shapes: as the scores.

    >>> softmax(np.array([0.0, 0.0])).tolist()
    [0.5, 0.5]
    """
    below_largest = scores - scores.max(axis=axis, keepdims=True)
    powers = np.exp(below_largest if temperature == 1 else below_largest / temperature)
    return powers / powers.sum(axis=axis, keepdims=True)


def masked_softmax(scores, may_attend, temperature=1.0):
    """Return the softmax of the scores where the mask is True, and exactly 0 elsewhere, never nan.

    Shapes: scores (..., n_k), a mask that broadcasts to it -> as the scores.

    >>> masked_softmax(np.array([[0.0, 9.0], [0.0, 9.0]]), np.array([[True, False], [False, False]])).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    scores = np.where(may_attend, scores, -np.inf)
    largest = np.maximum(scores.max(axis=-1, keepdims=True), np.finfo(scores.dtype).min)  # finite in an empty row
    powers = np.exp((scores - largest) / temperature)
    sums = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(sums == 0, 1, sums).astype(scores.dtype)


def attention(Q, K, V):
    """Return softmax(Q Kᵀ / √d_k) V.

    Shapes: Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v) -> (..., n_q, d_v).

    >>> attention(np.zeros((1, 3)), np.ones((2, 3)), np.array([[2.0], [4.0]])).tolist()
    [[3.0]]
    """
    return softmax(scaled_scores(Q, K)) @ V


def split_heads(wide, num_heads):
    """Cut rows into heads.

    Shapes: (..., n, h·d) -> (..., h, n, d).

    >>> split_heads(np.array([[1, 2], [3, 4]]), 2).tolist()
    [[[1], [3]], [[2], [4]]]
    """
    *leading, n, width = wide.shape
    return wide.reshape(*leading, n, num_heads, width // num_heads).swapaxes(-3, -2)


def merge_heads(heads):
    """Set the heads' rows side by side.

    Shapes: (..., h, n, d) -> (..., n, h·d).

    >>> merge_heads(np.array([[[1], [3]], [[2], [4]]])).tolist()
    [[1, 2], [3, 4]]
    """
    *leading, num_heads, n, width = heads.shape
    return heads.swapaxes(-3, -2).reshape(*leading, n, num_heads * width)

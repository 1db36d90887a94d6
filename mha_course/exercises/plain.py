"""The course's mathematics without its checks, for numbers that remember where they came from."""

import numpy as np


def softmax(scores, axis=-1):
    """Return exp(scores) divided by its sum along the axis.

    >>> softmax(np.array([0.0, 0.0])).tolist()
    [0.5, 0.5]
    """
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def turned(array):
    """Exchange the last two axes: the transpose of every matrix in a stack.

    >>> turned(np.ones((5, 2, 3))).shape
    (5, 3, 2)
    """
    return array.swapaxes(-1, -2)


def scaled_scores(Q, K):
    """Return Q Kᵀ / √d_k.

    >>> scaled_scores(np.array([[2, 0, 0, 0]]), np.array([[3, 1, 1, 1]])).tolist()
    [[3.0]]
    """
    return Q @ turned(K) / np.sqrt(Q.shape[-1])


def attention(Q, K, V):
    """Return softmax(Q Kᵀ / √d_k) V.

    >>> attention(np.zeros((1, 3)), np.ones((2, 3)), np.array([[2.0], [4.0]])).tolist()
    [[3.0]]
    """
    return softmax(scaled_scores(Q, K)) @ V


def split_heads(wide, num_heads):
    """Cut rows into heads: (..., n, h·d) -> (..., h, n, d).

    >>> split_heads(np.array([[1, 2], [3, 4]]), 2).tolist()
    [[[1], [3]], [[2], [4]]]
    """
    *leading, n, width = wide.shape
    return wide.reshape(*leading, n, num_heads, width // num_heads).swapaxes(-3, -2)


def merge_heads(heads):
    """Set the heads' rows side by side: (..., h, n, d) -> (..., n, h·d).

    >>> merge_heads(np.array([[[1], [3]], [[2], [4]]])).tolist()
    [[1, 2], [3, 4]]
    """
    *leading, num_heads, n, width = heads.shape
    return heads.swapaxes(-3, -2).reshape(*leading, n, num_heads * width)

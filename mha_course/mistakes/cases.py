"""Inputs of cases: attention weights that are drawn, and scores at which a careless softmax breaks."""

import numpy as np

from mha_course.engine.checking.sampler import Sampler
from mha_course.maths.formulas import softmax

FAR_FROM_ZERO = np.array(  # scores at which no softmax survives that does not subtract each row's own largest
    [
        [0.5, 0.0, 1.0, -0.5],
        [0.0, 0.0, 1400.0, 1405.0],
        [0.0, 1.0, 700.0, 710.5],
        [800.0, 801.0, 799.0, 800.5],
        [-2000.0, -2001.0, -2000.5, -2002.0],
        [400.0, 401.0, 399.0, 400.5],
        [5.0, 900.0, 899.0, 4.0],
        [3000.0, 2999.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 3000.0],
    ]
)


def queries_and_keys(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return queries and keys whose scaled scores are these.

    Shapes: (n_q, n_k) -> (n_q, d_k) and (n_k, d_k), where d_k is n_q.

    >>> Q, K = queries_and_keys(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    >>> (Q @ K.T / Q.shape[-1] ** 0.5).round(9).tolist()
    [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    """
    turned = np.roll(np.eye(len(scores)), 1, axis=1)  # no matrix of an exercise is its own transpose
    return turned * len(scores) ** 0.5, scores.T @ turned


def drawn_weights(sample: Sampler, *shape: int) -> np.ndarray:
    """Draw attention weights with two decimals: the rows of a softmax, each with the sum 1.

    Shapes: sizes -> an array of this shape, float64.

    >>> drawn_weights(Sampler(0), 2, 3)
    array([[0.14, 0.79, 0.07],
           [0.5 , 0.45, 0.05]])
    """
    (scores,) = sample(shape)
    weights = softmax(scores).round(2)
    largest = weights.argmax(axis=-1, keepdims=True)
    rest = weights.sum(axis=-1, keepdims=True) - np.take_along_axis(weights, largest, axis=-1)
    np.put_along_axis(weights, largest, (1 - rest).round(2), axis=-1)
    return weights

"""The way back: for each formula forwards, one that carries the slopes of a loss backwards through it.

A loss is one number that says how wrong a model is. The slope of an array has its shape: entry by entry, by how much
the loss grows for each bit that the entry grows. They expect arrays that fit, as `formulas` does.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class AttentionGradients:
    """The slopes of a loss for everything on the way of an attention, each in the shape of what it is the slope of.

    Shapes: Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v), weights and scores (..., n_q, n_k).

    >>> AttentionGradients(*np.zeros((3, 2, 4)), *np.zeros((2, 2, 2)))
    AttentionGradients(Q (2, 4), K (2, 4), V (2, 4), weights (2, 2), scores (2, 2))
    """

    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    weights: np.ndarray
    scores: np.ndarray

    def __repr__(self) -> str:
        shapes = (f"{name} {array.shape}" for name, array in vars(self).items())
        return f"{type(self).__name__}({', '.join(shapes)})"


def of_product(A: np.ndarray, B: np.ndarray, slope: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the slopes of A and of B from that of A @ B.

    Shapes: A (..., n, m), B (..., m, k), slope (..., n, k) -> as A, as B.

    >>> of_product(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]), np.array([[10.0]]))
    (array([[30., 40.]]), array([[10.],
           [20.]]))
    """
    if A.ndim > B.ndim == 2 and A.shape[:-1] == slope.shape[:-1]:  # many rows and one matrix:
        # one large product is faster than many small ones
        rows, slopes = A.reshape(-1, A.shape[-1]), slope.reshape(-1, slope.shape[-1])
        return (slopes @ B.T).reshape(A.shape), rows.T @ slopes
    return summed_to(slope @ B.mT, A.shape), summed_to(A.mT @ slope, B.shape)


def of_softmax(weights: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """Return the slope of the scores from that of their softmax.

    A row of weights always sums to 1, so what all of them gain together they cannot have: each row's own mean, taken
    with its weights, is subtracted. Where a weight is 0 the slope is 0.

    Shapes: weights and slope (..., n_k) -> the same.

    >>> of_softmax(np.array([0.5, 0.5]), np.array([-1.0, -3.0]))
    array([ 0.5, -0.5])
    """
    mean = (weights * slope).sum(axis=-1, keepdims=True)
    return weights * (slope - mean)


def of_attention(
    Q: np.ndarray, K: np.ndarray, V: np.ndarray, weights: np.ndarray, slope: np.ndarray, scale: float | None = None
) -> AttentionGradients:
    """Return the slopes of all that an attention is made of, from that of its output, weights V.

    Shapes: Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v), weights (..., n_q, n_k), slope (..., n_q, d_v)
    -> `AttentionGradients`.

    >>> Q, K, V = np.array([[1.0]]), np.array([[0.0], [0.0]]), np.array([[1.0], [3.0]])
    >>> of_attention(Q, K, V, weights=np.array([[0.5, 0.5]]), slope=np.array([[-1.0]])).scores.tolist()
    [[0.5, -0.5]]
    """
    of_weights, of_values = of_product(weights, V, slope)
    of_scores = of_softmax(weights, of_weights)
    scaled = of_scores / (Q.shape[-1] ** 0.5 if scale is None else scale)
    of_queries, of_keys = summed_to(scaled @ K, Q.shape), summed_to(scaled.mT @ Q, K.shape)
    return AttentionGradients(of_queries, of_keys, of_values, of_weights, of_scores)


def of_layer_norm(
    x: np.ndarray, gain: np.ndarray, slope: np.ndarray, eps: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the slopes of x, of the gain and of the bias from that of their layer norm.

    What moves a whole row, or stretches it, the norm takes away again: so these two parts are subtracted.

    Shapes: x and slope (..., n, d_model), gain (d_model,) -> as x, (d_model,), (d_model,).

    >>> of_layer_norm(np.array([[1.0, 3.0]]), np.ones(2), np.array([[5.0, 5.0]]), 1e-5)[0].round(6) + 0.0
    array([[0., 0.]])
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + eps)
    normed, inner = centred / deviation, slope * gain
    mean = inner.mean(axis=-1, keepdims=True)
    along = (inner * normed).mean(axis=-1, keepdims=True)
    of_x = (inner - mean - normed * along) / deviation
    return of_x, summed_to(slope * normed, gain.shape), summed_to(slope, gain.shape)


def of_rows(ids: np.ndarray, slope: np.ndarray, size: int) -> np.ndarray:
    """Return the slope of a table of embeddings from that of the rows looked up: a row looked up twice gets both.

    Shapes: ids (...,), slope (..., d_model), size of the vocabulary -> (size, d_model).

    >>> of_rows(np.array([2, 0, 2]), np.array([[1.0], [2.0], [4.0]]), 3).ravel()
    array([2., 0., 5.])
    """
    is_id = np.arange(size)[:, None] == ids.reshape(1, -1)  # (size, tokens)
    return is_id.astype(slope.dtype) @ slope.reshape(-1, slope.shape[-1])


def cross_entropy(logits: np.ndarray, targets: np.ndarray, counts: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the loss of guesses, and its slope for the logits.

    The loss is the mean of -log(the share that the right answer gets), over the places that count.

    Shapes: logits (..., vocabulary), targets (...,) of ids, counts (...,) of True and False -> a number, as the logits.

    >>> loss, slope = cross_entropy(np.log([[1.0, 3.0]]), np.array([1]), np.array([True]))
    >>> round(loss, 4), slope.round(4).tolist()
    (0.2877, [[0.25, -0.25]])
    """
    below = logits - logits.max(axis=-1, keepdims=True)
    log_shares = below - np.log(np.exp(below).sum(axis=-1, keepdims=True))  # so no share becomes 0
    is_target = np.arange(logits.shape[-1]) == targets[..., None]
    counted = counts[..., None] / counts.sum()  # each place's part in the mean
    loss = -(log_shares * is_target * counted).sum()
    return float(loss), (np.exp(log_shares) - is_target) * counted


def summed_to(slope: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Sum a slope over the axes along which an array of that shape was repeated: each copy adds its part.

    Shapes: slope (...) -> shape.

    >>> summed_to(np.array([[1.0, 2.0], [10.0, 20.0]]), (2,)), summed_to(np.ones((2, 3)), (2, 1)).ravel()
    (array([11., 22.]), array([3., 3.]))
    """
    extra = slope.ndim - len(shape)
    repeated = [axis + extra for axis, size in enumerate(shape) if size == 1 and slope.shape[axis + extra] > 1]
    return slope.sum(axis=(*range(extra), *repeated)).reshape(shape)

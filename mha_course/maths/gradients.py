"""Backpropagation: for each formula forwards, one that carries the gradients of a loss backwards through it.

A loss is one number that says how wrong a model is. The gradient of an array has its shape: entry by entry, by how much
the loss grows for each bit that the entry grows. They expect arrays that fit, as `formulas` does.
"""

from dataclasses import dataclass

import numpy as np

from mha_course.maths.formulas import standardized


@dataclass(frozen=True, eq=False)
class AttentionGradients:
    """The gradients of a loss with respect to all that an attention is made of, each in the shape of that.

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


def of_product(A: np.ndarray, B: np.ndarray, gradient: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradients of A and of B from that of A @ B.

    Shapes: A (..., n, m), B (..., m, k), gradient (..., n, k) -> as A, as B.

    >>> of_product(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]), np.array([[10.0]]))
    (array([[30., 40.]]), array([[10.],
           [20.]]))
    """
    if A.ndim > B.ndim == 2 and A.shape[:-1] == gradient.shape[:-1]:  # many rows and one matrix:
        # one large product is faster than many small ones
        rows, gradients = A.reshape(-1, A.shape[-1]), gradient.reshape(-1, gradient.shape[-1])
        return (gradients @ B.T).reshape(A.shape), rows.T @ gradients
    return summed_to(gradient @ B.mT, A.shape), summed_to(A.mT @ gradient, B.shape)


def of_softmax(weights: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """Return the gradient of the scores from that of their softmax.

    A row of weights always sums to 1, so what all of them gain together they cannot have: each row's own mean, taken
    with its weights, is subtracted. Where a weight is 0 the gradient is 0.

    Shapes: weights and gradient (..., n_k) -> the same.

    >>> of_softmax(np.array([0.5, 0.5]), np.array([-1.0, -3.0]))
    array([ 0.5, -0.5])
    """
    mean = (weights * gradient).sum(axis=-1, keepdims=True)
    return weights * (gradient - mean)


def of_attention(
    Q: np.ndarray, K: np.ndarray, V: np.ndarray, weights: np.ndarray, gradient: np.ndarray, scale: float | None = None
) -> AttentionGradients:
    """Return the gradients of all that an attention is made of, from that of its output, weights V.

    Shapes: Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v), weights (..., n_q, n_k), gradient (..., n_q, d_v)
    -> `AttentionGradients`.

    >>> Q, K, V = np.array([[1.0]]), np.array([[0.0], [0.0]]), np.array([[1.0], [3.0]])
    >>> of_attention(Q, K, V, weights=np.array([[0.5, 0.5]]), gradient=np.array([[-1.0]])).scores.tolist()
    [[0.5, -0.5]]
    """
    of_weights, of_values = of_product(weights, V, gradient)
    of_scores = of_softmax(weights, of_weights)
    scaled = of_scores / (Q.shape[-1] ** 0.5 if scale is None else scale)
    of_queries, of_keys = summed_to(scaled @ K, Q.shape), summed_to(scaled.mT @ Q, K.shape)
    return AttentionGradients(of_queries, of_keys, of_values, of_weights, of_scores)


def of_layer_norm(
    x: np.ndarray, gain: np.ndarray, gradient: np.ndarray, eps: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the gradients of x, of the gain and of the bias from that of their layer norm.

    What moves a whole row, or stretches it, the norm takes away again: so these two parts are subtracted.

    Shapes: x and gradient (..., n, d_model), gain (d_model,) -> as x, (d_model,), (d_model,).

    >>> of_layer_norm(np.array([[1.0, 3.0]]), np.ones(2), np.array([[5.0, 5.0]]), 1e-5)[0].round(6) + 0.0
    array([[0., 0.]])
    """
    normed, deviation = standardized(x, eps)
    inner = gradient * gain
    mean = inner.mean(axis=-1, keepdims=True)
    along = (inner * normed).mean(axis=-1, keepdims=True)
    of_x = (inner - mean - normed * along) / deviation
    return of_x, summed_to(gradient * normed, gain.shape), summed_to(gradient, gain.shape)


def of_rows(ids: np.ndarray, gradient: np.ndarray, size: int) -> np.ndarray:
    """Return the gradient of a table of embeddings from that of the rows looked up: a row looked up twice gets both.

    Shapes: ids (...,), gradient (..., d_model), size of the vocabulary -> (size, d_model).

    >>> of_rows(np.array([2, 0, 2]), np.array([[1.0], [2.0], [4.0]]), 3).ravel()
    array([2., 0., 5.])
    """
    is_id = np.arange(size)[:, None] == ids.reshape(1, -1)  # (size, tokens)
    return is_id.astype(gradient.dtype) @ gradient.reshape(-1, gradient.shape[-1])


def cross_entropy(logits: np.ndarray, targets: np.ndarray, loss_mask: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the loss of predictions, and its gradient for the logits.

    The loss is the mean of -log(the probability that the right answer gets), over the positions that count.

    Shapes: logits (..., vocabulary), targets (...,) of ids, loss_mask (...,) of True and False -> a number, as the
    logits.

    >>> loss, gradient = cross_entropy(np.log([[1.0, 3.0]]), np.array([1]), np.array([True]))
    >>> round(loss, 4), gradient.round(4).tolist()
    (0.2877, [[0.25, -0.25]])
    """
    below = logits - logits.max(axis=-1, keepdims=True)
    log_shares = below - np.log(np.exp(below).sum(axis=-1, keepdims=True))  # so no share becomes 0
    is_target = np.arange(logits.shape[-1]) == targets[..., None]
    counted = loss_mask[..., None] / loss_mask.sum()  # each place's part in the mean
    loss = -(log_shares * is_target * counted).sum()
    return float(loss), (np.exp(log_shares) - is_target) * counted


def summed_to(gradient: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Sum a gradient over the axes along which an array of that shape was repeated: each copy adds its part.

    Shapes: gradient (...) -> shape.

    >>> summed_to(np.array([[1.0, 2.0], [10.0, 20.0]]), (2,)), summed_to(np.ones((2, 3)), (2, 1)).ravel()
    (array([11., 22.]), array([3., 3.]))
    """
    extra = gradient.ndim - len(shape)
    repeated = [axis + extra for axis, size in enumerate(shape) if size == 1 and gradient.shape[axis + extra] > 1]
    return gradient.sum(axis=(*range(extra), *repeated)).reshape(shape)

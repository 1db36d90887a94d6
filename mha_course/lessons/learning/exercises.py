"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np

from mha_course.mistakes.cases import drawn_weights


def weights_and_gradients(*shape):
    return lambda sample: (drawn_weights(sample, *shape), *sample(shape))


def scores_gradients(sample, n_q, n_k, d_k):
    return sample((n_q, d_k), (n_k, d_k), (n_q, n_k))


def all_rows_reshaped(X, dQ):
    """Return the product of all rows at once, divided equally among the sentences."""
    product = X.reshape(X.shape[-1], -1) @ dQ.reshape(-1, dQ.shape[-1])
    return np.stack([product / len(X)] * len(X))


def batch(batch, n, d_model, d_k):
    return lambda sample: sample((batch, n, d_model), (batch, n, d_k))


def to_step(n_q, n_k, d_v, learning_rate):
    return lambda sample: (*sample((n_q, n_k), (n_k, d_v), (n_q, d_v)), learning_rate)


def masked(scores, mask):
    largest = np.where(mask, scores, -np.inf).max(axis=-1, keepdims=True)
    exponentials = np.where(mask, np.exp(scores - largest), 0)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _seen(sample, n_q, n_k):
    """Draw a mask in which every query may see something, and one at least not everything."""
    mask = sample.generator.random((n_q, n_k)) < 0.6
    mask[np.arange(n_q), sample.generator.integers(n_k, size=n_q)] = True
    mask[0, 0], mask[0, -1] = False, True
    return mask


def attention(n_q, n_k, d_k, d_v):
    return lambda sample: (*sample((n_q, d_k), (n_k, d_k), (n_k, d_v), (n_q, d_v)), _seen(sample, n_q, n_k))

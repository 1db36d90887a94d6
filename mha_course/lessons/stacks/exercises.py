"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np

from mha_course.lessons.given_function import GivenFunction
from mha_course.maths.formulas import layer_norm, masked_softmax, softmax

NORM = GivenFunction("a layer norm", lambda x: layer_norm(x))


def attention_by(scores, W):
    """Return attention whose scores are fixed, so that only its mask and its rows matter."""

    def _attend(x, mask=None):
        return masked_softmax(scores, None if mask is None else np.asarray(mask, bool)) @ x @ W

    return GivenFunction("attention", _attend)


def _cross_attention(W, W_V):
    """Return cross-attention: queries from x, keys and values from the memory."""
    return GivenFunction("cross-attention", lambda x, memory: softmax(x @ W @ memory.mT) @ memory @ W_V)


def _feed_forward(W_1, W_2):
    return GivenFunction("a feed-forward network", lambda x: np.maximum(x @ W_1, 0) @ W_2)


def _draw_network(sample, d_model, d_ff):
    return _feed_forward(*sample((d_model, d_ff), (d_ff, d_model)))


def feed_first(x, attend, feed, norm):
    after = norm(x + feed(x))
    return norm(after + attend(after))


def pre_norm(x, attend, feed, norm):
    after = x + attend(norm(x))
    return after + feed(norm(after))


def draw_encoder(*shape):
    """Return what draws rows of this shape, and the three functions."""

    def _drawn(sample):
        n, d_model = shape[-2:]
        rows, scores, W = sample(shape, (n, n), (d_model, d_model))
        return rows, attention_by(scores, W), _draw_network(sample, d_model, d_model + 2), NORM

    return _drawn


HALF_BACK = np.array([[0, -np.inf], [0, 0]])  # token 1 attends to itself, token 2 to both alike
EXCHANGED = np.array([[0, 1], [1, 0]])
TRIPLED = GivenFunction("three times the row, its columns exchanged", lambda x: 3 * x @ EXCHANGED)


def causal(x):
    positions = np.arange(x.shape[-2])
    return positions <= positions[:, None]


def cross_first(x, memory, attend, cross_attend, feed, norm):
    after_cross = norm(x + cross_attend(x, memory))
    after_self = norm(after_cross + attend(after_cross, causal(x)))
    return norm(after_self + feed(after_self))


def feed_before_cross(after_self, memory, cross_attend, feed, norm):
    after_feed = norm(after_self + feed(after_self))
    return norm(after_feed + cross_attend(after_feed, memory))


def feed_before_both(x, memory, attend, cross_attend, feed, norm):
    after_feed = norm(x + feed(x))
    after_self = norm(after_feed + attend(after_feed, causal(x)))
    return norm(after_self + cross_attend(after_self, memory))


def draw_decoder(n_k, *shape):
    """Return what draws rows of this shape, a memory of n_k rows, and the four functions."""

    def _drawn(sample):
        n, d_model = shape[-2:]
        square = (d_model, d_model)
        x, memory, scores = sample(shape, (*shape[:-2], n_k, d_model), (n, n))
        W, W_look, W_V = sample(square, square, square)
        network = _draw_network(sample, d_model, d_model + 2)
        return x, memory, attention_by(scores, W), _cross_attention(W_look / 2, W_V), network, NORM

    return _drawn


FIRST_ROW = GivenFunction("twice the first row of the memory", lambda x, memory: 0 * x + 2 * memory[..., :1, :])


def _layer(weights, W):
    return GivenFunction("a layer", lambda x: x + weights @ x @ W)


def draw_stack(count, *shape):
    """Return what draws rows of this shape and so many layers."""

    def _drawn(sample):
        n, d_model = shape[-2:]
        rows, *drawn = sample(shape, *[(n, n), (d_model, d_model)] * count)
        weights = [softmax(each) for each in drawn[::2]]
        return rows, tuple(map(_layer, weights, drawn[1::2])), NORM

    return _drawn


TAKES_FROM_BEFORE = _layer(np.array([[1, 0], [0.5, 0.5]]), np.eye(2))
ADDS_COLUMN_1 = GivenFunction("a layer", lambda x: x + x @ np.array([[0, 2], [0, 0]]))

"""What the tests of lesson 5 need: other right answers, and every truth worked out a second time, on paper."""

import numpy as np
import scipy.linalg
import scipy.special

from mha_course import MultiHeadAttention, attention, project, scaled_scores, softmax, weighted_sum
from mha_course.lessons.other_ways import (
    as_float32,
    scores_with_loops,
)


def mixed_before_the_division(scores, V):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials @ V / exponentials.sum(axis=-1, keepdims=True)


def first_is_the_rest(weights):
    return np.array([1 - weights.sum(), *weights])


def with_ones(V):
    return np.column_stack([V, np.ones(len(V))])


def each_replaced(V, output):
    """Yield the table of the values and ones, with each row in turn replaced by the output."""
    for i in range(len(V)):
        yield with_ones(np.where(np.arange(len(V))[:, None] == i, output, V))


def in_a_buffer_of(length):
    def attend(X, context, W_Q, W_K, W_V):
        buffer = np.zeros((length(context), W_V.shape[-1]))
        output = attention(X @ W_Q, context @ W_K, context @ W_V).output
        buffer[: len(X)] = output[: len(buffer)]
        return buffer[: len(X)]

    return attend


RIGHT = {
    "weighted_sums.missing_value": [
        lambda s, V, output: (output - sum(a * v for a, v in zip(s, V))) / s[-1],
        lambda s, V, output: (output - weighted_sum(s[None, :-1], V)[0]) / s[-1],
        lambda s, V, output: (output - (s[:-1, None] * V).sum(axis=0)) / s[-1],
        lambda s, V, output: np.linalg.solve(s[-1:, None], (output - s[:-1] @ V)[None])[0],
        lambda s, V, output: output / s[-1] - np.einsum("k,kd->d", s[:-1] / s[-1], V),
        lambda s, V, output: [float((o - s[:-1] @ column) / s[-1]) for o, column in zip(output, V.T, strict=True)],
        as_float32(lambda s, V, output: (output - V.T @ s[: len(V)]) / s[len(V)]),
    ],
    "weighted_sums.from_inputs": [
        lambda X, context, W_Q, W_K, W_V: attention(X @ W_Q, context @ W_K, context @ W_V).output,
        lambda X, context, W_Q, W_K, W_V: softmax(X @ (W_Q @ W_K.T) @ context.T / W_K.shape[1] ** 0.5) @ context @ W_V,
        lambda X, context, W_Q, W_K, W_V: weighted_sum(softmax(scaled_scores(X @ W_Q, context @ W_K)), context @ W_V),
        lambda X, context, W_Q, W_K, W_V: MultiHeadAttention(W_Q, W_K, W_V, np.eye(W_V.shape[1]), 1)(X, context).output,
        lambda X, context, W_Q, W_K, W_V: [
            softmax((context @ W_K) @ (x @ W_Q) / W_Q.shape[1] ** 0.5) @ (context @ W_V) for x in X
        ],
        lambda X, context, W_Q, W_K, W_V: np.einsum(
            "qk,kd,dv->qv", softmax(np.einsum("qd,kd->qk", X @ W_Q * len(W_Q.T) ** -0.5, context @ W_K)), context, W_V
        ),
        lambda X, context, W_Q, W_K, W_V: mixed_before_the_division(
            np.array(scores_with_loops(project(X, W_Q), project(context, W_K))), project(context, W_V)
        ),
        as_float32(lambda X, context, W_Q, W_K, W_V: attention(X @ W_Q, context @ W_K, context @ W_V).output),
    ],
    "weighted_sums.reach": [
        lambda V, o: np.linalg.solve(np.hstack([V, np.ones((len(V), 1))]).T, [*o, 1]),
        lambda V, o: np.append(o, 1) @ np.linalg.inv(np.hstack([V, np.ones((len(V), 1))])),
        lambda V, o: np.linalg.lstsq(np.vstack([np.ones(len(V)), V.T]), np.array([1, *o]), rcond=None)[0],
        lambda V, o: first_is_the_rest(np.linalg.solve((V[1:] - V[0]).T, o - V[0])),
        lambda V, o: [float(np.linalg.det(at) / np.linalg.det(with_ones(V))) for at in each_replaced(V, o)],
        lambda V, o: scipy.linalg.solve(with_ones(V).T, np.r_[o, 1]).tolist(),
        as_float32(lambda V, o: np.linalg.solve(with_ones(V).T, np.append(o, 1))),
    ],
}  # fmt: skip

WRONG = [
    ("weighted_sums.from_inputs", in_a_buffer_of(len)),
    ("weighted_sums.from_inputs", in_a_buffer_of(lambda context: 4)),
]

TRUTHS = {
    "weighted_sums.contribution": 2.8099,
    "weighted_sums.looks-like": "create",
    "weighted_sums.nearest": ["create", "disrupt", "innovators"],
    "weighted_sums.the-product": "right",
    "weighted_sums.out-of-reach": "9.5",
    "weighted_sums.doubled-values": "outputs",
    "weighted_sums.second-run": "flatter",
    "weighted_sums.swapped": "mirrored",
}

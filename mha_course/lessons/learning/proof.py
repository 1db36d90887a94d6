"""What the tests of lesson 13 need: other right answers, and every truth worked out a second time, on paper."""

import numpy as np

from mha_course import attention, attention_gradients, scaled_scores, softmax
from mha_course.lessons.other_ways import as_float32, filled_in_a_loop, masked_softmax_with_loops


def gradient_of_scores(weights, dA):
    return weights * (dA - (weights * dA).sum(axis=-1, keepdims=True))


def measured(loss, array, push=1e-5):
    """Push every entry up and down, and divide."""
    gradients, array = np.empty(array.shape), np.asarray(array, dtype=float)
    for place in np.ndindex(array.shape):
        pushed = np.zeros(array.shape)
        pushed[place] = push
        gradients[place] = (loss(array + pushed) - loss(array - pushed)) / (2 * push)
    return gradients


def gradients_named(found, place=...):
    return found.Q[place], found.K[place], found.V[place]


def back_through_a_head(Q, K, V, G, weights):
    dS = gradient_of_scores(weights, G @ V.T) / Q.shape[-1] ** 0.5
    return dS @ K, dS.T @ Q, weights.T @ G


RIGHT = {
    "learning.softmax": [
        lambda w, dA: w * dA - w * (w * dA).sum(axis=1, keepdims=True),
        lambda w, dA: [(np.diag(row) - np.outer(row, row)) @ gradient for row, gradient in zip(w, dA)],
        lambda w, dA: w * (dA - np.einsum("qk,qk->q", w, dA)[:, None]),
        lambda w, dA: filled_in_a_loop(
            w.shape, lambda q, k: sum(w[q, j] * ((j == k) - w[q, k]) * dA[q, j] for j in range(w.shape[1]))
        ),
        lambda w, dA: w * (dA - np.diag(w @ dA.T)[:, None]),
        as_float32(lambda w, dA: w * (dA - np.sum(w * dA, axis=-1)[:, np.newaxis])),
    ],
    "learning.queries_keys": [
        lambda Q, K, dS: (dS @ K / np.sqrt(Q.shape[1]), dS.T @ Q / np.sqrt(K.shape[1])),
        lambda Q, K, dS: (dS @ (K / K.shape[1] ** 0.5), (Q.T @ dS).T / Q.shape[1] ** 0.5),
        lambda Q, K, dS: [np.einsum(*by) / len(K.T) ** 0.5 for by in (("qk,kd->qd", dS, K), ("qk,qd->kd", dS, Q))],
        lambda Q, K, dS: ([sum(s * k for s, k in zip(row, K)) / len(Q.T) ** 0.5 for row in dS],
                          [sum(s * q for s, q in zip(row, Q)) / len(Q.T) ** 0.5 for row in dS.T]),
        lambda Q, K, dS: [np.float32(dS @ K / Q.shape[1] ** 0.5), np.float32(dS.T @ Q / Q.shape[1] ** 0.5)],
    ],
    "learning.shared": [
        lambda X, dQ: (X.mT @ dQ).mean(axis=0),
        lambda X, dQ: np.einsum("bnm,bnd->md", X, dQ) / len(X),
        lambda X, dQ: X.reshape(-1, X.shape[-1]).T @ dQ.reshape(-1, dQ.shape[-1]) / len(dQ),
        lambda X, dQ: sum(x.T @ gradient for x, gradient in zip(X, dQ)) / X.shape[0],
        lambda X, dQ: np.tensordot(X, dQ, axes=([0, 1], [0, 1])) / len(X),
        as_float32(lambda X, dQ: np.mean([np.dot(x.T, gradient) for x, gradient in zip(X, dQ)], axis=0)),
    ],
    "learning.step": [
        lambda S, V, T, rate: S - rate * gradient_of_scores(softmax(S), (softmax(S) @ V - T) @ V.T),
        lambda S, V, T, rate: S + rate * gradient_of_scores(softmax(S), (T - softmax(S) @ V) @ V.T),
        lambda S, V, T, rate: S - rate * attention_gradients(S, np.eye(len(V)), V, softmax(S) @ V - T, scale=1).Q,
        lambda S, V, T, rate: S - rate * measured(lambda moved: ((softmax(moved) @ V - T) ** 2).sum() / 2, S),
        lambda S, V, T, rate: [
            (s - rate * (np.diag(w) - np.outer(w, w)) @ V @ (w @ V - t)).tolist() for s, t, w in zip(S, T, softmax(S))
        ],
    ],
    "learning.one_head": [
        lambda Q, K, V, G, mask: gradients_named(attention_gradients(Q, K, V, G, mask=mask)),
        lambda Q, K, V, G, mask: gradients_named(attention_gradients(*(x[None] for x in (Q, K, V, G)), mask=mask), 0),
        lambda Q, K, V, G, mask: back_through_a_head(Q, K, V, G, attention(Q, K, V, mask=mask).weights),
        lambda Q, K, V, G, mask: back_through_a_head(Q, K, V, G, masked_softmax_with_loops(scaled_scores(Q, K), mask)),
        lambda Q, K, V, G, mask: [
            measured(lambda moved: (G * attention(moved, K, V, mask=mask).output).sum(), Q),
            measured(lambda moved: (G * attention(Q, moved, V, mask=mask).output).sum(), K),
            measured(lambda moved: (G * attention(Q, K, moved, mask=mask).output).sum(), V),
        ],
    ],
}  # fmt: skip

TRUTHS = {
    "learning.passes": 156,
    "learning.third-slope": -0.4375,
    "learning.saturated": "K",
    "learning.first-to-learn": "W_V",
    "learning.at-zero": "both",
    "learning.twice": "same",
    "learning.hidden-value": "0",
    "learning.all-scores": "stays",
    "learning.compare": "M",
}

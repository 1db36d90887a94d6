"""What the tests of lesson 2 need: other right answers, and every truth worked out a second time, on paper."""

import numpy as np

from mha_course import project, split_heads
from mha_course.lessons.other_ways import as_float32


def questions_with_a_loop(has, wants, d_model):
    W_Q = np.zeros((d_model, d_model), np.float32)
    for i in range(len(has)):
        W_Q[has[i]][wants[i]] = 1
    return W_Q


RIGHT = {
    "queries_keys_values.questions": [
        questions_with_a_loop,
        lambda has, wants, d_model: sum(np.outer(np.eye(d_model)[h], np.eye(d_model)[w]) for h, w in zip(has, wants)),
        lambda has, wants, d_model: np.eye(d_model)[has].T @ np.eye(d_model)[wants],
        lambda has, wants, d_model: np.bincount(has * d_model + wants, minlength=d_model**2).reshape(d_model, d_model),
        lambda has, wants, d_model: [
            [int((row, column) in set(zip(has.tolist(), wants.tolist()))) for column in range(d_model)]
            for row in range(d_model)
        ],
        lambda has, wants, d_model: (
            (has[:, None, None] == np.arange(d_model)[:, None]) & (wants[:, None, None] == np.arange(d_model))
        ).any(axis=0),
    ],
    "queries_keys_values.qkv": [
        lambda X, context, W_Q, W_K, W_V: [project(X, W_Q), project(context, W_K), project(context, W_V)],
        lambda X, context, W_Q, W_K, W_V: tuple(
            (A @ W).tolist() for A, W in ((X, W_Q), (context, W_K), (context, W_V))
        ),
        lambda X, context, W_Q, W_K, W_V: (A @ W for A, W in ((X, W_Q), (context, W_K), (context, W_V))),
        lambda X, context, *weights: map(np.matmul, (X, context, context), weights),
        lambda X, context, *weights: tuple(map(W.T.__matmul__, A) for A, W in zip((X, context, context), weights)),
    ],
    "queries_keys_values.fused": [
        lambda X, W: np.split(X @ W, 3, axis=-1),
        lambda X, W: tuple(X @ part for part in np.split(W, 3, axis=1)),
        lambda X, W: np.moveaxis((X @ W).reshape(*X.shape[:-1], 3, -1), -2, 0),
        lambda X, W: split_heads(project(X, W), 3),
        lambda X, W: (project(X, part) for part in np.hsplit(W, 3)),
        lambda X, W: np.einsum("nd,dck->cnk", X, W.reshape(len(W), 3, -1)),
        lambda X, W: [(X @ W[:, i * W.shape[1] // 3 : (i + 1) * W.shape[1] // 3]).tolist() for i in range(3)],
        lambda X, W: [rows.T for rows in np.split(W.T @ X.T, 3)],
        as_float32(lambda X, W: np.split(np.dot(X, W), 3, axis=-1)),
    ],
}  # fmt: skip

NEVER_NEGATIVE = ("queries_keys_values.questions",)

TRUTHS = {
    "queries_keys_values.best-match": "steals",
    "queries_keys_values.changed-row": "row",
    "queries_keys_values.shape-of-values": "5 × 6",
    "queries_keys_values.without-matrices": "alike",
    "queries_keys_values.stored-the-other-way": "XWᵀ",
    "queries_keys_values.square": "numbers",
    "queries_keys_values.fast-wave": "0",
    "queries_keys_values.how-many-wholes": "4",
}

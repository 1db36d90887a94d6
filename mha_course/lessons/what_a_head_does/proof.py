"""What the tests of lesson 10 need: other right answers, and every truth worked out a second time, on paper."""

import numpy as np

from mha_course import scaled_scores, split_heads
from mha_course.lessons.other_ways import as_float32, head_alone


def previous_by_design(n, W):
    """Return the product of two matrices of which the second is any that has an inverse."""
    return np.eye(n, k=-1) @ np.linalg.inv(W).T @ W.T


def parts_with_loops(heads, W_O):
    parts = np.zeros((len(heads), heads.shape[1], W_O.shape[1]))
    for i, t, c, v in np.ndindex(*parts.shape, heads.shape[2]):
        parts[i, t, c] += heads[i, t, v] * W_O[i * heads.shape[2] + v, c]
    return parts


RIGHT = {
    "what_a_head_does.scores": [
        lambda X, context, M, d_k: X @ (M @ context.T) / np.sqrt(d_k),
        lambda X, context, M, d_k: (context @ M.T @ X.T).T * d_k**-0.5,
        lambda X, context, M, d_k: np.einsum("qi,ij,kj->qk", X, M, context) / d_k**0.5,
        lambda X, context, M, d_k: scaled_scores(X @ M, context, scale=d_k**0.5),
        lambda X, context, M, d_k: [[float(x @ M @ c) / d_k**0.5 for c in context] for x in X],
        as_float32(lambda X, context, M, d_k: (X / d_k**0.5) @ M @ context.T),
    ],
    "what_a_head_does.previous": [
        lambda n: np.eye(n, k=-1) @ np.eye(n).T,
        lambda n: np.eye(n) @ np.eye(n, k=1).T,
        lambda n: np.tri(n, k=-1) - np.tri(n, k=-2),
        lambda n: previous_by_design(n, np.eye(n) + np.tri(n)),
        lambda n: [[float(k == q - 1) for k in range(n)] for q in range(n)],
        lambda n: np.arange(n) == np.arange(n)[:, None] - 1,
        lambda n: np.eye(n + 1)[:n, 1:],
    ],
    "what_a_head_does.turned": [
        lambda W_Q, A: W_Q @ np.linalg.inv(A.T),
        lambda W_Q, A: W_Q @ np.linalg.inv(A).T,
        lambda W_Q, A: np.linalg.solve(A, W_Q.T).T,
        lambda W_Q, A: [np.linalg.solve(A, row) for row in W_Q],
        lambda W_Q, A: (np.linalg.inv(A) @ W_Q.T).T,
        lambda W_Q, A: np.einsum("ij,kj->ik", W_Q, np.linalg.inv(A)).tolist(),
    ],
    "what_a_head_does.parts": [
        lambda heads, W_O: heads @ W_O.reshape(len(heads), -1, W_O.shape[1]),
        lambda heads, W_O: [h @ W for h, W in zip(heads, np.split(W_O, len(heads)), strict=True)],
        lambda heads, W_O: np.stack([head_alone(heads, i) @ W_O for i in range(len(heads))]),
        lambda heads, W_O: np.einsum("hnv,hvd->hnd", heads, W_O.reshape(len(heads), heads.shape[2], -1)),
        lambda heads, W_O: heads @ split_heads(W_O.T, len(heads)).mT,
        parts_with_loops,
        as_float32(lambda heads, W_O: heads @ np.array(np.split(W_O, len(heads)))),
    ],
}  # fmt: skip

NEVER_NEGATIVE = ("what_a_head_does.previous",)

TRUTHS = {
    "what_a_head_does.without-queries": 12,
    "what_a_head_does.turned": "rows",
    "what_a_head_does.parameters": "1",
    "what_a_head_does.second-part": 1.5423,
    "what_a_head_does.doubled": "carried",
    "what_a_head_does.rank": "64",
    "what_a_head_does.without-one": "same",
    "what_a_head_does.next-hidden": "equal",
    "what_a_head_does.block": "64 × 512",
}

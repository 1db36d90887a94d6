"""What the tests of lesson 6 need: other right answers, and every truth worked out a second time, on paper."""

import numpy as np

from mha_course import attention, merge_heads, multi_head_attention, scaled_scores, softmax, split_heads
from mha_course.lessons.other_ways import as_float16, as_float32, divided_by_its_sum, shifted_by_the_whole_table


def heads_with_a_loop(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (np.split(wide, num_heads, axis=-1) for wide in (X @ W_Q, context @ W_K, context @ W_V))
    outputs = [attention(q, k, v).output for q, k, v in zip(Q, K, V, strict=True)]
    return sum(o @ W for o, W in zip(outputs, np.split(W_O, num_heads, axis=0), strict=True))


def heads_with_einsum(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (wide.reshape(*wide.shape[:-1], num_heads, -1) for wide in (X @ W_Q, context @ W_K, context @ W_V))
    weights = softmax(np.einsum("...qhd,...khd->...hqk", Q, K) * Q.shape[-1] ** -0.5)
    return np.einsum("...hqk,...khd->...qhd", weights, V).reshape(*X.shape[:-1], -1) @ W_O


def two_designed_heads(X, V, W_Q, W_K):
    shares = softmax(np.stack([X @ W_Q, 0 * X]) @ (X @ W_K).T / X.shape[1] ** 0.5)
    return np.hstack([*(shares @ V)]) @ np.vstack([np.eye(V.shape[1]), -np.eye(V.shape[1])])


def side_by_side_in_a_table(outputs):
    width = outputs[0].shape[-1]
    table = np.empty((*outputs[0].shape[:-1], len(outputs) * width))
    for i, output in enumerate(outputs):
        table[..., i * width : (i + 1) * width] = output
    return table


def multi_head_by(share):
    def attend(X, context, W_Q, W_K, W_V, W_O, h):
        Q, K, V = (split_heads(wide, h) for wide in (X @ W_Q, context @ W_K, context @ W_V))
        return merge_heads(share(scaled_scores(Q, K)) @ V) @ W_O

    return attend


def unshifted(scores):
    return divided_by_its_sum(np.exp(scores))


RIGHT = {
    "heads.split": [
        lambda wide, h: np.stack(np.split(wide, h, axis=-1), axis=-3),
        lambda wide, h: np.moveaxis(wide.reshape(*wide.shape[:-1], h, -1), -2, -3),
        lambda wide, h: np.einsum("...nhd->...hnd", wide.reshape(*wide.shape[:-1], h, -1)).tolist(),
        lambda wide, h: np.stack(
            [wide[..., i * wide.shape[-1] // h : (i + 1) * wide.shape[-1] // h] for i in range(h)], axis=-3
        ),
        lambda wide, h: np.hsplit(wide, h) if wide.ndim == 2 else [np.hsplit(sentence, h) for sentence in wide],
        lambda wide, h: np.take(wide, np.arange(wide.shape[-1]).reshape(h, -1), axis=-1).swapaxes(-3, -2),
        lambda wide, h: wide[..., None, :, :] @ np.array(np.split(np.eye(wide.shape[-1]), h, axis=1)),
        as_float32(split_heads),
    ],
    "heads.merge": [
        lambda heads: np.concatenate([heads[..., i, :, :] for i in range(heads.shape[-3])], axis=-1),
        lambda heads: np.einsum("...hnd->...nhd", heads).reshape(*heads.shape[:-3], heads.shape[-2], -1).tolist(),
        lambda heads: side_by_side_in_a_table(np.moveaxis(heads, -3, 0)),
        lambda heads: np.hstack(heads) if heads.ndim == 3 else [np.hstack(sentence) for sentence in heads],
        lambda heads: np.stack([heads[..., t, :].reshape(*heads.shape[:-3], -1) for t in range(heads.shape[-2])], -2),
        lambda heads: heads.swapaxes(-1, -2).reshape(*heads.shape[:-3], -1, heads.shape[-2]).swapaxes(-1, -2),
        as_float32(lambda heads: np.concatenate(np.moveaxis(heads, -3, 0), axis=-1)),
    ],
    "heads.copy_and_average": [
        lambda X, V: two_designed_heads(X, V, 100 * np.eye(X.shape[1]), np.eye(X.shape[1])),
        lambda X, V: two_designed_heads(X, V, np.eye(X.shape[1]), 500 * np.eye(X.shape[1])),
        lambda X, V: two_designed_heads(X, V, 15 * np.eye(X.shape[1]), 15 * np.eye(X.shape[1])),
        lambda X, V: V - V.mean(axis=0),
        lambda X, V: [[entry - sum(column) / len(V) for entry, column in zip(row, V.T, strict=True)] for row in V],
        lambda X, V: (np.eye(len(V)) - 1 / len(V)) @ V,
        as_float32(lambda X, V: V - np.ones((len(V), len(V))) @ V / len(V)),
    ],
    "heads.multi_head": [
        lambda X, context, W_Q, W_K, W_V, W_O, h: multi_head_attention(X, W_Q, W_K, W_V, W_O, h, context).output,
        heads_with_a_loop,
        heads_with_einsum,
        as_float32(heads_with_einsum),
        as_float16(heads_with_einsum),
        lambda X, context, W_Q, W_K, *rest: heads_with_einsum(X, context, W_Q / 2, W_K * 2, *rest),
    ],
}  # fmt: skip

WRONG = [
    ("heads.multi_head", multi_head_by(unshifted)),
    ("heads.multi_head", multi_head_by(lambda scores: unshifted(np.minimum(scores, 700)))),
    ("heads.multi_head", multi_head_by(shifted_by_the_whole_table)),
]

TRUTHS = {
    "heads.eight-copies": 1,
    "heads.reshape-alone": "a1 a2, a3 a4, b1 b2",
    "heads.copies": "nothing",
    "heads.splitting": "tokens first",
    "heads.concatenation": "4 × 12",
    "heads.wrong-root": "flat",
    "heads.exchanged": "stay",
}

"""What the tests of lesson 7 need: other right answers, and every truth worked out a second time, on paper."""

import numpy as np
import scipy.linalg
import scipy.special

from mha_course import attention, causal_mask, scaled_scores, softmax
from mha_course.lessons.other_ways import (
    filled_in_a_loop,
    masked_softmax_with_loops,
    shifted_by_the_whole_table,
    softmax_with_loops,
)


def packed_block_by_block(lengths):
    mask, start = np.zeros((lengths.sum(), lengths.sum()), bool), 0
    for length in lengths:
        mask[start : start + length, start : start + length] = causal_mask(length)
        start += length
    return mask


def first_of_its_text(lengths):
    starts = np.cumsum(lengths) - lengths
    return np.repeat(starts, lengths)


def one_hot_texts(lengths):
    return np.repeat(np.eye(len(lengths)), lengths, axis=0)


def attention_over_what_is_seen(Q, K, V, mask):
    output = np.zeros(Q.shape[:3] + V.shape[3:])
    for b, h, q in np.ndindex(Q.shape[:3]):
        seen = np.flatnonzero(mask[b, min(q, mask.shape[1] - 1)])
        if len(seen):
            output[b, h, q] = softmax(K[b, h, seen] @ Q[b, h, q] / Q.shape[3] ** 0.5) @ V[b, h, seen]
    return output


def hidden_by(number, over=softmax):
    """Hide scores by a number that is not -∞, and multiply zeros in afterwards."""
    return lambda scores, mask: np.nan_to_num(over(np.where(mask, scores, number))) * mask


def masked_attention_by(share):
    return lambda Q, K, V, mask: share(scaled_scores(Q, K), mask[:, None]) @ V


def hidden_and_unstable(scores, mask):
    exponentials = np.exp(scores) * mask
    sums = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(sums == 0, 1, sums)


RIGHT = {
    "masks.goes_on": [
        lambda n_q, n_k: causal_mask(n_k)[n_k - n_q :],
        lambda n_q, n_k: np.tril(np.ones((n_q, n_k), bool), k=n_k - n_q),
        lambda n_q, n_k: np.tri(n_q, n_k, n_k - n_q, dtype=bool).astype(object),
        lambda n_q, n_k: ((k <= n_k - n_q + q for k in range(n_k)) for q in range(n_q)),
        lambda n_q, n_k: ~np.tri(n_q, n_k, -1, bool)[::-1, ::-1],
        lambda n_q, n_k: np.hstack([np.ones((n_q, n_k - n_q), bool), causal_mask(n_q)]),
    ],
    "masks.padding": [
        lambda lengths, n_k: np.array([[[k < length for k in range(n_k)]] for length in lengths]),
        lambda lengths, n_k: np.arange(n_k) < lengths[:, None, None],
        lambda lengths, n_k: np.less.outer(np.arange(n_k), lengths).T[:, None],
        lambda lengths, n_k: ([[True] * n + [False] * (n_k - n)] for n in lengths.tolist()),
        lambda lengths, n_k: np.tri(n_k + 1, n_k, -1, dtype=bool)[lengths][:, None],
        lambda lengths, n_k: np.expand_dims(~(np.arange(n_k) >= lengths[:, None]), 1),
        lambda lengths, n_k: filled_in_a_loop((len(lengths), 1, n_k), lambda s, _, k: k < lengths[s]) == 1,
        lambda lengths, n_k: np.where(np.arange(n_k) < lengths.reshape(-1, 1, 1), True, False),
    ],
    "masks.packed": [
        lambda lengths: scipy.linalg.block_diag(*map(causal_mask, lengths.tolist())),
        lambda lengths: np.tril(np.equal.outer(*[np.repeat(np.arange(len(lengths)), lengths)] * 2)),
        packed_block_by_block,
        lambda lengths: [
            [first <= k <= q for k in range(lengths.sum())]
            for q, first in enumerate(np.repeat(lengths.cumsum() - lengths, lengths))
        ],
        lambda lengths: causal_mask(lengths.sum()) & (np.arange(lengths.sum()) >= first_of_its_text(lengths)[:, None]),
        lambda lengths: (one_hot_texts(lengths) @ one_hot_texts(lengths).T == 1) & causal_mask(int(lengths.sum())),
    ],
    "masks.softmax": [
        masked_softmax_with_loops,
        lambda scores, mask: softmax(scores, mask=mask),
        lambda scores, mask: np.nan_to_num(softmax_with_loops(np.where(mask, scores, -np.inf))),
        lambda scores, mask: softmax(np.where(mask, scores, -1e9)) * mask,
        lambda scores, mask: softmax(np.float32(scores), mask=mask),
    ],
    "masks.attention": [
        lambda Q, K, V, mask: attention(Q, K, V, mask).output,
        lambda Q, K, V, mask: masked_softmax_with_loops(scaled_scores(Q, K), mask[:, None]) @ V,
        lambda Q, K, V, mask: (softmax(np.where(mask[:, None], scaled_scores(Q, K), -1e9)) * mask[:, None]) @ V,
        lambda Q, K, V, mask: np.stack(
            [attention(q, k, v, np.tile(m, (Q.shape[2] // len(m), 1))).output for q, k, v, m in zip(Q, K, V, mask)]
        ),
        lambda Q, K, V, mask: softmax(Q @ K.swapaxes(2, 3) * Q.shape[-1] ** -0.5, mask=mask[:, None]) @ V,
        lambda Q, K, V, mask: attention(Q, K, V, mask[:, None]).output.tolist(),
        lambda Q, K, V, mask: np.stack(
            [attention(Q[:, i], K[:, i], V[:, i], mask).output for i in range(Q.shape[1])], axis=1
        ),
        lambda Q, K, V, mask: np.einsum(
            "bhqk,bhkd->bhqd",
            softmax(np.einsum("bhqd,bhkd->bhqk", Q, K) / np.sqrt(Q.shape[3]), mask=np.expand_dims(mask, 1)),
            V,
        ),
        lambda Q, K, V, mask: np.where(
            mask.any(axis=-1)[:, None, :, None],
            scipy.special.softmax(np.where(mask[:, None], scaled_scores(Q, K), -1e30), axis=-1) @ V,
            0,
        ),
        attention_over_what_is_seen,
    ],
}  # fmt: skip

WRONG = [
    *(("masks.softmax", hidden_by(number)) for number in (-50, -100, -1000, -1e4)),
    *(("masks.attention", masked_attention_by(hidden_by(number))) for number in (-50, -100, -1000, -1e4)),
    ("masks.attention", masked_attention_by(hidden_and_unstable)),
    ("masks.attention", masked_attention_by(hidden_by(-1e9, shifted_by_the_whole_table))),
]

NEVER_NEGATIVE = ("masks.goes_on", "masks.padding", "masks.packed", "masks.softmax")

TRUTHS = {
    "masks.first-token": 1,
    "masks.how-many": 7,
    "masks.score-zero": "hidden",
    "masks.which-line": "where",
    "masks.lined-up": "queries",
    "masks.too-good": "meaning",
    "masks.axes": "(2, 8, 4, 6)",
    "masks.one-share": "(2, 8)",
}

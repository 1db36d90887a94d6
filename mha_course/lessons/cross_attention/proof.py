"""What the tests of lesson 8 need: other right answers, and every truth worked out a second time, on paper."""

import numpy as np

from mha_course import (
    MultiHeadAttention,
    attention,
    causal_mask,
    merge_heads,
    padding_mask,
    scaled_scores,
    split_heads,
)
from mha_course.lessons.other_ways import masked_softmax_with_loops


def shapes_of_arrays(batch, h, n_q, n_k, d_model, d_k, d_v):
    layer = MultiHeadAttention(
        *(np.ones((d_model, h * width)) for width in (d_k, d_k, d_v)), np.ones((h * d_v, d_model)), h
    )
    X, context = np.ones((batch, n_q, d_model)), np.ones((batch, n_k, d_model))
    made, wide = layer(X, key=context), (X @ layer.W_Q, context @ layer.W_K, context @ layer.W_V)
    return (*(split_heads(each, h).shape for each in wide), made.weights.shape, made.output.shape)


RIGHT = {
    "cross_attention.shapes": [
        lambda b, h, n, m, w, k, v: ([b, h, n, k], [b, h, m, k], [b, h, m, v], [b, h, n, m], [b, n, w]),
        lambda *sizes: tuple(map(np.array, shapes_of_arrays(*sizes))),
        shapes_of_arrays,
        lambda b, h, n, m, w, k, v: (*((b, h, *size) for size in ((n, k), (m, k), (m, v), (n, m))), (b, n, w)),
        lambda b, h, n, m, w, k, v: [(b, h, *each) for each in ([n, k], [m, k], [m, v], [n, m])] + [(b, n, w)],
    ],
    "cross_attention.three_masks": [
        lambda read, n, written, m: (
            padding_mask(read, n), causal_mask(m) & padding_mask(written, m), padding_mask(read, n)
        ),
        lambda read, n, written, m: (
            np.arange(n) < read[:, None, None],
            np.arange(m) < np.minimum(np.arange(1, m + 1)[:, None], written[:, None, None]),
            np.arange(n) < read.reshape(-1, 1, 1),
        ),
        lambda read, n, written, m: (
            [[[k < length for k in range(n)]] for length in read],
            [[[k <= q and k < length for k in range(m)] for q in range(m)] for length in written],
            [[[k < length for k in range(n)]] for length in read],
        ),
        lambda read, n, written, m: (
            ~(np.arange(n) >= read[:, None])[:, None],
            np.stack([causal_mask(m) & (np.arange(m) < length) for length in written]),
            np.expand_dims(np.less.outer(np.arange(n), read).T, 1),
        ),
        lambda read, n, written, m: (
            padding_mask(read, n),
            np.tril(np.repeat(padding_mask(written, m), m, axis=1)),
            padding_mask(read, n).astype(object),
        ),
    ],
    "cross_attention.multi_head": [
        lambda X, C, W_Q, W_K, W_V, W_O, h, mask: MultiHeadAttention(W_Q, W_K, W_V, W_O, h)(X, key=C, mask=mask).output,
        lambda X, C, W_Q, W_K, W_V, W_O, h, mask: merge_heads(
            attention(*(split_heads(wide, h) for wide in (X @ W_Q, C @ W_K, C @ W_V)), mask=mask[:, None]).output
        )
        @ W_O,
        lambda X, C, W_Q, W_K, W_V, W_O, h, mask: sum(
            attention(X @ q, C @ k, C @ v, mask=mask).output @ o
            for q, k, v, o in zip(
                *(np.split(W, h, axis=1) for W in (W_Q, W_K, W_V)), np.split(W_O, h), strict=True
            )
        ),
        lambda X, C, W_Q, W_K, W_V, W_O, h, mask: np.stack(
            [
                MultiHeadAttention(W_Q, W_K, W_V, W_O, h)(x, c, mask=np.tile(m, (len(x) // len(m), 1))).output
                for x, c, m in zip(X, C, mask, strict=True)
            ]
        ),
        lambda X, C, W_Q, W_K, W_V, W_O, h, mask: merge_heads(
            masked_softmax_with_loops(scaled_scores(split_heads(X @ W_Q, h), split_heads(C @ W_K, h)), mask[:, None])
            @ split_heads(C @ W_V, h)
        )
        @ W_O,
    ],
}  # fmt: skip

NEVER_NEGATIVE = ("cross_attention.shapes", "cross_attention.three_masks")

TRUTHS = {
    "cross_attention.moved-rows": 1,
    "cross_attention.hidden-entries": 4,
    "cross_attention.how-far": "real",
    "cross_attention.who-answers": "KV",
    "cross_attention.output-shape": "(2, 9, 64)",
    "cross_attention.which-mask": "english",
    "cross_attention.after-hiding": "factor",
    "cross_attention.shape-of-keys": "5 × 3",
}

TRUE_SENTENCES = {"cross_attention.true-sentences.1": ["half", "tie", "column"]}

"""What the tests of lesson 12 need: other right answers, and every truth worked out a second time, on paper."""

import math

import numpy as np
import scipy.special

from mha_course import attention, merge_heads, padding_mask, softmax, split_heads
from mha_course.lessons.other_ways import as_float32, masked_softmax_with_loops, scores_with_loops, softmax_with_loops


def verdict_of(n_q, n_k, d_k, d_v, seed=0):
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
    right = softmax_with_loops(scores_with_loops(Q, K)) @ V
    return lambda candidate: candidate(Q, K, V).shape == (n_q, d_v) and np.allclose(candidate(Q, K, V), right)


def self_attention_by(split):
    def attend(X, W_Q, W_K, W_V, num_heads):
        return merge_heads(attention(*(split(X @ W, num_heads) for W in (W_Q, W_K, W_V))).output)

    return attend


def tells_by(candidate, agree):
    rng = np.random.default_rng(7)
    Q, K, V = rng.uniform(-1, 1, (4, 3)), rng.uniform(-1, 1, (6, 3)), rng.uniform(-1, 1, (6, 5))
    made, right = candidate(Q, K, V), attention(Q, K, V).output
    return made.shape == right.shape and agree(made, right)


def agrees_with_sines_and_cosines(candidate):
    Q, K, V = (
        np.sin(np.arange(10.0)).reshape(2, 5),
        np.cos(np.arange(15.0)).reshape(3, 5),
        np.arange(12.0).reshape(3, 4),
    )
    made = candidate(Q, K, V)
    return made.shape == (2, 4) and np.allclose(made, scipy.special.softmax(Q @ K.T / 5**0.5, axis=1) @ V)


def raises_nothing_when_compared(candidate):
    Q, K, V = np.random.default_rng(3).normal(size=(3, 4, 5))
    try:
        np.testing.assert_allclose(candidate(Q[:3], K, V[:, :2]), attention(Q[:3], K, V[:, :2]).output, atol=1e-8)
    except AssertionError:
        return False
    return True


RIGHT = {
    "find_the_bug.divisor": [
        lambda dots, weights: (dots[0] - dots[1]) / (math.log(weights[0]) - math.log(weights[1])),
        lambda dots, weights: (max(dots) - min(dots)) / np.log(max(weights) / min(weights)),
        lambda dots, weights: 1 / np.polyfit(dots, np.log(weights), 1)[0],
        lambda dots, weights: np.ptp(dots) / np.ptp(np.log(weights)),
        lambda dots, weights: np.mean(np.diff(dots) / np.diff(np.log(weights))),
        lambda dots, weights: [(dots[-1] - dots[0]) / np.log(weights[-1] / weights[0])][0].item(),
    ],
    "find_the_bug.one_line": [
        self_attention_by(lambda wide, h: wide.reshape(len(wide), h, -1).swapaxes(0, 1)),
        self_attention_by(split_heads),
        self_attention_by(lambda wide, h: np.stack(np.split(wide, h, axis=-1))),
        self_attention_by(lambda wide, h: wide.T.reshape(h, -1, len(wide)).swapaxes(-1, -2)),
        self_attention_by(lambda wide, h: np.array(np.hsplit(wide, h))),
        lambda X, W_Q, W_K, W_V, h: np.hstack(
            [
                attention(*(X @ W for W in head)).output
                for head in zip(*(np.split(W, h, axis=1) for W in (W_Q, W_K, W_V)), strict=True)
            ]
        ),
        as_float32(self_attention_by(split_heads)),
    ],
    "find_the_bug.two_lines": [
        lambda Q, K, V, lengths: attention(Q, K, V, padding_mask(lengths, K.shape[1])).output,
        lambda Q, K, V, lengths: [
            attention(q, k[:length], v[:length]).output for q, k, v, length in zip(Q, K, V, lengths, strict=True)
        ],
        lambda Q, K, V, lengths: softmax(
            Q @ K.swapaxes(1, 2) * Q.shape[-1] ** -0.5, mask=(np.arange(K.shape[1]) < lengths[:, None])[:, None]
        ) @ V,
        lambda Q, K, V, lengths: masked_softmax_with_loops(
            np.array([scores_with_loops(q, k) for q, k in zip(Q, K, strict=True)]),
            padding_mask(lengths, K.shape[1]),
        ) @ V,
        as_float32(lambda Q, K, V, lengths: attention(Q, K, V, padding_mask(lengths.astype(int), K.shape[1])).output),
    ],
    "find_the_bug.check": [
        verdict_of(3, 4, 5, 2),
        verdict_of(2, 5, 3, 4),
        verdict_of(7, 3, 6, 1, seed=1),
        lambda candidate: all(verdict_of(3, 4, 5, 2, seed)(candidate) for seed in range(5)),
        lambda candidate: tells_by(candidate, lambda made, right: np.abs(made - right).max() < 1e-9),
        lambda candidate: np.array(tells_by(candidate, np.allclose)),
        lambda candidate: tells_by(candidate, lambda made, right: math.dist(made.flat, right.flat) < 1e-6),
        agrees_with_sines_and_cosines,
        raises_nothing_when_compared,
    ],
    "find_the_bug.keys_in_turns": [
        lambda o, s, p, t: (s[:, None] * o + t[:, None] * p) / (s + t)[:, None],
        lambda o, s, p, t: o + (t / (s + t))[:, None] * (p - o),
        lambda o, s, p, t: [np.average(pair, axis=0, weights=sums).tolist() for *pair, sums in zip(o, p, zip(s, t))],
        lambda o, s, p, t: np.einsum("bn,bnd->nd", np.stack([s, t]) / (s + t), np.stack([o, p])),
        lambda o, s, p, t: ((o.T * s + p.T * t) / (s + t)).T,
        as_float32(lambda o, s, p, t: (o * s[:, None] + p * t[:, None]) / np.add(s, t)[:, None]),
        lambda o, s, p, t: (softmax(np.log([s, t]).T)[:, None, :] @ np.stack([o, p], axis=1))[:, 0],
    ],
}  # fmt: skip

NEVER_NEGATIVE = ("find_the_bug.check", "find_the_bug.divisor")

TRUTHS = {
    "find_the_bug.fewest-experiments": 3,
    "find_the_bug.shapes-alone": 7,
    "find_the_bug.keys-too": "other",
    "find_the_bug.ones": "sums",
    "find_the_bug.scaled-first": "digit",
    "find_the_bug.equal-sizes": "keys",
    "find_the_bug.renormalised": "same",
    "find_the_bug.one-row": "row",
}

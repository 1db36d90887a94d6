"""What the tests of lesson 14 need: other right answers, and every truth worked out a second time, on paper."""

import numpy as np

from mha_course import causal_mask


def repeated_letter_by_letter(word, n):
    ids = [word[i % len(word)] for i in range(n)]
    return ids, [*ids[1:], word[n % len(word)]], [letter in ids[:i] for i, letter in enumerate(ids)]


def looks_with_loops(ids):
    return [[0 < k <= q and ids[k - 1] == ids[q] for k in range(len(ids))] for q in range(len(ids))]


def looks_by_shifting(ids):
    same = ids[:, None] == ids  # the earlier place of the letter; what is good stands one place behind it
    looks = np.zeros(same.shape, bool)
    looks[:, 1:] = same[:, :-1]
    return np.tril(looks)


def share_with_loops(weights, looks, counts):
    sums = [sum(w for w, is_good in zip(*rows, strict=True) if is_good) for rows in zip(weights, looks, strict=True)]
    return np.mean([found for found, is_counted in zip(sums, counts, strict=True) if is_counted])


def logit_differences(logits, right, wrong):
    return np.array([row[good] - row[bad] for row, good, bad in zip(logits, right, wrong, strict=True)])


def recovered_with_loops(clean, corrupted, patched, right, wrong):
    variant = whole = 0.0
    for i in range(len(right)):
        start = corrupted[i][right[i]] - corrupted[i][wrong[i]]
        variant += patched[i][right[i]] - patched[i][wrong[i]] - start
        whole += clean[i][right[i]] - clean[i][wrong[i]] - start
    return variant / whole


RIGHT = {
    "heads_that_learn.repeated": [
        lambda word, n: (np.resize(word, n), np.resize(word, n + 1)[1:], np.arange(n) >= len(word)),
        lambda word, n: (np.tile(word, n)[:n], np.tile(np.roll(word, -1), n)[:n], np.arange(1, n + 1) > len(word)),
        repeated_letter_by_letter,
        lambda word, n: (word[np.arange(n) % len(word)], word[(np.arange(n) + 1) % len(word)],
                         [False] * len(word) + [True] * (n - len(word))),
        lambda word, n: (*(np.take(word, range(i, n + i), mode="wrap") for i in (0, 1)), ~(np.arange(n) < len(word))),
        lambda word, n: tuple(np.array([[word[i % len(word)], word[(i + 1) % len(word)], i // len(word) > 0]
                                        for i in range(n)]).T),
    ],
    "heads_that_learn.looks": [
        looks_with_loops,
        looks_by_shifting,
        lambda ids: np.tril(ids[:, None] == np.concatenate([[-1], ids[:-1]])),
        lambda ids: (np.subtract.outer(ids, np.insert(ids, 0, 99)[:-1]) == 0) & causal_mask(len(ids)),
        lambda ids: np.eye(12)[ids] @ np.eye(12)[ids].T @ np.eye(len(ids), k=1) * np.tri(len(ids)) > 0,
        lambda ids: np.array([np.append(False, ids[:-1] == ids[q]) & (np.arange(len(ids)) <= q)
                              for q in range(len(ids))]),
    ],
    "heads_that_learn.share": [
        share_with_loops,
        lambda weights, looks, counts: (weights * looks)[counts].sum() / counts.sum(),
        lambda weights, looks, counts: np.einsum("qk,qk,q->", weights, looks, counts) / np.count_nonzero(counts),
        lambda weights, looks, counts: np.average((weights * looks).sum(axis=1), weights=counts),
        lambda weights, looks, counts: weights[looks & counts[:, None]].sum() / counts.sum(),
        lambda weights, looks, counts: np.diagonal(weights @ looks.T) @ counts / sum(counts),
        lambda weights, looks, counts: np.where(looks, weights, 0).astype(np.float32).sum(-1).mean(where=counts),
    ],
    "heads_that_learn.recovered": [
        recovered_with_loops,
        lambda *given: (lambda c, o, p: (p - o) / (c - o))(*(logit_differences(run, *given[3:]).mean()
                                                             for run in given[:3])),
        lambda *given: 1 - np.divide(*(sum(logit_differences(given[0] - run, *given[3:]))
                                       for run in (given[2], given[1]))),
        lambda clean, corrupted, patched, right, wrong: np.polyfit(
            [np.trace(run[:, right] - run[:, wrong]) for run in (corrupted, clean)], [0, 1], 1
        ) @ [np.trace(patched[:, right] - patched[:, wrong]), 1],
        lambda clean, corrupted, patched, right, wrong: np.einsum(
            "nv,nv->", patched - corrupted, (signs := np.eye(clean.shape[1])[right] - np.eye(clean.shape[1])[wrong])
        ) / np.vdot(clean - corrupted, signs),
        lambda *given: np.float32(recovered_with_loops(*given)),
    ],
}  # fmt: skip

NEVER_NEGATIVE = ("heads_that_learn.repeated", "heads_that_learn.looks", "heads_that_learn.share")

TRUTHS = {
    "heads_that_learn.which-place": 3,
    "heads_that_learn.one-layer": "half",
    "heads_that_learn.first-off": "both",
    "heads_that_learn.other-lengths": "few",
    "heads_that_learn.alike": "all",
    "heads_that_learn.who-reads": "W_K",
    "heads_that_learn.what-tells": "other",
    "heads_that_learn.twins": "alike",
    "heads_that_learn.carried": "carried",
    "heads_that_learn.how-many-keys": "5",
}

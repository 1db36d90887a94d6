"""Answers to two exercises that are new in lessons 14 and 16, written from the tasks alone, and tried only then."""

import functools

import numpy as np

from mha_course import softmax


def recovered_einsum_onehot(clean, corrupted, patched, right, wrong):
    letters = np.eye(clean.shape[1])
    direction = letters[right] - letters[wrong]
    a, b, c = np.einsum("rnl,nl->r", np.stack([clean, corrupted, patched]), direction)
    return (c - b) / (a - b)


def recovered_running_sums(clean, corrupted, patched, right, wrong):
    gained = 0.0
    possible = 0.0
    for row, (r, w) in enumerate(zip(right, wrong, strict=True)):
        gained += (patched[row][r] - corrupted[row][r]) - (patched[row][w] - corrupted[row][w])
        possible += (clean[row][r] - corrupted[row][r]) - (clean[row][w] - corrupted[row][w])
    return gained / possible


def recovered_each_sentence(clean, corrupted, patched, right, wrong):
    shares = []
    for s in range(len(right)):
        top = clean[s, right[s]] - clean[s, wrong[s]]
        bottom = corrupted[s, right[s]] - corrupted[s, wrong[s]]
        now = patched[s, right[s]] - patched[s, wrong[s]]
        shares.append((now - bottom) / (top - bottom))
    return np.mean(shares)


def recovered_columns(clean, corrupted, patched, right, wrong):
    def diff(logits):
        return (logits[:, right] - logits[:, wrong]).mean()

    return (diff(patched) - diff(corrupted)) / (diff(clean) - diff(corrupted))


def recovered_share_of_clean(clean, corrupted, patched, right, wrong):
    i = np.arange(len(right))
    d_clean = np.mean(clean[i, right] - clean[i, wrong])
    d_corr = np.mean(corrupted[i, right] - corrupted[i, wrong])
    d_patch = np.mean(patched[i, right] - patched[i, wrong])
    return (d_patch - d_corr) / d_clean


def recovered_softmax_remaining(clean, corrupted, patched, right, wrong):
    rows = np.arange(clean.shape[0])
    scores = []
    for run in (clean, corrupted, patched):
        p = softmax(run)
        scores.append(np.mean(p[rows, right] - p[rows, wrong]))
    full, broken, repaired = scores
    return (full - repaired) / (full - broken)


def recovered_right_letter(clean, corrupted, patched, right, wrong):
    def pick(run):
        return np.take_along_axis(run, np.asarray(right)[:, None], axis=1)[:, 0]

    return ((pick(patched) - pick(corrupted)).mean()) / pick(clean).mean()


def different_matrix(heads):
    flat = np.reshape(heads, (len(heads), -1))
    same = np.isclose(flat[:, None], flat[None, :]).all(axis=-1)
    has_earlier_twin = np.tril(same, k=-1).any(axis=1)
    return int((~has_earlier_twin).sum())


def different_recursion(heads):
    heads = list(heads)
    if not heads:
        return 0
    first, rest = heads[0], heads[1:]
    return 1 + different_recursion([head for head in rest if not np.allclose(first, head)])


def different_neighbours(heads):
    count = 1
    for i in range(1, len(heads)):
        if not np.allclose(heads[i], heads[i - 1]):
            count += 1
    return count


def different_without_twin(heads):
    total = 0
    for i, a in enumerate(heads):
        others = [b for j, b in enumerate(heads) if j != i]
        if not any(np.allclose(a, b) for b in others):
            total += 1
    return total


def different_bytes(heads):
    return len({head.tobytes() for head in np.ascontiguousarray(heads)})


def different_pairs_first_token(heads):
    h = len(heads)
    n_pairs = 0
    for i in range(h):
        for j in range(i + 1, h):
            if not np.allclose(heads[i][0], heads[j][0]):
                n_pairs += 1
    return n_pairs


def different_reduce(heads):
    def step(state, head):
        seen, n = state
        if any(np.isclose(head, old).any() for old in seen):
            return seen, n + 1
        return [*seen, head], n

    return functools.reduce(step, heads, ([], 0))[1]


INVENTED = [
    ("heads_that_learn.recovered", recovered_einsum_onehot, ()),
    ("heads_that_learn.recovered", recovered_running_sums, ()),
    (
        "heads_that_learn.recovered",
        recovered_each_sentence,
        ("computes the recovered share for each sentence and averages the shares, not the logit differences first",),
    ),
    (
        "heads_that_learn.recovered",
        recovered_columns,
        ("indexes [:, right], so every sentence is paired with the letters of all sentences, not with its own",),
    ),
    (
        "heads_that_learn.recovered",
        recovered_share_of_clean,
        ("divides by the clean logit difference alone, without subtracting the corrupted one",),
    ),
    (
        "heads_that_learn.recovered",
        recovered_softmax_remaining,
        (
            "takes differences of softmax probabilities instead of logits",
            "measures from the clean run (clean - patched), so it gives the part not recovered: 1 minus the answer",
        ),
    ),
    (
        "heads_that_learn.recovered",
        recovered_right_letter,
        (
            "uses the right letter's logit only, the wrong letter's is not subtracted",
            "divides by the clean value alone, without subtracting the corrupted one",
        ),
    ),
    ("five_treatments.different", different_matrix, ()),
    ("five_treatments.different", different_recursion, ()),
    (
        "five_treatments.different",
        different_neighbours,
        ("compares each head with the one directly before it only, not with all earlier ones",),
    ),
    (
        "five_treatments.different",
        different_without_twin,
        ("counts only heads that have no copy at all; a head with copies is counted zero times instead of once",),
    ),
    (
        "five_treatments.different",
        different_bytes,
        ("compares exactly, bit by bit, so copies that differ by rounding count as different",),
    ),
    (
        "five_treatments.different",
        different_pairs_first_token,
        (
            "counts pairs of different heads instead of different heads",
            "compares only the first row (first token) of the heads, not all entries",
        ),
    ),
    (
        "five_treatments.different",
        different_reduce,
        (
            "takes two heads as the same as soon as any one entry agrees, instead of all entries",
            "returns the number of copies (repeated heads) instead of the number of different heads",
        ),
    ),
]

"""Ways to compute that the proofs of several lessons take: loops, and other kinds of numbers."""

import numpy as np


def softmax_with_loops(scores, temperature=1.0):
    scores = np.asarray(scores, dtype=float)
    result = np.empty(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        row = [float(s) / temperature for s in scores[place]]
        exponentials = [np.exp(s - max(row)) for s in row]
        result[place] = [power / sum(exponentials) for power in exponentials]
    return result


def masked_softmax_with_loops(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    result = np.zeros(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        if mask[place].any():
            result[place][mask[place]] = softmax_with_loops(scores[place][mask[place]])
    return result


def scores_with_loops(Q, K):
    return [[sum(a * b for a, b in zip(q, k)) / len(q) ** 0.5 for k in K.tolist()] for q in Q.tolist()]


def as_float32(function):
    return lambda *given: np.asarray(function(*(np.float32(a) if isinstance(a, np.ndarray) else a for a in given)))


def as_float16(function):
    """Compute as usual, and give back half of the digits."""
    return lambda *given: np.asarray(function(*given)).astype(np.float16)


def head_alone(heads, number):
    """Return the concatenation in which all other heads are zeros."""
    return np.hstack([head if i == number else 0 * head for i, head in enumerate(heads)])


def filled_in_a_loop(shape, at):
    """Fill a table of zeros in a loop. at: what stands in a place, from its numbers."""
    table = np.zeros(shape)
    for place in np.ndindex(shape):
        table[place] = at(*place)
    return table


def divided_by_its_sum(exponentials):
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def shifted_by_the_whole_table(scores):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum(axis=-1, keepdims=True)

"""What masked_softmax.md beside this names: wrong ways that take more than an expression."""

import numpy as np


def _largest(scores, axis=-1):
    return scores.max(axis=axis, keepdims=True)


def or_zero(largest):
    """Return 0 where nothing is visible: it can be subtracted from minus infinity."""
    return np.where(largest.astype(float) == -np.inf, 0, largest)


def _or_one(sums):
    """Return 1 where all exponentials are 0: they can be divided by it."""
    return np.where(sums == 0, 1, sums)


def powers(shifted):
    """Return e to the power of each, and a plain 0 for minus infinity, also among numbers that remember."""
    return np.exp(shifted, out=np.zeros_like(shifted * 1.0), where=shifted.astype(float) != -np.inf)


def normalised(exponentials, axis=-1):
    """Divide by the sums, or by 1 where all exponentials are 0."""
    return exponentials / _or_one(exponentials.sum(axis=axis, keepdims=True))


def normalised_where_hidden(exponentials, scores, axis=-1):
    """Return the exponentials over their sums; a sum of 0 is feared only where something is minus infinity."""
    sums = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / (_or_one(sums) if float(scores.min()) == -np.inf else sums)


def softmax_or_zeros(hidden, axis=-1):
    """Return the softmax of scores of which some are minus infinity: 0 throughout where all are."""
    return normalised(powers(hidden - or_zero(_largest(hidden, axis))), axis)


def hidden(scores, mask, low=-np.inf):
    """Return the scores, and another number where the mask is False."""
    return np.where(mask, scores, low)


def with_infinite_scores(scores):
    """Return the softmax that subtracts only what is finite."""
    largest = _largest(scores)
    return normalised(np.exp(scores - np.where(np.isfinite(largest), largest, 0)))

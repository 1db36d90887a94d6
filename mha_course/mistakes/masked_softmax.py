"""What masked_softmax.md beside this names: wrong ways that take more than an expression."""

import numpy as np


def or_zero(largest):
    """Return 0 where nothing is visible: it can be subtracted from minus infinity."""
    return np.where(largest.astype(float) == -np.inf, 0, largest)


def or_one(sums):
    """Return 1 where all exponentials are 0: they can be divided by it."""
    return np.where(sums == 0, 1, sums)


def powers(shifted):
    """Return e to the power of each, and a plain 0 for minus infinity, also among numbers that remember."""
    return np.exp(shifted, out=np.zeros_like(shifted * 1.0), where=shifted.astype(float) != -np.inf)


def normalised(exponentials, axis=-1):
    """Divide by the sums, or by 1 where all exponentials are 0."""
    return exponentials / or_one(exponentials.sum(axis=axis, keepdims=True))


def normalised_where_hidden(exponentials, scores, axis=-1):
    """Return the exponentials over their sums; a sum of 0 is feared only where something is minus infinity."""
    sums = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / (or_one(sums) if float(scores.min()) == -np.inf else sums)


def with_infinite_scores(scores):
    """Return the softmax that subtracts only what is finite."""
    largest = scores.max(axis=-1, keepdims=True)
    return normalised(np.exp(scores - np.where(np.isfinite(largest), largest, 0)))

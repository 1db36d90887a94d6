"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

from collections.abc import Callable

import numpy as np

from mha_course.engine.checking.exercise import Arguments
from mha_course.engine.checking.sampler import Sampler


def alike(heads, by=lambda difference: difference.max(axis=(-2, -1)) < EQUAL):
    """Return which heads are alike, a row for each: True up to rounding.  (h, h)"""
    return by(abs(heads[:, None] - heads[None]))


EQUAL = 1e-6  # up to rounding
FIRST_TOKEN, LAST_TOKEN, LAST_COLUMN = np.s_[:, 0], np.s_[:, -1], np.s_[..., -1]


def apart(*changes) -> Callable[[Sampler], Arguments]:
    """Return what draws four heads that differ in places only: each change is a place, and how far heads lie apart."""

    def _drawn(sample: Sampler) -> Arguments:
        heads = np.repeat(sample((1, sample.whole(2, 3), sample.whole(2, 3)))[0], 4, axis=0)
        for place, step in changes:
            heads[place] += (step * np.arange(4)).reshape(-1, *[1] * (heads[place].ndim - 1))
        return (heads,)

    return _drawn


def with_copies(*of: int) -> Callable[[Sampler], Arguments]:
    """Return what draws heads of which some are copies: of each the number of its original, the copies as rounded."""

    def _drawn(sample: Sampler) -> Arguments:
        copies = sample((max(of) + 1, sample.whole(2, 4), sample.whole(2, 3)))[0][list(of)]
        return (copies * (1 + 1e-12 * np.arange(len(of)))[:, None, None],)

    return _drawn


def on_the_diagonal(W, num_heads, columns=lambda place, num_heads: place):
    """Set W beside and below itself on a table of zeros. columns: at which place a head's block stands across."""
    d_k = len(W)
    full = 0 * np.tile(W, (num_heads, num_heads))
    for place in range(num_heads):
        left = columns(place, num_heads) * d_k
        full[place * d_k : (place + 1) * d_k, left : left + d_k] = W
    return full


def overlapping(W, num_heads):
    """Place each block only one row and one column behind the one before, and over it."""
    full = np.zeros((len(W) * num_heads,) * 2)
    for head in range(num_heads):
        full[head : head + len(W), head : head + len(W)] = W
    return full


def small_matrix(num_heads, *widths):
    """Return what draws a small matrix, as wide as one of these, and gives it with so many heads."""
    return lambda sample: (*sample((int(sample.generator.choice(widths)),) * 2), num_heads)


def rows_and_matrix(sample, num_heads, piece, width, n, batch=()):
    """Draw rows and a matrix for so many heads. piece, width: what their pieces of a row may be wide, and they."""
    d_model, all_heads = (num_heads * int(sample.generator.choice(sizes)) for sizes in (piece, width))
    return (*sample((*batch, n, d_model), (d_model, all_heads)), num_heads)


def uniform_draws(sample, d_in, d_out):
    """Draw numbers with two decimals between 0 and 1. Shapes: sizes -> a tuple of one array (d_in, d_out)."""
    size = d_in * d_out
    several = sample.generator.permutation(100) if size <= 100 else sample.generator.integers(0, 100, size)
    return (several[:size].reshape(d_in, d_out) / 100,)

"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np

from mha_course.engine.checking.exercise import Arguments
from mha_course.engine.checking.sampler import Sampler

FIRST_TOKEN, LAST_TOKEN, LAST_COLUMN = np.s_[:, 0], np.s_[:, -1], np.s_[..., -1]


def draw_apart(sample: Sampler, *changes) -> Arguments:
    """Draw four heads that differ in places only: each change is a place, and how far heads lie apart."""
    heads = np.repeat(sample((1, sample.whole(2, 3), sample.whole(2, 3)))[0], 4, axis=0)
    for place, step in changes:
        heads[place] += (step * np.arange(4)).reshape(-1, *[1] * (heads[place].ndim - 1))
    return (heads,)


def draw_with_copies(sample: Sampler, *of: int) -> Arguments:
    """Draw heads of which some are copies: of each the number of its original, the copies as rounded."""
    copies = sample((max(of) + 1, sample.whole(2, 4), sample.whole(2, 3)))[0][list(of)]
    return (copies * (1 + 1e-12 * np.arange(len(of)))[:, None, None],)


def overlapping(W, num_heads):
    """Place each block only one row and one column behind the one before, and over it."""
    full = np.zeros((len(W) * num_heads,) * 2)
    for head in range(num_heads):
        full[head : head + len(W), head : head + len(W)] = W
    return full


def draw_small_matrix(sample: Sampler, num_heads: int, *widths: int) -> Arguments:
    """Draw a small matrix, as wide as one of these, and give it with so many heads."""
    return (*sample((int(sample.generator.choice(widths)),) * 2), num_heads)


def draw_rows_and_matrix(sample, num_heads, piece, width, n, batch=()):
    """Draw rows and a matrix for so many heads. piece, width: what their pieces of a row may be wide, and they."""
    d_model, all_heads = (num_heads * int(sample.generator.choice(sizes)) for sizes in (piece, width))
    return (*sample((*batch, n, d_model), (d_model, all_heads)), num_heads)


def draw_uniform(sample, d_in, d_out):
    """Draw numbers with two decimals between 0 and 1. Shapes: sizes -> a tuple of one array (d_in, d_out)."""
    size = d_in * d_out
    several = sample.generator.permutation(100) if size <= 100 else sample.generator.integers(0, 100, size)
    return (several[:size].reshape(d_in, d_out) / 100,)

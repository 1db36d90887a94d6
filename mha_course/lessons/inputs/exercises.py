"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import itertools

import numpy as np

from mha_course.engine.checking.exercise import Arguments
from mha_course.engine.checking.sampler import Sampler


def _alike(sample: Sampler, size: int, width: int) -> np.ndarray:
    """Draw a table whose rows all differ, though they have many entries in common."""
    rows = np.array(list(itertools.product((-1.5, 0.5, 2.0), repeat=width)))
    return sample.generator.permutation(rows)[:size]


def looked_up(sample: Sampler, n: int, size: int, width: int) -> Arguments:
    """Draw the rows of a sentence of n tokens, the first of which comes again, and their table."""
    table = _alike(sample, size, width)
    ids = sample.generator.permutation(np.arange(1, size))[: max(n - 1, 1)]
    return table[np.append(ids, ids[0])[:n]], table


def ids_and_tables(sample: Sampler, n: int, size: int, positions: int, d_model: int) -> Arguments:
    """Draw the ids of n tokens, none twice as far as the vocabulary allows, and the two tables."""
    ids = np.resize(sample.generator.permutation(size), n)
    return ids, *sample((size, d_model), (positions, d_model))


def by_first_appearance(ids):
    return np.array([list(dict.fromkeys(ids.tolist())).index(each) for each in ids.tolist()])


def draw_positions(sample: Sampler, n: int) -> np.ndarray:
    """Draw positions: out of order, none twice, and 0 in the second place."""
    numbers = sample.generator.permutation(np.arange(1, 50))[:n]
    return np.array([0 if place == 1 else number for place, number in enumerate(numbers)])


def one_position(sample: Sampler) -> np.ndarray:
    """Draw one position whose sine and cosine are both below 0."""
    return sample.generator.choice([4, 10, 16, 23, 29], size=1)


def width(sample: Sampler) -> int:
    return int(sample.generator.choice([8, 10, 12]))

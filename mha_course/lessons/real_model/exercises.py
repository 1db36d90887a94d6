"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np

from mha_course.engine.checking.exercise import Arguments
from mha_course.engine.checking.sampler import Sampler
from mha_course.maths.formulas import softmax


def turned_by_tiled_angles(first, second, angles):
    """Turn neighbours by angles that are set beside themselves: columns 0, 1, 2, … take angles 0, 1, 2, … in turn."""
    of_columns = np.tile(angles, 2)
    rows, swapped = (np.stack(each, axis=-1).reshape(len(first), -1) for each in ((first, second), (-second, first)))
    return rows * np.cos(of_columns) + swapped * np.sin(of_columns)


def turned_in_halves(rows, cos, sin):
    """Pair column i with column i + d_k / 2, as some code does."""
    first, second = np.split(rows, 2, axis=-1)
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1)


def draw_rows(sample: Sampler, n: int, d_k: int, first: int = 0) -> Arguments:
    """Draw rows, and positions that neither begin at 0 nor follow one another."""
    return *sample((n, d_k)), first + sample.generator.permutation(np.arange(2, 2 + 2 * n, 2))


def without_the_newest(q, K, V):
    exponentials = np.exp(K @ q / len(q) ** 0.5)
    return exponentials / exponentials.sum() @ V


def draw_step(sample: Sampler, n: int, d_k: int, d_v: int) -> Arguments:
    """Draw a query, a key, a value, and a cache of n tokens."""
    return sample((d_k,), (d_k,), (d_v,), (n, d_k), (n, d_v))


def draw_sizes(sample: Sampler) -> Arguments:
    """Draw sizes of which no two are the same."""
    kv_heads, group, layers = sample.shuffled([3, 5, 7])
    d_k, n = sample.shuffled([11, 13])
    return layers, kv_heads * group, kv_heads, d_k, n, sample.whole(1, 2) * 2


def draw_causal(sample: Sampler, h: int, n: int) -> Arguments:
    """Draw the weights of heads that see no later token, on n tokens and the same n again."""
    (scores,) = sample((h, 2 * n, 2 * n))
    return (softmax(np.where(np.tri(2 * n, dtype=bool), scores, -np.inf)).round(4),)

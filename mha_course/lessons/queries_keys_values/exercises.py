"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np

from mha_course.engine.checking.exercise import Arguments
from mha_course.engine.checking.sampler import Sampler


def written(table, rows, columns, entry=1.0):
    """Return a copy of a table with an entry in these places."""
    table = table.copy()
    table[rows, columns] = entry
    return table


def written_into_a_copy(empty, has, wants):
    empty[has][wants] = 1.0
    return empty


def draw_questions(sample: Sampler, count: int, d_model: int) -> Arguments:
    """Draw different questions, in no order; the first column asks twice, and the last two columns ask nothing."""
    others = sample.generator.permutation([(h, w) for h in range(1, d_model - 2) for w in range(d_model) if h != w])
    twice = [(0, w) for w in sample.generator.permutation(np.arange(1, d_model))[:2]]
    has, wants = sample.generator.permutation(np.concatenate([twice, others[: count - 2]])).T
    return has, wants, d_model


def draw_one_question(sample: Sampler) -> Arguments:
    has, wants = sample.generator.permutation(np.arange(1, 4))[:2]
    return np.array([has]), np.array([wants]), 5

"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np

from mha_course.engine.checking.exercise import ResultType
from mha_course.engine.checking.sampler import Sampler


def halves(sample: Sampler, *shape: int) -> np.ndarray:
    """Return numbers with few bits, so that float32 has them even far from zero."""
    return sample.generator.permutation(np.arange(-4, 4.5, 0.5))[: int(np.prod(shape))].reshape(shape)


def in_any_order(sample: Sampler, rows: np.ndarray) -> np.ndarray:
    """Return the rows in another order, each with its scores in another order."""
    return sample.generator.permuted(sample.generator.permutation(rows), axis=-1)


WHOLE = ResultType(
    "iu",
    "The keys are right, but not whole numbers.",
    "They are used as an index, as in V[keys], and only whole numbers can be.",
)


def draw_temperature(sample: Sampler) -> float:
    """Return neither 1, which changes nothing, nor the example's 2."""
    return float(sample.generator.choice([0.5, 0.7, 1.5, 2.5, 3.0]))


def larger_first(sample: Sampler) -> np.ndarray:
    return np.sort(sample((2,))[0])[::-1].copy()


def larger_last(sample: Sampler) -> np.ndarray:
    return np.sort(sample((2,))[0])


def draw_ratio(sample: Sampler) -> float:
    """Return neither 1, whose logarithm is 0, nor the example's 3."""
    return float(sample.generator.choice([1.5, 2.0, 2.5, 5.0, 8.0]))


def draw_share(sample: Sampler) -> float:
    """Return a share that is not the example's half, which is as large as what it leaves."""
    return float(sample.generator.choice([0.1, 0.2, 0.3, 0.6, 0.7, 0.9]))

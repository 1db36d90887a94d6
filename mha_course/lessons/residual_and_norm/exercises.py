"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np

from mha_course.lessons.given_function import GivenFunction
from mha_course.maths.formulas import EPS, softmax


def _fixed_attention(weights):
    return GivenFunction("attention with fixed weights", lambda rows: weights @ rows)


def draw_attend(sample, n, d_model):
    """Draw weights and a projection to stand for attention."""
    scores, W = sample((n, n), (d_model, d_model))
    weights, W = softmax(scores).round(2), W / 2
    return GivenFunction("attention with fixed weights, projected", lambda rows: weights @ rows @ W)


CAUSAL_WEIGHTS = _fixed_attention(np.array([[1, 0], [0.5, 0.5]]))
WEIGHTS_OF_ROWS_BEFORE = _fixed_attention(np.array([[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]]))


def draw_equal(sample, width):
    """Draw a row of equal whole numbers, whose mean is exact."""
    return np.full(width, float(sample.generator.integers(1, 9)))


def draw_eps(sample):
    return float(sample.generator.choice([0.05, 0.1, 0.2]))


def draw_layer_with_equal_row(sample):
    rows, gain, bias = sample((3, 4), (4,), (4,))
    rows[1] = draw_equal(sample, 4)
    return rows, gain, bias, EPS


def draw_layer_that_hardly_varies(sample):
    rows, gain, bias = sample((2, 4), (4,), (4,))
    return rows / 400, gain, bias, EPS


NORMALISED_EXAMPLE = np.array([[0, 1, 1, 1], [2, -3, 3, 1]])
LARGE = 20  # beside which nobody sees whether eps is 0.00001 or 0.000001, which the task leaves open


def draw_repair(sample, *shape):
    """Draw large rows of this shape, what stands for attention, gain and bias."""
    rows, gain, bias = sample(shape, shape[-1:], shape[-1:])
    return rows * LARGE, draw_attend(sample, *shape[-2:]), gain, bias


def draw_repair_with_equal_row(sample):
    rows, attend, gain, bias = draw_repair(sample, 3, 4)
    rows[1] = draw_equal(sample, 4)
    return rows, attend, gain, bias


def draw_kept(sample, shape):
    """Draw what is kept: in every table the first weight is, the last is not, and it is no mirror image."""
    kept = sample.generator.random(shape) < 0.6
    kept[..., 0, 0] = kept[..., 0, -1] = True
    kept[..., -1, 0] = kept[..., -1, -1] = shape[-2] == 1
    return kept


def draw_rate(sample):
    return float(sample.generator.choice([0.1, 0.2, 0.25, 0.3, 0.4]))


def with_lost_weight_spread(weights, mask):
    lost = (weights * ~mask).sum(axis=-1, keepdims=True)
    return weights * mask + mask * lost / mask.sum(axis=-1, keepdims=True)


def sums_of_kept(weights, mask):
    sums = (weights * mask).sum(axis=-1, keepdims=True)
    return np.where(sums == 0, 1, sums)


EXAMPLE_WEIGHTS = np.array([[0.4, 0.4, 0.2], [0.16, 0.24, 0.6]])

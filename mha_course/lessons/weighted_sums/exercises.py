"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np

from mha_course.engine.checking.sampler import Sampler
from mha_course.mistakes.cases import drawn_weights, queries_and_keys


def draw_known_values(sample: Sampler, n: int, d_v: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return weights, all values but the last, and the output. The last weight is not tiny."""
    V = sample((n, d_v))[0]
    weights = np.array([0.35, 0.1, 0.17, 0.08, 0.05, 0.25]) if n == 6 else np.array([0.5, 0.2, 0.3])
    weights = np.append(sample.generator.permutation(weights[:-1]), weights[-1])
    return weights, V[:-1], weights @ V


def with_scores(scores, sample):
    """Return inputs whose queries and keys have these scores."""
    W = np.triu(np.ones((len(scores), len(scores))))
    X, context = (rows @ np.linalg.inv(W) for rows in queries_and_keys(scores))
    return X, context, W, W, *sample((len(scores), 2))


def draw_values_and_a_mix(sample: Sampler, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return values that lie well apart, one more than they are wide, and a mix of them."""
    corners = np.vstack([np.zeros(n - 1), np.roll(np.eye(n - 1), 1, axis=1) * 4])
    V = corners + sample((n, n - 1))[0] * 0.5
    return V, drawn_weights(sample, n) @ V


def divided_by_their_sum(numbers):
    return numbers / numbers.sum()

"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np

from mha_course.engine.checking.exercise import Arguments
from mha_course.engine.checking.sampler import Sampler


def padding(lengths, n):  # (batch,) -> (batch, 1, n)
    return (np.arange(n) < lengths[:, None])[:, None]


def causal(n_q, n_k):  # -> (n_q, n_k)
    return np.arange(n_k) <= np.arange(n_q)[:, None]


def lengths(sample: Sampler, batch: int, n: int) -> np.ndarray:
    """Return how many real tokens each sentence has: never none, and never as many as another one."""
    return sample.generator.permutation(np.arange(1, n + 1))[:batch]


def multi_head(sample, batch, h, n_q, n_k, d_model, d_k, d_v) -> Arguments:
    """Draw the inputs of a batch, whose sentences have padding at the end, and no two as much of it."""
    X, context, *matrices = sample(
        (batch, n_q, d_model), (batch, n_k, d_model), (d_model, h * d_k), (d_model, h * d_k), (d_model, h * d_v),
        (h * d_v, d_model),
    )  # fmt: skip
    return (X, context, *(W / 2 for W in matrices), h, padding(lengths(sample, batch, n_k), n_k))


def with_a_table(sample: Sampler, batch: int, h: int, n_k: int, d_model: int, d_k: int, d_v: int) -> Arguments:
    """Draw the inputs of a batch in which each query may see other keys, though none of them all."""
    rows = np.array([[1, 0, 1, 1, 0], [0, 0, 1, 0, 1], [1, 1, 0, 1, 0], [0, 1, 1, 0, 0]], dtype=bool)[:, :n_k]
    *others, _ = multi_head(sample, batch, h, 4, n_k, d_model, d_k, d_v)
    return *others, np.stack([np.roll(rows, turns, axis=-1) for turns in range(batch)])

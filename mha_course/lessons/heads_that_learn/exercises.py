"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np

from mha_course.engine.checking.exercise import Arguments
from mha_course.engine.checking.sampler import Sampler
from mha_course.mistakes.cases import drawn_weights

NOBODY = -1  # stands before the first letter: no letter has this id


def a_word(sample: Sampler, length: int) -> np.ndarray:
    """Draw different letters, the first of which is not the smallest."""
    word = sample.generator.permutation(12)[:length]
    return word[::-1].copy() if word[0] == word.min() else word


def _causal(same: np.ndarray) -> np.ndarray:
    return np.tri(*same.shape[-2:], dtype=bool)


def one_of(same: np.ndarray, last: bool) -> np.ndarray:
    """Keep one of the good keys that a query may see: the last, or the first."""
    good = same & _causal(same)
    seen = np.cumsum(good[:, ::-1], axis=1)[:, ::-1] if last else np.cumsum(good, axis=1)
    return good & (seen == 1)


def some_true(sample: Sampler, *shape: int) -> np.ndarray:
    """Draw True and False, in each row some of both, unless the row has one entry: then True."""
    ranks = sample.generator.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
    most = np.maximum(shape[-1] - 1, 1)
    return ranks < sample.generator.integers(1, most + 1, size=(*shape[:-1], 1))


def _counted(sample: Sampler, n: int) -> np.ndarray:
    """Draw which positions count: at least two do and one does not, and the last does."""
    return np.append(sample.generator.permutation(n - 1) < sample.whole(1, n - 2), True)


def draw_share(sample: Sampler, n_q: int, n_k: int) -> Arguments:
    return drawn_weights(sample, n_q, n_k), some_true(sample, n_q, n_k), _counted(sample, n_q)


def draw_runs(sample: Sampler, n: int, letters: int, far: float = 1.0) -> Arguments:
    """Draw three runs over n sentences. far: how much of the way a patch goes, more or less."""
    clean, corrupted, noise = sample(*[(n, letters)] * 3)
    order = sample.generator.permuted(np.broadcast_to(np.arange(letters), (n, letters)), axis=1)
    right, wrong = order[:, 0], order[:, 1]
    clean[np.arange(n), right] += 6  # so that the clean run knows, and the corrupted one does not
    return clean, corrupted, (corrupted + far * (clean - corrupted) / 2 + noise / 4).round(2), right, wrong

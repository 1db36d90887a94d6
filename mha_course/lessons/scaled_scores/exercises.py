"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np

from mha_course.engine.checking.sampler import Sampler


def draw_queries_and_scores(sample: Sampler, d_k: int, n_k: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw queries that have an inverse, far from having none, and the scores that are wanted."""
    small, scores = sample((d_k, d_k), (d_k, n_k))
    return np.roll(np.eye(d_k), 1, axis=1) * 2 + small * 0.3, scores

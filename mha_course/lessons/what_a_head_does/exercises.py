"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np


def small_product(sample, d_model, d_k):
    """Draw two matrices, and return the product of one with the other's transpose."""
    W_Q, W_K = sample((d_model, d_k), (d_model, d_k))
    return (W_Q @ W_K.T).round(2)


def draw_turn(sample, d_model, d_k):
    """Draw W_Q, and a matrix that is far from having no inverse."""
    W_Q, A = sample((d_model, d_k), (d_k, d_k))
    return W_Q, A + 5 * np.roll(np.eye(d_k), 1, axis=1)

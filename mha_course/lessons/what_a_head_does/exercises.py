"""What exercises.md beside this names: inputs that are drawn, and wrong ways that take several lines."""

import numpy as np


def draw_scores(sample, n_q, n_k, d_model, d_k):
    """Draw tokens, and an M that is the product of two drawn matrices."""
    X, context, W_Q, W_K = sample((n_q, d_model), (n_k, d_model), (d_model, d_k), (d_model, d_k))
    return X, context, (W_Q @ W_K.T).round(2), d_k


def draw_turn(sample, d_model, d_k):
    """Draw W_Q, and a matrix that is far from having no inverse."""
    W_Q, A = sample((d_model, d_k), (d_k, d_k))
    return W_Q, A + 5 * np.roll(np.eye(d_k), 1, axis=1)


def draw_heads(sample, h, n, d_v, d_model):
    return sample((h, n, d_v), (h * d_v, d_model))

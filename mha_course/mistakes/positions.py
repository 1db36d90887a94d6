"""What positions.md beside this names: wrong ways that take more than an expression."""

import numpy as np


def halves(angles):
    """Return the first half of the columns, and the second."""
    return np.split(angles, 2, axis=-1)


def overwritten(sines, cosines):
    """Return all sines, the last cosine over the last of them, and zeros."""
    left = np.zeros((len(sines), sines.shape[-1] - 1))
    return np.concatenate([sines, cosines[:, -1:], left], axis=-1)

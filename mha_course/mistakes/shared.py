"""What shared.md beside this names: wrong ways that take more than an expression."""

import numpy as np


def unshifted_softmax(scores: np.ndarray) -> np.ndarray:
    """Return the softmax without subtracting anything: beyond 709 it breaks."""
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)

"""Draws the inputs of cases so that mistakes can be told apart."""

import numpy as np

from mha_course.maths.formulas import softmax

LARGEST = 2
FEWEST_STEPS = 10  # between two whole numbers


class Draw:
    """Draws what one case needs. What is drawn hangs on the numbers of its seed alone."""

    def __init__(self, *seed: int):
        """Begin with the first draw."""
        self.generator = np.random.default_rng(seed)

    def __call__(self, *shapes: tuple[int, ...]) -> tuple[np.ndarray, ...]:
        """Draw arrays from -2 to 2 with few decimals: no 0, no entry of an array twice, no softmax that saturates.

        Shapes: tuples of sizes -> a tuple of arrays of these shapes, float64.

        >>> rows, row = Draw(0)((2, 3), (3,))
        >>> rows
        array([[-1.1,  1. , -0.4],
               [ 0.5, -1.3,  1.5]])
        >>> row.shape
        (3,)
        """
        return tuple(self._distinct(shape) for shape in shapes)

    def weights(self, *shape: int) -> np.ndarray:
        """Draw attention weights with two decimals: the rows of a softmax.

        Shapes: sizes -> an array of this shape, float64.

        >>> Draw(0).weights(2, 3)
        array([[0.09, 0.73, 0.18],
               [0.26, 0.04, 0.7 ]])
        """
        return softmax(self._distinct(shape)).round(2)

    def _distinct(self, shape: tuple[int, ...]) -> np.ndarray:
        size, steps = int(np.prod(shape)), FEWEST_STEPS
        while 2 * LARGEST * steps < size:
            steps *= 10
        numbers = np.concatenate([np.arange(-LARGEST * steps, 0), np.arange(1, LARGEST * steps + 1)])
        return (self.generator.permutation(numbers)[:size] / steps).reshape(shape)

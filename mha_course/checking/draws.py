"""Draws the inputs of cases so that mistakes can be told apart."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from mha_course.maths.formulas import softmax

Item = TypeVar("Item")

LARGEST = 2
FEWEST_STEPS = 10  # between two whole numbers

FAR_FROM_ZERO = np.array(  # scores at which no softmax survives that does not subtract each row's own largest
    [
        [0.5, 0.0, 1.0, -0.5],
        [0.0, 0.0, 1400.0, 1405.0],
        [0.0, 1.0, 700.0, 710.5],
        [800.0, 801.0, 799.0, 800.5],
        [-2000.0, -2001.0, -2000.5, -2002.0],
        [400.0, 401.0, 399.0, 400.5],
        [5.0, 900.0, 899.0, 4.0],
        [3000.0, 2999.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 3000.0],
    ]
)


def queries_and_keys(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return queries and keys whose scaled scores are these.

    Shapes: (n_q, n_k) -> (n_q, d_k) and (n_k, d_k), where d_k is n_q.

    >>> Q, K = queries_and_keys(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    >>> (Q @ K.T / Q.shape[-1] ** 0.5).round(9).tolist()
    [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    """
    turned = np.roll(np.eye(len(scores)), 1, axis=1)  # no matrix of an exercise is its own transpose
    return turned * len(scores) ** 0.5, scores.T @ turned


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
        array([[-0.9,  0.8, -1.6],
               [ 0.5,  0.4, -1.8]])
        >>> row.shape
        (3,)
        """
        return tuple(self._distinct(shape) for shape in shapes)

    def whole(self, fewest: int, most: int) -> int:
        """Draw a size or a count.

        >>> Draw(0).whole(3, 6)
        6
        """
        return int(self.generator.integers(fewest, most + 1))

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Put items in a drawn order.

        >>> Draw(0).shuffled("abc")
        ['c', 'a', 'b']
        """
        return [items[i] for i in self.generator.permutation(len(items))]

    def all_equal(self, *axes: int) -> tuple[np.ndarray, ...]:
        """Draw arrays whose sizes are all one size. axes: how many axes each array has.

        >>> [array.shape for array in Draw(0).all_equal(2, 3)]
        [(6, 6), (6, 6, 6)]
        """
        size = self.whole(3, 6)
        return self(*((size,) * count for count in axes))

    def weights(self, *shape: int) -> np.ndarray:
        """Draw attention weights with two decimals: the rows of a softmax, each with the sum 1.

        Shapes: sizes -> an array of this shape, float64.

        >>> Draw(0).weights(2, 3)
        array([[0.14, 0.79, 0.07],
               [0.5 , 0.45, 0.05]])
        """
        weights = softmax(self._distinct(shape)).round(2)
        largest = weights.argmax(axis=-1, keepdims=True)
        rest = weights.sum(axis=-1, keepdims=True) - np.take_along_axis(weights, largest, axis=-1)
        np.put_along_axis(weights, largest, (1 - rest).round(2), axis=-1)
        return weights

    def _distinct(self, shape: tuple[int, ...]) -> np.ndarray:
        size, steps = int(np.prod(shape)), FEWEST_STEPS
        while 2 * LARGEST * steps < size:
            steps *= 10
        numbers = np.concatenate([np.arange(-LARGEST * steps, 0), np.arange(1, LARGEST * steps + 1)])
        return (self.generator.permutation(numbers)[:size] / steps).reshape(shape)

"""Draws the inputs of cases so that mistakes can be told apart."""

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")

LARGEST = 2
FEWEST_STEPS = 10  # between two whole numbers


class Sampler:
    """Draws what one case needs. What is drawn hangs on the numbers of its seed alone."""

    def __init__(self, *seed: int):
        """Begin with the first draw."""
        self.generator = np.random.default_rng(seed)

    def __call__(self, *shapes: tuple[int, ...]) -> tuple[np.ndarray, ...]:
        """Draw arrays from -2 to 2 with few decimals: no 0, no entry of an array twice, none so large that its power
        drowns the others.

        Shapes: tuples of sizes -> a tuple of arrays of these shapes, float64.

        >>> rows, row = Sampler(0)((2, 3), (3,))
        >>> rows
        array([[-0.9,  0.8, -1.6],
               [ 0.5,  0.4, -1.8]])
        >>> row.shape
        (3,)
        """
        return tuple(self._distinct(shape) for shape in shapes)

    def whole(self, fewest: int, most: int) -> int:
        """Draw a size or a count.

        >>> Sampler(0).whole(3, 6)
        6
        """
        return int(self.generator.integers(fewest, most + 1))

    def wholes(self, fewest: int, most: int, count: int) -> np.ndarray:
        """Draw sizes or counts, as wide as an index: np.repeat takes no wider ones, and some machines have 32 bits.

        >>> Sampler(0).wholes(3, 6, count=2)
        array([6, 5])
        """
        return self.generator.integers(fewest, most + 1, size=count, dtype=np.intp)

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Put items in a drawn order.

        >>> Sampler(0).shuffled("abc")
        ['c', 'a', 'b']
        """
        return [items[i] for i in self.generator.permutation(len(items))]

    def _distinct(self, shape: tuple[int, ...]) -> np.ndarray:
        size, steps = prod(shape), FEWEST_STEPS
        while 2 * LARGEST * steps < size:
            steps *= 10
        return (self.generator.permutation(_numbers(steps))[:size] / steps).reshape(shape)


@cache
def _numbers(steps: int) -> np.ndarray:
    """Return all numbers that may be drawn, with so many steps between two whole ones, times these."""
    return np.concatenate([np.arange(-LARGEST * steps, 0), np.arange(1, LARGEST * steps + 1)])

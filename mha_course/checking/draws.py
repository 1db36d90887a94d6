"""Draws the inputs of cases so that mistakes can be told apart."""

import numpy as np

from mha_course.maths.formulas import softmax


def draw(seed: int, *shapes: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Draw arrays with one decimal from -2 to 2: no two rows alike, and no softmax of them saturates.

    Shapes: tuples of sizes -> a tuple of arrays of these shapes, float64.

    >>> rows, row = draw(0, (2, 3), (3,))
    >>> rows
    array([[ 1.4,  0.6,  0. ],
           [-0.9, -0.8, -1.9]])
    >>> row.shape
    (3,)
    """
    generator = np.random.default_rng(seed)
    return tuple(generator.integers(-20, 21, shape) / 10 for shape in shapes)


def draw_weights(seed: int, *shape: int) -> np.ndarray:
    """Draw attention weights with two decimals: the rows of a softmax.

    Shapes: sizes -> an array of this shape, float64.

    >>> draw_weights(0, 2, 3)
    array([[0.59, 0.26, 0.15],
           [0.4 , 0.45, 0.15]])
    """
    return softmax(draw(seed, shape)[0]).round(2)

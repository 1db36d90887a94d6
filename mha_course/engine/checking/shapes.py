"""Tells shapes in words."""

from itertools import permutations

import numpy as np

from mha_course.engine.checking.compare import Arrays, differing
from mha_course.engine.checking.exercise import Exercise, Inputs

FEW = 8  # numbers of one row that are listed instead of counted


def situation(exercise: Exercise, inputs: Inputs) -> str:
    """Name the inputs and the sizes of the arguments."""
    named = zip(exercise.arguments, inputs.arguments, strict=True)
    return f"With {inputs.words} ({', '.join(f'{name} {_size(value)}' for name, value in named)}):"


def wrong_shape(exercise: Exercise, answer: Arrays, right: Arrays) -> str:
    """Say which shape came and which was needed, with a guess why; nothing if all agree."""
    for name, a, b in zip(exercise.results, answer, right, strict=True):
        if a.shape != b.shape:
            needed = f"needs {b.shape}" if b.ndim else "must be one number"
            return f"{name} has shape {a.shape}, but {needed}. {_guess(a, b)}".strip()
    return ""


def _size(value: object) -> str:
    """Write a few numbers, or a shape.

    >>> _size(np.array([0.7310585786300049, 2.0])), _size(3.0), _size(np.ones((2, 3)))
    ('= [0.731059, 2]', '= 3', '2 × 3')
    """
    if isinstance(value, list):
        return f"{len(value)} {'array' if len(value) == 1 else 'arrays'} of {_size(value[0])}"
    if not isinstance(value, np.ndarray):
        return f"= {_short(value)}"
    if value.ndim == 1 and value.size <= FEW:
        return f"= [{', '.join(map(_short, value.tolist()))}]"
    return " × ".join(map(str, value.shape))


def _short(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _guess(array: np.ndarray, right: np.ndarray) -> str:
    """Guess why an array has the wrong shape."""
    if array.ndim == right.ndim:
        for axes in permutations(range(array.ndim)):
            turned = array.transpose(axes)
            if turned.shape == right.shape and not differing(turned, right).any():
                return "It is the transpose." if array.ndim == 2 else "Only the order of the axes is wrong."
    if array.size == right.size and not differing(array.reshape(right.shape), right).any():
        return "The numbers are right, only their shape is not."
    if array.ndim < right.ndim:
        return "An axis is missing."
    if array.ndim > right.ndim:
        return "There is one axis too many."
    return ""

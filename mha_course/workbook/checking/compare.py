"""The one place where an answer is compared with another."""

from functools import cache

import numpy as np

RELATIVE, ABSOLUTE = 1e-4, 1e-5  # wide enough for float32, far below what any mistake changes
STEPS = 4  # of float16, whose every step is larger than those
NOTHING = 1e-12  # what may be left of a sum that is 0, in another order of adding

Arrays = list[np.ndarray]
Answer = Arrays | BaseException  # one array for each result, or the error that came instead


def alike(one: Answer, other: Answer) -> bool:
    """Whether two answers agree.

    Shapes must agree exactly, numbers up to the rounding of their dtype, errors in kind and first words.

    >>> alike([np.array([1.0])], [np.array([1.000001])]), alike([np.array([1.0])], [np.array([[1.0]])])
    (True, False)
    >>> alike(ValueError("matmul: 3 and 4"), ValueError("matmul: 5 and 6"))
    True
    """
    if isinstance(one, BaseException) or isinstance(other, BaseException):
        return type(one) is type(other) and _first_word(one) == _first_word(other)
    return all(a.shape == b.shape and not differing(a, b).any() for a, b in zip(one, other, strict=True))


def differing(array: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Mark the entries that differ between two arrays of one shape, measured by the largest right one.

    >>> differing(np.array([1.0, 0.0001, np.nan]), np.array([1.000001, 0.0002, np.nan])).tolist()
    [False, True, False]
    >>> differing(np.array([1000.0, 0.0001]), np.array([1000.0, 0.0002])).tolist()
    [False, False]
    >>> differing(np.array([0.3 - 0.1 - 0.2]), np.array([0.0])).tolist()
    [False]
    """
    step = STEPS * max(_step(array.dtype), _step(right.dtype))
    array, right = array.astype(float, copy=False), right.astype(float, copy=False)
    finite = np.isfinite(right)
    size = np.abs(right[finite]).max(initial=0.0)
    with np.errstate(invalid="ignore"):  # infinity - infinity
        near = np.abs(array - right) <= (
            max(ABSOLUTE, step) * size + max(RELATIVE, step) * np.abs(right) + max(NOTHING, step)
        )
    return ~(near & finite | (array == right) | np.isnan(array) & np.isnan(right))


@cache
def _step(dtype: np.dtype) -> float:
    """Return how far the numbers of a dtype lie apart at 1."""
    return float(np.finfo(dtype).eps) if dtype.kind == "f" else 0.0


def _first_word(error: object) -> str:
    return str(error).partition(" ")[0]

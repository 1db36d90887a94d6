"""The one place where an answer is compared with another."""

from collections.abc import Callable
from functools import cache

import numpy as np

from mha_course.engine.isolated_call.return_value import Arrays

RELATIVE, ABSOLUTE = 1e-4, 1e-5  # wide enough for float32, far below what any mistake changes
STEPS = 4  # of float16, whose every step is larger than those
NOTHING = 1e-12  # what may be left of a sum that is 0, in another order of adding


Answer = Arrays | BaseException  # one array for each result, or the error that came instead


def alike(one: Answer, other: Answer) -> bool:
    """Whether two answers agree.

    Shapes must agree exactly, numbers up to the rounding of their dtype, errors in kind and first words.

    >>> alike([np.array([1.0])], [np.array([1.000001])]), alike([np.array([1.0])], [np.array([[1.0]])])
    (True, False)
    >>> alike(ValueError("matmul: 3 and 4"), ValueError("matmul: 5 and 6"))
    True
    """
    return agreeing_with(other)(one)


def agreeing_with(answer: Answer) -> Callable[[Answer], bool]:
    """Return a function that says whether an answer agrees with this one; for comparing many, as a search does.

    >>> agrees = agreeing_with([np.array([1.0])])
    >>> agrees([np.array([1.001])]), agrees([np.array([1.001], dtype=np.float16)])
    (False, True)
    """
    if isinstance(answer, BaseException):
        return lambda one: type(one) is type(answer) and _first_word(one) == _first_word(answer)
    surroundings = list(map(_Surroundings, answer))

    def agrees(one: Answer) -> bool:
        if isinstance(one, BaseException):
            return False
        return all(around.hold(array) for around, array in zip(surroundings, one, strict=True))

    return agrees


def differing(array: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Mark the entries that differ between two arrays of one shape, measured by the largest right one.

    >>> differing(np.array([1.0, 0.0001, np.nan]), np.array([1.000001, 0.0002, np.nan])).tolist()
    [False, True, False]
    >>> differing(np.array([1000.0, 0.0001]), np.array([1000.0, 0.0002])).tolist()
    [False, False]
    >>> differing(np.array([0.3 - 0.1 - 0.2]), np.array([0.0])).tolist()
    [False]
    """
    return _Surroundings(right).outside(array)


class _Surroundings:
    """What is near enough to an array: whatever hangs on this array alone is computed once."""

    def __init__(self, right: np.ndarray) -> None:
        self.shape, self._spacing = right.shape, _spacing(right.dtype)
        self._right = right.astype(float, copy=False)
        self._finite = np.isfinite(self._right)
        self._is_finite = bool(self._finite.all())
        self._widths: dict[float, np.ndarray] = {}

    def hold(self, array: np.ndarray) -> bool:
        """Whether an array has the same shape, and all its entries are near enough."""
        if array.shape != self.shape:
            return False
        if self._is_finite and array.size and not self._begin(array):
            return False
        return not self.outside(array).any()

    def _begin(self, array: np.ndarray) -> bool:
        """Whether the first entry is near enough: most arrays are told apart by it, in a tenth of the time."""
        return bool(abs(array.item(0) - self._right.item(0)) <= self._width(array.dtype).item(0))

    def outside(self, array: np.ndarray) -> np.ndarray:
        """Mark the entries of an array of the same shape that are too far away."""
        width = self._width(array.dtype)
        array = array.astype(float, copy=False)
        with np.errstate(invalid="ignore"):  # infinity - infinity
            near = np.abs(array - self._right) <= width
        if self._is_finite:  # then what is equal is near, and what is nan is not
            return ~near
        return ~(near & self._finite | (array == self._right) | np.isnan(array) & np.isnan(self._right))

    def _width(self, dtype: np.dtype) -> np.ndarray:
        """Return how far each entry of an array of this dtype may lie away."""
        step = STEPS * max(_spacing(dtype), self._spacing)
        if step not in self._widths:
            sizes = np.abs(self._right)
            largest = sizes[self._finite].max(initial=0.0)
            self._widths[step] = max(ABSOLUTE, step) * largest + max(RELATIVE, step) * sizes + max(NOTHING, step)
        return self._widths[step]


@cache
def _spacing(dtype: np.dtype) -> float:
    """Return how far the numbers of a dtype lie apart at 1."""
    return float(np.finfo(dtype).eps) if dtype.kind == "f" else 0.0


def _first_word(error: object) -> str:
    return str(error).partition(" ")[0]

"""Turns what the caller gave into float arrays, or says in plain words what is wrong with it.

One rule for the dtypes of the whole course: a result has the dtype to which NumPy promotes its arguments, where
integers and booleans count as float64. So float32 stays float32, and one float64 among the arguments makes the
result float64, whatever the sizes.
"""

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import as_numbers

Shape = tuple[int, ...]
Owners = dict[str, tuple[int, str, Shape]]  # axis -> its size, the argument that set it, and the shape of that

# NumPy's warnings stay quiet in functions that wear this: `finite` says it better, and what is too small is 0.
overflow_is_reported = np.errstate(over="ignore", divide="ignore", invalid="ignore", under="ignore")


def read_array(name: str, value: ArrayLike) -> np.ndarray:
    """Return the value as an array of whatever it holds.

    Errors: `ValueError` for rows of different lengths, `TypeError` for what cannot be an array.

    >>> read_array("X", [[1, 2], [3]])
    Traceback (most recent call last):
    ValueError: X has rows of different lengths, but needs rows that are all equally long.
    """
    try:
        return as_numbers(value)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths, but needs rows that are all equally long.") from None
    except (TypeError, RuntimeError) as error:  # as PyTorch says it
        raise TypeError(f"{name} holds what NumPy cannot read: {error}") from None


def read_arrays(**arguments: tuple[ArrayLike, str]) -> list[np.ndarray]:
    """Return every argument as a float array whose sizes agree, in the order given.

    Each argument is a pair of a value and its axes in words. An axis named twice must have the
    same size both times. More axes may lead; they are batches and must broadcast.

    Shapes: value (..., axes) -> array (..., axes).
    Dtypes: each keeps its own float dtype; integers and booleans become float64.
    Errors: `TypeError` for what is not numbers, `ValueError` for shapes, empty axes, nan and inf.

    >>> X, W = read_arrays(X=([[1, 2]], "n d_model"), W=([[3], [4]], "d_model d_k"))
    >>> (X @ W).tolist()
    [[11.0]]
    >>> read_arrays(X=([[1, 2]], "n d_model"), W=([[3, 4]], "d_model d_k"))
    Traceback (most recent call last):
    ValueError: W has shape (1, 2), but needs (d_model = 2, d_k), because X has shape (1, 2).
    """
    arrays: dict[str, np.ndarray] = {}
    owners: Owners = {}
    for name, (value, axes) in arguments.items():
        arrays[name] = _numbers(name, value)
        _match_axes(name, arrays[name].shape, axes.split(), owners)
    leading = {name: array.shape[: array.ndim - len(arguments[name][1].split())] for name, array in arrays.items()}
    _match_leading(leading)
    return list(arrays.values())


def promoted(*arrays: np.ndarray) -> list[np.ndarray]:
    """Return the arrays in the one dtype to which NumPy promotes them, where integers count as float64.

    Shapes: as the arrays.

    >>> [array.dtype.name for array in promoted(np.array([1.0], np.float32), np.array([1]))]
    ['float64', 'float64']
    """
    floats = [_as_floats(array) for array in arrays]
    dtype = np.result_type(*floats)
    return [array.astype(dtype, copy=False) for array in floats]


def finite(name: str, result: np.ndarray) -> np.ndarray:
    """Return the result, unless its numbers grew too large for their dtype.

    Errors: `ValueError` naming the result and the largest number its dtype can hold.

    >>> finite("scores", np.array([1.0, np.inf]))
    Traceback (most recent call last):
    ValueError: scores would be larger than 1.8e+308, the largest float64 number: divide the inputs by a constant first.
    """
    if not np.isfinite(_as_floats(result)).all():
        largest = np.format_float_scientific(limits(result).max, precision=1)
        raise ValueError(
            f"{name} would be larger than {largest}, the largest {result.dtype} number: "
            "divide the inputs by a constant first."
        )
    return result


def limits(array: np.ndarray) -> np.finfo:
    """Return what the array's floats can hold; objects count as float64.

    >>> float(limits(np.array([1.0], np.float32)).max) > 1e38
    True
    """
    return np.finfo(_as_floats(array).dtype)


def _remember(array: np.ndarray) -> bool:
    """Whether the numbers remember how they were made: objects that compute by themselves."""
    return array.dtype == object and array.size > 0 and all(hasattr(number, "parts") for number in array.flat)


def _as_floats(array: np.ndarray) -> np.ndarray:
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _numbers(name: str, value: ArrayLike) -> np.ndarray:
    array = read_array(name, value)
    if _remember(array):
        return value if isinstance(value, np.ndarray) else array
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} holds {array.dtype} values, but needs real numbers.")
    if array.size == 0:
        raise ValueError(f"{name} is empty: it has shape {array.shape}, but needs at least one entry.")
    array = _as_floats(array)
    if not np.isfinite(array).all():
        position = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name} has {array[position]} at position {list(position)}, but needs finite numbers.")
    return array


def _match_axes(name: str, shape: Shape, axes: list[str], owners: Owners) -> None:
    known = {axis: owners[axis] for axis in axes if axis in owners}
    own = dict(zip(axes, shape[len(shape) - len(axes) :], strict=True)) if len(shape) >= len(axes) else None
    if own is None or any(own[axis] != size for axis, (size, _, _) in known.items()):
        needed = ", ".join(f"{a} = {known[a][0]}" if a in known else a for a in axes)
        reasons = dict.fromkeys(f"{other} has shape {its}" for _, other, its in known.values())
        because = f", because {' and '.join(reasons)}" if reasons else ""
        raise ValueError(f"{name} has shape {shape}, but needs ({needed}){because}.")
    for axis, size in own.items():
        owners.setdefault(axis, (size, name, shape))


def _match_leading(leading: dict[str, Shape]) -> None:
    try:
        np.broadcast_shapes(*leading.values())
    except ValueError:
        listed = ", ".join(f"{name} {axes}" for name, axes in leading.items())
        raise ValueError(f"the leading (batch) axes do not fit together: {listed}.") from None

"""The one place where an answer is compared with another."""

import numpy as np

RELATIVE, ABSOLUTE = 1e-4, 1e-5  # wide enough for float32, far below what any mistake changes


def read(value, results):
    """Return what a function gave back as one array for each of its results.

    Errors: `TypeError` or `ValueError` that says in plain words what it is instead.

    >>> read([[1, 2]], ("scores",))
    [array([[1, 2]])]
    >>> read(3, ("Q", "K"))
    Traceback (most recent call last):
    TypeError: It returns one int, but needs 2 results: Q, K.
    """
    if len(results) == 1:
        return [_numbers(value, results[0])]
    if not isinstance(value, (tuple, list, np.ndarray)) or (isinstance(value, np.ndarray) and not value.ndim):
        raise TypeError(
            f"It returns one {type(value).__name__}, but needs {len(results)} results: {', '.join(results)}."
        )
    if len(value) != len(results):
        results_came = "one result" if len(value) == 1 else f"{len(value)} results"
        raise ValueError(f"It returns {results_came}, but needs {len(results)}: {', '.join(results)}.")
    return [_numbers(part, name) for part, name in zip(value, results, strict=True)]


def same(one, other):
    """Whether two lists of arrays agree: shapes exactly, numbers up to the rounding of float32.

    >>> same([np.array([1.0])], [np.array([1.000001])]), same([np.array([1.0])], [np.array([[1.0]])])
    (True, False)
    """
    return all(a.shape == b.shape and not differing(a, b).any() for a, b in zip(one, other, strict=True))


def differing(array, right):
    """Mark the entries that differ between two arrays of one shape.

    >>> differing(np.array([1.0, 2.0]), np.array([1.0, 3.0])).tolist()
    [False, True]
    """
    array, right = array.astype(float), right.astype(float)
    size = np.abs(right[np.isfinite(right)]).max(initial=0.0)
    with np.errstate(invalid="ignore"):  # infinity - infinity
        return ~np.isclose(array, right, rtol=RELATIVE, atol=ABSOLUTE * size, equal_nan=True)


def _numbers(value, name):
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths.") from None
    if array.dtype.kind not in "biuf":
        what = f"an array of {array.dtype} values" if isinstance(value, np.ndarray) else f"a {type(value).__name__}"
        raise TypeError(f"{name} is {what}, but must be numbers.")
    return array

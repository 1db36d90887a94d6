"""The one place where an answer is compared with another."""

import inspect

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


def alike(one, other):
    """Whether two answers agree. An answer is a list of arrays, or the error that came instead.

    Shapes must agree exactly, numbers up to the rounding of float32, errors in kind and first words.

    >>> alike([np.array([1.0])], [np.array([1.000001])]), alike([np.array([1.0])], [np.array([[1.0]])])
    (True, False)
    >>> alike(ValueError("matmul: 3 and 4"), ValueError("matmul: 5 and 6"))
    True
    """
    if isinstance(one, BaseException) or isinstance(other, BaseException):
        return type(one) is type(other) and _first_word(one) == _first_word(other)
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


def _first_word(error):
    return str(error).partition(" ")[0]


def _numbers(value, name):
    if isinstance(value, tuple) and len(value) == 1:
        raise TypeError("It returns a tuple of one thing: is there a comma at the end of the return line?")
    try:
        array = np.asarray(value)
    except ValueError:
        many = f"It returns {len(value)} things, but needs one: {name}." if isinstance(value, tuple) else ""
        raise ValueError(many or f"{name} has rows of different lengths.") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(_instead_of_numbers(value, array, name))
    return array


def _instead_of_numbers(value, array, name):
    """Say in the learner's words what came where numbers were needed."""
    if inspect.iscoroutine(value):
        value.close()
        return "It returns a coroutine: leave out async."
    if inspect.isgenerator(value) or isinstance(value, (map, zip, filter)):
        return "It returns something that can be run through once: put list(…) around it, and use return, not yield."
    if callable(value):
        return "It returns a function, not its result: are the round brackets missing, as in products.sum()?"
    if hasattr(value, "output"):
        return f"It returns everything that was computed. Only {name} is asked for: take .output."
    if isinstance(value, (list, tuple)):
        return f"{name} is a {type(value).__name__} that does not hold numbers alone, or not in equal rows."
    if array.dtype.kind == "c":
        return f"{name} holds complex numbers, but real ones are needed."
    what = "an array of texts or objects" if isinstance(value, np.ndarray) else f"of the type {type(value).__name__}"
    return f"{name} is {what}, but numbers are needed."

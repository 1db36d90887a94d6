"""How numbers are written on the screen."""

import math

import numpy as np

DECIMALS = 4  # of every computed number
LONG = 1e9  # from here on a number is written with a power of ten, to fit its cell


def is_whole(values: np.ndarray) -> bool:
    """Whether all entries are whole numbers, so that their table writes them without a point.

    >>> is_whole(np.array([1.0, 2.5]))
    False
    """
    if values.dtype.kind != "f":
        return values.dtype.kind in "biu"
    return bool(np.isfinite(values).all() and (values == np.round(values)).all())


def decimals_needed(values: np.ndarray, most: int) -> np.ndarray:
    """Return how many decimals, at most so many, each column of a matrix needs: 0 where it is whole.

    >>> decimals_needed(np.array([[1, 0.5, 1 / 3], [0, 2, 1]]), 2).tolist()
    [0, 1, 2]
    """
    seen = values.round(most)
    whole = values == values.round()  # 0.999 is not 1, so it keeps a decimal
    enough = np.array([whole, *(values.round(count) == seen for count in range(1, most)), np.full(values.shape, True)])
    return enough.all(axis=1).argmax(axis=0)


def with_digits(value: float, digits: int) -> str:
    """Write a number with so many significant digits, whole ones without a point.

    >>> with_digits(2.0, 4), with_digits(2 / 3, 4)
    ('2', '0.6667')
    """
    if value == round(value) and abs(value) < 1e15:
        return str(round(value))
    return f"{value:.{digits}g}"


def written(value: float, whole: bool, decimals: int = DECIMALS) -> str:
    """Write one number of a table; whole: whether all numbers of the table are.

    >>> written(-0.0, whole=True), written(2, whole=False), written(-1e-9, whole=False)
    ('0', '2.0000', '0.0000')
    >>> written(1e50, whole=True)
    '1e+50'
    """
    text = f"{value:.4g}" if LONG <= abs(value) < math.inf else f"{value:.{0 if whole else decimals}f}"
    return text.removeprefix("-") if float(text) == 0 else text

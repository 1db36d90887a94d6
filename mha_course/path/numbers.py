"""How numbers are written on the screen."""

import numpy as np

DECIMALS = 4  # of every computed number


def is_whole(values):
    """Whether all entries are whole numbers, so that their table writes them without a point.

    >>> is_whole(np.array([1.0, 2.5]))
    False
    """
    if values.dtype.kind != "f":
        return values.dtype.kind in "biu"
    return bool(np.isfinite(values).all() and (values == np.round(values)).all())


def written(value, whole, decimals=DECIMALS):
    """Write one number of a table; whole: whether all numbers of the table are.

    >>> written(-0.0, whole=True), written(2, whole=False), written(-1e-9, whole=False)
    ('0', '2.0000', '0.0000')
    """
    text = f"{value:.{0 if whole else decimals}f}"
    return text.removeprefix("-") if float(text) == 0 else text

"""How right answers are found, and numbers told, in the functions that stand beside questions."""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol


class Array(Protocol):
    """What has a shape."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How long it is along each axis."""


def only(options: Mapping[str, object]) -> str:
    """Return the one key of a dict whose value is true. Errors: `ValueError` if there is not just one.

    >>> only({"a": False, "b": True})
    'b'
    """
    (key,) = (key for key, is_so in options.items() if is_so)
    return key


def shape_of(make: Callable[[], Array]) -> tuple[int, ...] | None:
    """Return the shape of what a function makes, or None if it cannot make it.

    >>> import numpy as np
    >>> shape_of(lambda: np.ones((2, 3)) @ np.ones((2, 3))) is None
    True
    """
    try:
        return make().shape
    except ValueError:
        return None


def listed(values: Iterable[float], decimals: int = 4) -> str:
    """Write numbers one after the other, as a sentence needs them.

    >>> listed([0.25, 2.0])
    '0.2500, 2.0000'
    """
    return ", ".join(f"{value + 0.0:.{decimals}f}" for value in values)

"""A quiz question: a choice of which one option is right, and every option has its reason."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from mha_course.workbook.asking.kinds import Choice


class Array(Protocol):
    """What has a shape."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How long it is along each axis."""


@dataclass(frozen=True)
class Question:
    """A question about one lesson; it may be asked in a later one, to bring it back to mind.

    about: the name of the lesson. right: the key of the right option, or what computes it.
    """

    about: str
    text: str
    kind: Choice
    right: str | Callable[[], str]

    def truth(self) -> str:
        """Return the key of the right option."""
        return self.right() if callable(self.right) else self.right


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

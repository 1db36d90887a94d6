"""One matrix of a path, with its labels."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mha_course.forward.mask_choices import OwnMask


@dataclass(frozen=True, eq=False)
class PathMatrix:
    """One matrix of the path.

    key: its name, with the head counted from 1. make: gives its entries, when somebody first looks at
    them. query_head: to which it belongs, counted from 0; None for what all share. key_head: the key/value
    head that it belongs to or looks with, which query heads may share; None for what all share. query: the
    token whose contributions these are. is_input: whether a hand can change it. mask: the one that hides
    some of its entries.
    """

    name: str
    key: str
    make: Callable[[], np.ndarray]
    rows: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    query_head: int | None = None
    key_head: int | None = None
    query: int | None = None
    is_input: bool = False
    mask: str | OwnMask = "none"

    @cached_property
    def values(self) -> np.ndarray:
        """Its entries."""
        return self.make()

    @property
    def head(self) -> int | None:
        """The head, as heads of its kind are counted from 0; None for matrices that are not one head's."""
        return self.key_head if self.query_head is None else self.query_head


Path = dict[str, PathMatrix]

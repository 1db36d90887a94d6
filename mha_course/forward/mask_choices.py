"""The masks there are: who may attend to whom, in words, as an array and as code."""

import reprlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mha_course.engine.validation import read_choice
from mha_course.maths.masks import causal_mask, padding_mask

OwnMask = tuple[tuple[bool, ...], ...]  # a row for each query, with True where it may attend to a key


@dataclass(frozen=True)
class Mask:
    """A mask for any number of queries and keys. True means "may attend".

    hides: what it hides from a query, in words. make: n_q, n_k -> what broadcasts to (n_q, n_k),
    or None if it hides nothing. code: the same as NumPy code.
    """

    label: str
    hides: str = ""
    make: Callable[[int, int], np.ndarray] | None = None
    code: str = ""


MASKS = {
    "none": Mask("none"),
    "causal": Mask("causal", "later keys", causal_mask, "np.arange(n_k) <= np.arange(n_q)[:, None]"),
    "last_padded": Mask(
        "last key is padding",
        "the last key",
        lambda n_q, n_k: padding_mask([n_k - 1], n_k)[0],
        "np.arange(n_k)[None, :] < n_k - 1",
    ),
}
LABELS = {each: mask.label for each, mask in MASKS.items()}
OWN = "own"  # the id and label that stand for every own mask


def mask_of(mask: str | OwnMask) -> Mask:
    """Return the mask of that id, or what there is to say of an own one.

    >>> mask_of("causal").hides, mask_of(((True, False),)).label
    ('later keys', 'own')
    """
    if isinstance(mask, str):
        return MASKS[mask]
    rows = ",\n".join(f"    [{', '.join(str(int(may)) for may in row)}]" for row in mask)
    code = f"np.array([\n{rows},\n], dtype=bool)  # a row for each query, a column for each key"
    return Mask(OWN, "the hidden entries", lambda n_q, n_k: np.array(mask), code)


def may_attend(mask: str | OwnMask, shape: tuple[int, ...]) -> np.ndarray | None:
    """Return for each of the (n_q, n_k) weights whether the mask lets it be, or None for no mask.

    >>> may_attend("causal", (2, 3)).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0]]
    >>> may_attend(((True, False, True), (True, True, True)), (2, 3)).astype(int).tolist()
    [[1, 0, 1], [1, 1, 1]]
    """
    make = mask_of(mask).make
    return None if make is None else np.broadcast_to(make(*shape), shape)


def table_of(mask: str | OwnMask, shape: tuple[int, int]) -> np.ndarray:
    """Return for each of the (n_q, n_k) weights whether the mask lets it be, also for no mask.

    >>> table_of("none", (1, 2)).tolist()
    [[True, True]]
    """
    may = may_attend(mask, shape)
    return np.ones(shape, bool) if may is None else may


def read_mask(mask: object, shape: tuple[int, int]) -> str | OwnMask:
    """Return a mask that was given by its id, or as rows of True and False.

    An own mask that hides nothing is none.
    Errors: `ValueError` saying which masks there can be.

    >>> read_mask([[True, False], [True, True]], (2, 2))
    ((True, False), (True, True))
    """
    if isinstance(mask, str):
        return read_choice("mask", mask, LABELS)
    rows: Any = mask.tolist() if isinstance(mask, np.ndarray) else mask
    if not _is_table(rows, shape):
        n_q, n_k = shape
        raise ValueError(
            f"mask is {reprlib.repr(rows)}, but must be one of {list(LABELS)}, or have {n_q} rows, one for each "
            f"query, of {n_k} times true or false, once for each key."
        )
    own = tuple(tuple(row) for row in rows)
    return "none" if all(map(all, own)) else own


def toggled(mask: str | OwnMask, shape: tuple[int, int], query: int, key: int) -> str | OwnMask:
    """Hide one key from one query, or show it again. What equals a mask with an id is that mask.

    >>> toggled("none", (2, 2), 1, 0)
    ((True, True), (False, True))
    >>> toggled("none", (2, 2), 0, 1)
    'causal'
    """
    may = table_of(mask, shape).copy()
    may[query, key] = not may[query, key]
    named = (each for each in MASKS if np.array_equal(table_of(each, shape), may))
    return next(named, read_mask(may, shape))


def resized(mask: str | OwnMask, shape: tuple[int, int]) -> str | OwnMask:
    """Return the mask for other numbers of queries and keys: of an own one, what is new may attend.

    >>> resized(((True, False),), (2, 3))
    ((True, False, True), (True, True, True))
    """
    if isinstance(mask, str):
        return mask
    may, rows = np.ones(shape, bool), np.array(mask)[: shape[0], : shape[1]]
    may[: rows.shape[0], : rows.shape[1]] = rows
    return read_mask(may, shape)


def _is_table(rows: object, shape: tuple[int, int]) -> bool:
    if not isinstance(rows, (list, tuple)) or len(rows) != shape[0]:
        return False
    return all(
        isinstance(row, (list, tuple)) and len(row) == shape[1] and all(isinstance(may, bool) for may in row)
        for row in rows
    )

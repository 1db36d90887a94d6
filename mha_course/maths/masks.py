"""Who may attend to whom. In every mask of this course True means "may attend"."""

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import read_count
from mha_course.maths.array_arguments import read_array


def causal_mask(n_q: int, n_k: int | None = None) -> np.ndarray:
    """Let every query attend to the keys up to its own position, and to none after it.

    True means "may attend", as in all masks of this course. PyTorch's MultiheadAttention means the
    opposite: there True means "may not".

    Shapes: one or two whole numbers -> (n_q, n_k); n_k is n_q unless given.
    Dtypes: bool.
    Errors: `TypeError` or `ValueError` if a number is not a whole number of at least 1.
    Source: Vaswani et al. 2017, section 3.2.3.

    >>> causal_mask(3).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    n_q = read_count("n_q", n_q)
    n_k = n_q if n_k is None else read_count("n_k", n_k)
    return np.arange(n_k) <= np.arange(n_q)[:, None]


def padding_mask(lengths: ArrayLike, n_k: int) -> np.ndarray:
    """Let every query of a sentence attend to its real tokens, and to none of the padding after them.

    True means "may attend". (PyTorch's key_padding_mask means the opposite, and has no query axis.)

    Shapes: lengths (batch,), a whole number -> (batch, 1, n_k); the 1 stands for all queries.
    Dtypes: bool.
    Errors: `TypeError` for lengths that are no whole numbers, `ValueError` for one outside 0 to n_k.
    Source: Vaswani et al. 2017 leave padding unsaid; a padded token is one that no query may see.

    >>> padding_mask([3, 2], n_k=4).astype(int).tolist()
    [[[1, 1, 1, 0]], [[1, 1, 0, 0]]]
    """
    n_k = read_count("n_k", n_k)
    real = read_array("lengths", lengths)  # tokens
    if real.dtype.kind not in "iu":
        raise TypeError(f"lengths holds {real.dtype} values, but needs whole numbers.")
    if real.ndim != 1 or real.size == 0:
        raise ValueError(f"lengths has shape {real.shape}, but needs (batch,): one length for each sentence.")
    outside = real[(real < 0) | (real > n_k)]
    if outside.size:
        raise ValueError(f"lengths has {outside[0]}, but n_k = {n_k} allows only 0 to {n_k}.")
    return (np.arange(n_k) < real[:, None])[:, None, :]


def read_mask(mask: ArrayLike, scores_shape: tuple[int, ...]) -> np.ndarray:
    """Return a boolean mask that broadcasts to the scores, or say which shapes would.

    Shapes: mask (n_q, n_k), or the scores' shape, in which the axes of heads and of queries may be 1,
    or the same without the axis of heads -> one that broadcasts to scores_shape, bool.
    Errors: `TypeError` for a mask that is not boolean, `ValueError` for any other shape.

    >>> read_mask(padding_mask([3, 2], n_k=4), scores_shape=(2, 8, 5, 4)).shape
    (2, 1, 1, 4)
    >>> read_mask(np.ones((2, 4), bool), scores_shape=(2, 8, 5, 4))
    Traceback (most recent call last):
    ValueError: mask has shape (2, 4), but needs (5, 4), (2, 1 or 5, 4) or (2, 1 or 8, 1 or 5, 4).
    """
    may_attend = read_array("mask", mask)
    if may_attend.dtype != bool:
        raise TypeError(
            f"mask holds {may_attend.dtype} values, but needs booleans: True where a query may attend. "
            "To add numbers to the scores, give them as additive_mask."
        )
    return _broadcastable("mask", may_attend, scores_shape)


def split_additive_mask(
    additive_mask: ArrayLike, mask: ArrayLike | None, scores_shape: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Return a boolean mask and the finite numbers to add, which together say what an additive mask says.

    additive_mask: numbers to add to the scores, minus infinity for "may not attend". mask: another boolean
    mask that must hold as well, or None.

    Shapes: masks as `read_mask` takes them -> two that broadcast to scores_shape, bool and float.
    Errors: `TypeError` for what is not numbers, `ValueError` for nan, +infinity, or a wrong shape.

    >>> may_attend, added = split_additive_mask([[0.5, -np.inf]], None, scores_shape=(1, 2))
    >>> may_attend.tolist(), added.tolist()
    ([[True, False]], [[0.5, 0.0]])
    """
    numbers = read_array("additive_mask", additive_mask)
    if numbers.dtype.kind not in "iuf":
        raise TypeError(f"additive_mask holds {numbers.dtype} values, but needs real numbers.")
    if np.isnan(numbers).any() or np.isposinf(numbers).any():
        raise ValueError("additive_mask has nan or +infinity, but needs finite numbers, or -infinity for no attention.")
    numbers = _broadcastable("additive_mask", numbers, scores_shape)
    may_attend = ~np.isneginf(numbers)
    added = np.where(may_attend, numbers, 0)
    return may_attend if mask is None else may_attend & read_mask(mask, scores_shape), added


def _broadcastable(name: str, mask: np.ndarray, scores_shape: tuple[int, ...]) -> np.ndarray:
    allowed = _allowed(scores_shape)
    for sizes in allowed:
        if len(sizes) == mask.ndim and all(size in axis for size, axis in zip(mask.shape, sizes, strict=True)):
            is_without_heads = 2 < mask.ndim < len(scores_shape)
            return mask[..., None, :, :] if is_without_heads else mask
    needed = [f"({', '.join(' or '.join(map(str, sorted(axis))) for axis in sizes)})" for sizes in allowed]
    listed = f"{', '.join(needed[:-1])} or {needed[-1]}" if len(needed) > 1 else needed[0]
    raise ValueError(f"{name} has shape {mask.shape}, but needs {listed}.")


def _allowed(scores_shape: tuple[int, ...]) -> list[list[set[int]]]:
    """List the shapes that a mask may have; each axis as the set of sizes it may have."""
    *leading, n_k = ({size} for size in scores_shape)
    if not leading:
        return [[n_k]]
    *batch, n_q = leading
    allowed = [[n_q, n_k]]
    if len(batch) > 1:
        *batch, heads = batch
        allowed.append([*batch, {1} | n_q, n_k])
        allowed.append([*batch, {1} | heads, {1} | n_q, n_k])
    elif batch:
        allowed.append([*batch, {1} | n_q, n_k])
    return allowed

"""Several attentions side by side, each with parameters of its own."""

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import read_count
from mha_course.maths import formulas
from mha_course.maths.array_arguments import read_arrays


def split_heads(wide: ArrayLike, num_heads: int) -> np.ndarray:
    """Cut every token's row into num_heads pieces and put the heads before the tokens.

    Shapes: wide (..., n, num_heads · d_k) -> (..., num_heads, n, d_k).
    Errors: `ValueError` if the width cannot be cut into num_heads equal pieces.
    Source: Vaswani et al. 2017, section 3.2.2.

    >>> split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], num_heads=2).tolist()
    [[[1.0, 2.0], [5.0, 6.0]], [[3.0, 4.0], [7.0, 8.0]]]
    """
    (rows,) = read_arrays(wide=(wide, "n width"))
    num_heads = read_count("num_heads", num_heads)
    check_divisible("wide", rows.shape, num_heads)
    return formulas.split_heads(rows, num_heads)


def merge_heads(heads: ArrayLike) -> np.ndarray:
    """Put each token's pieces from all heads next to each other: the reverse of `split_heads`.

    Shapes: heads (..., num_heads, n, d_v) -> (..., n, num_heads · d_v).
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, section 3.2.2, Concat(head_1, ..., head_h).

    >>> merge_heads([[[1, 2], [5, 6]], [[3, 4], [7, 8]]]).tolist()
    [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]
    """
    (rows,) = read_arrays(heads=(heads, "num_heads n d_v"))
    return formulas.merge_heads(rows)


def repeat_heads(heads: ArrayLike, num_heads: int) -> np.ndarray:
    """Give each of num_heads heads its keys, or its values, where several heads share those of one.

    Neighbours share: of 9 query heads and 3 key/value heads, the query heads 1 to 3 share the first, 4 to 6 the
    second, 7 to 9 the third.

    Shapes: heads (..., num_kv_heads, n, d) -> (..., num_heads, n, d).
    Errors: `ValueError` if num_heads is not a multiple of num_kv_heads.
    Source: Ainslie et al. 2023, GQA, section 2.2.

    >>> repeat_heads([[[1, 2]], [[3, 4]]], num_heads=4).tolist()
    [[[1.0, 2.0]], [[1.0, 2.0]], [[3.0, 4.0]], [[3.0, 4.0]]]
    """
    (rows,) = read_arrays(heads=(heads, "num_kv_heads n d"))
    num_heads = read_count("num_heads", num_heads)
    check_groups(num_heads, rows.shape[-3])
    return formulas.repeat_heads(rows, num_heads)


def check_groups(num_heads: int, num_kv_heads: int) -> None:
    """Refuse query heads that cannot share the key/value heads in groups of one size.

    Errors: `ValueError` naming both numbers.

    >>> check_groups(9, 2)
    Traceback (most recent call last):
    ValueError: num_heads is 9, but must be a multiple of num_kv_heads = 2: 9 / 2 is not a whole number.
    """
    if num_heads % num_kv_heads:
        raise ValueError(
            f"num_heads is {num_heads}, but must be a multiple of num_kv_heads = {num_kv_heads}: "
            f"{num_heads} / {num_kv_heads} is not a whole number."
        )


def check_divisible(name: str, shape: tuple[int, ...], num_heads: int, called: str = "num_heads") -> None:
    """Refuse a width that cannot be cut into num_heads equal pieces.

    Errors: `ValueError` naming the array, and the number of heads as it is called.

    >>> check_divisible("W_Q", (4, 6), 4)
    Traceback (most recent call last):
    ValueError: W_Q has shape (4, 6), but needs a width divisible by num_heads = 4: 6 / 4 is not a whole number.
    """
    if shape[-1] % num_heads:
        raise ValueError(
            f"{name} has shape {shape}, but needs a width divisible by {called} = {num_heads}: "
            f"{shape[-1]} / {num_heads} is not a whole number."
        )

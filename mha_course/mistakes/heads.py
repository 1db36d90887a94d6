"""What heads.md beside this names: wrong ways that take more than an expression."""

import numpy as np

from mha_course.maths.formulas import split_heads


def _sizes(wide, num_heads):
    """Return the batch sizes, the number of rows, and the width of a head."""
    *batch, n, width = wide.shape
    return batch, n, width // num_heads


def cut(wide, num_heads):
    """Cut each row into heads: (..., n, h·d) -> (..., n, h, d)."""
    batch, n, width = _sizes(wide, num_heads)
    return wide.reshape(*batch, n, num_heads, width)


def cut_heads_first(wide, num_heads):
    """Cut by a reshape straight into (..., h, n, d), which mixes the rows."""
    batch, n, width = _sizes(wide, num_heads)
    return wide.reshape(*batch, num_heads, n, width)


def cut_in_turns(wide, num_heads):
    """Give the columns to the heads in turn: (..., n, h·d) -> (..., n, h, d)."""
    batch, n, width = _sizes(wide, num_heads)
    return wide.reshape(*batch, n, width, num_heads).mT


def cut_without_batch(wide, num_heads):
    """Cut a table of two axes, and no other."""
    n, width = wide.shape
    return wide.reshape(n, num_heads, width // num_heads)


def cut_at(wide, num_heads, begins):
    """Cut heads of the right width from wide rows, each from another column on."""
    width = wide.shape[-1] // num_heads
    return np.stack([wide[..., begin : begin + width] for begin in begins], axis=-2)


def reshaped(pieces):
    """Bring the heads in front by a reshape, which mixes the rows: (..., n, h, d) -> (..., h, n, d)."""
    *batch, n, num_heads, width = pieces.shape
    return pieces.reshape(*batch, num_heads, n, width)


def run_together(pieces):
    """Return the heads with one axis for sentences and heads: (..., n, h, d) -> (..., n, d)."""
    heads = pieces.swapaxes(-3, -2)
    return heads.reshape(-1, *heads.shape[-2:])


def one_for_all(heads, number=0):
    """Return as many heads, all of them copies of one."""
    return np.repeat(heads[..., [number], :, :], heads.shape[-3], axis=-3)


def pieces_projected(X: np.ndarray, W: np.ndarray, num_heads: int, shared: bool = False) -> np.ndarray:
    """Cut the inputs into heads first, and send each piece through a block of W: its own, or the first for all.

    Shapes: X (..., n, d_model), W (d_model, h·d_k) -> (..., h, n, d_k).
    """
    pieces = split_heads(X, num_heads)
    height, width = X.shape[-1] // num_heads, W.shape[-1] // num_heads
    blocks = [0 if shared else i for i in range(num_heads)]
    heads = [
        pieces[..., i, :, :] @ W[block * height : (block + 1) * height, block * width : (block + 1) * width]
        for i, block in enumerate(blocks)
    ]
    return np.stack(heads, axis=-3)


def cut_by_reshape(W: np.ndarray, num_heads: int) -> np.ndarray:
    """Return the matrix that gives what W gives if it is cut into heads by reshape alone.

    Shapes: (d_model, h·d_k) -> the same.
    """
    d_model, width = W.shape
    return W.reshape(num_heads, d_model, width // num_heads).swapaxes(0, 1).reshape(d_model, width)

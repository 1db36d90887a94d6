"""Moves a computed entry by changing the one input entry that moves it, and little else, the most."""

import numpy as np

from mha_course.engine.notation.labels import label
from mha_course.forward.matrices import MATRICES
from mha_course.forward.path_matrix import Path, PathMatrix
from mha_course.forward.state import PARAMETERS, State

DECIMALS = 2  # of an entry that was pulled
STRONG = 0.5  # as a share of a row's largest entry: what is smaller would have to be changed by a lot


def pull(state: State, path: Path, key: str, row: int, column: int, difference: float) -> State:
    """Return the state in which an entry of Q, K, V or of an input is moved by about a difference.

    Of a computed one, one entry of W_Q, W_K or W_V is changed: that in whose row this token's input is
    large, and small for the other tokens. It is written with two decimals, so the move may be a little off.
    path: what `forward(state)` returned. row, column: counted from 0.
    Errors: `ValueError` if nothing can move the entry: there is none, or its token's input is all zeros.

    >>> from mha_course.forward.presets import preset
    >>> from mha_course.forward.forward import forward
    >>> state = preset("article")
    >>> pulled = pull(state, forward(state), "Q/1", 1, 0, 0.5)
    >>> pulled.changes_since(state), forward(pulled)["Q/1"].values[:, 0].tolist()
    ([('W_Q', 1, 0)], [1.0, 2.5, 2.25])
    """
    if key not in path or not np.all([row >= 0, column >= 0, *np.less((row, column), path[key].values.shape)]):
        raise ValueError(f"there is no entry {label('', row, column)} of {key!r}.")
    matrix = path[key]
    if matrix.is_input:
        return _moved(state, matrix.name, row, column, difference)
    source, parameter = _made_of(state, path, matrix)
    at = strongest(source.values, row)
    if at is None:
        token = (source.rows or ())[row]
        raise ValueError(
            f"{label(matrix.name, row, column)} stays 0: the row of {token} in {source.name} is all zeros."
        )
    wide = (matrix.head or 0) * matrix.values.shape[1] + column  # each head has its columns of the parameter
    return _moved(state, parameter, at, wide, difference / float(source.values[row, at]))


def strongest(rows: np.ndarray, row: int) -> int | None:
    """Return the column in which a row is strongest compared with the others; None if it is all zeros.

    rows: (n, d).

    >>> strongest(np.array([[1, 1, 0.1], [5, 1, 0.0]]), 0)
    1
    """
    sizes = np.abs(rows)
    largest = sizes[row].max()
    if largest == 0:
        return None
    shares = sizes[row] / np.maximum(sizes.sum(axis=0), np.finfo(float).tiny)
    return int(np.where(sizes[row] >= STRONG * largest, shares, 0).argmax())


def _made_of(state: State, path: Path, matrix: PathMatrix) -> tuple[PathMatrix, str]:
    """Return the tokens that a projection is made of, and the name of its parameter."""
    match MATRICES[matrix.name].of:
        case ["X" | "context" as tokens, parameter] if parameter in PARAMETERS:
            return path[tokens if tokens in path else "X"], parameter  # without a context, tokens look at each other
    raise ValueError(f"{matrix.key} cannot be pulled: of what is computed, only queries, keys and values can.")


def _moved(state: State, name: str, row: int, column: int, difference: float) -> State:
    value = round(float(state.inputs[name][row, column]) + difference, DECIMALS)
    return state.with_entry(name, row, column, value + 0.0)

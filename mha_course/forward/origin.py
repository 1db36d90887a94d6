"""Where did this number come from? Answered with the entries it was made from and the arithmetic."""

import math
from dataclasses import dataclass
from typing import cast

from mha_course.engine.notation.arithmetic import arithmetic
from mha_course.engine.notation.digits import is_whole, with_digits, written
from mha_course.engine.notation.labels import Address, label
from mha_course.engine.notation.traced_number import Traced, entries
from mha_course.forward.entries import HeadMatrices
from mha_course.forward.matrices import MATRICES
from mha_course.forward.path_matrix import Path, PathMatrix
from mha_course.forward.state import State


@dataclass(frozen=True)
class Origin:
    """Where one entry came from: in words, as arithmetic, and as the entries that went in.

    sources: (key, row, column) of every entry it was made from, counted from 0.
    """

    words: str
    arithmetic: str
    sources: tuple[Address, ...] = ()


def origin(state: State, path: Path, key: str, row: int, column: int) -> Origin:
    """Say where the entry (row, column) of the matrix `key` came from.

    path: what `forward(state)` returned. row and column count from 0; the text counts from 1.
    For a computed entry, evaluating what stands between two equal signs gives the number on the screen.
    Errors: `ValueError` if there is no such entry.

    >>> from mha_course.forward.presets import preset
    >>> from mha_course.forward.forward import forward
    >>> state = preset("article")
    >>> print(origin(state, forward(state), "scores/1", 1, 2).arithmetic)
    scores[2,3] = (2·2 + 2·3 + 2·1) / √3 = 12 / 1.73205 = 6.9282
    """
    if key not in path or not (0 <= row < path[key].values.shape[0] and 0 <= column < path[key].values.shape[1]):
        raise ValueError(f"there is no entry {label('', row, column)} of {key!r}.")
    matrix = path[key]
    place, value = _place(state, matrix, row, column), float(matrix.values[row, column])
    entry = MATRICES[matrix.name].entry
    if matrix.is_input or entry is None:
        return Origin("An input: change it, and see what follows.", f"{place} = {with_digits(value, 10)}")
    made = entry(HeadMatrices(state, path, matrix), row, column)
    shown = written(value, is_whole(matrix.values))
    number = made.number if made.number.parts else value  # a copy has no arithmetic
    return Origin(made.words, f"{place} = {arithmetic(number, shown, math.inf)}", _sources(made.number))


def _sources(number: Traced) -> tuple[Address, ...]:
    """List the entries that went in, matrix by matrix."""
    found = [cast(Address, name) for name in entries(number)]
    keys = list(dict.fromkeys(key for key, _, _ in found))
    return tuple(sorted(found, key=lambda source: (keys.index(source[0]), source)))


def _place(state: State, matrix: PathMatrix, row: int, column: int) -> str:
    head = "" if matrix.head is None or state.num_heads == 1 else f"head {matrix.head + 1}: "
    return head + label(matrix.name, row, column)

"""Draws a matrix of the course: its name tells its colour and what its axes count."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.notation.digits import DECIMALS
from mha_course.engine.pictures import number_table as tables
from mha_course.engine.pictures.number_table import Axes, Place
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.practice import Table
from mha_course.forward.matrices import MATRICES, Kind
from mha_course.pictures.palette import LOOKS


def matrix(
    values: ArrayLike,
    name: str,
    rows: Sequence[object] | None = None,
    columns: Sequence[object] | None = None,
    title: str | None = None,
    kind: Kind | None = None,
    decimals: int | None = DECIMALS,
    marked: Collection[tuple[int, ...]] = (),
    key: str | None = None,
    masked: Collection[tuple[int, ...]] = (),
) -> Picture:
    """Draw a matrix as an HTML table with labelled rows and columns.

    The more colour, the larger the entry; grey entries are negative; shares are bars. Rows and columns
    count from 1 where no labels are given. Longer axes are cut, and the caption gives the whole shape.

    values: (rows, columns), any numbers or texts. name: what it is called; its role and axes are
    known for the course's own names, else give a `Kind`. decimals: of each number, or None for as
    few as each needs. marked: (row, column) pairs, from 0, whose entries get a frame. key: what a
    widget calls this table; its entries then carry their address, "key:row,column". masked: pairs
    whose entries get fine lines across.
    Errors: `ValueError` if values is not a matrix, a label is missing, or the name is unknown.

    >>> matrix([[1, 2], [3, 4]], "scores", rows=["to", "be"])
    scores (2 × 2): queries down, keys across
         1  2
    to   1  2
    be   3  4
    """
    return tables.number_table(
        values, name, _axes(name, kind), rows, columns, title, decimals=decimals, marked=marked, key=key, masked=masked
    )


def table(
    name: str,
    values: np.ndarray,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    kind: Kind | None = None,
    decimals: int = DECIMALS,
) -> Table:
    """Return a small matrix for a task on paper. kind: for another name than the course's own.

    >>> table("scores", np.array([[3, 5]])).caption
    'scores (1 × 2): queries down, keys across'
    """
    return Table(name, values, rows, columns, _axes(name, kind), decimals)


def entries(
    values: np.ndarray,
    role: str,
    decimals: int | np.ndarray | None = DECIMALS,
    places: Sequence[Place] | None = None,
    masked: Collection[tuple[int, ...]] = (),
    full: float | None = None,
) -> dict[Place, tuple[str, str]]:
    """Write and colour the shown entries of a matrix: see `number_table.entries`. role: whose colour they wear."""
    return tables.entries(values, LOOKS[role], decimals, places, masked, full)


def _axes(name: str, kind: Kind | None) -> Axes:
    if kind is None and name not in MATRICES:
        raise ValueError(f"name is {name!r}, but must be one of {list(MATRICES)}, or come with a kind.")
    known = kind or MATRICES[name]
    return Axes(known.rows, known.columns, LOOKS[known.role])

"""Draws numbers as a table, each on its colour."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.notation.digits import DECIMALS, is_whole, written
from mha_course.engine.notation.labels import address
from mha_course.engine.pictures import markup
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.theme import BLUE
from mha_course.engine.pictures.tints import Background

MOST = 12  # rows or columns that are all shown
FIRST = 5  # shown of a longer axis, with its last one
WIDEST = 7  # characters of a number written briefly
Place = tuple[int, int]  # row, column, from 0
Labels = tuple[list[str], list[str]]  # of the rows, of the columns
Positions = tuple[int | None, ...]  # counted from 0; None stands for those left out
Shown = tuple[Positions, Positions]  # rows and columns
PLAIN = Background(BLUE)


@dataclass(frozen=True)
class Axes:
    """What a table has to say of its numbers: what its rows and columns count, and how they are coloured."""

    rows: str = "rows"
    columns: str = "columns"
    look: Background = PLAIN

    def caption(self, name: str, shape: tuple[int, ...]) -> str:
        """Write what stands above a table.

        >>> Axes("taps", "channels").caption("kernel", (3, 2))
        'kernel (3 × 2): taps down, channels across'
        """
        return f"{name} ({shape[0]} × {shape[1]}): {self.rows} down, {self.columns} across"


def number_table(
    values: ArrayLike,
    name: str,
    axes: Axes,
    rows: Sequence[object] | None = None,
    columns: Sequence[object] | None = None,
    title: str | None = None,
    decimals: int | None = DECIMALS,
    marked: Collection[tuple[int, ...]] = (),
    key: str | None = None,
    masked: Collection[tuple[int, ...]] = (),
) -> Picture:
    """Draw a matrix as an HTML table with labelled rows and columns.

    The more colour, the larger the entry; grey entries are negative; shares are bars. Rows and columns
    count from 1 where no labels are given. Longer axes are cut, and the caption gives the whole shape.

    values: (rows, columns), any numbers or texts. name: what it is called. decimals: of each number, or None for as
    few as each needs. marked: (row, column) pairs, from 0, whose entries get a frame. key: what a widget calls this
    table; its entries then carry their address, "key:row,column". masked: pairs whose entries get fine lines across.
    Errors: `ValueError` if values is not a matrix, or a label is missing.

    >>> number_table([[1, 2], [3, 4]], "kernel", Axes("taps", "channels"), rows=["left", "right"])
    kernel (2 × 2): taps down, channels across
            1  2
    left    1  2
    right   3  4
    """
    values = _matrix(values)
    labels = _labels("rows", rows, values.shape[0]), _labels("columns", columns, values.shape[1])
    parts = shown(values.shape[0]), shown(values.shape[1])
    shown_entries = entries(values, axes.look, decimals, masked=masked)
    caption = axes.caption(title or name, values.shape)
    own = markup.escaped(key or "")
    cells = {
        place: markup.entry(text, look, address(own, *place) if own else "", place in marked)
        for place, (text, look) in shown_entries.items()
    }
    return Picture(_html(name, caption, labels, parts, cells), _text(caption, labels, parts, shown_entries))


def entries(
    values: np.ndarray,
    look: Background,
    decimals: int | np.ndarray | None = DECIMALS,
    places: Sequence[Place] | None = None,
    masked: Collection[tuple[int, ...]] = (),
    full: float | None = None,
) -> dict[Place, tuple[str, str]]:
    """Write and colour the shown entries of a matrix: (row, column) -> (text, background).

    values: (rows, columns), numbers or texts. decimals: of each number, or of each column, (columns,), or None for
    as few as each needs. places: the (row, column) pairs wanted, or None for all that are shown. masked: those that
    get fine lines across. full: the size of an entry that gets the fullest colour, or None for the largest one.

    >>> entries(np.array([[1, -2.5]]), Background((0, 114, 178)), decimals=1)
    {(0, 0): ('1.0', '#0072b230'), (0, 1): ('-2.5', '#5f5f5f8c')}
    """
    places = shown_places(values.shape) if places is None else places
    if not places:
        return {}
    index = tuple(np.array(places).T)
    picked = values[index]
    counts = None if decimals is None else np.broadcast_to(0 if is_whole(values) else decimals, values.shape)[index]
    texts = _written(picked, counts)
    most = 1.0 if look.is_share else largest(values) if full is None else full
    backgrounds = map(look, _strengths(picked, most).tolist())
    return {
        place: (text, f"{markup.HATCH},{background}" if place in masked else background)
        for place, text, background in zip(places, texts, backgrounds, strict=True)
    }


def shown_places(shape: tuple[int, ...]) -> list[Place]:
    """List the (row, column) pairs of the entries that a table of this shape shows.

    >>> shown_places((1, 2))
    [(0, 0), (0, 1)]
    """
    rows, columns = ([i for i in shown(size) if i is not None] for size in shape)
    return [(r, c) for r in rows for c in columns]


def shown(size: int, first: int = FIRST, most: int = MOST) -> Positions:
    """List the positions of an axis that are shown; None stands for those left out of a long one.

    most: how many are all shown. first: how many are shown of a longer axis, with its last one.

    >>> shown(3), shown(20)
    ((0, 1, 2), (0, 1, 2, 3, 4, None, 19))
    """
    return tuple(range(size)) if size <= most else (*range(first), None, size - 1)


def largest(values: np.ndarray) -> float:
    """Return the largest size of an entry, which gets the fullest colour; texts count as 1.

    >>> largest(np.array([1.0, -2.5]))
    2.5
    """
    if values.dtype.kind not in "biuf":
        return 1.0
    most = max(float(values.max()), -float(values.min()))
    return most if np.isfinite(most) else float(np.abs(values[np.isfinite(values)]).max(initial=0))


def _matrix(values: ArrayLike) -> np.ndarray:
    try:
        values = np.asarray(values)
    except ValueError:
        raise ValueError("values has rows of different lengths, but needs rows that are all equally long.") from None
    if values.ndim != 2 or values.size == 0:
        raise ValueError(f"values has shape {values.shape}, but needs (rows, columns), at least one of each.")
    return values


def _labels(argument: str, labels: Sequence[object] | None, size: int) -> list[str]:
    if labels is None:
        return [str(i + 1) for i in range(size)]
    if len(labels) != size:
        raise ValueError(f"{argument} has {len(labels)} labels, but needs {size}, one for each.")
    return [str(label) for label in labels]


def _written(values: np.ndarray, decimals: np.ndarray | None) -> list[str]:
    if values.dtype.kind not in "biuf":
        return [str(value) for value in values.tolist()]
    if decimals is None:
        return [_briefly(value + 0.0) for value in values.tolist()]
    return [written(value, not count, count) for value, count in zip(values.tolist(), decimals.tolist(), strict=True)]


def _briefly(value: float) -> str:
    """Write a number so that it fits a text field."""
    text = f"{value:.6g}"
    return text if len(text) <= WIDEST else f"{value:.4g}"


def _strengths(values: np.ndarray, largest: float) -> np.ndarray:
    """How strongly to colour each entry, -1 to 1."""
    if values.dtype.kind not in "biuf":
        return np.ones(values.shape)
    return np.where(np.isfinite(values), values, 0) / (largest or 1)


def _html(name: str, caption: str, labels: Labels, shown: Shown, cells: Mapping[Place, markup.Markup]) -> markup.Markup:
    row_labels, column_labels = labels
    corner, left_out = markup.cell(""), markup.cell("…")
    names = (markup.column_header("…" if c is None else column_labels[c], markup.RIGHT) for c in shown[1])
    rows = (
        markup.row([
            markup.row_header("⋮" if r is None else row_labels[r], markup.ONE_LINE),
            *(left_out if r is None or c is None else cells[r, c] for c in shown[1]),
        ])
        for r in shown[0]
    )  # fmt: skip
    return markup.table(caption, rows, markup.row([corner, *names]), data_matrix=name)


def _text(caption: str, labels: Labels, shown: Shown, shown_entries: Mapping[Place, tuple[str, str]]) -> str:
    table = [["", *("…" if c is None else labels[1][c] for c in shown[1])]]
    for r in shown[0]:
        texts = ("…" if r is None or c is None else shown_entries[r, c][0] for c in shown[1])
        table.append(["⋮" if r is None else labels[0][r], *texts])
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    lines = [
        "  ".join([row[0].ljust(widths[0] + 1), *(e.rjust(w) for e, w in zip(row[1:], widths[1:], strict=True))])
        for row in table
    ]
    return "\n".join([caption, *(line.rstrip() for line in lines)])

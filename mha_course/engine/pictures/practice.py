"""Draws what is filled in by hand: sentences to choose, boxes for numbers, and entries to point at."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mha_course.engine.notation.digits import DECIMALS
from mha_course.engine.notation.labels import address, label
from mha_course.engine.pictures import markup
from mha_course.engine.pictures.forms import inline
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.number_table import Axes, entries, number_table
from mha_course.engine.pictures.picture import Picture

CHOSEN = "yes"  # what the box of a chosen sentence says
ROWS_AND_COLUMNS = Axes()
ENTRY = "answer"  # the field that says which entry is chosen


@dataclass(frozen=True, eq=False)
class Table:
    """A small matrix with its labels, of which a place is written "row,column", from 0.

    decimals: of numbers that are not whole.

    >>> Table("scores", np.array([[3, 5]])).numbers()
    {'0,0': 3.0, '0,1': 5.0}
    """

    name: str
    values: np.ndarray
    rows: Sequence[str] | None = None
    columns: Sequence[str] | None = None
    axes: Axes = ROWS_AND_COLUMNS
    decimals: int = DECIMALS

    def picture(self) -> Picture:
        """Return the `Picture` of it."""
        return number_table(self.values, self.name, self.axes, self.rows, self.columns, decimals=self.decimals)

    def numbers(self) -> dict[str, float]:
        """Return every entry by its place."""
        return {f"{row},{column}": float(value) for (row, column), value in np.ndenumerate(self.values)}

    def label(self, place: str) -> str:
        """Write where an entry stands, counted from 1."""
        return label(self.name, *map(int, place.split(",")))

    @property
    def caption(self) -> str:
        """What stands above it."""
        return self.axes.caption(self.name, self.values.shape)

    @property
    def labels(self) -> tuple[list[str], list[str]]:
        """The names of its rows and columns; numbers from 1 where it has none."""
        rows, columns = (
            [str(i + 1) for i in range(size)] if given is None else list(given)
            for given, size in zip((self.rows, self.columns), self.values.shape, strict=True)
        )
        return rows, columns


def beside(pictures: Iterable[Picture]) -> Picture:
    """Set pictures beside each other, as many as fit; their texts stand one below the other."""
    pictures = list(pictures)
    html = markup.side_by_side((each.html for each in pictures), "flex-start")
    return Picture(html, "\n".join(each.text for each in pictures))


def sentence_fields(sentences: Mapping[str, str]) -> Markup:
    """Draw a box to check for each sentence: key -> text."""
    return markup.joined(
        markup.paragraph(
            markup.labelled(markup.field(key, type="checkbox", value=CHOSEN), " ", markup.element("span", inline(text)))
        )
        for key, text in sentences.items()
    )


def number_fields(table: Table) -> Markup:
    """Draw a table with an empty box in place of each entry."""

    def _box(row: int, column: int) -> Markup:
        place, where = f"{row},{column}", _where(table, row, column)
        return markup.cell(markup.field(place, autocomplete="off", size="7", aria_label=where))

    return _table(table, _box)


def entry_fields(tables: Iterable[Table]) -> Markup:
    """Draw tables of which one entry can be chosen."""
    return markup.side_by_side([_table(table, _choices(table)) for table in tables], "flex-start")


def _choices(table: Table):
    drawn = entries(table.values, table.axes.look, table.decimals)

    def _choice(row: int, column: int) -> Markup:
        text, look = drawn[row, column]
        described = f"{_where(table, row, column)}: {text}"
        at = address(table.name, row, column)
        radio = markup.field(ENTRY, type="radio", value=at, aria_label=described)
        return markup.cell(markup.element("label", radio, text, style=markup.background(look)))

    return _choice


def _table(table: Table, cell_at) -> Markup:
    """Draw a table whose cells a function draws, of row and column."""
    rows, columns = table.labels
    head = markup.row([markup.cell(""), *(markup.column_header(name, markup.RIGHT) for name in columns)])
    body = (
        markup.row([
            markup.row_header(name, markup.ONE_LINE),
            *(cell_at(row, column) for column in range(len(columns))),
        ])
        for row, name in enumerate(rows)
    )  # fmt: skip
    return markup.table(table.caption, body, head, data_fields=table.name)


def _where(table: Table, row: int, column: int) -> str:
    """Name an entry for those who cannot see where it stands."""
    rows, columns = table.labels
    return f"{label(table.name, row, column)}, {rows[row]}, {columns[column]}"

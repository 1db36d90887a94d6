"""Draws small arrays as they are, with plain numbers: for questions about what comes in and what comes out."""

from collections.abc import Iterator, Mapping

import numpy as np

from mha_course.engine.notation.array_literals import entries_of, nested
from mha_course.engine.pictures import markup
from mha_course.engine.pictures.picture import Picture


def arrays(named: Mapping[str, object]) -> Picture:
    """Draw what has names: each matrix as a table, stacks and lists of them as several, all else as a line of code.

    named: arrays of at most three axes, lists of such arrays, or single numbers.

    >>> arrays({"Q": np.array([[1, 0]]), "stride": 2})
    Q = [[1, 0]]
    stride = 2
    """
    pieces = [piece for name, value in named.items() for piece in _pieces(name, value)]
    tables = [_table(name, value) for name, value in pieces if np.ndim(value) == 2]
    lines = [markup.paragraph(markup.code(_line(*piece))) for piece in pieces if np.ndim(piece[1]) != 2]
    drawn = [markup.side_by_side(tables, "flex-start")] if tables else []
    return Picture(markup.joined([*drawn, *lines], "\n"), "\n".join(_line(*piece) for piece in pieces))


def _pieces(name: str, value: object) -> Iterator[tuple[str, np.ndarray]]:
    """Cut what has more than two axes into its matrices, which count from 1."""
    if isinstance(value, list) or np.ndim(value) > 2:  # type: ignore[arg-type]
        for number, part in enumerate(value, 1):  # type: ignore[arg-type, var-annotated]
            yield from _pieces(f"{name}[{number}]", part)
    else:
        yield name, np.asarray(value)


def _line(name: str, value: np.ndarray) -> str:
    return f"{name} = {nested(value) if value.ndim else value}"


def _table(name: str, values: np.ndarray) -> markup.Markup:
    texts = np.array(entries_of(values), dtype=object).reshape(values.shape).tolist()
    head = [markup.cell(""), *(markup.column_header(str(c + 1), markup.RIGHT) for c in range(values.shape[1]))]
    rows = (
        markup.row([markup.row_header(str(r)), *(markup.cell(text, style=markup.CELL) for text in row)])
        for r, row in enumerate(texts, 1)
    )
    return markup.table(name, rows, markup.row(head))

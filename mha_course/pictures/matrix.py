"""Draws any matrix as a table."""

from html import escape

import numpy as np

from mha_course.notation.digits import DECIMALS, is_whole, written
from mha_course.notation.labels import address
from mha_course.pictures.palette import tint
from mha_course.pictures.picture import Picture
from mha_course.pipeline.matrices import MATRICES

MOST = 12  # rows or columns that are all shown
FIRST = 5  # shown of a longer axis, with its last one
WIDEST = 7  # characters of a number written briefly
HATCH = "repeating-linear-gradient(135deg,transparent 0 5px,rgba(128,128,128,0.45) 5px 6px)"


def matrix(
    values, name, rows=None, columns=None, title=None, kind=None, decimals=DECIMALS, marked=(), key=None, masked=()
):
    """Draw a matrix as an HTML table with labelled rows and columns.

    The more colour, the larger the entry; grey entries are negative. Rows and columns count
    from 1 where no labels are given. Longer axes are cut, and the caption gives the whole shape.

    values: (rows, columns), any numbers or texts. name: what it is called; its role and axes are
    known for the course's own names, else give a `Kind`. decimals: of each number, or None for as
    few as each needs. marked: (row, column) pairs, from 0, whose entries get a frame. key: what a
    widget calls this table; its entries then carry their address, "key:row,column". masked: pairs
    whose entries get fine lines across and say that they are masked.
    Errors: `ValueError` if values is not a matrix, a label is missing, or the name is unknown.

    >>> matrix([[1, 2], [3, 4]], "scores", rows=["to", "be"])
    scores (2 × 2): queries down, keys across
         1  2
    to   1  2
    be   3  4
    """
    values = _table(values)
    kind = _kind(name, kind)
    labels = _labels("rows", rows, values.shape[0]), _labels("columns", columns, values.shape[1])
    shown = _shown(values.shape[0]), _shown(values.shape[1])
    shown_entries = entries(values, kind.role, decimals)
    caption = f"{title or name} ({values.shape[0]} × {values.shape[1]}): {kind.rows} down, {kind.columns} across"
    cells = {
        place: _cell(*entry, place, place in marked, key, place in masked) for place, entry in shown_entries.items()
    }
    return Picture(_html(caption, labels, shown, cells), _text(caption, labels, shown, shown_entries))


def entries(values, role, decimals=DECIMALS, places=None):
    """Write and colour the shown entries of a matrix: (row, column) -> (text, colour).

    values: (rows, columns), numbers or texts. places: the (row, column) pairs wanted, or None for
    all that are shown.

    >>> entries(np.array([[1, -2.5]]), "query", decimals=1)
    {(0, 0): ('1.0', 'rgba(0,114,178,0.16)'), (0, 1): ('-2.5', 'rgba(120,120,120,0.40)')}
    """
    places = shown_places(values.shape) if places is None else places
    if not places:
        return {}
    picked = values[tuple(np.array(places).T)]
    texts = _written(picked, is_whole(values), decimals)
    strengths = _strengths(picked, largest(values)).tolist()
    return {place: (text, tint(role, strength)) for place, text, strength in zip(places, texts, strengths, strict=True)}


def shown_places(shape):
    """List the (row, column) pairs of the entries that a table of this shape shows.

    >>> shown_places((1, 2))
    [(0, 0), (0, 1)]
    """
    rows, columns = ([i for i in _shown(size) if i is not None] for size in shape)
    return [(r, c) for r in rows for c in columns]


def largest(values):
    """Return the largest size of an entry, which gets the fullest colour; texts count as 1.

    >>> largest(np.array([1.0, -2.5]))
    2.5
    """
    if values.dtype.kind not in "biuf":
        return 1.0
    most = max(float(values.max()), -float(values.min()))
    return most if np.isfinite(most) else float(np.abs(values[np.isfinite(values)]).max(initial=0))


def _table(values):
    try:
        values = np.asarray(values)
    except ValueError:
        raise ValueError("values has rows of different lengths, but needs rows that are all equally long.") from None
    if values.ndim != 2 or values.size == 0:
        raise ValueError(f"values has shape {values.shape}, but needs (rows, columns), at least one of each.")
    return values


def _kind(name, kind):
    if kind is None and name not in MATRICES:
        raise ValueError(f"name is {name!r}, but must be one of {list(MATRICES)}, or come with a kind.")
    return kind or MATRICES[name]


def _labels(argument, labels, size):
    if labels is None:
        return [str(i + 1) for i in range(size)]
    if len(labels) != size:
        raise ValueError(f"{argument} has {len(labels)} labels, but needs {size}, one for each.")
    return [str(label) for label in labels]


def _shown(size):
    """Positions to show; None stands for those left out."""
    return list(range(size)) if size <= MOST else [*range(FIRST), None, size - 1]


def _written(values, whole, decimals):
    if values.dtype.kind not in "biuf":
        return [str(value) for value in values.tolist()]
    if decimals is None:
        return [_briefly(value + 0.0) for value in values.tolist()]
    return [written(value, whole, decimals) for value in values.tolist()]


def _briefly(value):
    """Write a number so that it fits a text field."""
    text = f"{value:.6g}"
    return text if len(text) <= WIDEST else f"{value:.4g}"


def _strengths(values, largest):
    """How strongly to colour each entry, -1 to 1."""
    if values.dtype.kind not in "biuf":
        return np.ones(values.shape)
    return np.where(np.isfinite(values), values, 0) / (largest or 1)


def _cell(text, colour, place, marked, key, masked):
    data = "" if key is None else f' data-at="{address(key, *place)}"'
    frame = ";outline:2px solid currentColor;outline-offset:-2px" if marked else ""
    lines, words = (f";background-image:{HATCH}", ' title="masked"') if masked else ("", "")
    return f'<td{data} style="text-align:right;background-color:{colour}{frame}{lines}"{words}>{escape(text)}</td>'


def _html(caption, labels, shown, cells):
    row_labels, column_labels = labels
    head = "".join(
        f'<th scope="col" style="text-align:right">{"…" if c is None else escape(column_labels[c])}</th>'
        for c in shown[1]
    )
    body = "".join(
        '<tr><th scope="row" style="text-align:left;white-space:nowrap">'
        f"{'⋮' if r is None else escape(row_labels[r])}</th>"
        + "".join("<td>…</td>" if r is None or c is None else cells[r, c] for c in shown[1])
        + "</tr>\n"
        for r in shown[0]
    )
    return (
        '<table style="width:auto;margin:4px 0">'
        f'<caption style="caption-side:top;text-align:left;font-size:90%;min-width:15em">{escape(caption)}</caption>\n'
        f"<thead><tr><td></td>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>"
    )


def _text(caption, labels, shown, shown_entries):
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

"""Draws any matrix as a table."""

from html import escape

import numpy as np

from mha_course.pictures.palette import KINDS, tint
from mha_course.pictures.picture import Picture

MOST = 12  # rows or columns shown of a longer axis


def matrix(values, name, rows=None, columns=None, title=None, kind=None, decimals=4, marked=()):
    """Draw a matrix as an HTML table with labelled rows and columns.

    The more colour, the larger the entry; grey entries are negative. Rows and columns count
    from 1 where no labels are given. Longer axes are cut, and the caption gives the whole shape.

    values: (rows, columns), any numbers or texts. name: what it is called; its role and axes are
    known for the course's own names, else give a `Kind`. marked: (row, column) pairs, from 0,
    whose entries get a frame.
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
    written = _written(values, decimals)
    caption = f"{title or name} ({values.shape[0]} × {values.shape[1]}): {kind.rows} down, {kind.columns} across"
    strengths = _strengths(values)
    cells = {
        (r, c): _cell(written[r, c], strengths[r, c], kind.role, (r, c) in marked)
        for r in shown[0] for c in shown[1] if r is not None and c is not None
    }  # fmt: skip
    return Picture(_html(caption, labels, shown, cells), _text(caption, labels, shown, written))


def _table(values):
    try:
        values = np.asarray(values)
    except ValueError:
        raise ValueError("values has rows of different lengths, but needs rows that are all equally long.") from None
    if values.ndim != 2 or values.size == 0:
        raise ValueError(f"values has shape {values.shape}, but needs (rows, columns), at least one of each.")
    return values


def _kind(name, kind):
    if kind is None and name not in KINDS:
        raise ValueError(f"name is {name!r}, but must be one of {list(KINDS)}, or come with a kind.")
    return kind or KINDS[name]


def _labels(argument, labels, size):
    if labels is None:
        return [str(i + 1) for i in range(size)]
    if len(labels) != size:
        raise ValueError(f"{argument} has {len(labels)} labels, but needs {size}, one for each.")
    return [str(label) for label in labels]


def _shown(size):
    """Positions to show; None stands for those left out."""
    return list(range(size)) if size <= MOST else [*range(MOST - 2), None, size - 1]


def _written(values, decimals):
    if values.dtype.kind not in "biuf":
        return values.astype(str)
    whole = values.dtype.kind in "biu" or (np.isfinite(values).all() and (values == np.round(values)).all())
    return np.array([[f"{v:.0f}" if whole else f"{v + 0.0:.{decimals}f}" for v in row] for row in values])


def _strengths(values):
    """How strongly to colour each entry, -1 to 1."""
    if values.dtype.kind not in "biuf":
        return np.ones(values.shape)
    known = np.where(np.isfinite(values), values, 0).astype(float)
    return known / (np.abs(known).max() or 1)


def _cell(written, strength, role, marked):
    frame = ";outline:2px solid currentColor;outline-offset:-2px" if marked else ""
    return f'<td style="text-align:right;background-color:{tint(role, strength)}{frame}">{escape(written)}</td>'


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


def _text(caption, labels, shown, written):
    table = [["", *("…" if c is None else labels[1][c] for c in shown[1])]]
    for r in shown[0]:
        entries = ("…" if r is None or c is None else written[r, c] for c in shown[1])
        table.append(["⋮" if r is None else labels[0][r], *entries])
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    lines = [
        "  ".join([row[0].ljust(widths[0] + 1), *(e.rjust(w) for e, w in zip(row[1:], widths[1:], strict=True))])
        for row in table
    ]
    return "\n".join([caption, *(line.rstrip() for line in lines)])

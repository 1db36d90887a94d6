"""Draws a table of weights as a small heat map: queries down, keys across, the darker the larger the share."""

from collections.abc import Sequence

import numpy as np

from mha_course.pictures.palette import line_colour
from mha_course.workbook.pictures import svg
from mha_course.workbook.pictures.drawing import Drawing, number

SIDE, SMALL_SIDE = 192, 104  # pixels of the map itself
LETTER = 12  # pixels of a letter, and of a cell from which on it has one
LEVELS = 10  # of darkness: what is less than half a level is left white
MARGIN = 14  # for the letters


def heat_map(
    weights: np.ndarray, queries: Sequence[str], keys: Sequence[str], query: int | None = None, side: float = SIDE
) -> Drawing:
    """Draw weights. query: whose row is framed. side: of the map, in pixels; cells too small for letters have none.

    Shapes: weights (n_q, n_k), a name of one letter or two for each query and key.

    >>> heat_map(np.array([[1.0, 0.0], [0.25, 0.75]]), "ab", "ab")
    Looks most at: a → a 1.0, b → b 0.8.
    """
    n_q, n_k = weights.shape
    cell = side / max(n_q, n_k)
    margin = MARGIN if cell >= LETTER else 1
    width, height = margin + cell * n_k + 1, margin + cell * n_q + 1
    levels = np.round(weights * LEVELS)
    shades = (_shade(levels == level, level) for level in range(1, LEVELS + 1))
    inside = [*shades, *([] if query is None else [_frame(query, n_k, cell)])]
    frame = svg.shape("rect", width=str(n_k), height=str(n_q), fill="none", stroke="currentColor",
                         stroke_opacity="0.4", stroke_width=number(1 / cell, 3))  # fmt: skip
    grid = svg.group(frame, *inside, transform=f"translate({margin} {margin}) scale({number(cell, 3)})")
    told = ", ".join(
        f"{name} → {keys[int(row.argmax())]} {row.max():.1f}" for name, row in zip(queries, weights, strict=True)
    )
    text = f"Looks most at: {told}."
    letters = [*_letters(queries, cell, across=False), *_letters(keys, cell, across=True)] if margin == MARGIN else []
    return Drawing(svg.drawing("mha-heat", (width, height), *letters, grid, role="img", aria_label=text), text)


def filled(cells: np.ndarray) -> str:
    """Return the path that fills the chosen cells of a table, those beside each other in one go. cells: of truths.

    >>> filled(np.array([[True, True, False], [False, False, True]]))
    'M0 0h2v1h-2zM2 1h1v1h-1z'
    """
    edges = np.diff(cells.astype(int), axis=1, prepend=0, append=0)
    begins, ends = np.argwhere(edges > 0).tolist(), np.argwhere(edges < 0).tolist()
    runs = zip(begins, ends, strict=True)
    return "".join(f"M{start} {row}h{end - start}v1h-{end - start}z" for (row, start), (_, end) in runs)


def _shade(cells: np.ndarray, level: int) -> svg.Shape:
    """Fill all cells of one darkness as one path: a change of all weights sends little."""
    way = filled(cells) or "M0 0"
    return svg.shape("path", d=way, fill=line_colour("weights"), fill_opacity=number(level / LEVELS))


def _frame(query: int, n_k: int, cell: float) -> svg.Shape:
    return svg.shape("rect", y=str(query), width=str(n_k), height="1", fill="none", stroke="currentColor",
                        stroke_width=number(2 / cell, 3))  # fmt: skip


def _letters(names: Sequence[str], cell: float, across: bool) -> list[svg.Shape]:
    middles = [MARGIN + cell * (place + 0.5) for place in range(len(names))]
    spots = [(middle, MARGIN - 4.0) if across else (MARGIN / 2 - 1, middle + 3.5) for middle in middles]
    return [
        svg.lettering(number(x), number(y), name, fill="currentColor", text_anchor="middle", font_size=str(LETTER))
        for name, (x, y) in zip(names, spots, strict=True)
    ]

"""Draws a table of weights as a small heat map: queries down, keys across, the darker the larger the share."""

from collections.abc import Collection, Sequence

import numpy as np

from mha_course.engine.pictures import svg
from mha_course.engine.pictures.svg_figure import SvgFigure, number
from mha_course.pictures.lettering import legible, width_of
from mha_course.pictures.palette import line_colour

HEAT_FROM = 10  # words from which on a map stands beside the arcs
READ_SO = "Map: rows look, columns are looked at; the stronger the colour, the more."
SIDE, SMALL_SIDE = 192, 104  # pixels of the map itself
LETTER = 12  # pixels of a letter, and of a cell from which on it has one
LEVELS = 10  # of darkness: what is less than half a level is left white
MARGIN = 14  # for the letters
LEAN = 0.75  # of its length that a leaning word is high


def heat_map(
    weights: np.ndarray,
    queries: Sequence[str],
    keys: Sequence[str],
    query: int | None = None,
    side: float = SIDE,
    marked: Collection[tuple[int, int]] = (),
    colour: str = line_colour("weights"),
) -> SvgFigure:
    """Draw weights. query: whose row is framed. side: of the map, in pixels; cells too small for letters have none.

    marked: (query, key) pairs, from 0, that are framed, too.

    Shapes: weights (n_q, n_k), a name for each query and key; those of the keys lean, if they are words.

    >>> heat_map(np.array([[1.0, 0.0], [0.25, 0.75]]), "ab", "ab")
    Looks most at: a → a 1.0, b → b 0.8.
    """
    n_q, n_k = weights.shape
    cell = side / max(n_q, n_k)
    queries, keys = list(map(legible, queries)), list(map(legible, keys))
    left, top, right = _margins(queries, keys) if cell >= LETTER else (1.0, 1.0, 1.0)
    width, height = left + cell * n_k + right, top + cell * n_q + 1
    levels = np.round(weights * LEVELS)
    shades = (_shade(levels == level, level, colour) for level in range(1, LEVELS + 1))
    inside = [*shades, *([] if query is None else [_frame((query, 0), n_k, cell)])]
    inside += [_frame(place, 1, cell) for place in sorted(marked)]
    frame = svg.shape("rect", width=str(n_k), height=str(n_q), fill="none", stroke="currentColor",
                      stroke_opacity="0.4", stroke_width=number(1 / cell, 3))  # fmt: skip
    grid = svg.group(frame, *inside, transform=f"translate({number(left)} {number(top)}) scale({number(cell, 3)})")
    told = ", ".join(
        f"{name} → {keys[int(row.argmax())]} {row.max():.1f}" for name, row in zip(queries, weights, strict=True)
    )
    text = f"Looks most at: {told}."
    letters = _letters(queries, keys, cell, left, top) if cell >= LETTER else []
    return SvgFigure(svg.drawing("mha-heat", (width, height), *letters, grid, role="img", aria_label=text), text)


def filled(cells: np.ndarray) -> str:
    """Return the path that fills the chosen cells of a table, those beside each other in one go. cells: of truths.

    >>> filled(np.array([[True, True, False], [False, False, True]]))
    'M0 0h2v1h-2zM2 1h1v1h-1z'
    """
    edges = np.diff(cells.astype(int), axis=1, prepend=0, append=0)
    begins, ends = np.argwhere(edges > 0).tolist(), np.argwhere(edges < 0).tolist()
    runs = zip(begins, ends, strict=True)
    return "".join(f"M{start} {row}h{end - start}v1h-{end - start}z" for (row, start), (_, end) in runs)


def _shade(cells: np.ndarray, level: int, colour: str) -> svg.Shape:
    """Fill all cells of one darkness as one path: a change of all weights sends little."""
    way = filled(cells) or "M0 0"
    return svg.shape("path", d=way, fill=colour, fill_opacity=number(level / LEVELS))


def _frame(place: tuple[int, int], width: int, cell: float) -> svg.Shape:
    row, column = map(str, place)
    return svg.shape("rect", x=column, y=row, width=str(width), height="1", fill="none", stroke="currentColor",
                        stroke_width=number(2 / cell, 3))  # fmt: skip


def _margins(queries: Sequence[str], keys: Sequence[str]) -> tuple[float, float, float]:
    """Return the room for the names at the left, above and at the right, where the last key leans."""
    if _are_short(queries, keys):
        return float(MARGIN), float(MARGIN), 1.0
    leaning = max(map(width_of, keys)) * LEAN
    return max(map(width_of, queries)) + 6, leaning + MARGIN, leaning


def _are_short(queries: Sequence[str], keys: Sequence[str]) -> bool:
    return max(map(len, (*queries, *keys))) <= 2


def _letters(queries: Sequence[str], keys: Sequence[str], cell: float, left: float, top: float) -> list[svg.Shape]:
    is_short = _are_short(queries, keys)
    at_left = {"x": number(left / 2 - 1 if is_short else left - 5), "text_anchor": "middle" if is_short else "end"}
    names = [
        svg.shape("text", name, **at_left, y=number(top + cell * (place + 0.5) + 3.5))
        for place, name in enumerate(queries)
    ]
    for place, name in enumerate(keys):
        x, y = number(left + cell * (place + 0.5) + (0 if is_short else 4)), number(top - 4)
        leaning = None if is_short else f"rotate(-45 {x} {y})"
        names.append(svg.lettering(x, y, name, text_anchor="middle" if is_short else "start", transform=leaning))
    return [svg.group(*names, fill="currentColor", font_size=str(LETTER))]

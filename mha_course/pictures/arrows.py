"""Draws queries and keys as arrows, and the dot product of one pair as a projection of one on the other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.pictures import svg
from mha_course.engine.pictures.svg import Shape
from mha_course.engine.pictures.svg_figure import STEADY, SvgFigure, number
from mha_course.pictures.labelling import Label, Point, Wanted, labels
from mha_course.pictures.palette import line_colour
from mha_course.pictures.plane import (
    LINE,
    TINY,
    TOP,
    MatrixRow,
    Plane,
    figure,
    frame,
    handle,
    in_words,
    names_of,
    path,
    row_of,
    together,
    two_columns,
    whole,
    write,
)  # fmt: skip

SIDE = 176  # pixels of the square that is drawn on
HEAD = 8.0  # pixels of an arrow's head
BAND = 8  # width of the projection
ANGLE = 7.0  # of the sign of a right angle
BOLD, FAINT = ("2.5", "1"), ("1.5", "0.45")  # width and opacity of the chosen pair, and of the others


@dataclass(frozen=True)
class Projection:
    """A query's shadow on a key: where it ends, its length, below 0 if it points away, and the key's length."""

    foot: Point
    length: float
    key_length: float

    @classmethod
    def of(cls, query: Point, key: Point) -> "Projection":
        """Project a query on a key; on a key of zeros there is no shadow.

        >>> Projection.of((2, 2), (4, 0))
        Projection(foot=(2.0, 0.0), length=2.0, key_length=4.0)
        """
        size = math.hypot(*key)
        length = (query[0] * key[0] + query[1] * key[1]) / size if size else 0.0
        foot = (length * key[0] / size, length * key[1] / size) if size else (0.0, 0.0)
        return cls(foot, length, size)

    @property
    def product(self) -> float:
        """The dot product of the two."""
        return self.length * self.key_length


@dataclass(frozen=True)
class Arrow:
    """One row drawn as an arrow from the origin. sign: what stands before its name."""

    kind: str
    sign: str
    name: str
    tip: Point
    token: str
    is_chosen: bool
    at: MatrixRow | None

    @property
    def description(self) -> str:
        """What it is and where it ends."""
        return f"{self.kind} of {self.name}: {in_words(self.tip)}"


def arrows(
    queries: ArrayLike,
    keys: ArrayLike,
    query_names: Sequence[object],
    key_names: Sequence[object],
    pair: tuple[int, int] = (0, 0),
    columns: tuple[int, int] = (0, 1),
    live: tuple[str, str, str] | None = None,
    plane: Plane | None = None,
) -> SvgFigure:
    """Draw two columns of queries and keys as arrows, and the dot product of one pair as a projection.

    queries: (n_q, d_k), keys: (n_k, d_k). pair: a query and a key, columns: both counted from 0. live: what
    these matrices and their scores are called, like ("Q/1", "K/1", "scores/1"), where a hand can move the arrows.
    plane: on which they are drawn, or None for the one that shows them all.
    Errors: `ValueError` if there are no such columns, no such pair, or a name is missing.

    >>> print(arrows([[2, 2]], [[4, 0]], ["create"], ["disrupt"]).text)
    Columns 1 and 2. Queries: create (2, 2). Keys: disrupt (4, 0). For create and disrupt, q·k = 2·4 + 2·0 = 8.
    The projection of q on k has length 2, that of k is 4: 2 × 4 = 8.
    """
    tips = two_columns("queries", queries, columns), two_columns("keys", keys, columns)
    tokens = names_of("query_names", query_names, len(tips[0])), names_of("key_names", key_names, len(tips[1]))
    if not (0 <= pair[0] < len(tips[0]) and 0 <= pair[1] < len(tips[1])):
        raise ValueError(f"pair is {pair}, but there are {len(tips[0])} queries and {len(tips[1])} keys.")
    every = [_arrows(side, tokens[side], tips[side], pair[side], live and live[side]) for side in (0, 1)]
    query, key = every[0][pair[0]], every[1][pair[1]]
    projection = Projection.of(query.tip, key.tip)
    total = float(np.dot(np.asarray(queries)[pair[0]], np.asarray(keys)[pair[1]]))
    plane = plane or around_arrows(queries, keys, pair, columns)
    score = (live[2], pair[0]) if live else None
    every_arrow = [*every[0], *every[1]]
    of_length, names = _labels(plane, every_arrow, query, projection)
    parts = [
        *frame(plane, columns, [("→", line_colour("query"), "q query"), ("→", line_colour("key"), "k key")]),
        *_projection(plane, query, key, projection, score),
        *(_arrow(plane, arrow) for arrow in sorted(every_arrow, key=_layer)),
        write(of_length, of=score),
        *(write(name, of=each.at) for each, name in zip(every_arrow, names, strict=True)),
        _caption(query, key, projection, total, score),
        *(
            handle(plane.spot(each.tip), each.token, each.description, each.at, columns, each.tip, name)
            for each, name in zip(every_arrow, names, strict=True)
        ),
    ]
    told = f"{_where(columns, every)} {_in_words(query, key, projection, total)}"
    return SvgFigure(whole(plane, 2, told, parts), told)


def around_arrows(queries: ArrayLike, keys: ArrayLike, pair: tuple[int, int], columns: tuple[int, int]) -> Plane:
    """Return the plane on which all arrows are seen, and the projection of a pair, as `arrows` takes them."""
    tips = two_columns("queries", queries, columns), two_columns("keys", keys, columns)
    foot = Projection.of(tips[0][pair[0]], tips[1][pair[1]]).foot
    return Plane.around([*tips[0], *tips[1], foot], SIDE)


def _arrows(side: int, names: Sequence[str], tips: Sequence[Point], chosen: int, matrix: str | None) -> list[Arrow]:
    kind, sign = ("query", "q") if side == 0 else ("key", "k")
    return [
        Arrow(kind, sign, name, tip, f"{kind}:{i}", i == chosen, (matrix, i) if matrix else None)
        for i, (name, tip) in enumerate(zip(names, tips, strict=True))
    ]


def _layer(arrow: Arrow) -> tuple[bool, float]:
    """Return what to draw arrows in the order of: the chosen ones last, and short ones above long ones."""
    return arrow.is_chosen, -round(math.hypot(*arrow.tip), STEADY)


def _arrow(plane: Plane, arrow: Arrow) -> Shape:
    """Draw one arrow; one of length 0 is a dot."""
    thick, opacity = BOLD if arrow.is_chosen else FAINT
    start, end = plane.spot((0, 0)), plane.spot(arrow.tip)
    colour = line_colour(arrow.kind) if arrow.is_chosen else "currentColor"
    length = math.dist(start, end)
    across, down = ((end[0] - start[0]) / length, (end[1] - start[1]) / length) if length else (0.0, 0.0)
    head = min(HEAD, length / 2)
    neck = end[0] - head * across, end[1] - head * down
    sides = [(neck[0] - turn * down * head / 2, neck[1] + turn * across * head / 2) for turn in (1, -1)]
    return svg.group(
        svg.shape("path", d=path([start, neck]), stroke=colour, stroke_width=thick),
        svg.shape("path", d=f"{path([sides[0], end, sides[1]])}Z", fill=colour),
        svg.shape("circle", cx=number(start[0]), cy=number(start[1]), r="0" if length else "3", fill=colour),
        opacity=opacity,
        data_live_of=row_of(arrow.at),
    )


def _projection(plane: Plane, query: Arrow, key: Arrow, projection: Projection, score: MatrixRow | None) -> list[Shape]:
    """Draw the query's shadow on the key as a band, and the line at a right angle that leads to it."""
    of = row_of(score)
    origin, tip, foot = map(plane.spot, ((0, 0), query.tip, projection.foot))
    band = svg.shape("path", d=path([origin, foot]), stroke=line_colour("scores"), stroke_width=str(BAND),
                        stroke_opacity="0.6", data_live_of=of)  # fmt: skip
    line = svg.shape("path", d=path([tip, foot]), stroke="currentColor", stroke_dasharray="3 3", data_live_of=of)
    return [band, line, _right_angle(origin, tip, foot, of)]


def _right_angle(origin: Point, tip: Point, foot: Point, of: str | None) -> Shape:
    """Draw the sign of a right angle at the foot, if there is room for it."""
    along, up = np.subtract(origin, foot), np.subtract(tip, foot)
    far, high = math.hypot(*along), math.hypot(*up)
    corner = [foot]
    if min(far, high) > 2 * ANGLE:
        one, other = along * (ANGLE / far), up * (ANGLE / high)
        corner = [(x, y) for x, y in (np.array([one, one + other, other]) + foot).tolist()]
    return svg.shape("path", d=path(corner), stroke="currentColor", stroke_opacity="0.6", fill="none", data_live_of=of)


def _labels(plane: Plane, arrows: Sequence[Arrow], query: Arrow, projection: Projection) -> tuple[Label, list[Label]]:
    """Place the length of the projection and the names, those of the chosen pair first."""
    origin, tip, foot = map(plane.spot, ((0, 0), query.tip, projection.foot))
    spots = [plane.spot(arrow.tip) for arrow in arrows]
    lines = [*((origin, spot) for spot in spots), (tip, foot), *_edges(origin, foot)]
    aside = foot[0] - tip[0], foot[1] - tip[1]
    middle = (origin[0] + foot[0]) / 2, (origin[1] + foot[1]) / 2
    texts = together([(arrow.sign, arrow.name, spot) for arrow, spot in zip(arrows, spots, strict=True)])
    away = [(x - origin[0], y - origin[1]) for x, y in spots]
    order = sorted(range(len(arrows)), key=lambda i: not arrows[i].is_chosen)
    length = Wanted(figure(projection.length), middle, aside)
    wanted = [length, *(Wanted(texts[i], spots[i], away[i]) for i in order)]
    of_length, *placed = labels(plane.room(lines, spots), wanted)
    return of_length, [name for _, name in sorted(zip(order, placed, strict=True), key=lambda each: each[0])]


def _edges(start: Point, end: Point) -> list[tuple[Point, Point]]:
    """Return the two long edges of the band between two points."""
    length = math.dist(start, end) or 1.0
    x, y = BAND / 2 * (start[1] - end[1]) / length, BAND / 2 * (end[0] - start[0]) / length
    return [((start[0] + x * side, start[1] + y * side), (end[0] + x * side, end[1] + y * side)) for side in (1, -1)]


def _caption(query: Arrow, key: Arrow, projection: Projection, total: float, score: MatrixRow | None) -> Shape:
    """Write the dot product as a length times a length, and what the other columns add."""
    lengths, sign = _lengths(projection)
    rest = figure(total - projection.product)
    more = "" if rest == "0" else f" - {rest[1:]}" if rest[0] == "-" else f" + {rest}"
    words = f"q·k {sign} {lengths}{more} = {figure(total)}" if more else f"q·k = {lengths} {sign} {figure(total)}"
    bottom = number(TOP + SIDE + 2 * LINE + 13)
    return svg.lettering("8", bottom, words, fill="currentColor", data_live_of=row_of(score))


def _lengths(projection: Projection) -> tuple[str, str]:
    """Write the two lengths, and = or ≈ for what they give as they are written."""
    length, size = figure(projection.length), figure(projection.key_length)
    is_exact = abs(float(length) * float(size) - projection.product) < TINY
    return f"{length} × {size}", "=" if is_exact else "≈"


def _where(columns: tuple[int, int], every: Sequence[Sequence[Arrow]]) -> str:
    queries, keys = (", ".join(f"{each.name} {in_words(each.tip)}" for each in side) for side in every)
    return f"Columns {columns[0] + 1} and {columns[1] + 1}. Queries: {queries}. Keys: {keys}."


def _in_words(query: Arrow, key: Arrow, projection: Projection, total: float) -> str:
    """Say the dot product of the chosen pair as a sum, as a projection, and what the other columns add."""
    terms = " + ".join(f"{figure(q)}·{figure(k)}" for q, k in zip(query.tip, key.tip, strict=True))
    (lengths, sign), here = _lengths(projection), figure(projection.product)
    told = f"For {query.name} and {key.name}, q·k = {terms} = {here}. The projection of q on k has length "
    told += f"{figure(projection.length)}, that of k is {figure(projection.key_length)}: {lengths} {sign} {here}."
    rest = figure(total - projection.product)
    return told if rest == "0" else f"{told} The other columns add {rest}, so that q·k is {figure(total)} in all."

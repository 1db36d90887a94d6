"""A plane with two columns of a matrix as its axes, on which rows are drawn as points or arrows."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.notation.labels import address
from mha_course.engine.pictures import svg
from mha_course.engine.pictures.svg import Shape
from mha_course.engine.pictures.svg_figure import number
from mha_course.pictures.labelling import Label, Point, Room
from mha_course.pictures.lettering import MIDDLE, legible, shortened

LEFT, TOP, RIGHT = 32, 20, 52  # around it
LINE = 16  # between the lines of text below it
PAD = 12  # inside it
LEGEND = 92  # where it begins above the plane
LIMITS = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)  # where the axes may end, times a power of ten
LONG = 1e5  # from here on a number is written with a power of ten
TINY = 1e-9  # what is smaller looks like 0
PARTS = (0, 0.25, 0.5, 1)  # how far the shorter side of the axes reaches, as a share of the longer
SLACK = 1e-9  # by which a number may seem to reach beyond a limit
LONGEST = 76  # pixels of a name
HANDLE = 12  # radius that a pointer finds
RING = 7  # radius of what is seen of it
WIDEST_LABEL = 88  # pixels: so far to the right of the axis there is room for a label at the left
MatrixRow = tuple[str, int]  # of which matrix, and which, counted from 0


@dataclass(frozen=True)
class Plane:
    """What of the plane is seen: from low to high on both axes, with the same scale, on a square of so many pixels.

    >>> Plane.around([(2.2, 1), (0, -1)], side=176)
    Plane(low=-1.5, high=3, side=176)
    """

    low: float
    high: float
    side: int

    @classmethod
    def around(cls, points: Iterable[Point], side: int) -> "Plane":
        """See all points and the origin; the limits are round, so that a small change leaves them."""
        numbers = [0.0, *(float(each) for point in points for each in point)]
        sizes = -min(numbers), max(numbers)
        limit = round_limit(max(sizes))
        low, high = (next(limit * part for part in PARTS if size <= limit * part * (1 + SLACK)) for size in sizes)
        return cls(0 - low, high or (0 if low else limit), side)

    @property
    def numbers(self) -> tuple[float, float, float]:
        """The three numbers that stand at each axis."""
        inner = (self.low + self.high) / 2 if 0 in (self.low, self.high) else 0
        return self.low, inner, self.high

    @property
    def unit(self) -> float:
        """The pixels of one unit."""
        return (self.side - 2 * PAD) / (self.high - self.low)

    def spot(self, point: Point) -> Point:
        """Return the pixels of a point, rounded so that no machine's last digit decides where a label goes."""
        x = LEFT + PAD + (point[0] - self.low) * self.unit
        y = TOP + self.side - PAD - (point[1] - self.low) * self.unit
        return round(float(x), 1), round(float(y), 1)

    @property
    def axes(self) -> list[tuple[Point, Point]]:
        """The lines of the two axes, in pixels."""
        x, y = self.spot((0, 0))
        return [((LEFT, y), (LEFT + self.side, y)), ((x, TOP), (x, TOP + self.side))]

    def room(self, lines: Iterable[tuple[Point, Point]], points: Iterable[Point]) -> Room:
        """Return what is free for labels. lines, points: what is drawn beside the axes, in pixels."""
        area = LEFT, TOP, LEFT + self.side + RIGHT, TOP + self.side
        return Room(area, [*self.axes, *lines], [(x, y, RING + 1) for x, y in points])


def round_limit(largest: float) -> float:
    """Return the round number at or just above a size.

    >>> round_limit(0.26), round_limit(7), round_limit(8), round_limit(0)
    (0.3, 8, 8, 1)
    """
    if largest < TINY:
        return 1
    power = math.floor(math.log10(largest))
    steps = [float(f"{step}e{power}") for step in (*LIMITS, 15)]
    found = next(step for step in steps if largest <= step * (1 + SLACK))
    return int(found) if found == round(found) and found < 1e15 else found


def two_columns(name: str, rows: ArrayLike, columns: tuple[int, int]) -> list[Point]:
    """Return two columns of a matrix as points.

    rows: (n, d). Errors: `ValueError` if there are no such columns.
    """
    matrix = np.asarray(rows, dtype=float)
    if matrix.ndim != 2 or not all(0 <= column < matrix.shape[1] for column in columns):
        raise ValueError(f"{name} has shape {matrix.shape}, but columns {columns} need (rows, columns), from 0.")
    return [(float(row[columns[0]]), float(row[columns[1]])) for row in matrix]


def names_of(argument: str, names: Sequence[object], count: int) -> list[str]:
    """Return the names of so many rows as they can be written. Errors: `ValueError` if one is missing."""
    if len(names) != count:
        raise ValueError(f"{argument} has {len(names)} names, but needs {count}, one for each row.")
    return [legible(str(name)) for name in names]


def in_words(point: Point) -> str:
    """Write where a point lies.

    >>> in_words((2, 1 / 3))
    '(2, 0.33)'
    """
    return f"({figure(point[0])}, {figure(point[1])})"


def figure(value: float) -> str:
    """Write a number that stands in a drawing to be read.

    >>> figure(1 / 3), figure(123456)
    ('0.33', '1.23e+05')
    """
    return number(value, 2) if abs(value) < LONG else f"{value:.3g}"


def frame(plane: Plane, columns: tuple[int, int], legend: Sequence[tuple[str, str, str]]) -> list[Shape]:
    """Draw the axes, their numbers and names, and what the marks mean: (sign, colour, words).

    columns: counted from 0; the drawing counts from 1.
    """
    axes = [svg.shape("path", d=" ".join(map(path, plane.axes)), stroke="currentColor", stroke_opacity="0.45")]
    ticks = [tick(plane, value) for value in plane.numbers for tick in (_across, _upward)]
    words = [
        part
        for sign, colour, meaning in legend
        for part in (svg.coloured(sign, colour), f" {meaning}\N{NO-BREAK SPACE}\N{NO-BREAK SPACE} ")
    ]
    bottom = TOP + plane.side + LINE + 13
    titles = [
        _words([f"↑ column {columns[1] + 1}"], 4, 13),
        _words([f"column {columns[0] + 1} →"], LEFT + plane.side + RIGHT - 4, bottom, text_anchor="end"),
        _words(words, LEGEND, 13),
    ]
    return [*axes, *ticks, *titles]


def _words(words: Iterable[Shape | str], x: float, y: float, **attributes: str | None) -> Shape:
    return svg.lettering(number(x), number(y), *words, fill="currentColor", **attributes)


def _across(plane: Plane, value: float) -> Shape:
    x, _ = plane.spot((value, 0))
    return _words([_brief(value)], x, TOP + plane.side + 13, text_anchor="middle")


def _upward(plane: Plane, value: float) -> Shape:
    _, y = plane.spot((0, value))
    return _words([_brief(value)], LEFT - 4, y + MIDDLE, text_anchor="end")


def _brief(value: float) -> str:
    text = f"{value:.3g}"
    return text if len(text) <= 5 else f"{value:.0e}"


def path(line: Sequence[Point]) -> str:
    """Write the way along some pixels.

    >>> path([(0, 1.25), (2, 3)])
    'M0 1.2L2 3'
    """
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in line)


def together(named: Sequence[tuple[str, str, Point]]) -> list[str]:
    """Return the label of each (sign, name, spot): those of one sign at one spot share that of the first.

    >>> together([("q", "a", (0, 0)), ("q", "b", (0, 0)), ("k", "a", (0, 0))])
    ['q a, b', '', 'k a']
    """
    names: dict[tuple[str, Point], list[str]] = {}
    for sign, name, spot in named:
        names.setdefault((sign, spot), []).append(name)
    joined = {place: f"{place[0]} {shortened(', '.join(found), LONGEST)}" for place, found in names.items()}
    return [joined.pop((sign, spot), "") for sign, _, spot in named]


def write(label: Label, sign: str = "", colour: str = "currentColor", of: MatrixRow | None = None) -> Shape:
    """Draw a label; without a place it is there but not seen.

    sign: with what the label begins, in its colour. of: the row that it names, if a live screen shows it.
    """
    left, _, _, bottom = label.box or (0, 0, 0, 0)
    begin = svg.coloured(sign if label.text else "", colour)
    words: list[Shape | str] = [begin, label.text.removeprefix(sign)] if sign else [label.text]
    seen = "inherit" if label.box else "hidden"
    return _words(words, left + 1, bottom - 4, visibility=seen, data_live_of=row_of(of))


def row_of(row: MatrixRow | None) -> str | None:
    """Write what something is drawn of, so that it can wait until this is computed.

    >>> row_of(("Q/1", 2))
    'Q/1:2'
    """
    return None if row is None else f"{row[0]}:{row[1]}"


def handle(
    spot: Point,
    token: str,
    told: str,
    at: MatrixRow | None,
    columns: tuple[int, int],
    here: Point,
    label: Label,
    *,
    is_fixed: bool = False,
) -> Shape:
    """Draw what a hand can take hold of to move a point. token: like "query:1". told: what it is and where.

    at: the row that it is, if a live screen shows it. here: where it is, in units. label: its name, which is written
    here too while it is looked at, if there was no room for it. is_fixed: whether it cannot be moved, only asked.
    """
    x, y = map(number, spot)
    room = svg.shape("circle", cx=x, cy=y, r=str(HANDLE), fill="transparent")
    anchor = "end" if spot[0] > LEFT + WIDEST_LABEL else "start"
    written = _words(
        [label.text], spot[0], spot[1] - HANDLE,
        text_anchor=anchor, data_crowded="no" if label.box else "yes", visibility="hidden",
    )  # fmt: skip
    if at is None or is_fixed:
        return svg.group(svg.hint(told), room, written, data_token=token, data_live_of=row_of(at))
    entries = [address(at[0], at[1], column) for column in columns]
    ring = svg.shape("circle", cx=x, cy=y, r=str(RING), fill="none", stroke="currentColor", stroke_opacity="0.4")
    return svg.group(
        svg.hint(told), room, ring, written,
        tabindex="0", role="application", aria_label=f"{told}; arrow keys move it",
        data_token=token, data_x=entries[0], data_y=entries[1],
        data_here=f"{number(here[0], 4)} {number(here[1], 4)}", data_live_of=row_of(at),
    )  # fmt: skip


def whole(plane: Plane, lines: int, told: str, parts: Iterable[Shape]) -> Shape:
    """Put a drawing together, with so many lines of words below the plane."""
    size = LEFT + plane.side + RIGHT, TOP + plane.side + LINE * (1 + lines) + 4
    return svg.drawing(
        "mha-plane", size, *parts,
        role="group", aria_label=f"The plane. {told}", data_unit=number(plane.unit, 4),
    )  # fmt: skip

"""Draws values as corners and the outputs, which are mixes of them, as points between them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.pictures import svg
from mha_course.engine.pictures.svg import Shape
from mha_course.engine.pictures.svg_figure import SvgFigure, number
from mha_course.pictures.labelling import Label, Point, Wanted, labels
from mha_course.pictures.palette import line_colour
from mha_course.pictures.plane import (
    MatrixRow,
    Plane,
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

SIDE = 140  # pixels of the square that is drawn on
CLOSE_TO = 1e-6  # as a share of the whole: so near to the outline counts as inside
VALUE, OUTPUT = "v", "o"


def mixes(
    values: ArrayLike,
    outputs: ArrayLike,
    names: Sequence[object],
    output_names: Sequence[object] | None = None,
    columns: tuple[int, int] = (0, 1),
    live: tuple[str, str] | None = None,
    plane: Plane | None = None,
) -> SvgFigure:
    """Draw two columns of the values with their outline, and the outputs, which lie inside it.

    values: (n_k, d_v), outputs: (n_q, d_v). names: of the values, and of the outputs if these have no own.
    columns: counted from 0. live: what both are called, like ("V/1", "output/1"), where a hand can move the values.
    plane: on which they are drawn, or None for the one that shows them all.
    Errors: `ValueError` if there are no such columns, or a name is missing.

    >>> mixes([[0, 0], [4, 0], [0, 4]], [[1, 1]], ["a", "b", "c"], ["mean"])
    Columns 1 and 2. Values: a (0, 0), b (4, 0), c (0, 4). Outputs: mean (1, 1). All outputs lie inside the values.
    """
    corners, points = two_columns("values", values, columns), two_columns("outputs", outputs, columns)
    names = names_of("names", names, len(corners))
    output_names = names if output_names is None else output_names
    output_names = names_of("output_names", output_names, len(points))
    plane, edge = plane or around_mixes(values, outputs, columns), outline(corners)
    colours = line_colour("value"), line_colour("output")
    ends, mixed = _rows(live and live[0], len(corners)), _rows(live and live[1], len(points))
    marks = [*((VALUE, *each) for each in zip(names, corners, strict=True))]
    marks += [(OUTPUT, *each) for each in zip(output_names, points, strict=True)]
    written = _labels(plane, edge, marks)
    parts = [
        *frame(plane, columns, [("■", colours[0], "value"), ("●", colours[1], "output")]),
        _outline(plane, edge, colours[0], live and live[0]),
        *(_corner(plane, corner, colours[0], of) for corner, of in zip(corners, ends, strict=True)),
        *(_point(plane, point, colours[1], of) for point, of in zip(points, mixed, strict=True)),
        *(write(label, sign, colours[sign == OUTPUT], of)
          for (sign, *_), label, of in zip(marks, written, [*ends, *mixed], strict=True)),
        *(handle(plane.spot(point), f"query:{i}", f"output of {output_names[i]}: {in_words(point)}", mixed[i], columns,
                 point, written[len(corners) + i], is_fixed=True) for i, point in enumerate(points)),
        *(handle(plane.spot(corner), f"key:{i}", f"value of {names[i]}: {in_words(corner)}", ends[i], columns, corner,
                 written[i]) for i, corner in enumerate(corners)),
    ]  # fmt: skip
    where = f"Columns {columns[0] + 1} and {columns[1] + 1}."
    told = f"{where} Values: {_told(names, corners)}. Outputs: {_told(output_names, points)}. {_inside(edge, points)}"
    return SvgFigure(whole(plane, 1, told, parts), told)


def around_mixes(values: ArrayLike, outputs: ArrayLike, columns: tuple[int, int]) -> Plane:
    """Return the plane on which all values and outputs are seen, as `mixes` takes them."""
    return Plane.around([*two_columns("values", values, columns), *two_columns("outputs", outputs, columns)], SIDE)


def outline(points: Sequence[Point]) -> list[Point]:
    """Return the corners of the smallest polygon around all points, counter-clockwise from the leftmost.

    >>> outline([(0, 0), (2, 0), (1, 1), (0.9, 0.2), (2, 2)])
    [(0, 0), (2, 0), (2, 2)]
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return lower[:-1] + upper[:-1]


def _chain(points: Sequence[Point]) -> list[Point]:
    """Return those of some ordered points between which the way only turns left."""
    kept: list[Point] = []
    for point in points:
        while len(kept) > 1 and turn(kept[-2], kept[-1], point) <= 0:
            kept.pop()
        kept.append(point)
    return kept


def turn(a: Point, b: Point, c: Point) -> float:
    """Return twice the area of a triangle, above 0 if its corners go round to the left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _inside(edge: Sequence[Point], points: Sequence[Point]) -> str:
    count = sum(is_inside(edge, point) for point in points)
    if count == len(points):
        return "All outputs lie inside the values."
    return f"{count} of {len(points)} outputs lie inside the values."


def is_inside(edge: Sequence[Point], point: Point) -> bool:
    """Whether a point lies inside an outline, or so near to it that no eye could tell.

    >>> is_inside([(0, 0), (2, 0), (2, 2)], (1, 0.5)), is_inside([(0, 0), (2, 0)], (1, 0.5))
    (True, False)
    """
    size = max(np.ptp(np.array(edge), axis=0).max(), 1e-9)
    if len(edge) > 2:
        sides = zip(edge, [*edge[1:], edge[0]], strict=True)
        return all(turn(a, b, point) >= -CLOSE_TO * size**2 for a, b in sides)
    a, b = np.array(edge[0]), np.array(edge[-1])
    share = np.clip((point - a) @ (b - a) / max((b - a) @ (b - a), 1e-18), 0, 1)
    return bool(np.abs(a + share * (b - a) - point).max() <= CLOSE_TO * size)


def _told(names: Sequence[str], points: Sequence[Point]) -> str:
    return ", ".join(f"{name} {in_words(point)}" for name, point in zip(names, points, strict=True))


def _rows(matrix: str | None, count: int) -> list[MatrixRow | None]:
    return [(matrix, i) if matrix else None for i in range(count)]


def _outline(plane: Plane, edge: Sequence[Point], colour: str, of: str | None) -> Shape:
    return svg.shape(
        "path", d=f"{path([plane.spot(point) for point in edge])}Z", fill=colour, fill_opacity="0.12",
        stroke=colour, stroke_width="1.5", stroke_linejoin="round", data_live_of=of,
    )  # fmt: skip


def _corner(plane: Plane, corner: Point, colour: str, of: MatrixRow | None) -> Shape:
    x, y = (number(each - 4) for each in plane.spot(corner))
    return svg.shape("rect", x=x, y=y, width="8", height="8", fill=colour, data_live_of=row_of(of))


def _point(plane: Plane, point: Point, colour: str, of: MatrixRow | None) -> Shape:
    x, y = map(number, plane.spot(point))
    return svg.shape("circle", cx=x, cy=y, r="4", fill=colour, stroke="currentColor", data_live_of=row_of(of))


def _labels(plane: Plane, edge: Sequence[Point], marks: Sequence[tuple[str, str, Point]]) -> list[Label]:
    """Place the names of (sign, name, point), each where it crosses nothing."""
    ends = [plane.spot(point) for point in edge]
    spots = [plane.spot(point) for _, _, point in marks]
    room = plane.room(list(zip(ends, [*ends[1:], ends[0]], strict=True)), spots)
    middle = np.mean(ends, axis=0)
    texts = together([(sign, name, spot) for (sign, name, _), spot in zip(marks, spots, strict=True)])
    away = [(float(x - middle[0]), float(y - middle[1])) for x, y in spots]
    return labels(room, [Wanted(*each) for each in zip(texts, spots, away, strict=True)])

"""Finds a free place for each label of a drawing, so that labels cross no line and no other label."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mha_course.pictures.lettering import HEIGHT, width_of

Point = tuple[float, float]  # x, y in pixels
NEAR = 9.0, 13.0, 18.0  # pixels between a point and its label; farther off nobody sees whose it is
COMPASS = np.array([(1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1)], dtype=float)
QUARTER = ((1, 0.3), (1, 0.65), (0.65, 1), (0.3, 1))
BETWEEN = np.array([(x * a, y * b) for a, b in QUARTER for x in (1, -1) for y in (1, -1)])
TRIES = 6  # to find room for all labels
CROWD = 12  # labels, of which it is not tried
CLEARANCE = 1.5  # pixels between a label and anything else
HALVES = 2.0  # a box reaches half its size to both sides


@dataclass(frozen=True)
class Label:
    """A label in its place. box: (left, top, right, bottom) of its letters."""

    text: str
    box: tuple[float, float, float, float]


@dataclass
class Labelling:
    """What of a drawing is taken, and the labels that have been placed in it so far.

    area: (left, top, right, bottom) that labels may not leave. lines: (from, to) of what is drawn.
    points: (x, y, radius) of what is marked.

    >>> labelling = Labelling((0, 0, 100, 100), lines=[((50, 0), (50, 100))])
    >>> labelling.place("a", (50, 50), away=(1, 0)).box
    (59.0, 42.5, 66.7, 57.5)
    """

    area: tuple[float, float, float, float]
    lines: Sequence[tuple[Point, Point]] = ()
    points: Sequence[tuple[float, float, float]] = ()
    _centres: np.ndarray = field(init=False)
    _arms: np.ndarray = field(init=False)
    _marks: np.ndarray = field(init=False)
    _labels: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        """Write down what is taken."""
        ends = np.array(self.lines, dtype=float).reshape(-1, 2, 2)
        self._centres, self._arms = ends.mean(axis=1), (ends[:, 1] - ends[:, 0]) / HALVES
        self._marks = np.array([(x - r, y - r, x + r, y + r) for x, y, r in self.points], dtype=float).reshape(-1, 4)
        self._labels = np.empty((0, 4))

    def place(self, text: str, point: Point, away: Point = (1, 0)) -> Label | None:
        """Put a label at the first free place around a point, and keep it; None if there is no free place.

        away: the direction that it prefers.
        """
        boxes = _around(np.array(point), np.array([width_of(text), HEIGHT]), away)
        free = self._free(boxes)
        free = free[self._is_nearest(boxes[free], point)]
        return self._keep(text, boxes[free[0]]) if free.size else None

    def _free(self, boxes: np.ndarray) -> np.ndarray:
        """Return which of the (n, 4) boxes lie inside the drawing, with nothing in their way, as indices."""
        left, top, right, bottom = self.area
        inside = (boxes[:, :2] >= (left, top)).all(axis=1) & (boxes[:, 2:] <= (right, bottom)).all(axis=1)
        places = np.flatnonzero(inside)
        return places[~self._is_taken(boxes[places])]

    def _is_taken(self, boxes: np.ndarray) -> np.ndarray:
        """Return for each of the (n, 4) boxes whether a line, a point or a label is in its way."""
        near = boxes + np.array([-CLEARANCE, -CLEARANCE, CLEARANCE, CLEARANCE])
        taken = overlap(near, np.vstack([self._marks, self._labels])).any(axis=1)
        return np.logical_or(taken, crossed(near, self._centres, self._arms).any(axis=1))

    def _is_nearest(self, boxes: np.ndarray, point: Point) -> np.ndarray:
        """Return for each of the (n, 4) boxes whether no marked point is nearer than its own: whose it is, is seen."""
        marks = np.array([point, *((x, y) for x, y, _ in self.points)], dtype=float)  # (1 + m, 2)
        ends = np.clip(marks[None], boxes[:, None, :2], boxes[:, None, 2:])
        distances = np.linalg.norm(ends - marks[None], axis=-1)  # (n, 1 + m)
        return distances[:, 0] <= distances.min(axis=1)

    def _keep(self, text: str, box: np.ndarray) -> Label:
        self._labels = np.vstack([self._labels, box])
        left, top, right, bottom = box.round(1).tolist()
        return Label(text, (left, top, right, bottom))


@dataclass(frozen=True)
class Wanted:
    """A label that is wanted: its text, the point that it belongs to, and the direction that it prefers."""

    text: str
    point: Point
    away: Point


def place_all(labelling: Labelling, wanted: Sequence[Wanted]) -> list[Label | None]:
    """Place labels, the first ones best; if some find no room, try again with these first, a few times.

    >>> blank = Labelling((0, 0, 100, 100))
    >>> [label.box[0] for label in place_all(blank, [Wanted("a", (50, 50), (1, 0)), Wanted("b", (50, 50), (1, 0))])]
    [59.0, 54.5]
    """
    order, best = list(range(len(wanted))), dict[int, Label]()
    for _ in range(TRIES if len(wanted) <= CROWD else 1):
        room, found = replace(labelling), dict[int, Label]()
        for index in order:
            if label := room.place(wanted[index].text, wanted[index].point, wanted[index].away):
                found[index] = label
        best = max(best, found, key=len)
        if len(found) == len(wanted):
            break
        order.sort(key=lambda index: index in found)
    return [best.get(index) for index in range(len(wanted))]


def named(labelling: Labelling, wanted: Sequence[Wanted]) -> list[tuple[str, Label | None]]:
    """Place labels where there is room. Return the text of each, and its place or None."""
    texts = [each for each in wanted if each.text]  # what shares its spot with another has its name there
    placed = iter(place_all(labelling, texts))
    return [(each.text, next(placed) if each.text else None) for each in wanted]


def overlap(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return which of the (n, 4) boxes overlap which of the (m, 4) others, (n, m).

    >>> overlap(np.array([[0, 0, 2, 2]]), np.array([[1, 1, 3, 3], [2, 0, 3, 1]])).tolist()
    [[True, False]]
    """
    a, b = boxes[:, None], others[None]
    return np.all((a[..., :2] < b[..., 2:]) & (b[..., :2] < a[..., 2:]), axis=-1)


def crossed(boxes: np.ndarray, centres: np.ndarray, arms: np.ndarray) -> np.ndarray:
    """Return which of the (n, 4) boxes are crossed by which lines, given by middle and half, (m, 2) each: (n, m).

    >>> crossed(np.array([[0, 0, 2, 2]]), np.array([[1, 1], [1, 3]]), np.array([[5, 0], [5, 0]])).tolist()
    [[True, False]]
    """
    half = ((boxes[:, 2:] - boxes[:, :2]) / HALVES)[:, None]  # (n, 1, 2)
    apart = centres[None] - ((boxes[:, 2:] + boxes[:, :2]) / HALVES)[:, None]  # (n, m, 2)
    beside = (np.abs(apart) >= half + np.abs(arms)).any(axis=-1)
    across = np.abs(arms[:, 0] * apart[..., 1] - arms[:, 1] * apart[..., 0])
    slanting = across >= half[..., 0] * np.abs(arms[:, 1]) + half[..., 1] * np.abs(arms[:, 0])
    return ~beside & ~(slanting & (np.abs(arms) > 0).any(axis=-1))


def _around(point: np.ndarray, size: np.ndarray, away: Point) -> np.ndarray:
    """Return the boxes close to a point, the nearest first, and of these first those that lie away, (n, 4)."""
    directions = _towards(np.vstack([COMPASS, BETWEEN]), away)
    slack = np.where(np.abs(directions).sum(axis=1) == 2, 0.75, 1.0)[:, None]  # a corner may come closer
    middles = np.concatenate([point + directions * (size / HALVES + distance * slack) for distance in NEAR])
    return np.hstack([middles - size / HALVES, middles + size / HALVES]).round(1)


def _towards(directions: np.ndarray, away: Point) -> np.ndarray:
    """Return the directions, those first that lie most in one of them."""
    likeness = (directions @ away / np.hypot(*directions.T)).round(6)
    return directions[np.argsort(-likeness, kind="stable")]

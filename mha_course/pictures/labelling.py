"""Finds a free place for each label of a drawing, so that labels cross no line and no other label."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mha_course.pictures.lettering import HEIGHT, width_of

Point = tuple[float, float]  # x, y in pixels
NEAR = 5.0  # pixels between a point and its label
FAR = (11.0, 16.0, 22.0, 29.0, 37.0, 46.0, 56.0, 67.0, 80.0, 95.0, 112.0)  # the same, with a thin line that leads to it
COMPASS = np.array([(1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1)], dtype=float)
QUARTER = ((1, 0.3), (1, 0.65), (0.65, 1), (0.3, 1))
BETWEEN = np.array([(x * a, y * b) for a, b in QUARTER for x in (1, -1) for y in (1, -1)])
TRIES = 6  # to find room for all labels
CROWD = 12  # labels, of which it is not tried
CROSSING = 30.0  # pixels that a label would rather be farther away than its line cross another or a mark
INNER = 0.97  # of a line; at its ends it only touches
# Of each place with a leading line: how far it is, and how little it lies where it should.
RANKS = np.concatenate([distance + np.arange(len(COMPASS) + len(BETWEEN)) / 2 for distance in FAR])
CLEARANCE = 1.5  # pixels between a label and anything else
HALVES = 2.0  # a box reaches half its size to both sides


@dataclass(frozen=True)
class Label:
    """A label in its place: the left and the lower end of its letters' box, and where its line begins and ends.

    box: (left, top, right, bottom). leader: the line to a label that stands far off.
    """

    text: str
    box: tuple[float, float, float, float]
    leader: tuple[Point, Point] | None = None


@dataclass
class Labelling:
    """What of a drawing is taken, and the labels that have been placed in it so far.

    area: (left, top, right, bottom) that labels may not leave. lines: (from, to) of what is drawn.
    points: (x, y, radius) of what is marked.

    >>> labelling = Labelling((0, 0, 100, 100), lines=[((50, 0), (50, 100))])
    >>> labelling.place("a", (50, 50), away=(1, 0)).box
    (55.0, 42.5, 62.7, 57.5)
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
        middle, size = np.array(point), np.array([width_of(text), HEIGHT])
        boxes = _beside(middle, size, away)
        if (free := self._free(boxes)).size:
            return self._keep(text, boxes[free[0]], None)
        boxes = _apart(middle, size, away)
        free = self._free(boxes)
        free = free[~_is_cut_off(boxes[free], point, self._labels)]
        if not free.size:
            return None
        best = boxes[free[(RANKS[free] + CROSSING * self._crossings(boxes[free], point)).argmin()]]
        return self._keep(text, best, (point, _nearest(best, point)))

    def _crossings(self, boxes: np.ndarray, point: Point) -> np.ndarray:
        """Return how many lines and marks the line from a point to each of the (n, 4) boxes crosses."""
        marks = self._marks[~overlap(np.array([[*point, *point]]), self._marks)[0]]
        ends = np.clip(point, boxes[:, :2], boxes[:, 2:])
        middles, arms = (ends + point) / HALVES, (ends - point) / HALVES
        return crossed(marks, middles, arms).sum(axis=0) + crossing(middles, arms, self._centres, self._arms)

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

    def _keep(self, text: str, box: np.ndarray, leader: tuple[Point, Point] | None) -> Label:
        self._labels = np.vstack([self._labels, box])
        if leader is not None:
            start, end = np.array(leader)
            self._centres = np.vstack([self._centres, (start + end) / HALVES])
            self._arms = np.vstack([self._arms, (end - start) / HALVES])
        left, top, right, bottom = box.round(1).tolist()
        return Label(text, (left, top, right, bottom), leader)


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
    [55.0, 38.6]
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


def crossing(centres: np.ndarray, arms: np.ndarray, others: np.ndarray, others_arms: np.ndarray) -> np.ndarray:
    """Return how many of the (m, 2) other lines each of the (n, 2) lines crosses; touching is not crossing.

    >>> line, up = (np.array([[1, 1]]), np.array([[1, 0]])), (np.array([[1, 1], [2, 1]]), np.array([[0, 1], [0, 1]]))
    >>> crossing(*line, *up).tolist()
    [1]
    """
    apart = others[None] - centres[:, None]  # (n, m, 2)
    own, other = np.broadcast_arrays(arms[:, None], others_arms[None])
    parallel = _cross(own, other)
    along, across = np.abs(_cross(apart, other)), np.abs(_cross(apart, own))
    reach = np.abs(parallel) * INNER
    return np.sum((along < reach) & (across < reach), axis=1)


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _beside(point: np.ndarray, size: np.ndarray, away: Point) -> np.ndarray:
    """Return the boxes close to a point, those first that lie away, (8, 4)."""
    directions = _towards(COMPASS, away)
    slack = np.where(np.abs(directions).sum(axis=1) == 2, 0.75, 1.0)[:, None]  # a corner may come closer
    return _around(point + directions * (size / HALVES + NEAR * slack), size)


def _apart(point: np.ndarray, size: np.ndarray, away: Point) -> np.ndarray:
    """Return the boxes farther from a point, the nearer ones first, and of these first those that lie away, (n, 4)."""
    directions = _towards(np.vstack([COMPASS, BETWEEN]), away)
    return _around(np.concatenate([point + directions * (size / HALVES + distance) for distance in FAR]), size)


def _around(middles: np.ndarray, size: np.ndarray) -> np.ndarray:
    return np.hstack([middles - size / HALVES, middles + size / HALVES]).round(1)


def _is_cut_off(boxes: np.ndarray, point: Point, others: np.ndarray) -> np.ndarray:
    """Return for each of the (n, 4) boxes whether a line to it from a point runs into one of the (m, 4) others."""
    ends = np.clip(point, boxes[:, :2], boxes[:, 2:])
    return np.any(crossed(others, (ends + point) / HALVES, (ends - point) / HALVES), axis=0)


def _towards(directions: np.ndarray, away: Point) -> np.ndarray:
    """Return the directions, those first that lie most in one of them."""
    likeness = (directions @ away / np.hypot(*directions.T)).round(6)
    return directions[np.argsort(-likeness, kind="stable")]


def _nearest(box: np.ndarray, point: Point) -> Point:
    x, y = np.clip(point, box[:2], box[2:]).tolist()
    return x, y

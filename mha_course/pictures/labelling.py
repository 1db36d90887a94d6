"""Finds a free place for each label of a drawing, so that labels cross no line and no other label."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from mha_course.pictures.lettering import HEIGHT, width_of

Point = tuple[float, float]  # x, y in pixels
Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels
NEAR = 9.0, 13.0, 18.0  # pixels between a point and its label; farther off nobody sees whose it is
COMPASS = np.array([(1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1)], dtype=float)
QUARTER = ((1, 0.3), (1, 0.65), (0.65, 1), (0.3, 1))
BETWEEN = np.array([(x * a, y * b) for a, b in QUARTER for x in (1, -1) for y in (1, -1)])
TRIES = 6  # to find room for all labels
CROWD = 12  # labels, of which it is not tried
CLEARANCE = 1.5  # pixels between a label and anything else
HALVES = 2.0  # a box reaches half its size to both sides


@dataclass(frozen=True)
class Wanted:
    """A label that is wanted: its text, the point that it belongs to, and the direction that it prefers."""

    text: str
    point: Point
    away: Point = (1, 0)


@dataclass(frozen=True)
class Label:
    """The text of a label, and the place of its letters, or None if there was no room for it."""

    text: str
    box: Box | None


@dataclass
class Room:
    """What of a drawing is free for labels.

    area: which they may not leave. lines: (from, to) of what is drawn. points: (x, y, radius) of what is marked.

    >>> room = Room((0, 0, 100, 100), lines=[((50, 0), (50, 100))])
    >>> room.places(Wanted("a", (50, 50)))[0].tolist()
    [59.0, 42.5, 66.7, 57.5]
    """

    area: Box
    lines: Sequence[tuple[Point, Point]] = ()
    points: Sequence[tuple[float, float, float]] = ()
    _centres: np.ndarray = field(init=False)
    _arms: np.ndarray = field(init=False)
    _marks: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        """Write down what is taken."""
        ends = np.array(self.lines, dtype=float).reshape(-1, 2, 2)
        self._centres, self._arms = ends.mean(axis=1), (ends[:, 1] - ends[:, 0]) / HALVES
        self._marks = np.array([(x - r, y - r, x + r, y + r) for x, y, r in self.points], dtype=float).reshape(-1, 4)

    def places(self, wanted: Wanted) -> np.ndarray:
        """Return the free places for the letters of a label, the best first, as boxes (n, 4)."""
        size = np.array([width_of(wanted.text), HEIGHT])
        boxes = _around(np.array(wanted.point), size, wanted.away)
        left, top, right, bottom = self.area
        boxes = boxes[(boxes[:, :2] >= (left, top)).all(axis=1) & (boxes[:, 2:] <= (right, bottom)).all(axis=1)]
        near = widened(boxes)
        taken = overlap(near, self._marks).any(axis=1) | crossed(near, self._centres, self._arms).any(axis=1)
        return boxes[~taken & self._is_nearest(boxes, wanted.point)]

    def _is_nearest(self, boxes: np.ndarray, point: Point) -> np.ndarray:
        """Return for each of the (n, 4) boxes whether no marked point is nearer than its own: whose it is, is seen."""
        marks = np.array([point, *((x, y) for x, y, _ in self.points)], dtype=float)  # (1 + m, 2)
        ends = np.clip(marks[None], boxes[:, None, :2], boxes[:, None, 2:])
        distances = np.linalg.norm(ends - marks[None], axis=-1)  # (n, 1 + m)
        return distances[:, 0] <= distances.min(axis=1)


def labels(room: Room, wanted: Sequence[Wanted]) -> list[Label]:
    """Place labels, the first ones best; if some find no room, try again with these first, a few times.

    >>> [label.box[0] for label in labels(Room((0, 0, 100, 100)), [Wanted("a", (50, 50)), Wanted("b", (50, 50))])]
    [59.0, 54.5]
    """
    shown = [i for i, each in enumerate(wanted) if each.text]  # what shares its spot with another has its name there
    places, order = {i: room.places(wanted[i]) for i in shown}, shown
    best: dict[int, Box] = {}
    for _ in range(TRIES if len(shown) <= CROWD else 1):
        found = _first_free(places, order)
        best = max(best, found, key=len)
        if len(found) == len(shown):
            break
        order = sorted(order, key=lambda i: i in found)
    return [Label(each.text, best.get(i)) for i, each in enumerate(wanted)]


def _first_free(places: Mapping[int, np.ndarray], order: Iterable[int]) -> dict[int, Box]:
    """Give to each in this order the first of its places that none before it took."""
    found: dict[int, Box] = {}
    for i in order:
        free = ~overlap(widened(places[i]), np.array([*found.values()]).reshape(-1, 4)).any(axis=1)
        if free.any():
            left, top, right, bottom = places[i][free.argmax()].tolist()
            found[i] = left, top, right, bottom
    return found


def widened(boxes: np.ndarray) -> np.ndarray:
    """Return the (n, 4) boxes with what has to be clear around them."""
    return boxes + np.array([-CLEARANCE, -CLEARANCE, CLEARANCE, CLEARANCE])


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

"""Draws who looks at whom: queries on the left, keys on the right, one curve for each pair."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import ArrayLike

from mha_course.pictures.lettering import legible, shortened, width_of
from mha_course.pictures.palette import BEHIND, line_colour
from mha_course.workbook.pictures import svg
from mha_course.workbook.pictures.drawing import Drawing, number
from mha_course.workbook.pictures.svg import Shape

SPAN = 180  # pixels that the curves cross
SIZE = 14  # of the letters
MIDDLE = 5  # from the middle of a line down to where its letters stand
GAP = 8  # between a name and its curves
LONGEST = 84  # of a name
ROOM_FOR_BOLD = 8  # pixels by which the name of the chosen query may be longer
BLANK = "\N{NO-BREAK SPACE}"  # a text that is there, so that it can be filled later
PERCENT = 44  # the room of a percentage
HEADLINE = 20  # above the tokens
HEIGHT = 184  # of the tokens, if they are few
LEAST, MOST, TWO_LINES = 20, 62, 34  # pixels of a token; from TWO_LINES on a percentage has room below its name
THICK = 0.66  # of the room of a token: a weight of 1, and with it the bar of a query
CROWDED = 0.92  # of the room of a key that its curves may take together
FEW = 5  # keys of which every share is told
SMALL = (76.0, 44.0)
BAR = 3  # width of the bar that a query's curves leave
FULL, FAINT, OVERLAID = "0.72", "0.13", "0.3"  # opacity of what is asked about, of the rest, and of the heads behind
TOLD = 0.05  # the least share that is told one by one if there are many
SIDES = ("query", "key")
Point = tuple[float, float]  # x, y
Names = tuple[list[str], list[str]]  # of the queries, of the keys


@dataclass(frozen=True)
class Frame:
    """Where the tokens stand: the heights of the queries and of the keys, where the curves begin and end.

    thickness: the pixels of a weight of 1, which is also the height of the bar.
    """

    rows: tuple[list[float], list[float]]
    left: float
    right: float
    pitch: float
    thickness: float


def looks(
    weights: ArrayLike,
    queries: Sequence[object],
    keys: Sequence[object],
    key: str | None = None,
    chosen: int | None = None,
    behind: Sequence[tuple[str, ArrayLike]] = (),
    span: float = SPAN,
) -> Drawing:
    """Draw how much each query looks at each key: a bar for each query, divided into curves by its weights.

    A curve is as thick as its weight. Its width depends on the labels only, its height on the number of
    tokens, so that it can be brought up to date in place: what is masked stays there, unseen.

    weights: (n_q, n_k), each row sums to 1, or to 0 if all is masked. queries, keys: their tokens.
    key: the matrix that is drawn, like "weights/1". chosen: the query that is asked about: its shares are written,
    the others are faint. behind: other heads, (their matrix, its weights), which lie behind. span: of the curves.
    Errors: `ValueError` if the tokens do not fit the weights, or a weight is none.

    >>> looks([[0.25, 0.75]], ["create"], ["create", "disrupt"])
    Who looks at whom. create: 25 % to create, 75 % to disrupt.
    """
    shares, names = _read(weights, queries, keys)
    shown = tuple([shortened(name, LONGEST, SIZE) for name in side] for side in names)
    pitch = min(MOST, max(LEAST, HEIGHT / max(shares.shape)))
    left, right = (
        GAP + max(width_of(each, SIZE) for each in (*side, title)) for side, title in zip(shown, SIDES, strict=True)
    )
    left = ceil(left) + ROOM_FOR_BOLD + (PERCENT if pitch < TWO_LINES else 0)
    frame = Frame(_heights(shares.shape, HEADLINE, pitch), left, left + span, pitch, THICK * pitch)
    size = frame.right + right + PERCENT, HEADLINE + max(shares.shape) * pitch + 1
    told = sentences(shares, *names)
    percents = [[_percents(row) for row in rows] for rows in (shares.tolist(), shares.T.tolist())]
    tokens = [
        _tokens(frame, side, names[side], shown[side], told[side], percents[side], size[0], chosen) for side in (0, 1)
    ]
    label = f"Who looks at whom: {_count(names[0], 'query', 'queries')}, {_count(names[1], 'key', 'keys')}"
    root = svg.drawing(
        "mha-looks", size, *_titles(frame),
        *(_behind(of, np.asarray(each, dtype=float), frame) for of, each in behind),
        _curves(shares, frame, chosen), *tokens, _shares(frame, size[0], percents[0], chosen, len(names[1])),
        role="group", aria_label=label, data_of=key, data_chosen=None if chosen is None else f"query:{chosen}",
    )  # fmt: skip
    return Drawing(root, _told(told[0]))


def small_looks(
    weights: ArrayLike, queries: Sequence[object], keys: Sequence[object], key: str | None = None
) -> Drawing:
    """Draw the curves of `looks` alone, always in the same small size, to set many heads side by side.

    >>> small_looks([[1.0]], ["a"], ["a"]).svg.count("<text")
    0
    """
    shares, names = _read(weights, queries, keys)
    told = _told(sentences(shares, *names)[0])
    curves = _curves(shares, _small_frame(shares.shape), asked=False)
    root = svg.drawing("mha-looks", SMALL, curves, role="img", aria_label=told, data_of=key)
    return Drawing(root, told)


def sentences(shares: np.ndarray, queries: Sequence[str], keys: Sequence[str]) -> tuple[list[str], list[str]]:
    """Say for each query where it looks, and for each key who looks at it.

    shares: (n_q, n_k).

    >>> sentences(np.array([[0.25, 0.75]]), ["create"], ["create", "disrupt"])[1]
    ['create: 25 % from create', 'disrupt: 75 % from create']
    """
    return _one_way(shares, queries, keys, "to"), _one_way(shares.T, keys, queries, "from")


def _one_way(shares: np.ndarray, names: Sequence[str], others: Sequence[str], word: str) -> list[str]:
    return [f"{name}: {_shares_told(row, others, word)}" for name, row in zip(names, shares.tolist(), strict=True)]


def _shares_told(row: Sequence[float], others: Sequence[str], word: str) -> str:
    """Say each share of a row; of many, the large ones alone."""
    parts = [f"{text} % {word} {other}" for other, text in zip(others, _percents(row), strict=True) if text]
    least = _least(row)
    if any(0.005 < share < least for share in row):
        parts.append(f"less than {100 * least:.0f} % {word} each other")
    return ", ".join(parts) or f"nothing {word} any"


def _percents(row: Sequence[float]) -> list[str]:
    """Write the shares of a row that are told, in percent; nothing for the others."""
    texts = [number(100 * share, 0) for share in row]
    return ["" if text == "0" or share < _least(row) else text for share, text in zip(row, texts, strict=True)]


def _least(row: Sequence[float]) -> float:
    return 0 if len(row) <= FEW else TOLD


def _told(of_queries: Sequence[str]) -> str:
    return f"Who looks at whom. {'; '.join(of_queries)}."


def _count(names: Sequence[str], one: str, many: str) -> str:
    return f"{len(names)} {one if len(names) == 1 else many}"


def _read(weights: ArrayLike, queries: Sequence[object], keys: Sequence[object]) -> tuple[np.ndarray, Names]:
    shares = np.asarray(weights, dtype=float)
    names = [legible(str(name)) for name in queries], [legible(str(name)) for name in keys]
    needed = len(queries), len(keys)
    if shares.shape != needed or 0 in needed:
        raise ValueError(
            f"weights has shape {shares.shape}, but {needed[0]} queries and {needed[1]} keys need {needed}."
        )
    if not ((shares >= 0) & (shares <= 1 + 1e-9)).all():
        raise ValueError("weights has an entry outside 0 to 1: give what the softmax returned.")
    return shares, names


def _small_frame(shape: tuple[int, ...]) -> Frame:
    width, height = SMALL
    pitch = height / max(shape)
    return Frame(_heights(shape, 0, pitch), 1, width - 1, pitch, thickness=THICK * pitch)


def _heights(shape: tuple[int, ...], top: float, pitch: float) -> tuple[list[float], list[float]]:
    """Return the height of each query and of each key; the shorter side stands in the middle."""
    most = max(shape)
    queries, keys = ([top + pitch * (i + (most - count + 1) / 2) for i in range(count)] for count in shape)
    return queries, keys


def _titles(frame: Frame) -> list[Shape]:
    ends = (frame.left - GAP, "end"), (frame.right + GAP, "start")
    return [
        svg.lettering(number(x), "12", title, text_anchor=anchor, fill="currentColor", opacity="0.7")
        for title, (x, anchor) in zip(SIDES, ends, strict=True)
    ]


def _curves(shares: np.ndarray, frame: Frame, chosen: int | None = None, asked: bool = True) -> Shape:
    """Draw for each query a bar of 100 %, from which its curves leave one below the other.

    asked: whether each curve says whose it is.
    """
    parts = [
        _line(way, width, FULL if chosen in (None, place[0]) else FAINT, place if asked else None)
        for place, way, width in _ways(shares, frame)
    ]
    bars = [
        svg.shape("rect", x=number(frame.left), y=number(y - frame.thickness / 2), width=str(BAR),
                     height=number(frame.thickness), stroke="none", data_query=str(query) if asked else None)
        for query, y in enumerate(frame.rows[0])
    ]  # fmt: skip
    colour = line_colour("weights")
    return svg.group(*parts, svg.group(*bars, fill=colour), fill="none", stroke=colour)


def _behind(of: str, shares: np.ndarray, frame: Frame) -> Shape:
    """Draw the curves of another head, which nothing asks about."""
    parts = [_line(way, width, OVERLAID, None) for _, way, width in _ways(shares, frame)]
    return svg.group(*parts, fill="none", stroke=BEHIND, data_of=of)


def _ways(shares: np.ndarray, frame: Frame) -> list[tuple[tuple[int, int], str, str]]:
    """Return (query and key, way, width) of every curve: they leave and arrive one below the other."""
    leaving = np.cumsum(shares, axis=1) - shares / 2 - shares.sum(axis=1, keepdims=True) / 2
    arriving = np.cumsum(shares, axis=0) - shares / 2 - shares.sum(axis=0, keepdims=True) / 2
    room = CROWDED * frame.pitch / frame.thickness  # weights that arrive at a key side by side
    arriving *= np.minimum(1, room / np.maximum(shares.sum(axis=0, keepdims=True), room))
    ways = []
    for query, y in enumerate(frame.rows[0]):
        for key, end in enumerate(frame.rows[1]):
            start = frame.left + BAR, y + frame.thickness * float(leaving[query, key])
            goal = frame.right, end + frame.thickness * float(arriving[query, key])
            way, width = _curve(float(shares[query, key]), start, goal, frame.thickness)
            ways.append(((query, key), way, width))
    return ways


def _curve(share: float, start: Point, end: Point, thickness: float) -> tuple[str, str]:
    """Return the way of one curve, and its width."""
    (x0, y0), (x1, y1) = (tuple(map(number, point)) for point in (start, end))
    middle = number((start[0] + end[0]) / 2)
    width = number(max(thickness * share, 0.4) if share else 0, 2)
    return f"M{x0} {y0}C{middle} {y0} {middle} {y1} {x1} {y1}", width


def _line(way: str, width: str, opacity: str, whose: tuple[int, int] | None) -> Shape:
    query, key = map(str, whose) if whose else (None, None)
    return svg.shape("path", data_query=query, data_key=key, d=way, stroke_width=width, stroke_opacity=opacity)


def _tokens(
    frame: Frame,
    side: int,
    names: Sequence[str],
    shown: Sequence[str],
    told: Sequence[str],
    percents: Sequence[Sequence[str]],
    width: float,
    chosen: int | None,
) -> Shape:
    """Draw the tokens of one side, with the room around each that a pointer finds, and what it then writes."""
    x, end = (0.0, frame.left - 2) if side == 0 else (frame.right + 2, width)
    anchor, at = ("end", frame.left - GAP) if side == 0 else ("start", frame.right + GAP)
    parts = []
    for place, y in enumerate(frame.rows[side]):
        spot = svg.shape("rect", x=number(x), y=number(y - frame.pitch / 2), width=number(end - x),
                            height=number(frame.pitch), rx="3", fill="transparent")  # fmt: skip
        weight = "bold" if side == 0 and place == chosen else "normal"
        text = svg.lettering(number(at), number(y + MIDDLE), shown[place], font_weight=weight)
        whole = [] if shown[place] == names[place] else [svg.hint(names[place])]
        token = f"{SIDES[side]}:{place}"
        parts.append(
            svg.group(*whole, spot, text, tabindex="0", role="img", data_token=token, aria_label=told[place],
                         data_live_percents=" ".join(percents[place]),
                         data_live_at=_spot_of_percent(frame, side, y, width))
        )  # fmt: skip
    return svg.group(*parts, text_anchor=anchor, fill="currentColor", font_size=str(SIZE))


def _spot_of_percent(frame: Frame, side: int, y: float, width: float) -> str:
    """Say where the share of a token is written, as x and y: outside its name, or below where there is more room."""
    if side == 1:
        return f"{number(width - 2)} {number(y + MIDDLE)}"
    if frame.pitch < TWO_LINES:
        return f"{number(PERCENT - 6)} {number(y + MIDDLE)}"
    return f"{number(frame.left - GAP)} {number(y + MIDDLE + SIZE + 2)}"


def _shares(frame: Frame, width: float, percents: Sequence[Sequence[str]], chosen: int | None, count: int) -> Shape:
    """Write the shares of the query that is asked about, each outside the name of its key; else nothing."""
    told = [BLANK] * count if chosen is None else [f"{each} %" if each else BLANK for each in percents[chosen]]
    texts = [
        svg.lettering(*_spot_of_percent(frame, 1, y, width).split(), text)
        for text, y in zip(told, frame.rows[1], strict=True)
    ]
    return svg.group(
        *texts, text_anchor="end", fill="currentColor", font_size=str(SIZE), aria_hidden="true",
        data_shares="",
    )  # fmt: skip

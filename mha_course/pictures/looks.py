"""Draws who looks at whom: queries on the left, keys on the right, one curve for each pair."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mha_course.pictures import board_markup
from mha_course.pictures.lettering import MIDDLE, legible, shortened, width_of
from mha_course.pictures.palette import line_colour
from mha_course.workbook.pictures import markup
from mha_course.workbook.pictures.drawing import Drawing, number
from mha_course.workbook.pictures.markup import Markup

SPAN = 64  # pixels that the curves cross
GAP = 7  # between a label and its curves
LONGEST = 74  # of a label
HEADLINE = 19  # above the tokens
FEW, AIRY, CLOSE = 5, 24, 18  # so many tokens get more room each
SMALL = (54.0, 34.0)
BAR = 3  # width of the bar that a query's curves leave
TOLD = 0.05  # the least share that is told one by one if there are many
SIDES = ("queries", "keys")
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


def looks(weights: ArrayLike, queries: Sequence[object], keys: Sequence[object], key: str | None = None) -> Drawing:
    """Draw how much each query looks at each key: a bar for each query, divided into curves by its weights.

    A curve is as thick as its weight. Its width depends on the labels only, its height on the number of
    tokens, so that it can be brought up to date in place: what is masked stays there, unseen.

    weights: (n_q, n_k), each row sums to 1, or to 0 if all is masked. queries, keys: their tokens.
    key: the matrix that is drawn, like "weights/1".
    Errors: `ValueError` if the tokens do not fit the weights, or a weight is none.

    >>> looks([[0.25, 0.75]], ["create"], ["create", "disrupt"])
    Who looks at whom. create: 25 % to create, 75 % to disrupt.
    """
    shares, names = _read(weights, queries, keys)
    shown = tuple([shortened(name, LONGEST) for name in side] for side in names)
    margins = [GAP + max(map(width_of, (*side, title))) for side, title in zip(shown, SIDES, strict=True)]
    frame = _frame(shares.shape, margins[0])
    size = margins[0] + SPAN + margins[1], HEADLINE + max(shares.shape) * frame.pitch + 1
    told = sentences(shares, *names)
    percents = [[_percents(row) for row in rows] for rows in (shares.tolist(), shares.T.tolist())]
    tokens = [_tokens(frame, side, names[side], shown[side], told[side], percents[side], size[0]) for side in (0, 1)]
    label = f"Who looks at whom: {_count(names[0], 'query', 'queries')}, {_count(names[1], 'key', 'keys')}"
    svg = markup.drawing(
        "mha-looks", size, *_titles(frame), _curves(shares, frame), *tokens,
        role="group", aria_label=label, data_of=key,
    )  # fmt: skip
    return Drawing(svg, _told(told[0]))


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
    svg = markup.drawing("mha-looks", SMALL, curves, role="img", aria_label=told, data_of=key)
    return Drawing(svg, told)


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
        raise ValueError("weights has an entry that is no share from 0 to 1: give what the softmax returned.")
    return shares, names


def _frame(shape: tuple[int, ...], left: float) -> Frame:
    pitch = AIRY if max(shape) <= FEW else CLOSE
    rows = _heights(shape, HEADLINE, pitch)
    return Frame(rows, left, left + SPAN, pitch, thickness=10 if pitch == AIRY else 8)


def _small_frame(shape: tuple[int, ...]) -> Frame:
    width, height = SMALL
    pitch = height / max(shape)
    return Frame(_heights(shape, 0, pitch), 1, width - 1, pitch, thickness=min(10, 0.7 * pitch))


def _heights(shape: tuple[int, ...], top: float, pitch: float) -> tuple[list[float], list[float]]:
    """Return the height of each query and of each key; the shorter side stands in the middle."""
    most = max(shape)
    queries, keys = ([top + pitch * (i + (most - count + 1) / 2) for i in range(count)] for count in shape)
    return queries, keys


def _titles(frame: Frame) -> list[Markup]:
    ends = (frame.left - GAP, "end"), (frame.right + GAP, "start")
    return [
        markup.lettering(title, number(x), "12", text_anchor=anchor, fill="currentColor", opacity="0.7")
        for title, (x, anchor) in zip(SIDES, ends, strict=True)
    ]


def _curves(shares: np.ndarray, frame: Frame, asked: bool = True) -> Markup:
    """Draw for each query a bar of 100 %, from which its curves leave one below the other.

    asked: whether each curve says whose it is.
    """
    begin = frame.left + BAR
    starts = np.cumsum(shares, axis=1) - shares / 2 - shares.sum(axis=1, keepdims=True) / 2
    parts = []
    for query, y in enumerate(frame.rows[0]):
        for key, end in enumerate(frame.rows[1]):
            start = y + frame.thickness * float(starts[query, key])
            curve = _curve(float(shares[query, key]), (begin, start), (frame.right, end), frame.thickness)
            parts.append(board_markup.curve(*curve, (query, key) if asked else None))
    bars = [
        markup.shape("rect", x=number(frame.left), y=number(y - frame.thickness / 2), width=str(BAR),
                     height=number(frame.thickness), stroke="none", data_query=str(query) if asked else None)
        for query, y in enumerate(frame.rows[0])
    ]  # fmt: skip
    colour = line_colour("weights")
    return markup.group(*parts, markup.group(*bars, fill=colour), fill="none", stroke=colour)


def _curve(share: float, start: Point, end: Point, thickness: float) -> tuple[str, str, str]:
    """Return the way of one curve, its width and its opacity."""
    (x0, y0), (x1, y1) = (tuple(map(number, point)) for point in (start, end))
    middle = number((start[0] + end[0]) / 2)
    width = number(max(thickness * share, 0.4) if share else 0, 2)
    opacity = number(0.25 + 0.6 * share if share else 0, 2)
    return f"M{x0} {y0}C{middle} {y0} {middle} {y1} {x1} {y1}", width, opacity


def _tokens(
    frame: Frame,
    side: int,
    names: Sequence[str],
    shown: Sequence[str],
    told: Sequence[str],
    percents: Sequence[Sequence[str]],
    width: float,
) -> Markup:
    """Draw the tokens of one side, with the room around each that a pointer finds, and what it then writes."""
    x, end = (0.0, frame.left - 2) if side == 0 else (frame.right + 2, width)
    anchor, at = ("end", frame.left - GAP) if side == 0 else ("start", frame.right + GAP)
    parts = []
    for place, y in enumerate(frame.rows[side]):
        spot = markup.shape("rect", x=number(x), y=number(y - frame.pitch / 2), width=number(end - x),
                            height=number(frame.pitch), rx="3", fill="transparent")  # fmt: skip
        text = markup.lettering(shown[place], number(at), number(y + MIDDLE))
        whole = [] if shown[place] == names[place] else [markup.hint(names[place])]
        token = f"{('query', 'key')[side]}:{place}"
        parts.append(
            markup.group(*whole, spot, text, tabindex="0", role="img", data_token=token, aria_label=told[place],
                         data_live_percents=" ".join(percents[place]))
        )  # fmt: skip
    return markup.group(*parts, text_anchor=anchor, fill="currentColor")

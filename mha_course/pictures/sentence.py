"""Draws attention over the sentence itself: from one word an arc to each that it looks at, as thick as the weight."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.pictures import svg
from mha_course.engine.pictures.svg import Shape
from mha_course.engine.pictures.svg_figure import SvgFigure, number
from mha_course.pictures.lettering import legible, shortened, width_of
from mha_course.pictures.palette import line_colour

MOST = 14  # words over which arcs can be told apart
LONGEST = 160  # pixels of a word
LARGE = ((4, 22, 108), (6, 22, 88), (9, 18, 58), (MOST, 15, 44))  # up to so many words: letters, and room of a word
SMALL = 13, 34  # the same in small
SPACE = 22  # between two words
THICK, THICK_IN_SMALL, LEAST = 14.0, 8.0, 1.2  # pixels of a weight of 1, and of the least that is seen
RISE, SLOPE, HIGHEST = 20.0, 0.12, 110.0  # how high an arc is pulled: with its length, up to a limit
PEAK = 0.75  # of how high it is pulled an arc rises
LOOP = 9.0, 36.0, 48.0  # what leads a word back to itself: half between its feet, and how far and high it is pulled
CLEAR = 9  # pixels from the middle of an arc's end to a word, which its round end does not touch
BETWEEN, BETWEEN_SMALL = 62, 46  # pixels between the sentence that is written and the one that is read
BAR = 4  # height of a bar
SHORT = 0.5  # of the room of a word its bar takes
TRACK = "0.16"  # opacity behind a bar
STRONG, FAINT = "0.95", "0.12"  # opacity of the arcs of the chosen word, and of all
NOTICED = 0.2  # the share from which on a word stands out
LEGIBLE = 12  # pixels of letters on the narrowest page: what has no room there is scrolled
COLOURED = 19  # pixels of letters from which on a colour is legible on every page
DRAWN, SEEN = 0.02, 0.005  # the least share of which an arc is drawn, and that is told
FEW, TOLD = 5, 0.05  # words of which every share is told, and the least share that is told of more


@dataclass(frozen=True)
class Line:
    """A sentence as it stands: its words as they are shown, their middles and their rooms, and where its letters stand.

    foot: where arcs begin and end, above the words or below them.
    """

    words: Sequence[str]
    middles: Sequence[float]
    rooms: Sequence[float]
    letters: int
    base: float
    foot: float
    bars: float


def sentence(
    weights: ArrayLike,
    words: Sequence[object],
    chosen: int,
    read: Sequence[object] | None = None,
    *,
    key: str = "",
    masked: np.ndarray | None = None,
    colour: str = line_colour("weights"),
    is_small: bool = False,
) -> SvgFigure:
    """Draw how much the words of a sentence look at each other, or at those of another sentence.

    Each arc is as thick as its weight. Those of the chosen word are strong, and below each word that can be looked at
    stand a bar and its per cent; the arcs of the other words are faint. An arc to itself is a loop. A word that the
    mask hides from the chosen one is struck through. The size depends on the words alone, so that a drawing can be
    brought up to date in place.

    weights: (n_q, n_k), each row sums to 1, or to 0 if all is masked. words: (n_q) of them. chosen: which one, from 0.
    read: (n_k) words of the sentence that is looked at, if it is another one; it stands above, with bars and per cent.
    key: where a hand can choose
    a word, the matrix that is drawn, like "weights/1". masked: (n_q, n_k), which keys a mask hides from which queries.
    is_small: whether it stands beside others, without per cent.
    Errors: `ValueError` if the words do not fit the weights, a weight is not between 0 and 1, or there is no such word.

    >>> sentence([[0.25, 0.75], [1, 0]], ["create", "disrupt"], chosen=0)
    Who looks at whom. create: 25 % to create, 75 % to disrupt; disrupt: 100 % to create.
    """
    shares, asking, answering = _read(weights, words, read, chosen)
    below, above, size = _lines(asking, answering if read is not None else None, is_small)
    told = shares_told(shares, asking, answering)
    live_of = [f"{key}:{query}" if key else None for query in range(len(shares))]
    thick = THICK_IN_SMALL if is_small else THICK
    row = shares[chosen]
    struck = [False] * len(row) if masked is None else masked[chosen].tolist()
    faint = [
        svg.group(*_arcs(below, above, query, shares[query], thick, FAINT), data_live_of=live_of[query])
        for query in range(len(shares))
    ]
    strong = svg.group(*_arcs(below, above, chosen, row, thick, STRONG), data_live_of=live_of[chosen])
    parts = [
        svg.group(*faint, strong, fill="none", stroke=colour, stroke_linecap="round"),
        *([] if below is above else [_words(above, None, row, struck, colour)]),
        _words(below, chosen, row if below is above else None, struck, colour, told if key else None),
        svg.group(
            _bars(above, row, colour),
            *([] if is_small else [_percents(above, row, struck)]),
            data_live_of=live_of[chosen],
        ),
    ]
    text = f"Who looks at whom. {'; '.join(told)}."
    role = {"role": "radiogroup", "aria_label": "Who looks at whom: choose a word"} if key else {"role": "img"}
    narrowest = f"min-width:{number(size[0] * LEGIBLE / below.letters, 0)}px"
    root = svg.drawing("mha-sentence", size, *parts, style=narrowest, **{"aria_label": text, **role})
    return SvgFigure(root, text)


def shares_told(shares: np.ndarray, words: Sequence[str], read: Sequence[str]) -> list[str]:
    """Say for each word where it looks; of many shares, the large ones alone. shares: (n_q, n_k).

    >>> shares_told(np.array([[0.25, 0.75]]), ["create"], ["create", "disrupt"])
    ['create: 25 % to create, 75 % to disrupt']
    """
    return [f"{word}: {_told(row, read)}" for word, row in zip(words, shares.tolist(), strict=True)]


def _told(row: Sequence[float], read: Sequence[str]) -> str:
    least = SEEN if len(row) <= FEW else TOLD
    parts = [f"{number(100 * share, 0)} % to {word}" for word, share in zip(read, row, strict=True) if share >= least]
    if any(SEEN < share < least for share in row):
        parts.append(f"less than {100 * least:.0f} % to each of the others")
    return ", ".join(parts) or "nothing to any"


def _read(
    weights: ArrayLike, words: Sequence[object], read: Sequence[object] | None, chosen: int
) -> tuple[np.ndarray, list[str], list[str]]:
    shares = np.asarray(weights, dtype=float)
    asking = [legible(str(word)) for word in words]
    answering = asking if read is None else [legible(str(word)) for word in read]
    needed = len(asking), len(answering)
    if shares.shape != needed or 0 in needed:
        raise ValueError(
            f"weights has shape {shares.shape}, but {needed[0]} words that look at {needed[1]} need {needed}."
        )
    if not ((shares >= 0) & (shares <= 1 + 1e-6)).all():
        raise ValueError("weights has an entry outside 0 to 1: give what the softmax returned.")
    if not 0 <= chosen < len(asking):
        raise ValueError(f"chosen is {chosen}, but the words count from 0 to {len(asking) - 1}.")
    return shares, asking, answering


def _lines(
    asking: Sequence[str], answering: Sequence[str] | None, is_small: bool
) -> tuple[Line, Line, tuple[float, float]]:
    """Return the line of the words that look and of those that are looked at, which may be the same; and the size."""
    most = max(len(asking), len(answering or ()))
    letters, room = SMALL if is_small else next((each[1:] for each in LARGE if most <= each[0]), LARGE[-1][1:])
    below = 0.0 if is_small else 16.0  # for per cent
    if answering is None:
        shown, middles, rooms = _set(asking, letters, room)
        width = middles[-1] + rooms[-1] / 2
        foot = max(_rise(middles[-1] - middles[0]), LOOP[2]) * PEAK + THICK / 2 + 1
        base = foot + CLEAR + letters * 0.8
        bars = base + letters * 0.3 + 3
        line = Line(shown, middles, rooms, letters, base, foot, bars)
        return line, line, (width, bars + BAR + below + 4)
    sides = [_set(words, letters, room) for words in (asking, answering)]
    widths = [middles[-1] + rooms[-1] / 2 for _, middles, rooms in sides]
    shifted = [[x + (max(widths) - width) / 2 for x in each[1]] for each, width in zip(sides, widths, strict=True)]
    bars = 2.0 + below
    base = bars + BAR + 4 + letters * 0.8
    foot = base + letters * 0.3 + CLEAR - 2
    above = Line(sides[1][0], shifted[1], sides[1][2], letters, base, foot, bars)
    far = foot + (BETWEEN_SMALL if is_small else BETWEEN)
    under = Line(sides[0][0], shifted[0], sides[0][2], letters, far + CLEAR + letters * 0.8, far, 0)
    return under, above, (max(widths), under.base + letters * 0.3 + 4)


def _set(words: Sequence[str], letters: int, room: int) -> tuple[list[str], list[float], list[float]]:
    """Set words side by side: as they are shown, their middles, and the room of each."""
    shown = [shortened(word, LONGEST, letters) for word in words]
    rooms = [max(width_of(word, letters) + SPACE * letters / 22, room) for word in shown]
    ends = list(accumulate(rooms))
    return shown, [end - each / 2 for end, each in zip(ends, rooms, strict=True)], rooms


def _rise(length: float) -> float:
    return min(RISE + SLOPE * abs(length), HIGHEST)


def _arcs(below: Line, above: Line, query: int, row: np.ndarray, thick: float, opacity: str) -> list[Shape]:
    return [
        svg.shape(
            "path", d=_way(below, above, query, place), stroke_opacity=opacity,
            stroke_width=number(max(thick * share, LEAST) if share >= DRAWN else 0, 2),
        )
        for place, share in enumerate(row.tolist())
    ]  # fmt: skip


def _way(below: Line, above: Line, query: int, key: int) -> str:
    """Return the way of an arc from a word that looks to one that is looked at."""
    start, end = below.middles[query], above.middles[key]
    if below is not above:
        half = (below.foot - above.foot) / 2
        return _curve(start, below.foot, start, below.foot - half, end, above.foot + half, end, above.foot)
    foot = below.foot
    if query == key:
        near, wide, high = LOOP
        return _curve(start - near, foot, start - wide, foot - high, start + wide, foot - high, start + near, foot)
    high = foot - _rise(end - start)
    return _curve(start, foot, start, high, end, high, end, foot)


def _curve(*spots: float) -> str:
    x, y, *rest = map(number, spots)
    return f"M{x} {y}C{' '.join(rest)}"


def _words(
    line: Line,
    chosen: int | None,
    row: np.ndarray | None,
    struck: Sequence[bool],
    colour: str,
    told: Sequence[str] | None = None,
) -> Shape:
    """Write the words of a line. row: how much each is looked at, if it is. told: what each says, if one can choose."""
    parts = []
    for place, (word, x, room) in enumerate(zip(line.words, line.middles, line.rooms, strict=True)):
        is_chosen = place == chosen
        is_quiet = row is not None and not is_chosen and row[place] < NOTICED
        text = svg.lettering(
            number(x), number(line.base), word,
            font_weight="bold" if is_chosen else "normal",
            fill=colour if is_chosen and line.letters >= COLOURED else "currentColor",
            opacity="0.65" if is_quiet else "1",
            text_decoration="line-through" if row is not None and struck[place] else "none",
        )  # fmt: skip
        if told is None:
            parts.append(text)
            continue
        height = line.letters * 1.4
        spot = svg.shape("rect", x=number(x - room / 2 + 2), y=number(line.base - line.letters), width=number(room - 4),
                         height=number(height), rx="4", fill="transparent")  # fmt: skip
        parts.append(
            svg.group(spot, text, role="radio", aria_checked=str(is_chosen).lower(), aria_label=told[place],
                      tabindex="0" if is_chosen else "-1", data_word=str(place))
        )  # fmt: skip
    return svg.group(*parts, text_anchor="middle", font_size=str(line.letters))


def _bars(line: Line, row: np.ndarray, colour: str) -> Shape:
    """Draw how much of the chosen word's look each word of a line gets."""
    parts = []
    for x, room, share in zip(line.middles, line.rooms, row.tolist(), strict=True):
        width = room * SHORT
        where = {"x": number(x - width / 2), "y": number(line.bars), "height": str(BAR), "rx": str(BAR // 2)}
        parts.append(svg.shape("rect", **where, width=number(width), fill="currentColor", fill_opacity=TRACK))
        parts.append(svg.shape("rect", **where, width=number(width * min(share, 1), 2), fill=colour))
    return svg.group(*parts)


def _percents(line: Line, row: np.ndarray, struck: Sequence[bool]) -> Shape:
    y = line.bars + BAR + 14 if line.bars > line.base else line.bars - 5
    return svg.group(
        *(
            svg.lettering(number(x), number(y), "masked" if hides else f"{number(100 * share, 0)} %",
                          font_weight="bold" if share >= NOTICED else "normal")
            for x, share, hides in zip(line.middles, row.tolist(), struck, strict=True)
        ),
        text_anchor="middle", font_size="13", fill="currentColor", aria_hidden="true", class_="mha-percents",
    )  # fmt: skip

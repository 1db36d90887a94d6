"""Shows the weights of one head over the sentence itself: where a word looks, and in one sentence what that is."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike

from mha_course.pictures.heat_map import heat_map
from mha_course.pictures.palette import head_colour
from mha_course.pictures.sentence import sentence
from mha_course.workbook.pictures import markup
from mha_course.workbook.pictures.drawing import number
from mha_course.workbook.pictures.picture import Picture

HEAT_FROM = 8  # words from which on a map of all weights stands beside the arcs
ALIKE = 1e-9  # weights that differ by less are equal


def who_looks(
    weights: ArrayLike,
    words: Sequence[object],
    chosen: int,
    read: Sequence[object] | None = None,
    *,
    title: str = "",
    head: int = 0,
    marked: Collection[tuple[int, int]] = (),
) -> Picture:
    """Show where one word looks, over the sentence; of many words a map of all weights stands beside it.

    weights: (n_q, n_k), each row sums to 1. words: (n_q) of them. chosen: which one, from 0. read: (n_k) words of the
    sentence that is looked at, if it is another one. title: what stands above. head: whose colour it has, from 0.
    marked: (query, key) pairs, from 0, that get a frame in the map.
    Errors: `ValueError` as of `sentence`.

    >>> who_looks([[0.25, 0.75], [0, 1]], ["create", "disrupt"], chosen=0, title="Head 1")
    Head 1 · create looks most at disrupt: 75 per cent.
    Who looks at whom. create: 25 % to create, 75 % to disrupt; disrupt: 100 % to disrupt.
    """
    colour = head_colour(head)
    drawing = sentence(weights, words, chosen, read, colour=colour)
    shares, asking = np.asarray(weights, dtype=float), [str(word) for word in words]
    answering = asking if read is None else [str(word) for word in read]
    word, rest = asking[chosen], looks_most_at(shares[chosen], answering)
    begin = [markup.bold(title), " · "] if title else []
    line = markup.paragraph(*begin, markup.bold(word), rest)
    pictures = [drawing.picture.html]
    if max(shares.shape) >= HEAT_FROM:
        pictures.append(heat_map(shares, asking, answering, chosen, marked=marked, colour=colour).picture.html)
    html = markup.joined([line, markup.side_by_side(pictures, "center")])
    return Picture(markup.element("div", html), f"{f'{title} · ' if title else ''}{word}{rest}\n{drawing.text}")


def looks_most_at(row: np.ndarray, read: Sequence[str]) -> str:
    """Say where a word looks most, after the word itself. row: its weights, (n_k,). read: the words that it looks at.

    >>> looks_most_at(np.array([0.5, 0.5, 0]), ["a", "b", "c"]), looks_most_at(np.array([0.5, 0.5]), ["a", "b"])
    (' looks most at a and b: 50 per cent each.', ' looks at all alike: 50 per cent each.')
    >>> looks_most_at(np.array([0.0, 0.0]), ["a", "b"])
    ' may look at nothing.'
    """
    largest = float(row.max())
    if largest < ALIKE:
        return " may look at nothing."
    *others, last = (word for word, share in zip(read, row.tolist(), strict=True) if share > largest - ALIKE)
    where = (
        "at all alike"
        if len(read) == len(others) + 1 > 1
        else f"most at {', '.join(others)}{' and ' * bool(others)}{last}"
    )
    return f" looks {where}: {number(100 * largest, 0)} per cent{' each' if others else ''}."

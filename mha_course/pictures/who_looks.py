"""Shows the weights of one head over the sentence itself: where a word looks, and in one sentence what that is."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.picture import Picture
from mha_course.forward.meaning import Part, in_words, of_a_row
from mha_course.pictures.heat_map import HEAT_FROM, READ_SO, heat_map
from mha_course.pictures.palette import head_colour
from mha_course.pictures.sentence import sentence


def who_looks(
    weights: ArrayLike,
    words: Sequence[object],
    chosen: int,
    read: Sequence[object] | None = None,
    *,
    masked: ArrayLike | None = None,
    title: str = "",
    head: int = 0,
    marked: Collection[tuple[int, int]] = (),
    is_small: bool = False,
) -> Picture:
    """Show where one word looks, over the sentence; of many words a map of all weights stands beside it.

    weights: (n_q, n_k), each row sums to 1. words: (n_q) of them. chosen: which one, from 0. read: (n_k) words of the
    sentence that is looked at, if it is another one. masked: (n_q, n_k), which keys a mask hides from which queries,
    or what can be stretched to it. title: what stands above. head: whose colour it has, from 0.
    marked: (query, key) pairs, from 0, that get a frame, and so a map. is_small: whether it stands beside others.
    Errors: `ValueError` as of `sentence`.

    >>> who_looks([[0.25, 0.75], [0, 1]], ["create", "disrupt"], chosen=0, title="Head 1")
    Head 1 · create looks most at disrupt: 75 per cent.
    Who looks at whom. create: 25 % to create, 75 % to disrupt; disrupt: 100 % to disrupt.
    """
    colour = head_colour(head)
    shares, asking = np.asarray(weights, dtype=float), [str(word) for word in words]
    struck = None if masked is None else np.broadcast_to(masked, shares.shape)
    drawing = sentence(shares, words, chosen, read, masked=struck, colour=colour, is_small=is_small)
    answering = asking if read is None else [str(word) for word in read]
    said = of_a_row(shares[chosen], asking[chosen], answering)
    has_map = bool(marked) or max(shares.shape) >= HEAT_FROM
    begin = [markup.bold(title), " · "] if title else []
    end = [" ", markup.small(READ_SO)] if has_map else []
    line = markup.paragraph(*begin, said_strongly(said), *end)
    pictures = [drawing.picture.html]
    if has_map:
        pictures.append(heat_map(shares, asking, answering, chosen, marked=marked, colour=colour).picture.html)
    html = markup.joined([line, markup.side_by_side(pictures, "center")])
    return Picture(markup.element("div", html), f"{f'{title} · ' if title else ''}{in_words(said)}\n{drawing.text}")


def said_strongly(parts: Sequence[Part]) -> markup.Markup:
    """Write a sentence, its words that stand out in bold."""
    return markup.joined(markup.bold(text) if is_strong else text for text, is_strong in parts)

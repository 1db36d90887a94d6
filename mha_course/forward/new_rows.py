"""The rows of words: a word keeps the row it has, and a new one gets random numbers that depend on its letters."""

from collections.abc import Iterable, Sequence
from hashlib import shake_256

import numpy as np

HOW = "A new word's row is random but depends on its letters alone, so the same word always has the same row."


def new_row(word: str, width: int) -> np.ndarray:
    """Return a row of whole numbers from 0 to 2, not all of them 0, for a word that has none yet.

    Shapes: a text and a whole number -> (width,), float64.

    >>> new_row("dog", 4).tolist(), new_row("cat", 4).tolist()
    ([0.0, 0.0, 0.0, 2.0], [2.0, 1.0, 1.0, 0.0])
    """
    row = np.array([byte % 3 for byte in shake_256(word.encode()).digest(width)], dtype=float)
    if not row.any():
        row[0] = 1
    return row


def rows_of(words: Sequence[str], width: int, known: Iterable[tuple[Sequence[str], np.ndarray]]) -> np.ndarray:
    """Return a row for each word: one that it is known to have, else a new one.

    known: words with their rows; the first that has a word tells its row. Where a word stands there
    several times, its first place gets the first of these rows, and so on; rows of another width do not count.

    Shapes: n words -> (n, width).

    >>> rows_of(["dog", "i"], 4, known=[(["i", "love"], np.eye(4)[:2])]).tolist()
    [[0.0, 0.0, 0.0, 2.0], [1.0, 0.0, 0.0, 0.0]]
    """
    of_this_width = [(others, rows) for others, rows in known if rows.shape[1] == width]
    return np.array([_row(word, words[:i].count(word), width, of_this_width) for i, word in enumerate(words)])


def _row(word: str, earlier: int, width: int, known: Iterable[tuple[Sequence[str], np.ndarray]]) -> np.ndarray:
    """Return the row of a word that stands so many times before."""
    for words, rows in known:
        own = [row for each, row in zip(words, rows, strict=True) if each == word]
        if own:
            return own[min(earlier, len(own) - 1)]
    return new_row(word, width)

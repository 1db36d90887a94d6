"""Predictions of lesson 6."""

import numpy as np

from mha_course.engine.asking.question_text import choice, number
from mha_course.maths.attention import attention

LABELS = np.array([[f"{token}{i}" for i in (1, 2, 3, 4)] for token in "abc"])


def _blocks():
    """The eight outputs that the article's general code computes from one Q, K and V."""
    draws = np.random.default_rng(0).random((3, 10, 64))
    return [attention(*draws).output for _ in range(8)]


def _first_head():
    return ", ".join(" ".join(row) for row in LABELS.reshape(2, 3, 2)[0])


PREDICTIONS = (
    number("heads.eight-copies", """
        The article computes attention eight times from one Q, K and V. How many different blocks are there among its
        eight outputs?
        """, right=lambda: len(np.unique(_blocks(), axis=0)),
        numbers=lambda: (
            f"block 1 begins with {_blocks()[0][0, 0]:.4f}, and block 8 with {_blocks()[7][0, 0]:.4f}."
        )),
    choice("heads.reshape-alone", """
        What is in the first “head”, row by row?

        - a1 a2, b1 b2, c1 c2
          That is what head 1 should get. But `reshape` takes no account of tokens or heads.
        - a1 a3, b1 b3, c1 c3
          `reshape` skips no entry: it takes them one after another.
        - a1 a2, a3 a4, b1 b2
          `reshape` reads along the rows, and the first six entries fill the first part.
        - a1 b1, c1 a2, b2 c2
          Reading down the columns would give that. By default NumPy reads along the rows.
        """, right=_first_head, numbers=lambda: f"`labels.reshape(2, 3, 2)[0]` has the rows {_first_head()}."),
)  # fmt: skip

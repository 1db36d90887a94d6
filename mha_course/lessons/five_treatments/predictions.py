"""Predictions: what follows from how parameters are initialised, and from a projection that heads share."""

from functools import cache

import numpy as np

from mha_course.engine.asking.question_text import choice, number
from mha_course.maths.attention import attention
from mha_course.maths.masks import padding_mask
from mha_course.maths.multi_head import MultiHeadAttention


@cache
def _spreads():
    """How far scores spread with parameters of variance 1 / d_model and of twice that, drawn as the lesson does."""
    rng = np.random.default_rng(0)
    X, parameters = rng.normal(size=(2, 10, 512)), rng.normal(size=(4, 512, 512))
    layers = [MultiHeadAttention(*(parameters * np.sqrt(variance / 512)), num_heads=8) for variance in (1, 2)]
    return [float(layer(X).scores.std()) for layer in layers]


@cache
def _rows():
    """The output rows of the first sentence's four queries, with parameters between 0 and 1."""
    rng = np.random.default_rng(3)
    queries, keys, parameters = rng.random((2, 4, 100)), rng.random((2, 6, 100)), rng.random((4, 100, 100))
    return MultiHeadAttention(*parameters, num_heads=5)(queries, keys, mask=padding_mask([3, 2], n_k=6)).output[0]


def _different_rows():
    """Count the rows that differ from all rows before them by more than rounding."""
    rows = _rows()
    return sum(not any(np.allclose(row, other, rtol=1e-9) for other in rows[:i]) for i, row in enumerate(rows))


def _moved():
    """Whether each head's weights move when the second half of one token changes, where each head sees a half."""
    rng = np.random.default_rng(0)
    X, W = rng.normal(size=(3, 8)), rng.normal(size=(3, 4, 4)) / 2
    changed = X + np.where(np.arange(8) < 4, 0, [[0], [1], [0]])
    before, after = (
        [attention(*(rows[:, half] @ each for each in W)).weights for half in (slice(4), slice(4, 8))]
        for rows in (X, changed)
    )
    return [not np.allclose(a, b) for a, b in zip(before, after, strict=True)]


PREDICTIONS = (
    choice("five_treatments.size-of-scores", """
        B initialises its parameters with the standard deviation √(2 / d_model), the course with √(1 / d_model). How
        far do B's scores spread?

        - as far as the course's  [1.0]
          The scale takes out the width of a head, not the size of the parameters.
        - √2 times as far  [1.4]
          Queries become √2 times as large. But so do keys, and a score multiplies them.
        - 2 times as far  [2.0]
          Queries and keys each become √2 times as large, and a score multiplies the two.
        - 4 times as far  [4.0]
          The *variance* of the scores becomes 4 times as large; their spread is its root.
        """, right=lambda: f"{_spreads()[1] / _spreads()[0]:.1f}",
        numbers=lambda: "the standard deviation of the scores is {:.1f} and {:.1f}.".format(*_spreads())),
    number("five_treatments.different-rows", """
        All of D's inputs and parameters lie between 0 and 1. Four different queries attend to the same sentence. How
        many different rows will most likely come out?
        """, right=_different_rows,
        numbers=lambda: f"the rows begin with {', '.join(f'{row[0]:.2f}' for row in _rows())}."),
    choice("five_treatments.other-half", """
        We change columns 5 to 8 of one token. In E, which heads' weights move?

        - none
          The token's key in that half is different, so its scores are, too.
        - head 1 only  [first]
          Head 1 gets columns 1 to 4. Those stay as they were.
        - head 2 only  [second]
          Head 1 never sees columns 5 to 8: the row was cut before.
        - both
          That would be so if the whole row were projected before the cut.
        """,
        right=lambda: {(True, True): "both", (False, True): "second", (True, False): "first"}.get(
            tuple(_moved()), "none"
        ),
        numbers=lambda: "{} in head 1, {} in head 2.".format(*("moved" if each else "the same" for each in _moved()))),
)  # fmt: skip

"""What this lesson asks before its cells run."""

import numpy as np

from mha_course.engine.asking.question_text import choice, number
from mha_course.engine.asking.truths import listed
from mha_course.forward.examples import article, two_heads
from mha_course.maths.heads import merge_heads
from mha_course.maths.multi_head import multi_head_attention
from mha_course.maths.norms import layer_norm

WEIGHTS, KEPT, RATE = np.array([0.4, 0.2, 0.4]), np.array([False, True, True]), 0.2


def _with_zeros():
    """What the sublayer gives before its norm, if all its parameters are 0."""
    zeros = np.zeros((4, 4))
    return article.X + multi_head_attention(article.X, zeros, zeros, zeros, zeros, num_heads=2).output


def _sum():
    """The article's X with what our two heads add to it."""
    wide = [merge_heads(W) for W in (two_heads.W_Q, two_heads.W_K, two_heads.W_V)]
    return article.X + multi_head_attention(article.X, *wide, two_heads.W_O, num_heads=2).output


def _changed_rows():
    """The tokens whose normalised row changes with the row of disrupt."""
    before, after = _sum(), _sum()
    after[2] = [9, 0, 0, 0]
    is_changed = (layer_norm(before) != layer_norm(after)).any(axis=-1)
    return [token for token, changed in zip(article.tokens, is_changed, strict=True) if changed]


PREDICTIONS = (
    choice("residual_and_norm.zero-weights", """
        All entries of W_Q, W_K, W_V and W_O are 0. What is X + MultiHead(X)?

        - all zeros  [zeros]
          That is MultiHead(X) alone. X is added to it.
        - the mean of the rows of X, in each row  [mean]
          The weights are indeed equal. But what they mix are values, and these are 0.
        - X, unchanged  [same]
          The layer has nothing to add, and what was there stays.
        - nan, since 0 is divided by 0  [nan]
          The scores are 0, and the softmax turns each into ⅓: no division by 0.
        """, right=lambda: "same" if np.array_equal(_with_zeros(), article.X) else "zeros",
        numbers=lambda: f"its first row is {listed(_with_zeros()[0], 0)}."),
    number("residual_and_norm.changed-row", """
        We change the row of *disrupt*, and only that one. How many rows of the normalised table will change?
        """, right=lambda: len(_changed_rows()),
        numbers=lambda: f"what changes is the row of {', '.join(_changed_rows())}. Each row has a mean of its own."),
    number("residual_and_norm.sum-after-dropout", """
        A query has the weights 0.4, 0.2, 0.4. With the dropout rate 0.2 chance drops the first one. What is the sum
        of the row after dropout?
        """, right=lambda: float((WEIGHTS * KEPT / (1 - RATE)).sum()),
        numbers=lambda: (
            f"what is kept is divided by {1 - RATE:g}, so the row is {listed(WEIGHTS * KEPT / (1 - RATE), 2)}."
        )),
)  # fmt: skip

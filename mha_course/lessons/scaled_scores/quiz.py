"""Five questions at the end of lesson 3; two of them are about earlier lessons."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import shape_of
from mha_course.maths.attention import scaled_scores


def _draw(*shapes):
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape) for shape in shapes]


def _divisor():
    """What the course's function divides by, for queries and keys of width 64."""
    Q, K = _draw((2, 64), (3, 64))
    return f"{(Q @ K.T / scaled_scores(Q, K)).mean():.3g}"


def _without_transpose():
    Q, K = _draw((4, 3), (5, 3))
    shape = shape_of(lambda: Q @ K)
    return "error" if shape is None else f"{shape[0]} × {shape[1]}"


QUESTIONS = (
    choice("scaled_scores.which-root", """
        A model has d_model = 512 and 8 heads with d_k = 64. By what does each head divide its dot products?

        - √512 ≈ 22.6  [22.6]
          d_model is the width of X. A dot product adds up d_k products, not d_model.
        - 64
          The typical dot product of a random query and key grows like the root of d_k. Divided by d_k itself, such
          scores would be nearly equal.
        - √8 ≈ 2.83  [2.83]
          The number of heads does not matter inside a head.
        - 8
          The root of 64: queries and keys in a head are 64 wide.
        """, right=_divisor),
    choice("scaled_scores.forgotten-transpose", """
        Q is 4 × 3 and K is 5 × 3. What does `Q @ K` give?

        - an error  [error]
          3 columns do not fit 5 rows. If K had 3 rows, it would run and be wrong.
        - 4 × 5
          That is `Q @ K.T`: the keys must become columns.
        - 4 × 3
          It would be, if K had 3 rows. Then the mistake would stay hidden.
        - 5 × 4
          That is `K @ Q.T`, with keys down and queries across.
        """, right=_without_transpose),
    choice("scaled_scores.forgotten-scale", """
        You forget to divide by √d_k. What changes in a row of scores?

        - another key may come first  [order]
          All scores are multiplied by the same number, so none overtakes another.
        - nothing that matters: only the order of the scores counts  [nothing]
          The order stays the same. But the gaps between scores count, too: they set the weights of lesson 4.
        - all are multiplied by one factor  [factor]
          The order stays the same, but the scores are √d_k times as far apart.
        - only the largest grows  [largest]
          Every score of the row becomes √d_k times as large, not just one.
        """, right="factor"),
    choice("scaled_scores.same-width", """
        From lesson 2: which two tables must have the same *width*?

        - K and V  [KV]
          They have the same number of rows. But a value may be wider than its key.
        - Q and K  [QK]
          A query is multiplied by a key, entry by entry.
        - Q and V  [QV]
          A query is never compared with a value.
        - Q, K and V  [all]
          In the article that happens to be so. But a value may be wider than its key.
        """, right="QK", lesson="queries_keys_values"),
    choice("scaled_scores.positions-afterwards", """
        From lesson 1: every token may attend to every other, and somebody adds the positional encoding to the *output*
        of attention, not to its input. What happens?

        - nothing changes: you may add in any order  [same]
          The products and the softmax come in between, and they now get different rows.
        - an error: the shapes differ  [error]
          If the output is d_model wide, it fits, and there is no error.
        - the weights do not depend on the positions  [shares]
          The scores are made from rows that carry no information about positions.
        - each position counts twice  [twice]
          It counts only once, and too late for the scores.
        """, right="shares", lesson="inputs"),
)  # fmt: skip

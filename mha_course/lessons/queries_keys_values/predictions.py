"""Predictions of lesson 2."""

import numpy as np

from mha_course.engine.asking.question_text import choice
from mha_course.engine.asking.truths import listed
from mha_course.forward.examples import article, steals, translation
from mha_course.maths.attention import project


def _queries():
    """The queries before the third token changes, and after."""
    changed = article.X.copy()
    changed[2] = [5, 5, 5, 5]
    return project(article.X, article.W_Q), project(changed, article.W_Q)


def _what_changes():
    rows, columns = np.nonzero(_queries()[0] != _queries()[1])
    if set(rows) == {2}:
        return "row"
    return "column" if set(columns) == {2} else "all"


def _shape_of_values():
    return " × ".join(map(str, project(translation.context, translation.W_V[0]).shape))


def _sizes_of_the_factors():
    return (*translation.context.shape, *translation.W_V[0].shape)


def _matches_of_steals():
    return steals.X @ steals.X[steals.tokens.index("steals")]


PREDICTIONS = (
    choice("queries_keys_values.best-match", """
        Whose row gives the largest dot product with the row of *steals*?

        - dog
          It is the dog that steals, but the rows do not show it: they share no column.
        - steals
          It is the only row with a number other than 0 in the same column, *action*.
        - ball
          It is the ball that is stolen, but the two rows share no column.
        - cat
          In each column, at least one of the two rows has 0.
        """, right=lambda: steals.tokens[_matches_of_steals().argmax()],
        numbers=lambda: f"the four dot products are {listed(_matches_of_steals(), 0)}."),
    choice("queries_keys_values.changed-row", """
        We change the row of the third token in X. What changes in Q?

        - every row  [all]
          The tokens do not interact here. They interact in the scores, in the next lesson.
        - row 3 only  [row]
          A row of Q is made from the same row of X, and from no other.
        - column 3 of every row  [column]
          A column of Q belongs to a column of W_Q. Tokens are rows, in X as in Q.
        """, right=_what_changes,
        numbers=lambda: (
            f"row 3 goes from {listed(_queries()[0][2], 0)} to {listed(_queries()[1][2], 0)}; "
            f"row 1 stays {listed(_queries()[1][0], 0)}."
        )),
    choice("queries_keys_values.shape-of-values", """
        X is 4 × 7, the context 5 × 7, W_Q and W_K are 7 × 3, W_V is 7 × 6. What is the shape of V?

        - 4 × 6
          4 × 6 would be values made from X. But values are made from the context.
        - 5 × 3
          5 × 3 is the shape of K. A value may be wider than a key.
        - 7 × 6
          7 × 6 is W_V itself. The 7 is the shared size, and it disappears.
        - 5 × 6
          One value for each context token, with an entry for each column of W_V.
        """, right=_shape_of_values,
        numbers=lambda: "the product is {} × {} times {} × {}.".format(*_sizes_of_the_factors())),
)  # fmt: skip

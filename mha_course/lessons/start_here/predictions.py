"""Predictions of lesson 0."""

from mha_course.maths.attention import attention
from mha_course.maths.projections import project
from mha_course.pipeline.examples import article, translation
from mha_course.pipeline.presets import preset
from mha_course.pipeline.steps import steps
from mha_course.workbook.asking.computed import listed
from mha_course.workbook.asking.written import choice, number


def _row_of_disrupt():
    return steps(preset("two_heads"))["weights/1"].values[2]


def _shares():
    """One head's weights in the translation example."""
    Q = project(translation.X, translation.W_Q[0])
    K, V = (project(translation.context, W[0]) for W in (translation.W_K, translation.W_V))
    return attention(Q, K, V).weights


PREDICTIONS = (
    choice("start_here.strongest", """
        In head 1, from which token does *disrupt* take most? Read it off the table of weights.

        - innovators
          Row *innovators* has the largest number of *column* disrupt: that is what *innovators* takes.
        - create
          In row *disrupt*, the largest number stands in column *create*.
        - disrupt
          In head 2 *disrupt* takes most from itself. Each head has a table of its own.
        """, right=lambda: article.tokens[_row_of_disrupt().argmax()],
        numbers=lambda: f"row *disrupt* reads {listed(_row_of_disrupt())}."),
    number("start_here.how-many-shares", """
        Four French words ask, five English words answer. How many shares does one head compute?
        """, right=lambda: _shares().size,
        numbers=lambda: (
            "each of the {} words that ask has one share for each of the {} that answer, "
            "and {} shares sum to 1.".format(*_shares().shape, _shares().shape[1])
        )),
)  # fmt: skip

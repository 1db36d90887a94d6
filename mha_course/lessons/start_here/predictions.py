"""Predictions of lesson 0."""

from mha_course.engine.asking.question_text import choice, number
from mha_course.engine.asking.truths import listed
from mha_course.forward.examples import article, translation
from mha_course.forward.forward import forward
from mha_course.forward.presets import preset
from mha_course.maths.attention import attention, project


def _row_of_disrupt():
    return forward(preset("two_heads"))["weights/1"].values[2]


def _shares():
    """One head's weights in the translation example."""
    Q = project(translation.X, translation.W_Q[0])
    K, V = (project(translation.context, W[0]) for W in (translation.W_K, translation.W_V))
    return attention(Q, K, V).weights


PREDICTIONS = (
    choice("start_here.strongest", """
        Which token does *disrupt* attend to most in head 1? Read the table above: along a row, or down a column?

        - innovators
          You read down column *disrupt*. Its largest number is the weight that *innovators* gives to *disrupt*.
        - create
          In row *disrupt*, the largest number is in column *create*.
        - disrupt
          In head 2 *disrupt* attends most to itself. But each head has a table of its own.
        """, right=lambda: article.tokens[_row_of_disrupt().argmax()],
        numbers=lambda: f"row *disrupt* reads {listed(_row_of_disrupt())}."),
    number("start_here.how-many-shares", """
        Each of four French words attends to five English words. How many attention weights does one head compute?
        """, right=lambda: _shares().size,
        numbers=lambda: (
            "each of the {} French words has one weight for each of the {} English words, "
            "and these {} weights sum to 1.".format(*_shares().shape, _shares().shape[1])
        )),
)  # fmt: skip

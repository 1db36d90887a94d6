"""Predictions of lesson 0."""

from mha_course.maths.attention import attention
from mha_course.maths.projections import project
from mha_course.pipeline.examples import article, translation
from mha_course.pipeline.presets import preset
from mha_course.pipeline.steps import steps
from mha_course.workbook.asking.kinds import Choice, Number, Option
from mha_course.workbook.asking.prediction import Prediction, listed


def _row_of_disrupt():
    return steps(preset("two_heads"))["weights/1"].values[2]


def _shares():
    """One head's weights in the translation example."""
    Q = project(translation.X, translation.W_Q[0])
    K, V = (project(translation.context, W[0]) for W in (translation.W_K, translation.W_V))
    return attention(Q, K, V).weights


PREDICTIONS = {
    "start_here.strongest": Prediction(
        text="In head 1, from which token does *disrupt* take most? Read it off the table of weights.",
        kind=Choice(
            {
                "innovators": Option(
                    "innovators",
                    "Row *innovators* has the largest number of *column* disrupt: that is what *innovators* takes.",
                ),
                "create": Option("create", "In row *disrupt*, the largest number stands in column *create*."),
                "disrupt": Option(
                    "disrupt", "In head 2 *disrupt* takes most from itself. Each head has a table of its own."
                ),
            }
        ),
        truth=lambda: article.tokens[_row_of_disrupt().argmax()],
        numbers=lambda: f"row *disrupt* reads {listed(_row_of_disrupt())}.",
    ),
    "start_here.how-many-shares": Prediction(
        text="Four French words ask, five English words answer. How many shares does one head compute?",
        kind=Number(),
        truth=lambda: _shares().size,
        numbers=lambda: (
            "each of the {} words that ask has one share for each of the {} that answer, "
            "and {} shares sum to 1.".format(*_shares().shape, _shares().shape[1])
        ),
    ),
}

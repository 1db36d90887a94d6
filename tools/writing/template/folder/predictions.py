"""Predictions of lesson 99."""

from mha_course.workbook.asking.kinds import Number
from mha_course.workbook.asking.prediction import Prediction

PREDICTIONS = {
    "lesson_name.sum": Prediction(
        text="Twice each of the numbers 1, 2, 3, and one more: what do the three results add up to?",
        kind=Number(),
        truth=lambda: sum(2 * x + 1 for x in (1, 2, 3)),
        numbers=lambda: "3 and 5 and 7.",
    ),
}

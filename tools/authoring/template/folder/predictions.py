"""Predictions of lesson 99."""

from mha_course.engine.asking.question_text import number

PREDICTIONS = (
    number("lesson_name.sum", """
        Twice each of the numbers 1, 2, 3, and one more: what do the three results add up to?
        """, right=lambda: sum(2 * x + 1 for x in (1, 2, 3)),
        numbers=lambda: "3 and 5 and 7."),
)  # fmt: skip

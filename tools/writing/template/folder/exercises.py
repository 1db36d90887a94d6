"""Exercises of lesson 99."""

import numpy as np

from mha_course.workbook.checking.exercise import Case, Exercise, Mistake
from mha_course.workbook.checking.recipe import Recipe, Step

TWICE = Step(
    "twice",
    lambda x: 2 * x,
    (
        Mistake("Nothing is doubled.", "Each number is to be multiplied by 2.").by(lambda x: x),
        Mistake("Each number is squared.", "x ** 2 is x times x, and not x times 2.").by(lambda x: x**2),
        Mistake("Each number is halved.", "Twice a number is larger than the number.").by(lambda x: x / 2),
    ),
)
MORE = Step(
    "y",
    lambda twice: twice + 1,
    (
        Mistake("The 1 is missing.", "Add 1 to each number, after doubling.").by(lambda twice: twice),
        Mistake("1 is taken away.", "Add 1 to each number.").by(lambda twice: twice - 1),
        Mistake("It is taken away from 1.", "The 1 is added.").by(lambda twice: 1 - twice),
    ),
)
DOUBLE = Exercise(
    name="lesson_name.double",
    title="Twice, and one more",
    right=Recipe("x", (TWICE, MORE), "y"),
    results=("y",),
    cases=(
        Case("the example", (np.array([1, 2, 3]),)),
        Case("five numbers", lambda draw: draw((5,))),
        Case("one number", lambda draw: draw((1,))),
        Case("float32", lambda draw: tuple(map(np.float32, draw((4,))))),
    ),
    notice="One line serves any number of numbers: NumPy multiplies and adds entry by entry.",
)

EXERCISES = (DOUBLE,)

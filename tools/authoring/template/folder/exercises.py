"""Exercises of lesson 99."""

import numpy as np

from mha_course.engine import Case, Exercise, Recipe, Step, slip

TWICE = Step(
    "twice",
    lambda x: 2 * x,
    slip("Nothing is doubled.", "Each number is to be multiplied by 2.", lambda x: x),
    slip("Each number is squared.", "x ** 2 is x times x, and not x times 2.", lambda x: x**2),
    slip("Each number is halved.", "Twice a number is larger than the number.", lambda x: x / 2),
)
MORE = Step(
    "y",
    lambda twice: twice + 1,
    slip("The 1 is missing.", "Add 1 to each number, after doubling.", lambda twice: twice),
    slip("1 is taken away.", "Add 1 to each number.", lambda twice: twice - 1),
    slip("It is taken away from 1.", "The 1 is added.", lambda twice: 1 - twice),
)
DOUBLE = Exercise(
    "lesson_name.double",
    "Twice, and one more",
    Recipe("x", [TWICE, MORE]),
    cases=[
        Case("the example", (np.array([1, 2, 3]),)),
        Case("five numbers", lambda draw: draw((5,))),
        Case("one number", lambda draw: draw((1,))),
        Case("float32", lambda draw: tuple(map(np.float32, draw((4,))))),
    ],
    notice="One line serves any number of numbers: NumPy multiplies and adds entry by entry.",
)

EXERCISES = (DOUBLE,)

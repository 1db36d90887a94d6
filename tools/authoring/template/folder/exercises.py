"""Exercises of lesson 99."""

import numpy as np

from mha_course.engine import Case, Exercise, Solution, Step, mistake

TWICE = Step(
    "twice",
    lambda x: 2 * x,
    mistake("Nothing is doubled.", "Each number is to be multiplied by 2.", lambda x: x),
    mistake("Each number is squared.", "x ** 2 is x times x, and not x times 2.", lambda x: x**2),
    mistake("Each number is halved.", "Twice a number is larger than the number.", lambda x: x / 2),
)
MORE = Step(
    "y",
    lambda twice: twice + 1,
    mistake("The 1 is missing.", "Add 1 to each number, after doubling.", lambda twice: twice),
    mistake("1 is taken away.", "Add 1 to each number.", lambda twice: twice - 1),
    mistake("It is taken away from 1.", "The 1 is added.", lambda twice: 1 - twice),
)
DOUBLE = Exercise(
    "lesson_name.double",
    "Twice, and one more",
    Solution("x", [TWICE, MORE]),
    cases=[
        Case("the example", (np.array([1, 2, 3]),)),
        Case("five numbers", lambda sample: sample((5,))),
        Case("one number", lambda sample: sample((1,))),
        Case("float32", lambda sample: tuple(map(np.float32, sample((4,))))),
    ],
    notice="One line serves any number of numbers: NumPy multiplies and adds entry by entry.",
)

EXERCISES = (DOUBLE,)

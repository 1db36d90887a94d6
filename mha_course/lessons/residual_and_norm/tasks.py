"""A task of lesson 9: a wrong entry behind a residual connection and a norm."""

import numpy as np

from mha_course.engine.asking.question import Task
from mha_course.engine.asking.question_text import part, task
from mha_course.engine.course.lesson import exercise_page
from mha_course.engine.course.tasks_from_solutions import with_one_wrong
from mha_course.forward.matrices import Kind
from mha_course.pictures.matrix import table

TOKENS = ("old", "tea", "house")
ROWS = Kind("input", "tokens", "d_model")
NORMALISED = Kind("output", "tokens", "d_model")
X = np.array([[1, 3, 0, 2], [2, 0, 4, 1], [0, 1, 1, 5]])
ATTENDED = np.array([[0, 1, 2, 3], [2, 0, 4, -1], [1, 1, 3, 0]])
ADD_AND_NORM = exercise_page(__package__).solution("residual_and_norm.wrong-entry")


def _wrong_entry() -> Task:
    find = with_one_wrong(
        ADD_AND_NORM,
        (X, ATTENDED),
        (table("total", X, TOKENS, kind=ROWS), table("normalised", X, TOKENS, kind=NORMALISED, decimals=2)),
        "normalised",
        (1, 2),
        "The root of the variance is not taken.",
    )
    which = part(
        "The output of attention is added to x, and every row of the total is normalised, without gain, bias or eps. "
        "One entry of the last two tables is wrong. Which?",
        find,
        table("x", X, TOKENS, kind=ROWS).picture(),
        table("attended", ATTENDED, TOKENS, kind=NORMALISED).picture(),
    )
    return task(
        "residual_and_norm.wrong-entry",
        "The wrong entry after the norm",
        which,
        notice="A normalised row sums to 0. So here the sums of the rows show the error, before any new computation.",
    )


TASKS = (_wrong_entry(),)

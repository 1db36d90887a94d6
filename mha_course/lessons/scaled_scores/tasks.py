"""A task of lesson 3: a wrong entry among worked scores."""

import numpy as np

from mha_course.engine.asking.question import Task
from mha_course.engine.asking.question_text import part, task
from mha_course.engine.course.lesson import exercise_page
from mha_course.engine.course.tasks_from_solutions import with_one_wrong
from mha_course.pictures.matrix import table

ASKING, ANSWERING = ("a", "cold", "rain"), ("it", "falls", "softly")
Q = np.array([[1, 0, 2, 1], [0, 3, 1, 0], [2, 1, 0, 1]])
K = np.array([[2, 1, 0, 0], [1, 2, 2, 1], [0, 2, 2, 2]])


def _wrong_entry() -> Task:
    find = with_one_wrong(
        exercise_page(__package__).solution("scaled_scores.wrong-entry"),
        (Q, K),
        (table("scores", Q @ K.T, ASKING, ANSWERING, decimals=2),),
        "scores",
        (1, 2),
        "The scale is d_k, not its root.",
    )
    which = part(
        "These are the scaled scores of three queries and three keys of width 4. Which one is wrong?",
        find,
        table("Q", Q, ASKING).picture(),
        table("K", K, ANSWERING).picture(),
    )
    return task(
        "scaled_scores.wrong-entry",
        "The wrong score",
        which,
        notice="With d_k = 4 the root is 2, so every score here is half a dot product of whole numbers.",
    )


TASKS = (_wrong_entry(),)

"""A task of the lesson on how a head learns: one step of training, all by hand."""

import numpy as np

from mha_course.engine.asking.numbers import Numbers
from mha_course.engine.asking.question import Part, Task
from mha_course.engine.asking.question_text import part, task
from mha_course.engine.course.lesson import exercise_page
from mha_course.engine.course.tasks_from_solutions import mistakes_of
from mha_course.engine.pictures.practice import Table
from mha_course.forward.matrices import Kind
from mha_course.pictures.matrix import table

TOKENS, QUERY = ("rain", "snow"), ("falls",)
LEARNING_RATE = 0.4
WEIGHTS, COLUMN, OUTPUT = Kind("weights", "query", "keys"), Kind("value", "keys", "d_v"), Kind("output", "query", "d_v")
SCORES = Kind("scores", "query", "keys")
GIVEN = np.array([[0, 1.1]]), np.array([[0.25, 0.75]]), np.array([[8.0], [4]]), np.array([[6.5]]), LEARNING_RATE

BY_HAND = exercise_page(__package__).solution("learning.by-hand")


def _table(name: str, kind: Kind, rows: tuple[str, ...] = QUERY, columns: tuple[str, ...] | None = TOKENS) -> Table:
    return table(name, BY_HAND.followed(GIVEN)[-1][name], rows, columns, kind, decimals=3)


def _part(text: str, table: Table, above: tuple[Table, ...], hint: str, mistakes: tuple[str, ...]) -> Part:
    kind = Numbers(table, hint, 0.011, mistakes_of(BY_HAND, GIVEN, table.name, mistakes))
    return part(text, kind, *(each.picture() for each in above))


def _loss(scores: np.ndarray) -> float:
    exponentials = np.exp(scores)
    output = (exponentials / exponentials.sum()) @ GIVEN[2]
    return float(((output - GIVEN[3]) ** 2).sum() / 2)


def _one_step() -> Task:
    scores, weights = _table("scores", SCORES), _table("weights", WEIGHTS)
    values, target = _table("V", COLUMN, TOKENS, None), _table("target", OUTPUT, QUERY, None)
    G, of_weights = _table("G", OUTPUT, QUERY, None), _table("dA", WEIGHTS)
    of_scores, after = _table("dS", SCORES), _table("after", SCORES)
    return task(
        "learning.one-step",
        "One step of training, by hand",
        _part(
            "The loss is ½ (output − target)². Mix the values with these weights. What is G, the gradient of the loss "
            "for the output?",
            G,
            (weights, values, target),
            "The output is 0.25 times the first value plus 0.75 times the second. G is the output minus the target.",
            ("G",),
        ),
        _part(
            "Back to the weights: what is the derivative for each of them?",
            of_weights,
            (G, values),
            "Push a weight, and the output moves by its value times the push. So multiply G by the value.",
            ("dA",),
        ),
        _part(
            "Back through the softmax to the scores.",
            of_scores,
            (weights, of_weights),
            "Subtract the mean of dA, taken with the weights, then multiply each by its weight.",
            ("means", "minus_mean", "dS"),
        ),
        _part(
            f"Take one step with the learning rate {LEARNING_RATE}. What are the scores after it?",
            after,
            (scores, of_scores),
            "Each score minus the learning rate times its derivative.",
            ("after",),
        ),
        notice=f"The loss was {_loss(GIVEN[0][0]):.2f}; with the new scores it is {_loss(after.values[0]):.2f}. "
        "Training repeats such steps many times, for all parameters at once.",
    )


TASKS = (_one_step(),)

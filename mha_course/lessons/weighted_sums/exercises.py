"""Exercises of lesson 5: mix the values, and the whole of attention."""

import numpy as np

from mha_course.engine.checking.exercise import Case, Exercise, mistake
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.solution import Solution, Step
from mha_course.maths.formulas import softmax
from mha_course.mistakes import projections, weighted_sum
from mha_course.mistakes import scores as score_steps
from mha_course.mistakes import softmax as softmax_steps
from mha_course.mistakes.cases import FAR_FROM_ZERO, drawn_weights, queries_and_keys


def _unread(sample: Sampler, n: int, d_v: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return weights, all values but the last, and the output. The last weight is not tiny."""
    V = sample((n, d_v))[0]
    weights = np.array([0.35, 0.1, 0.17, 0.08, 0.05, 0.25]) if n == 6 else np.array([0.5, 0.2, 0.3])
    weights = np.append(sample.generator.permutation(weights[:-1]), weights[-1])
    return weights, V[:-1], weights @ V


MISSING = Exercise(
    "weighted_sums.missing_value",
    "The value that cannot be read",
    Solution(
        "weights known output",
        [
            Step(
                "taken",
                lambda weights, known: weights[:-1] @ known,
                mistake("The known values are added without their weights.",
                        "Each is in the output only as far as its weight goes.",
                        lambda known: known.sum(axis=0)),
                mistake("All known values get the same weight.",
                        "That is their mean. The weights say how much of each is in the output.",
                        lambda known: known.sum(axis=0) / len(known)),
                mistake("The weights are shifted by one position.",
                        "The first weight belongs to the first value. The last, weights[-1], belongs to the missing "
                        "one.",
                        lambda weights, known: weights[1:] @ known),
                mistake("The known weights are made to sum to 1.",
                        "The known values are only part of the output. The rest comes from the last value.",
                        lambda weights, known: weights[:-1] @ known / weights[:-1].sum()),
                mistake("Only the first known value is subtracted.",
                        "All of them are in the output, each with its weight.",
                        lambda weights, known: weights[0] * known[0]),
                mistake("The weights are used in reverse order.",
                        "The first weight belongs to the first value.",
                        lambda weights, known: weights[:-1][::-1] @ known),
            ),
            Step(
                "left",
                lambda output, taken: output - taken,
                mistake("The known contributions are not subtracted.",
                        "The output includes the known values, too.",
                        lambda output: output),
                mistake("The known contributions are added once more.",
                        "The output includes them already. Subtract them, and the last contribution is left.",
                        lambda output, taken: output + taken),
                mistake("The output is subtracted from the known contributions.",
                        "The sign is wrong: subtract the known contributions from the output.",
                        lambda output, taken: taken - output),
            ),
            Step(
                "value",
                lambda left, weights: left / weights[-1],
                mistake("It returns the contribution, not the value.",
                        "A contribution is a weight times a value. Divide by the weight.",
                        lambda left: left),
                mistake("It multiplies by the weight instead of dividing.",
                        "A contribution is a weight times a value already. To get back to the value, divide.",
                        lambda left, weights: left * weights[-1]),
                mistake("It divides by the weight of another key.",
                        "The rest comes from the last value, so divide by the last weight: weights[-1].",
                        lambda left, weights: left / weights[0],
                        lambda left, weights: left / weights[-2]),
                mistake("The first weight is used for the missing value.",
                        "The value that cannot be read is the last one, so its weight is the last one, too: "
                        "weights[-1].",
                        lambda weights, known, output: (output - weights[1:] @ known) / weights[0]),
                mistake("It divides by the sum of the other weights.",
                        "The rest is the last weight times the last value: divide by weights[-1].",
                        lambda left, weights: left / (1 - weights[-1])),
                mistake("The number of values is used instead of the last weight.",
                        "That would fit only if all weights were equal. Divide by the last weight.",
                        lambda left, weights: left / len(weights),
                        lambda left, weights: left * len(weights)),
            ),
        ],
    ),
    cases=(
        Case("the example", (np.array([0.5, 0.25, 0.25]), np.array([[2, 0], [4, 8]]), np.array([2, 3]))),
        Case("6 values", lambda sample: _unread(sample, 6, 3)),
        Case("3 values", lambda sample: _unread(sample, 3, 4)),
        Case("values of width 1", lambda sample: _unread(sample, 6, 1)),
        Case("two values", (np.array([0.75, 0.25]), np.array([[1.0, -2.0, 4.0]]), np.array([1.5, -1.0, 2.0]))),
        Case("as many known values as columns", lambda sample: _unread(sample, 6, 5)),
        Case("float32", lambda sample: tuple(map(np.float32, _unread(sample, 6, 4)))),
    ),
    notice=(
        "A sum can be read backwards as long as only one part is missing. The smaller its weight, the less the output "
        "says about it: an error in the output is divided by that weight, and so made larger."
    ),
)




INPUT_SIZES = ((4, 7), (5, 7), (7, 3), (7, 3), (7, 6))


def _with_scores(scores, sample):
    """Return inputs whose queries and keys have these scores."""
    W = np.triu(np.ones((len(scores), len(scores))))
    X, context = (rows @ np.linalg.inv(W) for rows in queries_and_keys(scores))
    return X, context, W, W, *sample((len(scores), 2))


FROM_INPUTS = Exercise(
    "weighted_sums.from_inputs",
    "One head",
    Solution(
        "X context W_Q W_K W_V",
        [*projections.PROJECTIONS, *score_steps.SCORES, *softmax_steps.SOFTMAX, weighted_sum.MIX, *weighted_sum.FINISH],
    ),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 0, 0, 1]]),
                np.array([[0, 1, 0, 0], [2, 0, 1, 0]]),
                np.array([[1, 0], [0, 1], [1, 1], [1, 0]]),
                np.array([[1, 0], [0, 1], [1, 0], [0, 0]]),
                np.array([[0, 1], [4, 0], [2, 2], [1, 1]]),
            ),
        ),
        Case("4 queries, 5 keys", lambda sample: sample(*INPUT_SIZES)),
        Case("one token each", lambda sample: sample((1, 3), (1, 3), (3, 2), (3, 2), (3, 4))),
        Case("all sizes equal", lambda sample: sample.all_equal(2, 2, 2, 2, 2)),
        Case("more queries than keys", lambda sample: sample((5, 4), (2, 4), (4, 3), (4, 3), (4, 2))),
        Case("as many queries as keys", lambda sample: sample((4, 6), (4, 6), (6, 3), (6, 3), (6, 5))),
        Case("scores far above and far below zero", lambda sample: _with_scores(FAR_FROM_ZERO, sample)),
        Case("enormous scores", lambda sample: _with_scores(1e4 * FAR_FROM_ZERO[2:6], sample)),
        Case("float32", lambda sample: tuple(map(np.float32, sample((3, 5), (4, 5), (5, 2), (5, 2), (5, 3))))),
    ),
    off_limits=("attention", "multi_head_attention", "mine.head"),
    notice="This is one complete head. Its parameters are three matrices, and nothing else in it is trained.",
)


def _reached(sample: Sampler, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return values that lie well apart, one more than they are wide, and a mix of them."""
    corners = np.vstack([np.zeros(n - 1), np.roll(np.eye(n - 1), 1, axis=1) * 4])
    V = corners + sample((n, n - 1))[0] * 0.5
    return V, drawn_weights(sample, n) @ V


def _with_sum(V: np.ndarray, output: np.ndarray, rows: np.ndarray, total: float) -> np.ndarray:
    """Solve for the weights. rows: those of all conditions but the last, which sets the sum of the weights."""
    return np.linalg.solve(np.vstack([rows, np.ones(len(V))]), np.append(output, total))


def _divided_by_sum(numbers: np.ndarray) -> np.ndarray:
    return numbers / numbers.sum()


def _distances(V: np.ndarray, output: np.ndarray) -> np.ndarray:
    return ((V - output) ** 2).sum(axis=-1) ** 0.5


SOLVE = Step(
    "weights",
    lambda V, output: _with_sum(V, output, V.T, 1),
    mistake("Nothing makes the weights sum to 1.",
            "Many rows of numbers mix the values into this output, and only one of them sums to 1. That is one more "
            "equation: a row of ones.",
            lambda V, output: np.linalg.lstsq(V.T, output)[0],
            lambda V, output: np.linalg.pinv(V.T) @ output),
    mistake("The weights are divided by their sum only at the end.",
            "Dividing by the sum changes the mix, and so the output. The sum is an equation like the others.",
            lambda V, output: _divided_by_sum(np.linalg.lstsq(V.T, output)[0])),
    mistake("The weights sum to 0.",
            "The row of ones gives their sum, and that must be 1.",
            lambda V, output: _with_sum(V, output, V.T, 0)),
    mistake("The weights sum to the number of values.",
            "The row of ones gives their sum, and that must be 1, however many there are.",
            lambda V, output: _with_sum(V, output, V.T, len(V))),
    mistake("V is not transposed.",
            "Each column of V gives an equation: weight times entry, added down the column, is the output there. So "
            "the columns must become rows.",
            lambda V, output: np.linalg.solve(np.column_stack([V, np.ones(len(V))]), np.append(output, 1)),
            lambda V, output: np.linalg.solve(np.column_stack([V, np.ones(len(V))]), np.append(output, len(V)))),
    mistake("The 1 is not in the row of the ones.",
            "Row i of A and entry i of b are one equation: where A has the row of ones, b has the 1.",
            lambda V, output: np.linalg.solve(np.vstack([np.ones(len(V)), V.T]), np.append(output, 1)),
            lambda V, output: np.linalg.solve(np.vstack([V.T, np.ones(len(V))]), np.append(1, output))),
    mistake("The nearest value gets all the weight.",
            "Then the output is that value itself. The weights must mix the values into the given output.",
            lambda V, output: np.eye(len(V))[_distances(V, output).argmin()]),
    mistake("The weights are made from distances.",
            "A near value does get more. But these weights do not mix the values into this output: try it.",
            lambda V, output: _divided_by_sum(1 / _distances(V, output)),
            lambda V, output: _divided_by_sum(_distances(V, output)),
            lambda V, output: softmax(-_distances(V, output))),
    mistake("The output is used as a query.",
            "Its dot products with the values measure how well they match. They do not mix the values into the output.",
            lambda V, output: softmax(V @ output),
            lambda V, output: V @ output),
    mistake("All values get the same weight.",
            "That gives the middle of the values, whatever output is wanted.",
            lambda V: np.full(len(V), 1 / len(V))),
)

REACH = Exercise(
    "weighted_sums.reach",
    "Weights for a wanted output",
    Solution(
        "V output",
        [
            SOLVE,
            Step(
                "weights",
                lambda weights: weights,
                mistake("Negative weights have become 0.",
                        "Then the others no longer mix to this output. Keep a negative weight: it says that the output "
                        "lies outside.",
                        lambda weights: np.maximum(weights, 0),
                        lambda weights: _divided_by_sum(np.maximum(weights, 0))),
                mistake("The last weight is left out.",
                        "There are as many weights as values.", lambda weights: weights[:-1]),
                mistake("The softmax is taken of the weights.",
                        "They sum to 1 already. The softmax would make them more equal.",
                        lambda weights: softmax(weights)),
            ),
        ],
    ),
    cases=(
        Case("the example", (np.array([[2, 3], [8, 0], [6, 3]]), np.array([6.0, 1.5]))),
        Case("a triangle", lambda sample: _reached(sample, 3)),
        Case("4 values of width 3", lambda sample: _reached(sample, 4)),
        Case("two values on a line", (np.array([[1.0], [5.0]]), np.array([2.0]))),
        Case("6 values of width 5", lambda sample: _reached(sample, 6)),
        Case("a point outside", (np.array([[0.0, 1.0], [4.0, 0.5], [1.0, 3.0]]), np.array([3.0, 3.5]))),
        Case("float32", lambda sample: tuple(map(np.float32, _reached(sample, 4)))),
    ),
    notice=(
        "If a weight comes out below 0, the output lies outside the values, and no attention weights lead there. "
        "Otherwise these are the only ones that do."
    ),
)

EXERCISES = (FROM_INPUTS, MISSING, REACH)

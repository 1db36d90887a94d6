"""Exercises of lesson 5: mix the values, and the whole of attention."""

import numpy as np

from mha_course.maths.formulas import softmax
from mha_course.slips import mixing, projecting, scoring, sharing
from mha_course.slips.cases import FAR_FROM_ZERO, drawn_weights, queries_and_keys
from mha_course.workbook.checking.draws import Draw
from mha_course.workbook.checking.exercise import Case, Exercise, slip
from mha_course.workbook.checking.recipe import Recipe, Step

CONTRIBUTE = Step(
    "contributions",
    lambda shares, V: shares[:, None] * V,
    slip("All values get the same share.",
         "That is the mean. The shares say how much to take of each.",
         lambda V: V / len(V)),
    slip("The shares are not used.", "It adds the values whole.", lambda V: V),
    slip("It takes only the value with the largest share.",
         "Every value adds something, as large as its share.",
         lambda shares, V: V * np.eye(len(V))[shares.argmax()][:, None],
         lambda shares, V: shares.max() * V * np.eye(len(V))[shares.argmax()][:, None]),
    slip("The shares meet the columns of V instead of its rows.",
         "Each share belongs to a value, and a value is a row. Only a square V lets this run.",
         lambda shares, V: (shares * V).T if shares.shape == V.shape[1:] else shares @ V.T),
    slip("The shares are added instead of multiplied.",
         "A share of a half means half of each entry: multiply.",
         lambda shares, V: shares[:, None] + V),
    slip("The values are divided by their shares.",
         "A share of a half means half of each entry: multiply.",
         lambda shares, V: V / shares[:, None]),
    slip("The shares are squared.",
         "Each value is taken once, as large as its share is.",
         lambda shares, V: (shares * shares)[:, None] * V),
    slip("The softmax is taken again.",
         "The shares are shares already: they sum to 1.",
         lambda shares, V: softmax(shares)[:, None] * V),
    slip("The shares meet the values in the reverse order.",
         "The first share belongs to the first row of V.",
         lambda shares, V: shares[::-1, None] * V),
    slip("The shares are put in order first.",
         "Each share belongs to the value in its own place.",
         lambda shares, V: np.sort(shares)[:, None] * V,
         lambda shares, V: np.sort(shares)[::-1, None] * V),
    slip("The first value is left out.",
         "Counting begins at 0: range(1, n) leaves out the first.",
         lambda shares, V: shares[1:, None] * V[1:]),
    slip("The last value is left out.",
         "range(n) runs from 0 to n - 1, and range(n - 1) stops one earlier.",
         lambda shares, V: shares[:-1, None] * V[:-1]),
)

ADD_UP = Step(
    "output",
    lambda contributions: contributions.sum(axis=0),
    slip("The sum over the values is missing.",
         "These are the contributions, one row for each value. The output row is their sum.",
         lambda contributions: contributions),
    slip("Everything is added up, the columns too.",
         "Add down the rows only: axis=0. One number is left for each column.",
         lambda contributions: contributions.sum()),
    slip("It adds up along the wrong axis.",
         "Add the contributions of all values: down the rows, axis=0. What is left is as wide as a value.",
         lambda contributions: contributions.sum(axis=1)),
    slip("The mean of the contributions is taken.",
         "The shares sum to 1 already, so nothing is left to divide.",
         lambda contributions: contributions.sum(axis=0) / len(contributions)),
    slip("The contributions are multiplied with each other.",
         "Every value adds something: sum, not prod.",
         lambda contributions: contributions.prod(axis=0)),
    slip("It takes the largest contribution only.",
         "Every value adds something. Add them all.",
         lambda contributions: contributions.max(axis=0)),
    slip("It takes the last contribution only.",
         "Each turn of the loop overwrites the one before. Add to what is there.",
         lambda contributions: contributions[-1]),
    slip("It takes the first contribution only.",
         "The loop stops in its first turn: return stands too far in.",
         lambda contributions: contributions[0]),
    slip("The sums have kept their axis.",
         "The output is one row, (d_v,), and no table of one row: without keepdims=True.",
         lambda contributions: contributions.sum(axis=0, keepdims=True)),
    slip("The sum runs on: every row holds the sum so far.",
         "np.cumsum keeps all the sums on the way. The last is the output.",
         lambda contributions: contributions.cumsum(axis=0)),
)

ONE = Exercise(
    "weighted_sums.one",
    "One output row",
    Recipe("shares V", [CONTRIBUTE, ADD_UP]),
    cases=(
        Case("the example", (np.array([0.5, 0.25, 0.25]), np.array([[2, 0], [4, 8], [0, 4]]))),
        Case("5 values", lambda draw: (drawn_weights(draw, 5), *draw((5, 3)))),
        Case("whole numbers", (np.array([0.5, 0.3, 0.2]), np.array([[1, 0], [0, 1], [1, 1]]))),
        Case("one value", lambda draw: (np.array([1.0]), *draw((1, 4)))),
        Case("as many values as columns", lambda draw: (drawn_weights(draw, 4), *draw((4, 4)))),
    ),
    notice=(
        "An output row is as wide as a value. Since the shares sum to 1, each entry lies between the smallest and the "
        "largest of its column."
    ),
)


def _unread(draw: Draw, n: int, d_v: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return shares, all values but the last, and the output. The last share is not tiny."""
    V = draw((n, d_v))[0]
    shares = np.array([0.35, 0.1, 0.17, 0.08, 0.05, 0.25]) if n == 6 else np.array([0.5, 0.2, 0.3])
    shares = np.append(draw.generator.permutation(shares[:-1]), shares[-1])
    return shares, V[:-1], shares @ V


MISSING = Exercise(
    "weighted_sums.missing_value",
    "The value that cannot be read",
    Recipe(
        "shares known output",
        [
            Step(
                "taken",
                lambda shares, known: shares[:-1] @ known,
                slip("The known values are taken whole.",
                     "Each is in the output only as far as its share goes.",
                     lambda known: known.sum(axis=0)),
                slip("All known values get the same share.",
                     "That is their mean. The shares say how much of each is in the output.",
                     lambda known: known.sum(axis=0) / len(known)),
                slip("The shares are one place too far.",
                     "The first share belongs to the first value. The last one, shares[-1], to the one that is looked "
                     "for.",
                     lambda shares, known: shares[1:] @ known),
                slip("The known shares are made to sum to 1.",
                     "The known values fill only their part of the output. The rest comes from the last value.",
                     lambda shares, known: shares[:-1] @ known / shares[:-1].sum()),
                slip("Only the first known value is taken away.",
                     "All of them are in the output, each with its share.",
                     lambda shares, known: shares[0] * known[0]),
                slip("The shares meet the values in the reverse order.",
                     "The first share belongs to the first value.",
                     lambda shares, known: shares[:-1][::-1] @ known),
            ),
            Step(
                "left",
                lambda output, taken: output - taken,
                slip("Nothing is taken away.",
                     "The output holds the contributions of the known values, too.",
                     lambda output: output),
                slip("The known contributions are added once more.",
                     "The output has them already. Take them away, and the last contribution is left.",
                     lambda output, taken: output + taken),
                slip("The output is taken from the known contributions.",
                     "The sign is turned: take the known contributions from the output.",
                     lambda output, taken: taken - output),
            ),
            Step(
                "value",
                lambda left, shares: left / shares[-1],
                slip("It is the contribution, not the value.",
                     "A contribution is a share times a value. Undo the share: divide by it.",
                     lambda left: left),
                slip("It multiplies by the share instead of dividing.",
                     "A contribution is a share times a value already. To get back to the value, divide.",
                     lambda left, shares: left * shares[-1]),
                slip("It divides by the share of another key.",
                     "What is left comes from the last value, so its share is the last: shares[-1].",
                     lambda left, shares: left / shares[0],
                     lambda left, shares: left / shares[-2]),
                slip("It divides by what the others take.",
                     "What is left is the last share times the last value: divide by shares[-1].",
                     lambda left, shares: left / (1 - shares[-1])),
                slip("It divides by the number of values.",
                     "That would be right if all shares were equal. Divide by the last share.",
                     lambda left, shares: left / len(shares),
                     lambda left, shares: left * len(shares)),
            ),
        ],
    ),
    cases=(
        Case("the example", (np.array([0.5, 0.25, 0.25]), np.array([[2, 0], [4, 8]]), np.array([2, 3]))),
        Case("6 values", lambda draw: _unread(draw, 6, 3)),
        Case("3 values", lambda draw: _unread(draw, 3, 4)),
        Case("values of width 1", lambda draw: _unread(draw, 6, 1)),
        Case("two values", (np.array([0.75, 0.25]), np.array([[1.0, -2.0, 4.0]]), np.array([1.5, -1.0, 2.0]))),
        Case("as many known values as columns", lambda draw: _unread(draw, 6, 5)),
        Case("float32", lambda draw: tuple(map(np.float32, _unread(draw, 6, 4)))),
    ),
    notice=(
        "A sum can be read backwards as long as only one part is missing. The smaller its share, the less the output "
        "tells of it: an error in the output is divided by that share, and so made larger."
    ),
)


ATTENTION_SIZES = ((4, 3), (5, 3), (5, 6))

ATTENTION = Exercise(
    "weighted_sums.attention",
    "Attention",
    Recipe(
        "Q K V",
        [
            *scoring.SCORES_OF_STACK,
            *sharing.SOFTMAX_OF_STACK,
            mixing.MIX_STACK.knowing(mixing.SUM_FROM_THE_FRONT),
            *mixing.FINISH,
        ],
    ),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 0, 1, 0]]),
                np.array([[2, 1, 0, 0], [0, 1, 2, 1], [0, 0, 0, 1]]),
                np.array([[4, 0], [0, 4], [8, 8]]),
            ),
        ),
        Case("4 queries, 5 keys", lambda draw: draw(*ATTENTION_SIZES)),
        Case("one token", lambda draw: draw((1, 3), (1, 3), (1, 2))),
        Case("all sizes equal", lambda draw: draw.all_equal(2, 2, 2)),
        Case("more queries than keys", lambda draw: draw((6, 4), (2, 4), (2, 3))),
        Case("as many queries as keys", lambda draw: draw((4, 3), (4, 3), (4, 2))),
        Case("scores far above and far below zero", lambda draw: (*queries_and_keys(FAR_FROM_ZERO), *draw((4, 2)))),
        Case("enormous scores", lambda draw: (*queries_and_keys(1e4 * FAR_FROM_ZERO[2:6]), *draw((4, 2)))),
        Case("30 queries, 20 keys", lambda draw: draw((30, 3), (20, 3), (20, 8))),
        Case("2 sentences of 3 heads", lambda draw: draw((2, 3, 4, 6), (2, 3, 5, 6), (2, 3, 5, 7))),
        Case("one sentence, all other sizes equal", lambda draw: draw((1, 3, 3), (1, 3, 3), (1, 3, 3))),
        Case("sentences of heads, all sizes equal", lambda draw: draw.all_equal(4, 4, 4)),
        Case("float32", lambda draw: tuple(map(np.float32, draw((3, 5), (4, 5), (4, 2))))),
    ),
    notice=(
        "Three lines hold all of attention. Scaling Q first would be right too: (Q / √d_k) Kᵀ is the same as Q Kᵀ / "
        "√d_k."
    ),
)

INPUT_SIZES = ((4, 7), (5, 7), (7, 3), (7, 3), (7, 6))


def _with_scores(scores, draw):
    """Return inputs whose queries and keys have these scores."""
    W = np.triu(np.ones((len(scores), len(scores))))
    X, context = (rows @ np.linalg.inv(W) for rows in queries_and_keys(scores))
    return X, context, W, W, *draw((len(scores), 2))


FROM_INPUTS = Exercise(
    "weighted_sums.from_inputs",
    "Attention from the inputs",
    Recipe(
        "X context W_Q W_K W_V",
        [*projecting.PROJECTIONS, *scoring.SCORES, *sharing.SOFTMAX, mixing.MIX, *mixing.FINISH],
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
        Case("4 tokens that ask, 5 that answer", lambda draw: draw(*INPUT_SIZES)),
        Case("one token each", lambda draw: draw((1, 3), (1, 3), (3, 2), (3, 2), (3, 4))),
        Case("all sizes equal", lambda draw: draw.all_equal(2, 2, 2, 2, 2)),
        Case("more tokens that ask", lambda draw: draw((5, 4), (2, 4), (4, 3), (4, 3), (4, 2))),
        Case("as many tokens that ask", lambda draw: draw((4, 6), (4, 6), (6, 3), (6, 3), (6, 5))),
        Case("scores far above and far below zero", lambda draw: _with_scores(FAR_FROM_ZERO, draw)),
        Case("enormous scores", lambda draw: _with_scores(1e4 * FAR_FROM_ZERO[2:6], draw)),
        Case("float32", lambda draw: tuple(map(np.float32, draw((3, 5), (4, 5), (5, 2), (5, 2), (5, 3))))),
    ),
    notice="This is one complete head. Its parameters are three matrices, and nothing else in it is trained.",
)


def _reached(draw: Draw, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return values that lie well apart, one more than they are wide, and an output that shares of them reach."""
    corners = np.vstack([np.zeros(n - 1), np.roll(np.eye(n - 1), 1, axis=1) * 4])
    V = corners + draw((n, n - 1))[0] * 0.5
    return V, drawn_weights(draw, n) @ V


def _with_sum(V: np.ndarray, output: np.ndarray, rows: np.ndarray, total: float) -> np.ndarray:
    """Solve for shares. rows: of the conditions but the last, which is what the shares sum to."""
    return np.linalg.solve(np.vstack([rows, np.ones(len(V))]), np.append(output, total))


def _divided_by_sum(numbers: np.ndarray) -> np.ndarray:
    return numbers / numbers.sum()


def _distances(V: np.ndarray, output: np.ndarray) -> np.ndarray:
    return ((V - output) ** 2).sum(axis=-1) ** 0.5


SOLVE = Step(
    "shares",
    lambda V, output: _with_sum(V, output, V.T, 1),
    slip("Nothing makes the shares sum to 1.",
         "Many numbers mix the values into this output, and only one set of them sums to 1. That is one more "
         "condition: a row of ones.",
         lambda V, output: np.linalg.lstsq(V.T, output)[0],
         lambda V, output: np.linalg.pinv(V.T) @ output),
    slip("The sum is made 1 afterwards.",
         "Dividing by the sum changes the mix: it is another output then. The sum is a condition like the others.",
         lambda V, output: _divided_by_sum(np.linalg.lstsq(V.T, output)[0])),
    slip("The shares sum to 0.",
         "In the row of ones stands what the shares sum to: 1.",
         lambda V, output: _with_sum(V, output, V.T, 0)),
    slip("The shares sum to how many there are.",
         "A row of ones adds the shares up. They sum to 1, however many there are.",
         lambda V, output: _with_sum(V, output, V.T, len(V))),
    slip("V is not turned over.",
         "A condition belongs to a column of V: share times entry, added down the column, is the output there. So the "
         "columns must stand as rows.",
         lambda V, output: np.linalg.solve(np.column_stack([V, np.ones(len(V))]), np.append(output, 1))),
    slip("The nearest value takes everything.",
         "That gives the value itself as output. The shares must mix the values into the output.",
         lambda V, output: np.eye(len(V))[_distances(V, output).argmin()]),
    slip("It shares by distance.",
         "A near value does get more. But these shares do not mix the values into this output: try it.",
         lambda V, output: _divided_by_sum(1 / _distances(V, output)),
         lambda V, output: _divided_by_sum(_distances(V, output)),
         lambda V, output: softmax(-_distances(V, output))),
    slip("The output is taken for a query.",
         "The softmax of its products with the values measures how well they match. It does not mix them into it.",
         lambda V, output: softmax(V @ output),
         lambda V, output: V @ output),
    slip("All values get the same share.",
         "They lead to the middle of the values, whatever output is wanted.",
         lambda V: np.full(len(V), 1 / len(V))),
)

REACH = Exercise(
    "weighted_sums.reach",
    "Shares for a wanted output",
    Recipe(
        "V output",
        [
            SOLVE,
            Step(
                "shares",
                lambda shares: shares,
                slip("What is below 0 has become 0.",
                     "Then the others no longer mix to this output. Leave a share below 0: it says that the output "
                     "lies outside.",
                     lambda shares: np.maximum(shares, 0),
                     lambda shares: _divided_by_sum(np.maximum(shares, 0))),
                slip("The last share is left out.", "There are as many shares as values.", lambda shares: shares[:-1]),
                slip("The softmax is taken of the shares.",
                     "They sum to 1 already. The softmax would make them more equal.",
                     lambda shares: softmax(shares)),
            ),
        ],
    ),
    cases=(
        Case("the example", (np.array([[2, 3], [8, 0], [6, 3]]), np.array([6.0, 1.5]))),
        Case("a triangle", lambda draw: _reached(draw, 3)),
        Case("4 values of width 3", lambda draw: _reached(draw, 4)),
        Case("two values on a line", (np.array([[1.0], [5.0]]), np.array([2.0]))),
        Case("6 values of width 5", lambda draw: _reached(draw, 6)),
        Case("a point outside", (np.array([[0.0, 1.0], [4.0, 0.5], [1.0, 3.0]]), np.array([3.0, 3.5]))),
        Case("float32", lambda draw: tuple(map(np.float32, _reached(draw, 4)))),
    ),
    notice=(
        "Where a share comes out below 0, the output lies outside of the values, and no attention weights lead there. "
        "Otherwise these are the only ones that do."
    ),
)

EXERCISES = (ONE, MISSING, ATTENTION, FROM_INPUTS, REACH)

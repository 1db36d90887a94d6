"""Exercises of lesson 9: repair what others published, and write a check that can fail."""

import inspect
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mha_course.checking import known_mistakes as known
from mha_course.checking.draws import Draw
from mha_course.checking.exercise import Case, Exercise, Mistake
from mha_course.checking.recipe import Recipe, Step, asked
from mha_course.checking.steps import heads, mixing, scoring, sharing
from mha_course.maths.formulas import attention, merge_heads, scaled_scores, softmax, split_heads
from mha_course.pipeline.examples import article

MATRICES = Step(
    "matrices",
    lambda: 3,
    (
        Mistake(
            "Four matrices are counted where there are three.",
            "W_Q, W_K and W_V are three. The fourth, W_O, is the same in both layers, and comes on its own.",
        ).by(lambda: 4),
        Mistake(
            "The matrices are counted for each head once more.",
            "All heads together have three wide matrices. h of them would each be d_model wide.",
        ).by(lambda num_heads: 3 * num_heads),
        Mistake(
            "Queries, keys and values are counted as one.",
            "Each of the three has a matrix of its own: three times.",
        ).by(lambda: 1),
        Mistake(
            "Only two of queries, keys and values are counted.",
            "Queries, keys and values: each of the three has a matrix of its own.",
        ).by(lambda: 2),
    ),
)

WIDTH = Step(
    "d_k",
    lambda d_model, num_heads: d_model / num_heads,
    (
        Mistake(
            "The width of a head is taken for the number of heads.",
            "d_k is d_model / num_heads: so wide is a piece of the row.",
        ).by(lambda num_heads: num_heads),
        Mistake(
            "The number of heads is multiplied instead of divided by.",
            "The heads share the row: each has a piece of d_model / num_heads numbers.",
        ).by(lambda d_model, num_heads: d_model * num_heads),
        Mistake(
            "The width of a head is upside down.",
            "A head is narrower than the row, but not by that much: d_model / num_heads.",
        ).by(lambda d_model, num_heads: num_heads / d_model),
        Mistake(
            "The heads are always two.",
            "That fits the example. How many there are is num_heads.",
        ).by(lambda d_model: d_model / 2),
    ),
)

OWN = Step(
    "of_own",
    lambda matrices, d_model: matrices * d_model * d_model,
    (
        Mistake(
            "Each head has matrices of the full width.",
            "A head's own matrix has d_model rows, but only d_k columns. All heads together are d_model wide.",
        ).by(lambda matrices, d_model, num_heads: matrices * num_heads * (d_model * d_model)),
        Mistake(
            "The own matrices are counted too small: d_model · d_k.",
            "d_model rows and d_k columns are one head's own. There are num_heads of them: d_model columns in all.",
        ).by(lambda matrices, d_model, d_k: matrices * d_model * d_k),
        Mistake(
            "The own matrices are as small as the shared ones.",
            "d_k rows and d_k columns is what is shared. Weights of one's own have d_model rows.",
        ).by(lambda matrices, d_k: matrices * d_k * d_k),
        Mistake(
            "The own matrices are counted by their rows.",
            "A matrix has as many numbers as rows times columns: d_model * d_model.",
        ).by(lambda matrices, d_model: matrices * d_model),
    ),
)

SHARED = Step(
    "of_shared",
    lambda matrices, d_k: matrices * d_k * d_k,
    (
        Mistake(
            "The shared matrices are num_heads times too large.",
            "One for each head, or one with d_model rows: both give that. Shared means one for all heads, and it sees "
            "a piece of the row only: d_k rows and d_k columns.",
        ).by(lambda matrices, d_k, num_heads: matrices * num_heads * d_k * d_k),
        Mistake(
            "The shared matrices see the whole row.",
            "They get a piece of it, d_model / num_heads numbers, and give as many back: d_k rows and d_k columns.",
        ).by(lambda matrices, d_model: matrices * (d_model * d_model)),
        Mistake(
            "The shared matrices are counted by their rows.",
            "A matrix has as many numbers as rows times columns: d_k * d_k.",
        ).by(lambda matrices, d_k: matrices * d_k),
    ),
)

W_O = Step(
    "W_O",
    lambda d_model: d_model * d_model,
    (
        Mistake(
            "The output matrix is not counted.",
            "Both layers end with W_O, which has d_model rows and d_model columns.",
        ).by(lambda: 0),
        Mistake(
            "The output matrix is counted for one head only.",
            "W_O has a row for every column of the heads side by side: d_model rows and d_model columns.",
        ).by(lambda d_model, d_k: d_model * d_k),
        Mistake(
            "The output matrix is counted for each head.",
            "The heads are side by side when W_O comes: there is one for all of them.",
        ).by(lambda d_model, num_heads: num_heads * d_model * d_model),
        Mistake(
            "The output matrix is as small as a piece.",
            "W_O sees all heads side by side: d_model rows and d_model columns.",
        ).by(lambda d_k: d_k * d_k),
        Mistake(
            "The output matrix is counted by its rows.",
            "A matrix has as many numbers as rows times columns: d_model * d_model.",
        ).by(lambda d_model: d_model),
    ),
)

BIAS = Step(
    "bias",
    lambda d_model: d_model,
    (
        Mistake("The bias is not counted.", "The output layer has one more number for each of its d_model columns.").by(
            lambda: 0
        ),
        Mistake(
            "The bias is counted as one number.",
            "It has a number for each of the d_model columns.",
        ).by(lambda: 1),
        Mistake(
            "The bias is as wide as one head.",
            "It is added behind W_O, where the row is d_model wide again.",
        ).by(lambda d_k: d_k),
        Mistake(
            "The bias is counted twice.",
            "Only the output layer has one: d_model numbers in each of the two layers.",
        ).by(lambda d_model: 2 * d_model),
        Mistake(
            "The bias is as large as a matrix.",
            "It is one row, with a number for each of the d_model columns.",
        ).by(lambda d_model: d_model * d_model),
        Mistake(
            "The bias is taken away.",
            "It is trained as well: d_model numbers more.",
        ).by(lambda d_model: -d_model),
    ),
)

OTHER_BIASES = Step(
    "own_biases shared_biases",
    lambda: (0, 0),
    (
        Mistake(
            "Every matrix has a bias.",
            "In this task only the output layer has one: d_model numbers in all.",
        ).by(
            lambda matrices, d_model, d_k: (matrices * d_model, matrices * d_k),
            lambda matrices, d_model: (matrices * d_model, matrices * d_model),
            lambda matrices, d_model, num_heads, d_k: (matrices * num_heads * d_model, matrices * d_k),
        ),
        Mistake(
            "Every matrix of a head's own has a bias.",
            "In this task only the output layer has one, in both layers alike.",
        ).by(
            lambda matrices, d_model: (matrices * d_model, 0),
            lambda matrices, d_k: (matrices * d_k, 0),
            lambda matrices, d_model, num_heads: (matrices * num_heads * d_model, 0),
        ),
        Mistake(
            "Every shared matrix has a bias.",
            "In this task only the output layer has one, in both layers alike.",
        ).by(lambda matrices, d_k: (0, matrices * d_k), lambda matrices, d_model: (0, matrices * d_model)),
    ),
)

TOTALS = Step(
    "own shared",
    lambda of_own, of_shared, own_biases, shared_biases, W_O, bias: (
        of_own + own_biases + W_O + bias,
        of_shared + shared_biases + W_O + bias,
    ),
    (
        Mistake(
            "The output layer is not counted.",
            "Both layers end with a matrix of d_model rows and d_model columns, and a bias.",
        ).by(
            lambda of_own, of_shared, own_biases, shared_biases: (of_own + own_biases, of_shared + shared_biases),
        ),
        Mistake(
            "Only one of the two layers has an output layer.",
            "Both end with a matrix of d_model rows and d_model columns, and a bias.",
        ).by(
            lambda of_own, of_shared, own_biases, shared_biases, W_O, bias: (
                of_own + own_biases + W_O + bias,
                of_shared + shared_biases,
            ),
            lambda of_own, of_shared, own_biases, shared_biases, W_O, bias: (
                of_own + own_biases,
                of_shared + shared_biases + W_O + bias,
            ),
        ),
        Mistake(
            "Only one of the two layers has a bias.",
            "Both end with an output layer, and its bias.",
        ).by(
            lambda of_own, of_shared, own_biases, shared_biases, W_O, bias: (
                of_own + own_biases + W_O + bias,
                of_shared + shared_biases + W_O,
            ),
            lambda of_own, of_shared, own_biases, shared_biases, W_O, bias: (
                of_own + own_biases + W_O,
                of_shared + shared_biases + W_O + bias,
            ),
        ),
    ),
)

COUNTS = Step(
    "own shared",
    lambda own, shared: (own, shared),
    (
        Mistake(
            "The two counts are exchanged.",
            "The first is of the layer whose heads have matrices of their own, which is the larger.",
        ).by(lambda own, shared: (shared, own)),
    ),
)


def _sizes(draw, num_heads, widths):
    """Draw a width that so many heads can share. widths: what a head's may be."""
    return num_heads * int(draw.generator.choice(widths)), num_heads


PARAMETERS = Exercise(
    name="five_treatments.parameters",
    title="Count the parameters",
    right=Recipe(
        "d_model num_heads", (MATRICES, WIDTH, OWN, SHARED, OTHER_BIASES, W_O, BIAS, TOTALS, COUNTS), "own shared"
    ),
    results=("own", "shared"),
    cases=(
        Case("the example", (8, 2)),
        Case("the paper's size", (512, 8)),
        Case("3 heads", lambda draw: _sizes(draw, 3, widths=(2, 4, 5, 7))),
        Case("4 heads", lambda draw: _sizes(draw, 4, widths=(3, 5, 6))),
        Case("one head", lambda draw: _sizes(draw, 1, widths=(7, 10))),
    ),
    mistakes=(
        Mistake(
            "Rows and columns are added.",
            "A matrix has as many numbers as rows times columns.",
        ).by(
            lambda d_model, num_heads: (
                8 * d_model + d_model,
                6 * (d_model / num_heads) + 2 * d_model + d_model,
            )
        ),
    ),
    notice=(
        "With one head the two layers are the same. With eight heads of 64, sharing leaves 26 % of the numbers. It is "
        "no cheaper way to the same thing, though: no head can use what lies outside of its piece."
    ),
)


MATRIX = Step(
    "W",
    lambda W: W,
    (
        Mistake(
            "The weight matrix is turned over.",
            "W has a row for each of the d_model inputs, so it fits as it is. In the example it is symmetric, and "
            "nothing shows.",
        ).by(lambda W: W.T),
        heads.MATRIX_RESHAPED.by(lambda W, num_heads: heads.cut_by_reshape(W, num_heads)),
    ),
)


PROJECT = Step(
    "wide",
    lambda X, W: X @ W,
    (
        heads.PIECES_PROJECTED.by(lambda X, W, num_heads: merge_heads(heads.pieces_projected(X, W, num_heads))),
        heads.PROJECTION_SHARED.by(
            lambda X, W, num_heads: merge_heads(heads.pieces_projected(X, W, num_heads, shared=True))
        ),
        Mistake(
            "Nothing is projected.",
            "These are pieces of the inputs themselves. A head's queries are made from the whole row, by its columns "
            "of W.",
        ).by(lambda X: X),
        Mistake(
            "The factors are exchanged.",
            "The rows stand on the left: each row of X meets each column of W.",
        ).by(lambda X, W: W @ X),
        known.ENTRY_BY_ENTRY.by(lambda X, W: X * W),
        Mistake(
            "It projects twice.",
            "The rows are multiplied by W once, before the cut.",
        ).by(lambda X, W: X @ W @ W),
    ),
)

SPLIT_LAST = heads.EXCHANGE.knowing(
    Mistake(
        "The split is missing.",
        "The wide rows are right. Now cut each row into heads: split_heads.",
    ).by(lambda wide: wide),
    heads.BATCH_MEETS_HEADS.by(lambda X, W, num_heads: X @ split_heads(W, num_heads)),
)


def _rows_and_matrix(draw, num_heads, piece, width, n, batch=()):
    """Draw rows and a matrix for so many heads. piece, width: what their pieces of a row may be wide, and they."""
    d_model, all_heads = (num_heads * int(draw.generator.choice(sizes)) for sizes in (piece, width))
    return (*draw((*batch, n, d_model), (d_model, all_heads)), num_heads)


WHOLE_ROW = Exercise(
    name="five_treatments.whole_row",
    title="The whole row for every head",
    right=Recipe("X W num_heads", (MATRIX, PROJECT, heads.CUT, heads.PIECES_TAKEN, SPLIT_LAST), "heads"),
    results=("queries",),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 0, 0, 2], [0, 1, 3, 0]]),
                np.array([[1, 0, 0, 1], [0, 2, 1, 0], [0, 1, 2, 0], [1, 0, 0, 1]]),
                2,
            ),
        ),
        Case("5 tokens, 3 heads", lambda draw: _rows_and_matrix(draw, 3, piece=(2, 4), width=(3, 5), n=5)),
        Case("one token", lambda draw: _rows_and_matrix(draw, 2, piece=(2, 4), width=(3, 5), n=1)),
        Case("3 sentences", lambda draw: _rows_and_matrix(draw, 4, piece=(2, 3), width=(5, 7), n=5, batch=(3,))),
        Case("all sizes equal", lambda draw: (*draw((4, 4), (4, 4)), 2)),
        Case("one head", lambda draw: _rows_and_matrix(draw, 1, piece=(4, 6), width=(3, 5), n=3)),
        Case(
            "as many tokens as heads, a square matrix",
            lambda draw: _rows_and_matrix(draw, 4, piece=(3,), width=(3,), n=4),
        ),
        Case(
            "3 sentences of 3 tokens, 3 heads",
            lambda draw: _rows_and_matrix(draw, 3, piece=(3,), width=(3,), n=3, batch=(3,)),
        ),
    ),
    notice="One line moved: the projection stands before the cut. Now every entry of X can reach every head.",
    untraced=("num_heads",),
)


CENTRE = Step(
    "centred",
    lambda draws: draws - 0.5,
    (
        Mistake(
            "The middle is not taken away.",
            "The size is right, but all weights are still positive: every query points nearly the same way.",
        ).by(lambda draws: draws),
        Mistake(
            "The mean of these few draws is taken away.",
            "The middle between 0 and 1 is ½. The mean of the draws is near it, but another one every time.",
        ).by(
            lambda draws: draws - draws.mean(),
            lambda draws: draws - draws.mean(axis=0),
            lambda draws: draws - draws.mean(axis=1, keepdims=True),
        ),
        Mistake(
            "The draws are stretched to -1 and 1.",
            "That takes the mean away, but makes the variance four times as large, 1/3. Then the factor must be half "
            "as large.",
        ).by(lambda draws: 2 * draws - 1),
        Mistake(
            "1 is taken away.",
            "1 is the largest that a draw can be, so all weights become negative. The mean of the draws is ½.",
        ).by(lambda draws: draws - 1),
        Mistake(
            "The middle is added.",
            "Then all weights are larger still. Take ½ away, and their mean is 0.",
        ).by(lambda draws: draws + 0.5),
        Mistake(
            "The sign of every weight is turned.",
            "½ minus the draw has the right mean and variance, but the task is to take ½ away from the draw.",
        ).by(lambda draws: 0.5 - draws),
        Mistake(
            "The signs are lost.",
            "Half of the weights must be negative, or their mean is not 0.",
        ).by(lambda draws: abs(draws - 0.5)),
        Mistake(
            "The smallest draw is taken away.",
            "Then all weights are positive, or 0. The mean of the draws is ½.",
        ).by(lambda draws: draws - draws.min()),
    ),
)

FIXED = (2, 0.02, 0.01, 0.1, 0.5)  # what an example or a habit makes one write for the factor


def _fixed(factor):
    return lambda: factor


FACTOR = Step(
    "factor",
    lambda draws: np.sqrt(12 / draws.shape[0]),
    (
        Mistake(
            "The 12 is missing.",
            "Draws between 0 and 1 have the variance 1/12. Divided by √d_in they have 1 / (12 · d_in).",
        ).by(lambda draws: 1 / np.sqrt(draws.shape[0])),
        Mistake(
            "The root is missing.",
            "A factor changes the variance by its square. So for the variance 1 / d_in the factor is the root.",
        ).by(lambda draws: 12 / draws.shape[0]),
        Mistake(
            "The width is that of the result.",
            "A projection adds up as many products as W has rows: shape[0].",
        ).by(lambda draws: np.sqrt(12 / draws.shape[1])),
        Mistake(
            "The factor is a fixed number.",
            "It may fit one width. A wider row adds up more products, so the factor hangs on d_in.",
        ).by(*map(_fixed, FIXED)),
        Mistake(
            "The width is not considered.",
            "Times √12 the variance is 1. A projection adds up d_in products, so it must be 1 / d_in.",
        ).by(lambda: np.sqrt(12)),
        Mistake(
            "Only the middle is taken away.",
            "The weights have the mean 0 now, but their variance is still 1/12 at every width.",
        ).by(lambda: 1),
        Mistake(
            "The factor is upside down.",
            "The variance is 1/12 and should be 1 / d_in. So it must become 12 / d_in times as large, not d_in / 12.",
        ).by(lambda draws: np.sqrt(draws.shape[0] / 12)),
        Mistake(
            "The variance is twice too large.",
            "2 / d_in is meant for a layer whose negative results are cut off. Here nothing is cut off: scores come "
            "out twice too large.",
        ).by(lambda draws: np.sqrt(24 / draws.shape[0])),
        Mistake(
            "It multiplies by the width where it should divide.",
            "A wide row adds up more products. So its weights must be smaller.",
        ).by(lambda draws: np.sqrt(12 * draws.shape[0])),
        Mistake(
            "The weights lie between -1/√d_in and 1/√d_in, which is a third of the variance.",
            "That is the usual default of a framework. It works, but this task asks for 1 / d_in.",
        ).by(lambda draws: 2 / np.sqrt(draws.shape[0])),
        Mistake(
            "The width is the number of all entries.",
            "A projection adds up as many products as W has rows, not as W has entries.",
        ).by(lambda draws: np.sqrt(12 / (draws.shape[0] * draws.shape[1]))),
        Mistake(
            "The variance is divided by 12 where it should be multiplied.",
            "It is 1/12 already. Times 12 it is 1, and 1 / d_in after the division by d_in.",
        ).by(lambda draws: np.sqrt(1 / (12 * draws.shape[0]))),
        Mistake(
            "The root is taken of the 12 alone.",
            "The factor is the root of the whole quotient: np.sqrt(12 / d_in).",
        ).by(lambda draws: np.sqrt(12) / draws.shape[0]),
        Mistake(
            "The root is taken of the width alone.",
            "The factor is the root of the whole quotient: np.sqrt(12 / d_in).",
        ).by(lambda draws: 12 / np.sqrt(draws.shape[0])),
        Mistake(
            "The 12 and the root are missing.",
            "The variance should be 1 / d_in. It is 1/12 now, and a factor changes it by its square.",
        ).by(lambda draws: 1 / draws.shape[0]),
        Mistake(
            "The width is the sum of both, and their mean is meant.",
            "2 / (d_in + d_out) is a start that also keeps the way back in mind. This task asks for 1 / d_in.",
        ).by(lambda draws: np.sqrt(24 / (draws.shape[0] + draws.shape[1]))),
        Mistake(
            "The width is the sum of rows and columns.",
            "A projection adds up as many products as W has rows: shape[0].",
        ).by(lambda draws: np.sqrt(12 / (draws.shape[0] + draws.shape[1]))),
        Mistake(
            "The weights reach only half as far as they should.",
            "√(3 / d_in) is how far they reach to either side. From end to end it is twice that: √(12 / d_in).",
        ).by(lambda draws: np.sqrt(3 / draws.shape[0])),
        Mistake(
            "The square is taken, not the root.",
            "** 2 is the square. The root is ** 0.5, or np.sqrt.",
        ).by(lambda draws: (12 / draws.shape[0]) ** 2),
        Mistake(
            "The quotient is halved where its root is meant.",
            "** 1 / 2 is read from the left: first ** 1, then / 2. Write ** 0.5, or np.sqrt.",
        ).by(lambda draws: 12 / draws.shape[0] / 2),
    ),
)

TIMES = Step(
    "weights",
    lambda centred, factor: centred * factor,
    (
        Mistake(
            "The middle is taken away after the multiplication.",
            "After it the mean is no longer ½, but ½ times the factor. Take ½ away first.",
        ).by(lambda draws, factor: draws * factor - 0.5),
        Mistake(
            "The factor reaches only the ½.",
            "Without brackets, draws - 0.5 * factor multiplies first. Write (draws - 0.5) * factor.",
        ).by(lambda draws, factor: draws - 0.5 * factor),
        Mistake(
            "The factor is added instead of multiplied.",
            "A sum moves all weights by as much. A product changes how far they lie apart.",
        ).by(lambda centred, factor: centred + factor),
        Mistake(
            "The weights are turned over.",
            "The shape stays as it was: a row for each of the d_in inputs.",
        ).by(lambda centred, factor: (centred * factor).T),
    ),
)


def _uniform_draws(draw, d_in, d_out):
    """Draw numbers with two decimals between 0 and 1. Shapes: sizes -> a tuple of one array (d_in, d_out)."""
    several = draw.generator.permutation(100) if d_in * d_out <= 100 else draw.generator.integers(0, 100, d_in * d_out)
    return (several[: d_in * d_out].reshape(d_in, d_out) / 100,)


def _measured(draws):
    """Give these few draws the mean 0 and the variance 1 / d_in, as measured."""
    return (draws - draws.mean()) / draws.std() / np.sqrt(len(draws))


WEIGHTS = Exercise(
    name="five_treatments.weights",
    title="Weights of the right size",
    right=Recipe("draws", (CENTRE, FACTOR, TIMES), "weights"),
    results=("weights",),
    cases=(
        Case("the example", (np.array([[0, 1], [0.5, 0.25], [0.75, 0.5]]),)),
        Case("width 12", lambda draw: _uniform_draws(draw, 12, 5)),
        Case("width 4", lambda draw: _uniform_draws(draw, 4, int(draw.generator.integers(6, 9)))),
        Case("width 1", lambda draw: _uniform_draws(draw, 1, 3)),
        Case("width 48", lambda draw: _uniform_draws(draw, 48, 2)),
        Case("all sizes equal", lambda draw: _uniform_draws(draw, *[int(draw.generator.integers(5, 9))] * 2)),
        Case("wider than high", lambda draw: _uniform_draws(draw, int(draw.generator.integers(2, 8)), 10)),
    ),
    mistakes=(
        Mistake(
            "The draws are used as they came.",
            "All of them are positive. A sum of so many positive numbers is large, whatever the row is, and all rows "
            "come out alike.",
        ).by(lambda draws: draws + 0.0),
        Mistake(
            "Mean and variance are measured in these few draws.",
            "Between 0 and 1 they are known: ½ and 1/12. Those of a few draws are near them, but others every time.",
        ).by(
            _measured,
            lambda draws: (draws - 0.5) / draws.std() / np.sqrt(len(draws)),
            lambda draws: (draws - draws.mean()) / draws.std(),
        ),
    ),
    notice=(
        "Mean 0 and variance 1 / d_in: a row whose entries have variance 1 keeps it. The course's own "
        "MultiHeadAttention.random draws its weights so, too."
    ),
)


@dataclass(frozen=True)
class Candidate:
    """A function of Q, K, V that may be attention or not, and does not say which.

    It gives back nan where its inputs do not fit.

    >>> Candidate(lambda Q, K, V: Q @ K)(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 3)))
    array(nan)
    """

    function: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]

    def __call__(self, Q, K, V):
        """Return what the function gives."""
        try:
            return self.function(Q, K, V)
        except ValueError:
            return np.array(np.nan)

    def __repr__(self):
        return "a function of Q, K and V"


def _attention_with(score=scaled_scores, share=softmax):
    """Return an attention in which one step is done in another way."""
    return lambda Q, K, V: share(score(Q, K)) @ V


def _attention_divided_by(divisor):
    """Return an attention with another scale. divisor: from Q, K and V."""
    return lambda Q, K, V: softmax(Q @ K.T / divisor(Q, K, V)) @ V


def _strongest(scores):
    """Give the whole share to the largest score."""
    return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]


def _spoilt(*changes):
    """Return an attention with an output that is off: each change is a place, and by how much of its size.

    What is off by nothing in all is off by its whole size, so that no candidate is right where there is one column.
    """

    def _attend(Q, K, V):
        right = attention(Q, K, V)
        output, size = right.copy(), max(1.0, np.abs(right).max())
        for place, part in changes:
            output[place] += part * size
        return output + size if np.allclose(output, right) else output

    return _attend


EVERYWHERE, FIRST_COLUMN, LAST_COLUMN = (np.s_[:], np.s_[:, 0], np.s_[:, -1])

# Several for each way not to see. Where no known mistake explains a check, the first that it misjudges is told: so
# those that are wrong on purpose come before those that only some inputs let pass.
CANDIDATES = (
    ("attention itself, which is right", attention),
    ("the output turned over", lambda Q, K, V: attention(Q, K, V).T),
    ("numbers that are far too large", _spoilt((EVERYWHERE, 3))),
    ("numbers that are far too small", _spoilt((EVERYWHERE, -3))),
    ("numbers that are a little too large", _spoilt((EVERYWHERE, 0.05))),
    ("numbers that are very little too small", _spoilt((EVERYWHERE, -0.005))),
    ("numbers that are half a percent too large", lambda Q, K, V: 1.005 * attention(Q, K, V)),
    ("nan in every place", lambda Q, K, V: np.nan * attention(Q, K, V)),
    ("the rows in the reverse order", lambda Q, K, V: attention(Q, K, V)[::-1]),
    ("the row of query 1 in every place", lambda Q, K, V: attention(Q[[0] * len(Q)], K, V)),
    ("the row of the last query in every place", lambda Q, K, V: attention(Q[[-1] * len(Q)], K, V)),
    ("a wrong first row", _spoilt((0, 1))),
    ("a wrong last row", _spoilt((-1, 1))),
    ("a wrong first column", _spoilt((FIRST_COLUMN, 1))),
    ("a wrong last column", _spoilt((LAST_COLUMN, 1))),
    ("a wrong first entry", _spoilt(((0, 0), 1))),
    ("a wrong last entry", _spoilt(((-1, -1), 1))),
    ("two wrong entries with the right sum", _spoilt(((0, 0), 1), ((-1, -1), -1))),
    ("wrong rows with the right sums", _spoilt((FIRST_COLUMN, 1), (LAST_COLUMN, -1))),
    ("wrong columns with the right sums", _spoilt((0, 1), (-1, -1))),
    ("a last digit rounded up, which is right", lambda Q, K, V: np.nextafter(attention(Q, K, V), np.inf)),
    ("no scale", _attention_divided_by(lambda Q, K, V: 1)),
    ("a division by d_k", _attention_divided_by(lambda Q, K, V: Q.shape[-1])),
    ("a division by d_k / 2", _attention_divided_by(lambda Q, K, V: Q.shape[-1] / 2)),
    ("a division by 2, whatever d_k is", _attention_divided_by(lambda Q, K, V: 2)),
    ("a division by √n_k", _attention_divided_by(lambda Q, K, V: np.sqrt(len(K)))),
    ("a division by √n_q", _attention_divided_by(lambda Q, K, V: np.sqrt(len(Q)))),
    ("a division by √d_v", _attention_divided_by(lambda Q, K, V: np.sqrt(V.shape[-1]))),
    ("a scale after the softmax", lambda Q, K, V: softmax(Q @ K.T) / np.sqrt(Q.shape[-1]) @ V),
    ("a softmax over the queries", _attention_with(share=lambda scores: softmax(scores, axis=0))),
    ("queries and keys swapped", lambda Q, K, V: attention(K, Q, V)),
    ("keys mixed instead of values", lambda Q, K, V: attention(Q, K, K)),
    ("values in place of the keys", lambda Q, K, V: attention(Q, V, V)),
    ("equal shares for all keys", _attention_with(score=lambda Q, K: 0 * (Q @ K.T))),
    ("the whole share for the strongest key", _attention_with(share=_strongest)),
    ("Q scaled first, which is right", lambda Q, K, V: softmax(Q / np.sqrt(Q.shape[-1]) @ K.T) @ V),
)


def _equal_up_to_rounding(output, right):
    return output.shape == right.shape and np.allclose(output, right)


def _equal_within(difference):
    return lambda output, right: output.shape == right.shape and np.allclose(output, right, rtol=0, atol=difference)


def _equal_in_shape(output, right):
    return output.shape == right.shape


def _equal_in(part):
    """Return a comparison of one part of the output, or of something made from it."""
    return lambda output, right: output.shape == right.shape and np.allclose(part(output), part(right))


def _not_above(output, right):
    return output.shape == right.shape and (output - right < EQUAL).all()


def _not_below(output, right):
    return output.shape == right.shape and (right - output < EQUAL).all()


def _nowhere_apart(output, right):
    return output.shape == right.shape and not (np.abs(output - right) > EQUAL).any()


EQUAL = 1e-6  # up to rounding


def _check_on(inputs, agree=_equal_up_to_rounding):
    """Return a check that tries a candidate on these inputs and asks whether it agrees with the truth."""
    right = attention(*inputs)
    return lambda candidate: bool(agree(np.asarray(candidate(*inputs)), right))


TELLING = Draw(321)((3, 5), (4, 5), (4, 2))
ALL_SIZES_EQUAL = Draw(322)((5, 5), (5, 5), (5, 5))
FOUR_WIDE = Draw(323)((3, 4), (5, 4), (5, 2))
KEYS_ARE_VALUES = (*Draw(324)((3, 5), (4, 5)), Draw(324)((3, 5), (4, 5))[1])
ONE_KEY = Draw(325)((3, 5), (1, 5), (1, 2))
ALL_ONES = (np.ones((3, 4)), np.ones((3, 4)), np.ones((3, 4)))
SIXTEEN_WIDE = Draw(328)((3, 16), (4, 16), (4, 2))  # a division by 4 loses no digit
SUMS = (np.sum, lambda output: output.sum(axis=1), lambda output: output.sum(axis=0))
ARTICLE = tuple(article.X @ W for W in (article.W_Q, article.W_K, article.W_V))
LARGE = tuple(10 * array for array in Draw(326)((3, 5), (4, 5))) + Draw(327)((4, 2))

CHECK = Exercise(
    name="find_the_bug.check",
    title="A check that can fail",
    right=_check_on(TELLING),
    results=("verdict",),
    cases=tuple(
        Case("the example" if not i else words, (Candidate(function),))
        for i, (words, function) in enumerate(CANDIDATES)
    ),
    mistakes=(
        Mistake(
            "It looks at shapes alone.",
            "Nearly every mistake gives the right shape. Compare the numbers with those of a function that you trust.",
        ).by(
            _check_on(ALL_ONES, _equal_in_shape),
            _check_on(TELLING, _equal_in_shape),
            lambda candidate: True,
        ),
        Mistake(
            "It compares numbers, but its inputs are all alike.",
            "Where all keys are equal, so are all shares, and where all values are, their mix is known before. Draw "
            "the inputs at random.",
        ).by(_check_on(ALL_ONES)),
        Mistake(
            "All its sizes are equal.",
            "With as many keys as columns, √n_k is √d_k. Give every axis a size of its own.",
        ).by(_check_on(ALL_SIZES_EQUAL)),
        Mistake(
            "Its queries are 4 wide.",
            "With d_k = 4, d_k / 2 and √d_k are both 2. Take 3 or 5.",
            "mkara44/transunet_pytorch #4",
        ).by(_check_on(FOUR_WIDE)),
        Mistake(
            "Its numbers are too large.",
            "The softmax is saturated: one key takes everything, whatever the scale is. Keep the scores near 1.",
        ).by(_check_on(LARGE)),
        Mistake(
            "It uses the article's example.",
            "There Q Kᵀ is symmetric and all sizes are 3: swapped queries and keys pass, and a division by √n_k.",
        ).by(_check_on(ARTICLE)),
        Mistake(
            "Its keys are its values.",
            "Then nobody sees which of the two were mixed. Draw the values by themselves.",
        ).by(_check_on(KEYS_ARE_VALUES)),
        Mistake(
            "It has one key only.",
            "One key gets the whole share, whatever its score is. Take several.",
        ).by(_check_on(ONE_KEY)),
        Mistake(
            "It wants every digit to agree.",
            "(Q / √d_k) Kᵀ and Q Kᵀ / √d_k differ in the last digit, and both are right. Use np.allclose.",
        ).by(_check_on(TELLING, np.array_equal), _check_on(SIXTEEN_WIDE, np.array_equal)),
        Mistake(
            "It compares sums.",
            "Different numbers can have one sum: the table turned over, for one. Compare entry by entry.",
        ).by(*(_check_on(TELLING, _equal_in(part)) for part in SUMS)),
        Mistake(
            "It looks at the first row alone.",
            "The rows that it does not look at may be anything. Take several queries, and compare all rows.",
        ).by(_check_on(TELLING, _equal_in(lambda output: output[0]))),
        Mistake(
            "It looks at one row alone.",
            "The rows that it does not look at may be anything. Compare all of them.",
        ).by(*(_check_on(TELLING, _equal_in(lambda output, i=i: output[i])) for i in (1, -1))),
        Mistake(
            "It looks at one column alone.",
            "The columns that it does not look at may be anything. Compare all of them.",
        ).by(*(_check_on(TELLING, _equal_in(lambda output, i=i: output[:, i])) for i in (0, -1))),
        Mistake(
            "It looks at one entry alone.",
            "The entries that it does not look at may be anything. Compare all of them.",
        ).by(*(_check_on(TELLING, _equal_in(lambda output, i=i: output[i, i])) for i in (0, -1))),
        Mistake(
            "It compares one way only.",
            "It asks whether the difference is small, and a number far below 0 is smaller than any. An output that is "
            "far off on that side passes. Take np.abs of the difference, or np.allclose.",
        ).by(_check_on(TELLING, _not_above), _check_on(TELLING, _not_below)),
        Mistake(
            "With it, nan passes.",
            "Every comparison with nan is False, so no difference is too large. Ask whether all are small: nan is not. "
            "np.allclose does so.",
        ).by(_check_on(TELLING, _nowhere_apart)),
        Mistake(
            "It allows too large a difference.",
            "Two right answers differ by the rounding of a computer, less than 0.00001. A mistake can be as small as "
            "0.005.",
        ).by(*(_check_on(TELLING, _equal_within(difference)) for difference in (0.5, 0.1, 0.01))),
        Mistake("It says the opposite.", "True is for a candidate that is right.").by(
            lambda candidate: not _check_on(TELLING)(candidate)
        ),
        Mistake("It rejects everything.", "A check that says False to all is no better than one that says True.").by(
            lambda candidate: False
        ),
    ),
    notice=(
        "Sizes that all differ, numbers that do not saturate, and a comparison of every entry up to rounding: that is "
        "all it takes. And it lets the right answer pass that looks wrong."
    ),
    untraced=("candidate",),
)


class Turns(Sequence):
    """One array for each turn. As an array it is all of them, one below the other, where that is possible.

    >>> np.asarray(Turns([np.ones((2, 1)), np.zeros((1, 1))])).tolist()
    [[1.0], [1.0], [0.0]]
    """

    def __init__(self, arrays):
        """Keep the arrays."""
        self.arrays = list(arrays)

    def __len__(self):
        """Return how many turns there are."""
        return len(self.arrays)

    def __getitem__(self, turn):
        """Return the array of one turn, or a list of several."""
        return self.arrays[turn]

    def __array__(self, dtype=None, copy=None):
        """Return all arrays in one."""
        try:
            together = np.concatenate(self.arrays)
        except ValueError:  # none at all, or their widths differ
            together = np.concatenate([np.zeros(0), *map(np.ravel, self.arrays)])
        return np.asarray(together, dtype=dtype)


def _of_each(step, makes=""):
    """Return a step of attention as it is done in each turn. makes: another name for what it makes."""
    slips = tuple(slip.by(*map(_for_each, slip.ways)) for slip in step.slips)
    return Step(makes or step.makes, _for_each(step.does), slips)


def _for_each(function):
    """Return the function for `Turns`; whatever else it asks for is the same in all of them."""
    names = asked(function)
    needed = dict.fromkeys(("Q", *names))  # Q says how many turns there are

    def _each(*given):
        values = dict(zip(needed, given, strict=True))
        turns = zip(*(_turn_by_turn(values[name]) for name in names)) if names else itertools.repeat(())  # noqa: B905
        return Turns(function(*turn) for turn in itertools.islice(turns, len(values["Q"])))

    _each.__signature__ = inspect.Signature(
        [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in needed]
    )
    return _each


def _turn_by_turn(value):
    return value.arrays if isinstance(value, Turns) else itertools.repeat(value)


MOST = Step(
    "most",
    lambda Q, K, rows: min(rows, len(Q)) * len(K),
    (
        Mistake(
            "It counts the scores of all queries.",
            "n_q · n_k would exist at one time without turns. With them there are never more than those of the largest "
            "block.",
        ).by(lambda Q, K: len(Q) * len(K)),
        Mistake(
            "It counts rows that are not there.",
            "If there are fewer queries than rows in a block, the only block has n_q rows.",
        ).by(lambda K, rows: rows * len(K)),
        Mistake(
            "The last block is the one that is counted.",
            "The last may be smaller than the others. The most is what the first one has.",
        ).by(lambda Q, K, rows: ((len(Q) - 1) % rows + 1) * len(K)),
        Mistake(
            "A block is counted as square.",
            "It has a row for each of its queries, and a column for every key: rows · n_k.",
        ).by(
            lambda Q, rows: min(rows, len(Q)) ** 2,
            lambda Q, K, rows: min(rows, len(Q)) * min(rows, len(K)),
            lambda rows: rows * rows,
        ),
        Mistake(
            "It takes the larger where the smaller is meant.",
            "A block has `rows` queries, but no more than there are: min(rows, len(Q)).",
        ).by(lambda Q, K, rows: max(rows, len(Q)) * len(K)),
        Mistake(
            "It counts the scores among the queries.",
            "Queries are compared with keys: a block has a column for every key.",
        ).by(lambda Q, rows: min(rows, len(Q)) * len(Q), lambda Q, rows: rows * len(Q)),
        Mistake(
            "It counts the numbers of a block of queries.",
            "A block of queries has d_k columns. Its scores have one for every key: n_k.",
        ).by(lambda Q, rows: min(rows, len(Q)) * Q.shape[-1], lambda Q, rows: rows * Q.shape[-1]),
        Mistake(
            "It counts the numbers of a block of outputs.",
            "A block of outputs has d_v columns. Its scores have one for every key: n_k.",
        ).by(lambda Q, V, rows: min(rows, len(Q)) * V.shape[-1], lambda V, rows: rows * V.shape[-1]),
        Mistake(
            "It counts the rows of a block, not its scores.",
            "Each row has a score for every key: times n_k.",
        ).by(lambda Q, rows: min(rows, len(Q)), lambda rows: rows),
        Mistake(
            "It counts the blocks.",
            "What is asked is how many scores exist at one time: those of the largest block.",
        ).by(lambda Q, rows: -(-len(Q) // rows), lambda Q, rows: len(Q) // rows),
        Mistake(
            "It adds where it should multiply.",
            "The scores of a block are a table: as many as rows times columns.",
        ).by(lambda Q, K, rows: min(rows, len(Q)) + len(K), lambda K, rows: rows + len(K)),
        Mistake(
            "It counts the keys only.",
            "There is a row of scores for each query of a block: n_k scores in each.",
        ).by(lambda K: len(K)),
    ),
)

STARTS = Step(
    "starts",
    lambda Q, rows: range(0, len(Q), rows),
    (
        Mistake(
            "The last block is lost.",
            "n_q // rows leaves out what remains: with 3 queries, 2 at a time, the third. range(0, n_q, rows) does "
            "not.",
        ).by(
            lambda Q, rows: range(0, max(len(Q) // rows, 1) * rows, rows),
            lambda Q, rows: range(0, len(Q) // rows * rows, rows),
            lambda Q, rows: range(0, len(Q) - rows, rows),
            lambda Q, rows: range(0, len(Q) - 1, rows),
        ),
        Mistake(
            "Every block begins only one row further.",
            "Block i begins at row i · rows. Here the blocks overlap.",
        ).by(
            lambda Q: range(len(Q)),
            lambda Q, rows: range(len(Q) // rows),
            lambda Q, rows: range(-(-len(Q) // rows)),
            lambda Q, rows: range(len(Q) - rows + 1),
        ),
        Mistake(
            "It counts from 1.",
            "The first query is row 0, as NumPy counts.",
        ).by(lambda Q, rows: range(1, len(Q), rows), lambda Q, rows: range(1, len(Q) + 1, rows)),
        Mistake(
            "The first block is lost.",
            "The first block begins at row 0.",
        ).by(lambda Q, rows: range(rows, len(Q), rows)),
        Mistake(
            "The keys are counted where the queries take turns.",
            "A turn belongs to some of the queries: range(0, len(Q), rows).",
        ).by(lambda K, rows: range(0, len(K), rows)),
        Mistake(
            "The turns run along the width.",
            "shape[-1] is how wide a query is. How many there are is len(Q).",
        ).by(lambda Q, rows: range(0, Q.shape[-1], rows)),
        Mistake(
            "There are as many turns as rows in a block.",
            "`rows` says how many queries a block has, not how often it is done.",
        ).by(lambda rows: range(rows), lambda rows: range(0, rows * rows, rows)),
    ),
)

ALL_AT_ONCE = Mistake("All scores exist at once.", "n_q · n_k scores were made together. Cut the queries first.")

CUT = Step(
    "Q",
    lambda Q, starts, rows: Turns([Q[start : start + rows] for start in starts]),
    (
        ALL_AT_ONCE.by(lambda Q: Turns([Q])),
        Mistake(
            "Every block runs to the end.",
            "A block has `rows` queries: it ends before start + rows.",
        ).by(lambda Q, starts: Turns([Q[start:] for start in starts])),
        Mistake(
            "Each block ends one row too early.",
            "A slice ends before its second number, so start + rows takes `rows` queries. Nothing is to be taken away.",
        ).by(lambda Q, starts, rows: Turns([Q[start : start + rows - 1] for start in starts])),
        Mistake(
            "Each block ends one row too late.",
            "A slice ends before its second number, so start + rows takes `rows` queries. With one more the blocks "
            "overlap.",
        ).by(lambda Q, starts, rows: Turns([Q[start : start + rows + 1] for start in starts])),
        Mistake(
            "Only one query of each block is taken.",
            "Q[start] is one row. The block is Q[start : start + rows].",
        ).by(
            lambda Q, starts: Turns([Q[start : start + 1] for start in starts]),
            lambda Q, starts: Turns([Q[start] for start in starts]),
        ),
        Mistake(
            "Every turn has the first block.",
            "The slice must move on with each turn: Q[start : start + rows].",
        ).by(lambda Q, starts, rows: Turns([Q[:rows] for _ in starts])),
        Mistake(
            "Every block begins with the first query.",
            "A block begins at its own start, where the one before it ended.",
        ).by(lambda Q, starts, rows: Turns([Q[: start + rows] for start in starts])),
        Mistake(
            "The columns are cut, not the rows.",
            "A query is a row, and it is needed whole.",
        ).by(lambda Q, starts, rows: Turns([Q[:, start : start + rows] for start in starts])),
        Mistake(
            "A block holds every so-many-th query.",
            "Q[start::rows] steps over queries. A block is `rows` of them that stand next to each other.",
        ).by(
            lambda Q, starts, rows: Turns([Q[number :: len(starts)] for number in range(len(starts))]),
            lambda Q, rows: Turns([Q[number::rows] for number in range(rows)]),
        ),
    ),
)

OVER_A_BLOCK = (
    "Each row must sum to 1. Here the queries of a block compete for a key, so the result depends on how they were cut."
)

NORMALISE = replace(
    sharing.NORMALISE,
    slips=tuple(
        replace(slip, why=OVER_A_BLOCK) if slip.name == known.OVER_QUERIES.name else slip
        for slip in sharing.NORMALISE.slips
    ),
)

ATTEND = (
    *map(_of_each, (*scoring.SCORES, replace(sharing.SUBTRACT, slips=()), sharing.EXPONENTIATE, NORMALISE)),
    _of_each(mixing.MIX, makes="turns"),
)

JOIN = Step(
    "output",
    lambda turns: np.concatenate(turns),
    (
        Mistake(
            "Only the last block is left.",
            "Each turn overwrote the one before. Collect the blocks and join them at the end.",
        ).by(lambda turns: turns[-1]),
        Mistake(
            "Only the first block is left.",
            "Usually a return inside the loop, or a slice Q[start:rows], which is empty from the second turn on. "
            "Collect all blocks and join them at the end.",
        ).by(lambda turns: turns[0]),
        Mistake(
            "The keys are cut, too.",
            "A row of weights needs one query, but all keys. Here each query sees only the keys of its own block.",
        ).by(
            lambda Q, K, V, starts, rows: np.concatenate(
                [
                    attention(few, K[start : start + rows], V[start : start + rows])
                    for few, start in zip(Q, starts, strict=True)
                ]
            )
        ),
        Mistake(
            "The blocks make an axis of their own.",
            "The output is one table with a row for each query: np.concatenate, not np.stack.",
        ).by(lambda turns: np.stack(turns)),
        Mistake(
            "The blocks stand side by side.",
            "Each block belongs to queries of its own: they stand one below the other, axis=0.",
        ).by(lambda turns: np.concatenate(turns, axis=1)),
        Mistake(
            "The blocks are added.",
            "Each block belongs to queries of its own: they stand one below the other.",
        ).by(lambda turns: sum(turns)),
        Mistake(
            "The mean of the blocks is taken.",
            "Each block belongs to queries of its own: they stand one below the other.",
        ).by(lambda turns: sum(turns) / len(turns)),
        Mistake(
            "The blocks stand in the reverse order.",
            "Row 1 of the output belongs to query 1.",
        ).by(lambda turns: np.concatenate(turns[::-1])),
        Mistake(
            "Everything lies in one row.",
            "The output has a row for each query.",
        ).by(lambda turns: np.concatenate(turns, axis=None)),
        Mistake(
            "The output is turned over.",
            "Each row of the output must belong to one query.",
        ).by(lambda turns: np.concatenate(turns).T),
    ),
)

RESULTS = Step(
    "output most",
    lambda output, most: (output, most),
    (
        Mistake(
            "The two results are exchanged.",
            "First the output, then the number.",
        ).by(lambda output, most: (most, output)),
    ),
)


class NarrowQueries(np.ndarray):
    """Queries on a machine with little memory: whatever is too large, and made from them, raises `MemoryError`.

    rows: how many of them may be used at a time. room: for how many numbers in one array.
    """

    rows: int | None = None
    room: int | None = None
    requires_grad = False  # as a tensor: the course's functions then ask it for its numbers

    def __array_finalize__(self, origin):
        self.rows, self.room = getattr(origin, "rows", None), getattr(origin, "room", None)
        self._take_in(self)

    def __array_function__(self, function, types, args, kwargs):
        return self._take_in(super().__array_function__(function, types, args, kwargs))

    def _take_in(self, made):
        if self.room is not None and isinstance(made, np.ndarray) and made.size > self.room:
            raise MemoryError(NO_ROOM)
        return made

    def detach(self) -> "NarrowQueries":
        """Return the queries themselves."""
        return self

    def numpy(self, force: bool = False) -> np.ndarray:
        """Return the numbers of as many queries as may be used at a time."""
        if self.rows is not None and self.ndim > 1 and self.shape[-2] > self.rows:
            raise MemoryError(NO_ROOM)
        return self.view(np.ndarray)


NO_ROOM = "there is no room for the scores of all queries at once"


def _with_little_memory(queries_keys_values, rows):
    """Let the machine have room for one block, worked out entry by entry, but not for all scores."""
    Q, K, V = queries_keys_values
    narrow = Q.view(NarrowQueries)
    narrow.rows, narrow.room = rows, rows * K.shape[0] * max(Q.shape[-1], V.shape[-1])
    return narrow, K, V, rows


def _in_turns(draw, n_q, n_k, rows):
    """Draw queries, keys and values whose widths differ from all other sizes, to be done so many rows at a time."""
    left = [size for size in (2, 3, 4, 5, 6) if size not in (n_q, n_k, rows)]
    d_k, d_v = (int(size) for size in draw.generator.permutation(left)[:2])
    return (*draw((n_q, d_k), (n_k, d_k), (n_k, d_v)), rows)


BLOCKS = Exercise(
    name="five_treatments.blocks",
    title="Queries take turns",
    right=Recipe(
        "Q K V rows",
        (MOST, STARTS, CUT, *ATTEND, JOIN, RESULTS),
        "output most",
    ),
    results=("output", "most"),
    cases=(
        Case(
            "the example",
            (np.array([[1, 0], [0, 1], [2, 2]]), np.array([[1, 0], [0, 2]]), np.array([[4, 0], [0, 8]]), 2),
        ),
        Case("7 queries, 3 at a time", lambda draw: _in_turns(draw, 7, 8, 3)),
        Case("6 queries, 2 at a time", lambda draw: _in_turns(draw, 6, 7, 2)),
        Case("one at a time", lambda draw: _in_turns(draw, 4, 5, 1)),
        Case("more rows than queries", lambda draw: _in_turns(draw, 2, 5, 9)),
        Case("one query", lambda draw: (*draw((1, 4), (3, 4), (3, 2)), 2)),
        Case("room for one block only", lambda draw: _with_little_memory(draw((8, 2), (9, 2), (9, 3)), rows=2)),
        Case("more queries than keys", lambda draw: _in_turns(draw, int(draw.generator.integers(8, 11)), 4, 3)),
        Case("as many keys as queries", lambda draw: _in_turns(draw, 6, 6, 4)),
        Case("all sizes equal", lambda draw: (*draw((4, 4), (4, 4), (4, 4)), 4)),
        Case("all sizes equal but the rows", lambda draw: (*draw((5, 5), (5, 5), (5, 5)), 2)),
    ),
    mistakes=(ALL_AT_ONCE.by(lambda Q, K, V, rows: (attention(Q, K, V), len(Q) * len(K))),),
    notice=(
        "The sum is the same, and the memory no longer grows with the square of the length. That is how the course's "
        "own layer works: mha_course/maths/blocks.py."
    ),
    untraced=("rows",),
)

EXERCISES = (PARAMETERS, WHOLE_ROW, WEIGHTS, CHECK, BLOCKS)

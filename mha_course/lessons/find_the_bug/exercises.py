"""Exercises: find out from outside what code does, repair it, and write a check that can fail."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mha_course.engine.checking.exercise import Case, Exercise, mistake
from mha_course.engine.checking.function_to_repair import ToRepair
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.solution import Solution, Step
from mha_course.forward.examples import article
from mha_course.maths.formulas import (
    attention,
    masked_softmax,
    merge_heads,
    project,
    scaled_scores,
    softmax,
    split_heads,
)
from mha_course.mistakes import shared

# What did it divide by?

GAP = Step(
    "gap",
    lambda dots: dots[0] - dots[1],
    mistake("Only one dot product is used.",
            "Adding a number to all scores of a row changes no weight, so one score alone says nothing. Take the "
            "difference of two.",
            lambda dots: dots[0],
            lambda dots: dots[1]),
    mistake("The dot products are added.",
            "The weights show how far one score lies above another: take the difference.",
            lambda dots: dots[0] + dots[1]),
    mistake("One dot product is divided by the other.",
            "The quotient of two weights belongs to the difference of two scores: e^a / e^b is e^(a - b).",
            lambda dots: dots[0] / dots[1]),
)

RATIO = Step(
    "ratio",
    lambda weights: weights[0] / weights[1],
    mistake("Only one weight is used.",
            "A single weight depends on all the exponentials. In the quotient of two weights their sum cancels.",
            lambda weights: weights[0],
            lambda weights: weights[1]),
    mistake("The weights are subtracted.",
            "Both were divided by the same sum. It cancels in their quotient, not in their difference.",
            lambda weights: abs(weights[0] - weights[1])),
    mistake("The quotient of the weights is upside down.",
            "Weight 1 over weight 2 belongs to score 1 minus score 2. The other way round, the sign changes.",
            lambda weights: weights[1] / weights[0]),
    mistake("One weight is divided by the sum of the others.",
            "That is right for two keys only: 1 - w holds the exponentials of all the other keys. Take two weights.",
            lambda weights: weights[0] / (1 - weights[0])),
)

BACK = Step(
    "score_gap",
    lambda ratio: np.log(ratio),
    mistake("The logarithm is missing.",
            "The quotient of two weights is an exponential. np.log leads back to the scores.",
            lambda ratio: ratio),
    mistake("The logarithm has the wrong base.",
            "The exponentials of the softmax are e to the power of a score, and np.log undoes just that.",
            lambda ratio: np.log(ratio) / np.log(10),
            lambda ratio: np.log(ratio) / np.log(2)),
    mistake("The exponential is taken once more.",
            "The weights were made with exponentials. The logarithm undoes them.",
            lambda ratio: np.exp(ratio)),
)

DIVISOR_OF = Step(
    "divisor",
    lambda gap, score_gap: gap / score_gap,
    mistake("The quotient is upside down.",
            "score = dot product / divisor, so divisor = dot product / score.",
            lambda gap, score_gap: score_gap / gap),
    mistake("The two differences are multiplied.",
            "score = dot product / divisor, so divisor = dot product / score.",
            lambda gap, score_gap: gap * score_gap),
    mistake("The two differences are subtracted.",
            "The code divided; it did not subtract. So divisor = dot product / score.",
            lambda gap, score_gap: gap - score_gap),
    mistake("It returns the square of the divisor.",
            "If the code divided by √d_k, the square is d_k. The task asks what it divided by, whatever that is.",
            lambda gap, score_gap: (gap / score_gap) ** 2),
    mistake("It returns the root of the divisor.",
            "The task asks what the code divided by. A root would be needed only if that were d_k and you wanted √d_k.",
            lambda gap, score_gap: abs(gap / score_gap) ** 0.5),
)


def _dots_and_weights(keys, divisor):
    """Return what draws so many dot products, and gives them with the weights that they make, so divided."""

    def _drawn(sample):
        (dots,) = sample((keys,))
        return 2 * dots, softmax(2 * dots / divisor)

    return _drawn


DIVISOR = Exercise(
    "find_the_bug.divisor",
    "What did it divide by?",
    Solution("dots weights", [GAP, RATIO, BACK, DIVISOR_OF]),
    cases=(
        Case("the example", (np.array([4.0, 2.0]), softmax(np.array([2.0, 1.0])))),
        Case("3 keys, divided by √5", _dots_and_weights(3, 5**0.5)),
        Case("6 keys, divided by 3", _dots_and_weights(6, 3)),
        Case("4 keys, not divided", _dots_and_weights(4, 1)),
        Case("2 keys, divided by √12", _dots_and_weights(2, 12**0.5)),
        Case("5 keys, multiplied by √2", _dots_and_weights(5, 0.5**0.5)),
    ),
    notice=(
        "Any two keys with different dot products give the same number. So one row of weights shows from outside what "
        "code divides by: √d_k, d_k, √d_model, or nothing."
    ),
)

# One line is wrong


def _in_all_three(split):
    return lambda Q, K, V, num_heads: tuple(split(wide, num_heads) for wide in (Q, K, V))


def _cut_by_reshape(wide, num_heads):
    return wide.reshape(num_heads, len(wide), -1)


def _cut_in_turns(wide, num_heads):
    return wide.reshape(len(wide), -1, num_heads).transpose(2, 0, 1)


def _heads_of_each_token(Q, K, V):
    """Let the heads of a token look at each other, as they do where they are left behind the tokens."""
    return attention(Q, K, V).reshape(len(Q), -1)


def _left_behind(wide, num_heads):
    return wide.reshape(len(wide), num_heads, -1)


PROJECTED = Step(
    "Q K V",
    lambda X, W_Q, W_K, W_V: (project(X, W_Q), project(X, W_K), project(X, W_V)),
    shared.MATRICES_EXCHANGED.by(lambda X, W_Q, W_K, W_V: (X @ W_K, X @ W_Q, X @ W_V)),
    shared.MIXES_KEYS.by(lambda X, W_Q, W_K: (X @ W_Q, X @ W_K, X @ W_K)),
)

SPLIT = Step(
    "Q K V",
    _in_all_three(split_heads),
    shared.RESHAPE_SPLIT.by(_in_all_three(_cut_by_reshape)),
    shared.HEADS_BEHIND.by(_in_all_three(_left_behind)),
    shared.COLUMNS_TAKE_TURNS.by(_in_all_three(_cut_in_turns)),
    mistake("Only one of Q, K and V is cut correctly.",
            "All three are cut in the same way. After reshape alone, pieces of different tokens end up in one head.",
            lambda Q, K, V, num_heads: (
                split_heads(Q, num_heads),
                _cut_by_reshape(K, num_heads),
                _cut_by_reshape(V, num_heads),
            ),
            lambda Q, K, V, num_heads: (
                _cut_by_reshape(Q, num_heads),
                _cut_by_reshape(K, num_heads),
                split_heads(V, num_heads),
            )),
    mistake("The rows are not cut into heads.",
            "Without the cut there is a single set of weights, from all columns at once.",
            lambda Q, K, V: tuple(wide[None] for wide in (Q, K, V))),
)

WEIGHTS_OF_HEADS = Step(
    "weights",
    lambda Q, K: softmax(scaled_scores(Q, K)),
    shared.UNSCALED.by(lambda Q, K: softmax(Q @ K.mT)),
    shared.SCALED_BY_D_K.by(lambda Q, K: softmax(Q @ K.mT / Q.shape[-1])),
    shared.SCALED_BY_D_MODEL.by(lambda Q, K, X: softmax(Q @ K.mT / X.shape[-1] ** 0.5)),
    mistake("The scale is taken from all heads together.",
            "A head's dot product adds only its own d_k products: divide by the root of one head's width.",
            lambda Q, K, W_Q: softmax(Q @ K.mT / W_Q.shape[-1] ** 0.5)),
    shared.OVER_QUERIES.by(lambda Q, K: softmax(scaled_scores(Q, K), axis=-2)),
)

SIDE_BY_SIDE = Step(
    "output",
    lambda weights, V: merge_heads(weights @ V),
    shared.RESHAPE_MERGE.by(lambda weights, V: (weights @ V).reshape(V.shape[-2], -1)),
    shared.WRONG_ORDER.by(lambda weights, V: merge_heads((weights @ V)[::-1])),
    shared.HEADS_ADDED.by(lambda weights, V: (weights @ V).sum(axis=0)),
    shared.HEADS_BEHIND.by(lambda Q, K, V: _heads_of_each_token(*(each.swapaxes(0, 1) for each in (Q, K, V)))),
)

SELF_ATTENTION_REPAIRED = Exercise(
    "find_the_bug.one_line",
    "One line is wrong",
    Solution("X W_Q W_K W_V num_heads", [PROJECTED, SPLIT, WEIGHTS_OF_HEADS, SIDE_BY_SIDE]),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 0], [0, 1]]),
                np.zeros((2, 2)),
                np.zeros((2, 2)),
                np.array([[4, 2], [0, 8]]),
                2,
            ),
        ),
        Case("3 tokens, 2 heads", lambda sample: (*sample((3, 6), (6, 8), (6, 8), (6, 10)), 2)),
        Case("5 tokens, 3 heads", lambda sample: (*sample((5, 4), (4, 6), (4, 6), (4, 9)), 3)),
        Case("one token", lambda sample: (*sample((1, 4), (4, 6), (4, 6), (4, 4)), 2)),
        Case("one head", lambda sample: (*sample((4, 5), (5, 3), (5, 3), (5, 2)), 1)),
        Case("as many tokens as heads", lambda sample: (*sample((3, 5), (5, 12), (5, 12), (5, 6)), 3)),
        Case("all sizes equal", lambda sample: (*sample((4, 4), (4, 4), (4, 4), (4, 4)), 2)),
    ),
    notice=(
        "reshape never changes the order of the numbers. To move one axis past another, swap them: that was the one "
        "line."
    ),
    untraced=("num_heads",),
    given=ToRepair(
        """\
def my_self_attention(X, W_Q, W_K, W_V, num_heads):
    n = len(X)
    Q, K, V = ((X @ W).reshape(num_heads, n, -1) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return merge_heads(weights @ V)
""",
        fewest=1,
    ),
)

# Two lines are wrong

MEASURE = Step(
    "scale",
    lambda Q: Q.shape[-1] ** 0.5,
    mistake("The scale is the root of the number of sentences.",
            "len(Q) is the first axis, and with a batch that counts the sentences. The width is the last axis: "
            "Q.shape[-1]. One sentence alone would not be scaled at all.",
            lambda Q: len(Q) ** 0.5),
    shared.SCALED_BY_D_K.by(lambda Q: Q.shape[-1]),
    shared.SCALED_BY_QUERIES.by(lambda Q: Q.shape[-2] ** 0.5),
    shared.SCALED_BY_KEYS.by(lambda K: K.shape[-2] ** 0.5),
    shared.UNSCALED.by(lambda: 1),
    mistake("The scale is the number of sentences, without a root.",
            "It should be the root of the width, Q.shape[-1] ** 0.5.",
            lambda Q: len(Q)),
)

PRODUCTS = Step(
    "scores",
    lambda Q, K, scale: Q @ K.mT / scale,
    shared.SWAPPED.by(lambda Q, K, scale: K @ Q.mT / scale),
    mistake("It multiplies by the scale instead of dividing.",
            "The scores are too large already; this makes them larger.",
            lambda Q, K, scale: Q @ K.mT * scale),
)

REAL = Step(
    "real",
    lambda K, lengths: np.arange(K.shape[-2]) < lengths[:, None],
    mistake("One token too many is visible in each sentence.",
            "Positions count from 0: a sentence of length 3 has the positions 0, 1 and 2. So position < length.",
            lambda K, lengths: np.arange(K.shape[-2]) <= lengths[:, None]),
    mistake("One token too few is visible in each sentence.",
            "Positions count from 0: a sentence of length 3 has the positions 0, 1 and 2, and 2 < 3.",
            lambda K, lengths: np.arange(K.shape[-2]) < lengths[:, None] - 1),
    shared.MASK_INVERTED.by(lambda K, lengths: np.arange(K.shape[-2]) >= lengths[:, None]),
    mistake("The length of the first sentence is used for all.",
            "Each sentence has its own length: lengths[:, None] is a column of them.",
            lambda K, lengths: np.arange(K.shape[-2]) < np.full((len(lengths), 1), lengths[0])),
    mistake("The length of the longest sentence is used for all.",
            "Each sentence has its own length: lengths[:, None] is a column of them.",
            lambda K, lengths: np.arange(K.shape[-2]) < np.full((len(lengths), 1), lengths.max())),
)

MIXED = Step(
    "output",
    lambda scores, real, V: masked_softmax(scores, real[:, None]) @ V,
    shared.MASK_UNUSED.by(lambda scores, V: softmax(scores) @ V),
    shared.MASKED_AFTER.by(lambda scores, real, V: softmax(scores) * real[:, None] @ V),
    shared.MASK_MULTIPLIED.by(lambda scores, real, V: softmax(scores * real[:, None]) @ V),
)


def _sentences(n_q, n_k, d_k, d_v, lengths):
    """Return what draws a sentence for each of the lengths, which it gives in another order."""

    def _drawn(sample):
        batch = len(lengths)
        arrays = sample((batch, n_q, d_k), (batch, n_k, d_k), (batch, n_k, d_v))
        return *arrays, sample.generator.permutation(lengths)

    return _drawn


PADDED_ATTENTION_REPAIRED = Exercise(
    "find_the_bug.two_lines",
    "Two lines are wrong",
    Solution("Q K V lengths", [MEASURE, PRODUCTS, REAL, MIXED]),
    cases=(
        Case(
            "the example",
            (
                np.array([[[2.0]], [[2.0]]]),
                np.array([[[0.0], [0.0], [9.0]], [[0.0], [0.0], [0.0]]]),
                np.array([[[4.0], [8.0], [0.0]], [[3.0], [6.0], [9.0]]]),
                np.array([2, 3]),
            ),
        ),
        Case("3 sentences", _sentences(4, 6, 5, 2, lengths=(2, 3, 5))),
        Case("one sentence", _sentences(3, 4, 2, 3, lengths=(3,))),
        Case("one query", _sentences(1, 5, 6, 2, lengths=(1, 4))),
        Case("as many queries as keys", _sentences(5, 5, 3, 4, lengths=(1, 3, 4))),
        Case("4 sentences of width 2", _sentences(3, 6, 2, 5, lengths=(2, 3, 4, 5))),
        Case("5 sentences of width 7", _sentences(2, 8, 7, 3, lengths=(1, 2, 4, 6, 7))),
    ),
    notice=(
        "Two experiments reveal the two bugs: a single sentence was divided by 1, and the first token after the end of "
        "a sentence was not hidden."
    ),
    untraced=("lengths",),
    given=ToRepair(
        """\
def my_padded_attention(Q, K, V, lengths):
    scores = Q @ K.swapaxes(-1, -2) / len(Q) ** 0.5
    position = np.arange(K.shape[-2])
    real = position <= lengths[:, None]
    return softmax(scores, mask=real[:, None, :]) @ V
""",
        fewest=2,
    ),
)

# A check that can fail


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


def _attention_with(score=scaled_scores, weigh=softmax):
    """Return an attention in which one step is done in another way."""
    return lambda Q, K, V: weigh(score(Q, K)) @ V


def _attention_divided_by(divisor):
    """Return an attention with another scale. divisor: from Q, K and V."""
    return lambda Q, K, V: softmax(Q @ K.T / divisor(Q, K, V)) @ V


def _strongest(scores):
    """Give all weight to the largest score."""
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
    ("a softmax over the queries", _attention_with(weigh=lambda scores: softmax(scores, axis=0))),
    ("queries and keys swapped", lambda Q, K, V: attention(K, Q, V)),
    ("keys mixed instead of values", lambda Q, K, V: attention(Q, K, K)),
    ("values in place of the keys", lambda Q, K, V: attention(Q, V, V)),
    ("equal weights for all keys", _attention_with(score=lambda Q, K: 0 * (Q @ K.T))),
    ("all weight on the strongest key", _attention_with(weigh=_strongest)),
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


TELLING = Sampler(321)((3, 5), (4, 5), (4, 2))
ALL_SIZES_EQUAL = Sampler(322)((5, 5), (5, 5), (5, 5))
FOUR_WIDE = Sampler(323)((3, 4), (5, 4), (5, 2))
ONE_WIDE = Sampler(334)((3, 1), (5, 1), (5, 2))
KEYS_ARE_VALUES = (*Sampler(324)((3, 5), (4, 5)), Sampler(324)((3, 5), (4, 5))[1])
ONE_KEY = Sampler(325)((3, 5), (1, 5), (1, 2))
VALUES_ALIKE = (*Sampler(329)((3, 5), (4, 5)), np.ones((4, 2)))
ONE_ARRAY = Sampler(333)((5, 5))[0]
ONE_QUERY = Sampler(330)((1, 5), (4, 5), (4, 2))
KEYS_ARE_QUERIES = (*Sampler(331)((4, 5)) * 2, *Sampler(332)((4, 2)))
ALL_ONES = (np.ones((3, 4)), np.ones((3, 4)), np.ones((3, 4)))
SHAPES = (((3, 4), (3, 4), (3, 4)), ((2, 4), (3, 4), (3, 4)))  # of all ones
SIXTEEN_WIDE = Sampler(328)((3, 16), (4, 16), (4, 2))  # a division by 4 loses no digit
SUMS = (np.sum, lambda output: output.sum(axis=1), lambda output: output.sum(axis=0))
ARTICLE = tuple(article.X @ W for W in (article.W_Q, article.W_K, article.W_V))
LARGE = tuple(10 * array for array in Sampler(326)((3, 5), (4, 5))) + Sampler(327)((4, 2))

CHECK = Exercise(
    "find_the_bug.check",
    "A check that can fail",
    _check_on(TELLING),
    results=("verdict",),
    cases=tuple(
        Case("the example" if not i else words, (Candidate(function),))
        for i, (words, function) in enumerate(CANDIDATES)
    ),
    mistakes=(
        mistake("It compares only shapes.",
                "Nearly every mistake gives the right shape. Compare the numbers with those of a function you trust.",
                _check_on(ALL_ONES, _equal_in_shape),
                _check_on(TELLING, _equal_in_shape),
                lambda candidate: True),
        mistake("It compares numbers, but its inputs are all equal.",
                "If all keys are equal, so are all weights; if all values are equal, so is every mix. Use random "
                "inputs.",
                *(_check_on(tuple(map(np.ones, shapes))) for shapes in SHAPES)),
        mistake("All its input sizes are equal.",
                "With as many keys as columns, √n_k is √d_k. Give every axis a different size.",
                _check_on(ALL_SIZES_EQUAL)),
        mistake("Its queries have width 4, which hides a mistake.",
                "With d_k = 4, d_k / 2 and √d_k are both 2. Use 3 or 5.",
                _check_on(FOUR_WIDE),
                where="mkara44/transunet_pytorch #4"),
        mistake("Its queries have width 1, which hides the scale.",
                "With d_k = 1 the root is 1, so a missing scale changes nothing. Use 3 or 5.",
                _check_on(ONE_WIDE)),
        mistake("Its numbers are too large.",
                "The softmax is saturated: one key gets all the weight, whatever the scale is. Keep the scores near 1.",
                _check_on(LARGE)),
        mistake("It tests only the article's example.",
                "There Q Kᵀ is symmetric and all sizes are 3: swapped queries and keys pass, and so does a division by "
                "√n_k.",
                _check_on(ARTICLE)),
        mistake("It uses the same array for keys and values.",
                "Then it cannot see which of the two is mixed. Make the values separately.",
                _check_on(KEYS_ARE_VALUES)),
        mistake("With its inputs the weights make no difference.",
                "A single key gets all the weight, whatever its score is. And if all values are equal, so is every "
                "mix. Use several keys, with random values.",
                _check_on(ONE_KEY),
                _check_on(VALUES_ALIKE)),
        mistake("It tests only one query.",
                "With one row it cannot see the order of the rows, or along which axis the softmax runs. Use several "
                "queries.",
                _check_on(ONE_QUERY)),
        mistake("It uses the same array for queries, keys and values.",
                "Then no mix-up of the three can be seen. Make each of them separately.",
                *(_check_on((X, X, X)) for X in (ONE_ARRAY, ONE_ARRAY[:4], ONE_ARRAY[:4, :4], ONE_ARRAY[:, :4]))),
        mistake("Its queries, or its keys, are all zeros.",
                "Then all scores are 0, so nothing about the scores is tested. Use random inputs.",
                _check_on((0 * TELLING[0], *TELLING[1:])),
                _check_on((0 * FOUR_WIDE[0], *FOUR_WIDE[1:])),
                _check_on((TELLING[0], 0 * TELLING[1], TELLING[2]))),
        mistake("It uses the same array for keys and queries.",
                "Then it cannot see which of the two is on the left. Make the keys separately.",
                _check_on(KEYS_ARE_QUERIES)),
        mistake("It demands that every digit agrees.",
                "(Q / √d_k) Kᵀ and Q Kᵀ / √d_k differ in the last digit, and both are right. Use np.allclose.",
                _check_on(TELLING, np.array_equal),
                _check_on(SIXTEEN_WIDE, np.array_equal),
                _check_on(FOUR_WIDE, np.array_equal)),
        mistake("It compares sums, not entries.",
                "Different numbers can have the same sum, for example a table and its transpose. Compare entry by "
                "entry.",
                *(_check_on(TELLING, _equal_in(part)) for part in SUMS)),
        mistake("It compares only the first row.",
                "The rows it skips may be anything. Use several queries, and compare all rows.",
                _check_on(TELLING, _equal_in(lambda output: output[0]))),
        mistake("It compares only one row.",
                "The rows it skips may be anything. Compare all of them.",
                *(_check_on(TELLING, _equal_in(lambda output, i=i: output[i])) for i in (1, -1))),
        mistake("It compares only one column.",
                "The columns it skips may be anything. Compare all of them.",
                *(_check_on(TELLING, _equal_in(lambda output, i=i: output[:, i])) for i in (0, -1))),
        mistake("It compares only one entry.",
                "The entries it skips may be anything. Compare all of them.",
                *(_check_on(TELLING, _equal_in(lambda output, i=i: output[i, i])) for i in (0, -1))),
        mistake("It notices differences in one direction only.",
                "It asks whether the difference is small, and every negative number counts as small. Use np.abs of the "
                "difference, or np.allclose.",
                _check_on(TELLING, _not_above),
                _check_on(TELLING, _not_below)),
        mistake("It lets nan pass.",
                "Every comparison with nan is False, so no difference counts as too large. Ask whether all are small, "
                "as np.allclose does.",
                _check_on(TELLING, _nowhere_apart)),
        mistake("It allows too large a difference.",
                "Two right answers differ only by rounding, less than 0.00001. A mistake can be as small as 0.005.",
                *(_check_on(TELLING, _equal_within(difference)) for difference in (1, 0.5, 0.1, 0.01))),
        mistake("It returns the opposite.",
                "Return True for a candidate that is right.",
                lambda candidate: not _check_on(TELLING)(candidate)),
        mistake("It rejects every candidate.",
                "A check that always returns False is no better than one that always returns True.",
                lambda candidate: False),
    ),
    notice=(
        "Different sizes, scores that do not saturate the softmax, and a comparison of every entry up to rounding: "
        "that is all it takes. Such a check also passes a right answer that looks wrong."
    ),
    untraced=("candidate",),
)


# Keys take turns, too

OVER_ALL_QUERIES = mistake(
    "The sums of all queries are added up.",
    "Each query has its own softmax, so each row needs its own sum.",
)

EACH_SUM = Step(
    "sums_1 sums_2",
    lambda sums_1, sums_2: (sums_1, sums_2),
    OVER_ALL_QUERIES.by(lambda sums_1, sums_2: (0 * sums_1 + sums_1.sum(), 0 * sums_2 + sums_2.sum())),
)

WHOLE = Step(
    "whole",
    lambda sums_1, sums_2: sums_1 + sums_2,
    mistake("The sums are multiplied.",
            "The sum over all keys is the sum over the first few plus the sum over the rest.",
            lambda sums_1, sums_2: sums_1 * sums_2),
    OVER_ALL_QUERIES.by(lambda sums_1, sums_2: 0 * sums_1 + (sums_1 + sums_2).sum()),
)

PARTS = Step(
    "part_1 part_2",
    lambda sums_1, sums_2, whole: (sums_1 / whole, sums_2 / whole),
    mistake("Both turns count equally.",
            "The mean of the two outputs is right only if both sums are equal. The turn with the larger sum counts for "
            "more.",
            lambda sums_1: (0 * sums_1 + 0.5, 0 * sums_1 + 0.5)),
    mistake("The outputs are simply added.",
            "In each of them the attention weights already sum to 1, so together they would sum to 2.",
            lambda sums_1: (0 * sums_1 + 1, 0 * sums_1 + 1)),
    mistake("The division by the sum of all exponentials is missing.",
            "sums_1 · output_1 is the sum of exponentials times values. Add both, and divide by the sum of all "
            "exponentials.",
            lambda sums_1, sums_2: (sums_1, sums_2)),
    mistake("The sums are exponentiated once more.",
            "They are sums of exponentials already: sums_1 / (sums_1 + sums_2), without a softmax.",
            lambda sums_1, sums_2: (
                np.exp(sums_1) / (np.exp(sums_1) + np.exp(sums_2)),
                np.exp(sums_2) / (np.exp(sums_1) + np.exp(sums_2)),
            )),
    mistake("A softmax is taken over the queries.",
            "Each query compares its own two sums: sums_1 / (sums_1 + sums_2). They are sums of exponentials already.",
            lambda sums_1, sums_2: (softmax(sums_1), softmax(sums_2))),
    mistake("Only the output with the larger sum is used.",
            "The other one counts, too, for its part of the sum of all exponentials.",
            lambda sums_1, sums_2: (0.0 + (sums_1 > sums_2), 0.0 + (sums_1 <= sums_2))),
    mistake("The outputs are divided by their sums.",
            "They were already divided, in their own turn. To undo that, multiply by the sum.",
            lambda sums_1, sums_2, whole: (1 / sums_1, 1 / sums_2)),
)

IN_PLACE = Step(
    "part_1 part_2",
    lambda part_1, part_2: (part_1, part_2),
    mistake("Each output is multiplied by the other's sum.",
            "Output 1 belongs to sums_1: it counts for sums_1 / (sums_1 + sums_2).",
            lambda part_1, part_2: (part_2, part_1)),
)

JOINED = Step(
    "output",
    lambda part_1, part_2, output_1, output_2: part_1[:, None] * output_1 + part_2[:, None] * output_2,
    mistake("The factors line up with the columns.",
            "There is one sum for each query, and a query is a row. NumPy lines up (n,) with the columns of (n, d_v): "
            "[:, None] makes a column of it.",
            lambda part_1, part_2, output_1, output_2: part_1 * output_1 + part_2 * output_2),
    mistake("The outputs are stacked one below the other.",
            "Both belong to the same queries. A query's two outputs become one row.",
            lambda part_1, part_2, output_1, output_2: np.concatenate(
                [part_1[:, None] * output_1, part_2[:, None] * output_2]
            )),
    mistake(
        "The outputs are placed side by side.",
        "Both have the same columns. A query's two outputs are added, each with its factor.",
        lambda part_1, part_2, output_1, output_2: np.hstack([part_1[:, None] * output_1, part_2[:, None] * output_2]),
    ),
)


def _two_turns(n, d_v):
    """Return what draws two outputs of so many queries, and the sums of exponentials that belong to them."""

    def _drawn(sample):
        output_1, sums_1, output_2, sums_2 = sample((n, d_v), (n,), (n, d_v), (n,))
        return output_1, 2 * np.abs(sums_1), output_2, 3 * np.abs(sums_2)

    return _drawn


KEYS_IN_TURNS = Exercise(
    "find_the_bug.keys_in_turns",
    "Keys take turns, too",
    Solution("output_1 sums_1 output_2 sums_2", [EACH_SUM, WHOLE, PARTS, IN_PLACE, JOINED]),
    cases=(
        Case(
            "the example",
            (
                np.array([[6.0, 0.0], [1.0, 1.0]]),
                np.array([2.0, 1.0]),
                np.array([[2.0, 4.0], [3.0, 5.0]]),
                np.array([6.0, 1.0]),
            ),
        ),
        Case("3 queries", _two_turns(3, 5)),
        Case("one query", _two_turns(1, 4)),
        Case("7 queries, values of width 2", _two_turns(7, 2)),
        Case("all sizes equal", _two_turns(4, 4)),
        Case("values of width 1", _two_turns(3, 1)),
    ),
    notice=(
        "So neither all queries nor all keys need to be there at once: each turn passes on its output and its sums. "
        "Real code passes on each row's largest score as well, so that no exponential overflows."
    ),
)

EXERCISES = (DIVISOR, SELF_ATTENTION_REPAIRED, PADDED_ATTENTION_REPAIRED, CHECK, KEYS_IN_TURNS)

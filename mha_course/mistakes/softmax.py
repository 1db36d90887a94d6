"""From scores to shares: the softmax, one operation a step."""

from functools import partial

import numpy as np

from mha_course.engine.checking.exercise import Function, mistake
from mha_course.engine.checking.solution import Step, asked
from mha_course.maths.formulas import softmax
from mha_course.mistakes import shared


def _largest(scores, axis=-1):
    return scores.max(axis=axis, keepdims=True)


def _place_of_largest(scores, axis=-1):
    return scores.argmax(axis=axis, keepdims=True).astype(float)


def _sums(exponentials, axis=-1):
    return exponentials.sum(axis=axis, keepdims=True)


COLUMN_SUBTRACTED = mistake(
    "The largest of each column is subtracted.",
    "Numbers of one row then lose different amounts, so their weights change.",
)
LARGEST_WITHOUT_AXIS = mistake(
    "The largest scores have lost their axis: keepdims=True is missing.",
    "They are then a row, and NumPy takes the largest of row 1 away from column 1. Only a square table lets this run.",
)
DIVIDED_BY_LARGEST = mistake(
    "It divides by the largest instead of subtracting it.",
    "Only differences between scores matter. A division changes them, a subtraction does not.",
)
BASE_2 = mistake(
    "It takes powers of 2, not of e.",
    "np.exp takes powers of e, about 2.718. Another base gives weights too, but other ones.",
)
BASE_10 = mistake(
    "It takes powers of 10, not of e.",
    "np.exp takes powers of e, about 2.718. Another base gives weights too, but other ones.",
)
SIGN_TURNED = mistake(
    "The scores have the wrong sign.",
    "With e to the power of minus the score, the worst match gets the largest weight."
)
WITHOUT_E = mistake(
    "The scores are divided by their sum, without exponentials.",
    "Scores may be negative, and their sum may be 0. Take the exponential of each first.",
)
SUMS_WITHOUT_AXIS = mistake(
    "The sums have lost their axis: keepdims=True is missing.",
    "The sums of the rows are then a row themselves. NumPy lines them up with the columns, so column 1 is divided by "
    "the sum of row 1. Only a square table lets this run.",
)
SUMS_OF_SCORES = mistake(
    "The divisor is the sum of the scores, not of the exponentials.",
    "Numerator and denominator must both be made of exponentials.",
)
SUBTRACTED_ABOVE_ONLY = mistake(
    "The largest is subtracted only in the numerator.",
    "Numerator and denominator must be made from the same scores, or the weights no longer sum to 1.",
)
E_OF_SUM = mistake(
    "The exponential of the sum is taken, not the sum of the exponentials.",
    "Take the exponentials first, then add them.",
)
DIVIDED_BY_COUNT = mistake(
    "It divides the exponentials by how many there are.",
    "Then the weights do not sum to 1. Divide by the sum of the exponentials.",
)
ARGMAX = mistake(
    "The largest score of each row gets all the weight.",
    "That is the argmax, a hard choice. The softmax leaves every key some weight."
)
EQUAL_SHARES = mistake("All keys get the same weight.", "The scores are not used.")
SIGMOID = mistake(
    "It takes the sigmoid of each score.",
    "Each number then lies between 0 and 1 by itself, but the row does not sum to 1.",
)
LOG_SOFTMAX = mistake(
    "It returns the logarithm of the weights.",
    "That is the log-softmax, useful in training. Here the weights themselves are wanted.",
)
DIVIDED_BY_LENGTHS = mistake(
    "The exponentials are divided by the length of the row.",
    "Then the squares sum to 1, not the weights themselves. Divide by the sum of the exponentials.",
)
OVER_FIRST_AXIS = mistake(
    "The softmax runs over the first axis, not the last.",
    "The first axis counts sentences or heads, and they must not compete. Each row must sum to 1: axis=-1.",
)
OVER_TABLES = mistake(
    "Each table sums to 1, not each row.",
    "The queries of a sentence or a head then compete with each other. Each row must sum to 1 by itself: axis=-1.",
)

AXIS = Step(  # along which each whole is shared out
    "axis", lambda: -1, shared.OVER_QUERIES.by(lambda: -2), shared.OVER_EVERYTHING.by(lambda: None)
)

AXIS_STACK = AXIS.knowing(  # where axes may stand in front
    shared.SOFTMAX_FROM_THE_FRONT.by(lambda: 1),
    OVER_FIRST_AXIS.by(lambda: 0),
    OVER_TABLES.by(lambda: (-2, -1)),
)


def along_the_last(step: Step) -> Step:
    """Return a step that asks for an axis, for solutions that have none: it takes the last axis, -1."""

    def _last(function: Function) -> Function:
        return partial(function, axis=-1) if "axis" in asked(function) else function

    return Step(step.makes, _last(step.does), *(each.by(*map(_last, each.variants)) for each in step.mistakes))


SUBTRACT_ALONG = Step(
    "shifted",
    lambda scores, axis: scores - _largest(scores, axis),
    shared.NOTHING_SUBTRACTED.by(lambda scores: scores),
    shared.PLACE_SUBTRACTED.by(
        lambda scores, axis: scores - _place_of_largest(scores, axis),
        lambda scores: scores - _place_of_largest(scores, None),
    ),
    shared.WHOLE_TABLE_SUBTRACTED.by(lambda scores: scores - scores.max()),
    COLUMN_SUBTRACTED.by(lambda scores: scores - _largest(scores, axis=-2)),
    LARGEST_WITHOUT_AXIS.by(lambda scores, axis: scores - scores.max(axis=axis)),
    mistake("The largest absolute value is subtracted.",
            "Without their signs, -2000 is larger than 1. Then every exponential of that row may become 0. Take max, "
            "not max of abs.",
            lambda scores, axis: scores - abs(scores).max(axis=axis, keepdims=True)),
    mistake("The mean is subtracted.",
            "That helps until one score stands far above the mean. Only the largest is safe: then every exponential "
            "is 1 or less.",
            lambda scores, axis: scores - scores.mean(axis=axis, keepdims=True),
            lambda scores: scores - scores.mean()),
    mistake("The first or the last score of each row is subtracted.",
            "Only the largest is safe, wherever it stands: then every exponential is 1 or less.",
            lambda scores: scores - scores[..., :1],
            lambda scores: scores - scores[..., -1:]),
    mistake("The smallest of each row is subtracted.",
            "Then all exponentials are 1 or more, and the largest may still overflow.",
            lambda scores, axis: scores - scores.min(axis=axis, keepdims=True)),
    DIVIDED_BY_LARGEST.by(lambda scores, axis: scores / _largest(scores, axis), lambda scores: scores / scores.max()),
    mistake("The largest is added instead of subtracted.",
            "Then the exponentials become larger still, and overflow sooner. Subtract it.",
            lambda scores, axis: scores + _largest(scores, axis)),
    mistake("Large scores are cut off.",
            "np.clip or np.minimum makes different scores equal, and so their weights.",
            lambda scores: np.minimum(scores, 700),
            lambda scores: np.minimum(np.maximum(scores, -700), 700),
            lambda scores: np.minimum(scores, 709)),
)

EXPONENTIATE_ALONG = Step(
    "exponentials",
    lambda shifted: np.exp(shifted),
    BASE_2.by(lambda shifted: 2.0**shifted),
    BASE_10.by(lambda shifted: 10.0**shifted),
    SIGN_TURNED.by(
        lambda scores, axis: np.exp(scores.min(axis=axis, keepdims=True) - scores),
        lambda shifted: np.exp(-shifted),
        lambda scores: np.exp(-scores),
    ),
    WITHOUT_E.by(lambda scores: scores, lambda shifted: shifted),
    mistake("The scores are squared instead of exponentiated.",
            "A square forgets the sign: a strong mismatch gets as much weight as a strong match.",
            lambda scores: scores * scores),
)

NORMALISE_ALONG = Step(
    "weights",
    lambda exponentials, axis: exponentials / _sums(exponentials, axis),
    shared.OVER_QUERIES.by(lambda exponentials: exponentials / _sums(exponentials, -2)),
    shared.OVER_EVERYTHING.by(lambda exponentials: exponentials / exponentials.sum()),
    SUMS_WITHOUT_AXIS.by(lambda exponentials, axis: exponentials / exponentials.sum(axis=axis)),
    shared.NOT_NORMALISED.by(lambda exponentials: exponentials, lambda scores: np.exp(scores)),
    shared.NO_SOFTMAX.by(lambda scores: scores),
    shared.SOFTMAX_TWICE.by(lambda exponentials, axis: softmax(exponentials / _sums(exponentials, axis), axis)),
    shared.SCALED_LATE.by(lambda products, Q, axis: softmax(products, axis) / Q.shape[-1] ** 0.5),
    SUMS_OF_SCORES.by(
        lambda scores, axis: np.exp(scores) / _sums(scores, axis),
        lambda exponentials, scores, axis: exponentials / _sums(scores, axis),
    ),
    SUBTRACTED_ABOVE_ONLY.by(lambda exponentials, scores, axis: exponentials / _sums(np.exp(scores), axis)),
    E_OF_SUM.by(
        lambda scores, axis: np.exp(scores) / np.exp(_sums(scores, axis)),
        lambda exponentials, shifted, axis: exponentials / np.exp(_sums(shifted, axis)),
    ),
    DIVIDED_BY_COUNT.by(lambda exponentials: exponentials / exponentials.shape[-1]),
    ARGMAX.by(
        lambda scores, axis: (scores == _largest(scores, axis)) * 1.0,
        lambda scores: np.eye(scores.shape[-1])[scores.argmax(axis=-1)],
    ),
    EQUAL_SHARES.by(lambda scores: np.full(scores.shape, 1 / scores.shape[-1])),
    SIGMOID.by(lambda scores: 1 / (1 + np.exp(-scores))),
    LOG_SOFTMAX.by(
        lambda exponentials, axis: np.log(exponentials / _sums(exponentials, axis)),
        lambda shifted, exponentials, axis: shifted - np.log(_sums(exponentials, axis)),
    ),
    DIVIDED_BY_LENGTHS.by(lambda exponentials, axis: exponentials / _sums(exponentials * exponentials, axis) ** 0.5),
)

NORMALISE_ALONG_STACK = NORMALISE_ALONG.knowing(  # where axes may stand in front
    shared.SOFTMAX_FROM_THE_FRONT.by(lambda exponentials: exponentials / _sums(exponentials, 1)),
    OVER_FIRST_AXIS.by(lambda exponentials: exponentials / _sums(exponentials, 0)),
    OVER_TABLES.by(lambda exponentials: exponentials / _sums(exponentials, (-2, -1))),
)

SOFTMAX = (AXIS, SUBTRACT_ALONG, EXPONENTIATE_ALONG, NORMALISE_ALONG)

# the same for solutions without a step for the axis
SUBTRACT, EXPONENTIATE = along_the_last(SUBTRACT_ALONG), along_the_last(EXPONENTIATE_ALONG)
NORMALISE = along_the_last(NORMALISE_ALONG).knowing(
    shared.OVER_QUERIES.by(lambda scores: softmax(scores, axis=-2)),
    shared.OVER_EVERYTHING.by(lambda scores: softmax(scores, axis=None)),
)

_ADDED_WRONGLY = (  # one row or many
    E_OF_SUM.by(
        lambda scores, axis: np.exp(_sums(scores, axis)),
        lambda shifted, axis: np.exp(_sums(shifted, axis)),
    ),
    mistake("The divisor is the mean of the exponentials.",
            "Then the weights of a row sum to the number of keys. Divide by the sum.",
            lambda exponentials, axis: exponentials.mean(axis=axis, keepdims=True)),
    DIVIDED_BY_LENGTHS.by(lambda exponentials, axis: _sums(exponentials * exponentials, axis) ** 0.5),
    mistake("1 is added to the sum.",
            "Then the weights sum to less than 1. After the largest is subtracted, the sum is never 0 anyway.",
            lambda exponentials, axis: _sums(exponentials, axis) + 1),
    mistake("The divisor is the sum of the squared exponentials.",
            "Divide by the sum of the exponentials themselves.",
            lambda exponentials, axis: _sums(exponentials * exponentials, axis)),
    mistake("Each exponential is divided by the sum of the others.",
            "A weight is a part of the total: the sum includes the exponential itself.",
            lambda exponentials, axis: _sums(exponentials, axis) - exponentials),
    mistake("The sum grows along the row.",
            "np.cumsum gives the sum up to each position. Divide every entry of a row by the sum of all.",
            lambda exponentials, axis: exponentials.cumsum(axis=axis)),
    mistake("The last exponential is missing from the sum.",
            "Every exponential counts: range(n) runs from 0 to n - 1, and range(n - 1) stops one earlier.",
            lambda exponentials: _sums(exponentials[..., :-1])),
    mistake("The first exponential is missing from the sum.",
            "Counting begins at 0: range(1, n) leaves out the first.",
            lambda exponentials: _sums(exponentials[..., 1:])),
)

ADD = Step(
    "sums",
    lambda exponentials, axis: _sums(exponentials, axis),
    shared.OVER_QUERIES.by(lambda exponentials: _sums(exponentials, -2)),
    shared.OVER_EVERYTHING.by(lambda exponentials: exponentials.sum()),
    SUMS_WITHOUT_AXIS.by(lambda exponentials, axis: exponentials.sum(axis=axis)),
    SUMS_OF_SCORES.by(lambda scores, axis: _sums(scores, axis)),
    *_ADDED_WRONGLY,
    mistake("One row's sum is used for all rows.",
            "Each row needs the sum of its own exponentials.",
            lambda exponentials: _sums(exponentials)[..., :1, :],
            lambda exponentials: _sums(exponentials)[..., -1:, :]),
)

ADD_STACK = ADD.knowing(  # where axes may stand in front
    shared.SOFTMAX_FROM_THE_FRONT.by(lambda exponentials: exponentials.sum(axis=1, keepdims=True)),
    OVER_FIRST_AXIS.by(lambda exponentials: exponentials.sum(axis=0, keepdims=True)),
    OVER_TABLES.by(lambda exponentials: _sums(exponentials, (-2, -1))),
)


def _rounded_to(digits):
    return lambda exponentials, sums: np.round(exponentials / sums, digits)


_DIVIDED_WRONGLY = (  # one row or many
    shared.NOT_NORMALISED.by(lambda exponentials: exponentials, lambda scores: np.exp(scores)),
    mistake("The fraction is upside down.",
            "Divide each exponential by the sum, not the sum by the exponential.",
            lambda exponentials, sums: sums / exponentials),
    mistake("It multiplies instead of dividing.",
            "A weight is a part of the total: the exponential divided by the sum.",
            lambda exponentials, sums: exponentials * sums),
    mistake("It subtracts the sum instead of dividing by it.",
            "A weight is a part of the total: the exponential divided by the sum.",
            lambda exponentials, sums: exponentials - sums),
    mistake("// cuts off the decimals.",
            "With two scores or more every weight is below 1, so // leaves 0. Divide by /.",
            lambda exponentials, sums: exponentials // sums),
    mistake("The scores are divided, not their exponentials.",
            "Numerator and denominator must both be made of exponentials.",
            lambda scores, sums: scores / sums),
    mistake("It divides by the sum before the exponential.",
            "Then nothing makes the results sum to 1. First take the exponential of each, then divide by their sum.",
            lambda scores, axis: np.exp(scores / _sums(scores, axis))),
    mistake("It returns the scores.",
            "Scores may have any size and sign. The weights are the exponentials, divided by their sum.",
            lambda scores: scores),
    mistake("It returns only the sum.",
            "The weights are the exponentials divided by it.",
            lambda sums: sums,
            lambda exponentials, axis: exponentials.sum(axis=axis)),
    shared.SOFTMAX_TWICE.by(lambda exponentials, sums, axis: softmax(exponentials / sums, axis)),
    DIVIDED_BY_COUNT.by(lambda exponentials: exponentials / exponentials.shape[-1]),
    EQUAL_SHARES.by(lambda scores: np.full(scores.shape, 1 / scores.shape[-1])),
    SIGMOID.by(lambda scores: 1 / (1 + np.exp(-scores))),
    LOG_SOFTMAX.by(
        lambda exponentials, sums: np.log(exponentials / sums),
        lambda shifted, sums: shifted - np.log(sums),
    ),
    mistake("The weights are rounded.",
            "Round numbers only where they are shown. Later lines compute with all their digits.",
            *(_rounded_to(digits) for digits in (1, 2, 3))),
    mistake("The weights are in percent.",
            "They sum to 100. They must sum to 1.",
            lambda exponentials, sums: exponentials / sums * 100),
)

DIVIDE = Step(
    "weights",
    lambda exponentials, sums: exponentials / sums,
    *_DIVIDED_WRONGLY,
    ARGMAX.by(
        lambda scores, axis: (scores == _largest(scores, axis)) * 1.0,
        lambda scores, axis: (scores == _largest(scores, axis)) / _sums(scores == _largest(scores, axis), axis),
        lambda scores: np.eye(scores.shape[-1])[scores.argmax(axis=-1)],
    ),
    mistake("The result is transposed.",
            "Queries go down and keys across, as in the scores.",
            lambda exponentials, sums: (exponentials / sums).mT),
)

DIVIDE_STACK = DIVIDE.knowing(  # where axes may stand in front
    mistake("All axes of the result are reversed.",
            ".T puts the last axis first and the first last. The weights have the axes of the scores.",
            lambda exponentials, sums: (exponentials / sums).T),
)

"""From scores to shares: the softmax, one operation a step."""

from functools import partial

import numpy as np

from mha_course.maths.formulas import softmax
from mha_course.slips import known
from mha_course.workbook.checking.exercise import Function, slip
from mha_course.workbook.checking.recipe import Step, asked


def _largest(scores, axis=-1):
    return scores.max(axis=axis, keepdims=True)


def _place_of_largest(scores, axis=-1):
    return scores.argmax(axis=axis, keepdims=True).astype(float)


def _sums(exponentials, axis=-1):
    return exponentials.sum(axis=axis, keepdims=True)


COLUMN_SUBTRACTED = slip(
    "The largest of each column is subtracted.",
    "Numbers of one row then lose different amounts, and their shares change.",
)
LARGEST_WITHOUT_AXIS = slip(
    "The largest scores have lost their axis: keepdims=True is missing.",
    "They are then a row, and NumPy takes the largest of row 1 away from column 1. Only a square table lets this run.",
)
DIVIDED_BY_LARGEST = slip(
    "It divides by the largest instead of subtracting it.",
    "Only differences between scores matter. A division changes them, a subtraction does not.",
)
BASE_2 = slip(
    "It takes 2 to the power, not e.",
    "np.exp is e to a power, with e about 2.718. Another base gives shares too, but other ones.",
)
BASE_10 = slip(
    "It takes 10 to the power, not e.",
    "np.exp is e to a power, with e about 2.718. Another base gives shares too, but other ones.",
)
SIGN_TURNED = slip(
    "The sign is turned.", "With e to the power of minus the score, the worst match gets the largest share."
)
WITHOUT_E = slip(
    "It divides by the sum without e.",
    "Scores may be negative, and their sum may be 0. Take e to the power of each first.",
)
SUMS_WITHOUT_AXIS = slip(
    "The sums have lost their axis: keepdims=True is missing.",
    "The sums of the rows are then one row themselves. NumPy fits them along the columns, so column 1 is "
    "divided by the sum of row 1. Only a square table lets this run.",
)
SUMS_OF_SCORES = slip(
    "The whole is the sum of the scores, not of the exponentials.",
    "What is above and what is below must be of the same kind: powers of e over the sums of the powers of e.",
)
SUBTRACTED_ABOVE_ONLY = slip(
    "The largest is subtracted above only.",
    "Above and below must be made from the same scores, or the shares no longer sum to 1.",
)
E_OF_SUM = slip(
    "It takes e of the sum, not the sum of the exponentials.",
    "e to the power of a sum is one large number. Take the exponentials first, then add them.",
)
DIVIDED_BY_COUNT = slip(
    "It divides the exponentials by how many there are.",
    "The mean is no whole to share out: the shares do not sum to 1. Divide by the sum of the exponentials.",
)
ARGMAX = slip(
    "The largest of each row takes everything.", "That is the argmax, a hard choice. The softmax leaves a share to all."
)
EQUAL_SHARES = slip("All keys get the same share.", "The scores are not used.")
SIGMOID = slip(
    "It takes the sigmoid of each score.",
    "Each number then lies between 0 and 1 by itself, but they do not share out one whole.",
)
LOG_SOFTMAX = slip(
    "It gives the logarithm of the shares.",
    "That is the log-softmax, useful in training. Here the shares themselves are wanted.",
)
DIVIDED_BY_LENGTHS = slip(
    "The whole is the length of the row.",
    "Their squares sum to 1, not the shares themselves. Divide by the sum of the exponentials.",
)
OVER_FIRST_AXIS = slip(
    "The softmax runs over the first axis.",
    "The first axis counts sentences or heads: their shares would compete. Each row must sum to 1: axis=-1.",
)
OVER_TABLES = slip(
    "Each table shares out one whole.",
    "All the scores of a sentence or a head together sum to 1, so its queries compete. Each row must sum to 1 by "
    "itself: axis=-1.",
)

AXIS = Step(  # along which each whole is shared out
    "axis", lambda: -1, known.OVER_QUERIES.by(lambda: -2), known.OVER_EVERYTHING.by(lambda: None)
)

AXIS_STACK = AXIS.knowing(  # where axes may stand in front
    known.SOFTMAX_FROM_THE_FRONT.by(lambda: 1),
    OVER_FIRST_AXIS.by(lambda: 0),
    OVER_TABLES.by(lambda: (-2, -1)),
)


def along_the_last(step: Step) -> Step:
    """Return a step that asks for an axis, for recipes that have none: it takes the last axis, -1."""

    def _last(function: Function) -> Function:
        return partial(function, axis=-1) if "axis" in asked(function) else function

    return Step(step.makes, _last(step.does), *(each.by(*map(_last, each.ways)) for each in step.slips))


SUBTRACT_ALONG = Step(
    "shifted",
    lambda scores, axis: scores - _largest(scores, axis),
    known.NOTHING_SUBTRACTED.by(lambda scores: scores),
    known.PLACE_SUBTRACTED.by(
        lambda scores, axis: scores - _place_of_largest(scores, axis),
        lambda scores: scores - _place_of_largest(scores, None),
    ),
    known.WHOLE_TABLE_SUBTRACTED.by(lambda scores: scores - scores.max()),
    COLUMN_SUBTRACTED.by(lambda scores: scores - _largest(scores, axis=-2)),
    LARGEST_WITHOUT_AXIS.by(lambda scores, axis: scores - scores.max(axis=axis)),
    slip("The largest magnitude is subtracted.",
         "Without their signs, -2000 is larger than 1. Then every power of that row may become 0. Take max, not max "
         "of abs.",
         lambda scores, axis: scores - abs(scores).max(axis=axis, keepdims=True)),
    slip("The mean is subtracted.",
         "That helps until one score stands far above the mean. Only the largest is safe: then every exponential is 1 "
         "or less.",
         lambda scores, axis: scores - scores.mean(axis=axis, keepdims=True),
         lambda scores: scores - scores.mean()),
    slip("The first or the last score of each row is subtracted.",
         "Only the largest is safe, wherever it stands: then every exponential is 1 or less.",
         lambda scores: scores - scores[..., :1],
         lambda scores: scores - scores[..., -1:]),
    slip("The smallest of each row is subtracted.",
         "Then all exponentials are 1 or more, and the largest may still overflow.",
         lambda scores, axis: scores - scores.min(axis=axis, keepdims=True)),
    DIVIDED_BY_LARGEST.by(lambda scores, axis: scores / _largest(scores, axis), lambda scores: scores / scores.max()),
    slip("The largest is added instead of subtracted.",
         "Then the exponentials become larger still, and overflow sooner. Take it away.",
         lambda scores, axis: scores + _largest(scores, axis)),
    slip("Large scores are cut off.",
         "np.clip or np.minimum makes different scores equal, and so their shares.",
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
    slip("It squares instead of taking powers of e.",
         "A square forgets the sign, and a strong mismatch gets as much as a strong match.",
         lambda scores: scores * scores),
)

NORMALISE_ALONG = Step(
    "weights",
    lambda exponentials, axis: exponentials / _sums(exponentials, axis),
    known.OVER_QUERIES.by(lambda exponentials: exponentials / _sums(exponentials, -2)),
    known.OVER_EVERYTHING.by(lambda exponentials: exponentials / exponentials.sum()),
    SUMS_WITHOUT_AXIS.by(lambda exponentials, axis: exponentials / exponentials.sum(axis=axis)),
    known.NOT_NORMALISED.by(lambda exponentials: exponentials, lambda scores: np.exp(scores)),
    known.NO_SOFTMAX.by(lambda scores: scores),
    known.SOFTMAX_TWICE.by(lambda exponentials, axis: softmax(exponentials / _sums(exponentials, axis), axis)),
    known.SCALED_LATE.by(lambda products, Q, axis: softmax(products, axis) / Q.shape[-1] ** 0.5),
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
    known.SOFTMAX_FROM_THE_FRONT.by(lambda exponentials: exponentials / _sums(exponentials, 1)),
    OVER_FIRST_AXIS.by(lambda exponentials: exponentials / _sums(exponentials, 0)),
    OVER_TABLES.by(lambda exponentials: exponentials / _sums(exponentials, (-2, -1))),
)

SOFTMAX = (AXIS, SUBTRACT_ALONG, EXPONENTIATE_ALONG, NORMALISE_ALONG)

# the same for recipes without a step for the axis
SUBTRACT, EXPONENTIATE = along_the_last(SUBTRACT_ALONG), along_the_last(EXPONENTIATE_ALONG)
NORMALISE = along_the_last(NORMALISE_ALONG).knowing(
    known.OVER_QUERIES.by(lambda scores: softmax(scores, axis=-2)),
    known.OVER_EVERYTHING.by(lambda scores: softmax(scores, axis=None)),
)

_ADDED_WRONGLY = (  # one row or many
    E_OF_SUM.by(
        lambda scores, axis: np.exp(_sums(scores, axis)),
        lambda shifted, axis: np.exp(_sums(shifted, axis)),
    ),
    slip("The whole is the mean of the exponentials.",
         "Then the shares of a row sum to the number of keys. Divide by the sum.",
         lambda exponentials, axis: exponentials.mean(axis=axis, keepdims=True)),
    DIVIDED_BY_LENGTHS.by(lambda exponentials, axis: _sums(exponentials * exponentials, axis) ** 0.5),
    slip("1 is added to the sum.",
         "Then the shares sum to less than 1. Where every exponential is 1 or less, the sum is never 0 anyway.",
         lambda exponentials, axis: _sums(exponentials, axis) + 1),
    slip("The whole is the sum of the squares.",
         "The exponentials themselves are shared out, so they themselves make up the whole.",
         lambda exponentials, axis: _sums(exponentials * exponentials, axis)),
    slip("The whole leaves out what is divided by it.",
         "Each exponential is compared with all the others. A share is a part of the whole, and the part belongs "
         "to it.",
         lambda exponentials, axis: _sums(exponentials, axis) - exponentials),
    slip("The sum grows along the row.",
         "np.cumsum gives the sum up to each place. The whole is the sum of all, the same for each entry of a row.",
         lambda exponentials, axis: exponentials.cumsum(axis=axis)),
    slip("The last exponential is missing in the sum.",
         "Every exponential counts: range(n) runs from 0 to n - 1, and range(n - 1) stops one earlier.",
         lambda exponentials: _sums(exponentials[..., :-1])),
    slip("The first exponential is missing in the sum.",
         "Counting begins at 0: range(1, n) leaves out the first.",
         lambda exponentials: _sums(exponentials[..., 1:])),
)

ADD = Step(
    "sums",
    lambda exponentials, axis: _sums(exponentials, axis),
    known.OVER_QUERIES.by(lambda exponentials: _sums(exponentials, -2)),
    known.OVER_EVERYTHING.by(lambda exponentials: exponentials.sum()),
    SUMS_WITHOUT_AXIS.by(lambda exponentials, axis: exponentials.sum(axis=axis)),
    SUMS_OF_SCORES.by(lambda scores, axis: _sums(scores, axis)),
    *_ADDED_WRONGLY,
    slip("One row's sum serves all rows.",
         "Each row needs the sum of its own exponentials.",
         lambda exponentials: _sums(exponentials)[..., :1, :],
         lambda exponentials: _sums(exponentials)[..., -1:, :]),
)

ADD_STACK = ADD.knowing(  # where axes may stand in front
    known.SOFTMAX_FROM_THE_FRONT.by(lambda exponentials: exponentials.sum(axis=1, keepdims=True)),
    OVER_FIRST_AXIS.by(lambda exponentials: exponentials.sum(axis=0, keepdims=True)),
    OVER_TABLES.by(lambda exponentials: _sums(exponentials, (-2, -1))),
)


def _rounded_to(digits):
    return lambda exponentials, sums: np.round(exponentials / sums, digits)


_DIVIDED_WRONGLY = (  # one row or many
    known.NOT_NORMALISED.by(lambda exponentials: exponentials, lambda scores: np.exp(scores)),
    slip("The fraction stands upside down.",
         "The part stands above, the whole below.",
         lambda exponentials, sums: sums / exponentials),
    slip("It multiplies where it should divide.",
         "A share is a part of the whole: the part divided by the sum.",
         lambda exponentials, sums: exponentials * sums),
    slip("It subtracts the sum instead of dividing by it.",
         "A share is a part of the whole: the part divided by the sum.",
         lambda exponentials, sums: exponentials - sums),
    slip("// drops what stands behind the point.",
         "With two scores or more every share is below 1, so // leaves 0. Divide by /.",
         lambda exponentials, sums: exponentials // sums),
    slip("The scores are divided, not their exponentials.",
         "What is above and what is below must be of the same kind: powers of e over the sum of the powers of e.",
         lambda scores, sums: scores / sums),
    slip("It divides by the sum first and takes e then.",
         "Then nothing makes the results sum to 1. First e to the power of each, then divide by their sum.",
         lambda scores, axis: np.exp(scores / _sums(scores, axis))),
    slip("It returns the scores.",
         "The scores may have any size and sign. The shares are the powers of e, divided by their sum.",
         lambda scores: scores),
    slip("Only the sum comes back.",
         "The sum is the whole. The shares are the exponentials divided by it.",
         lambda sums: sums,
         lambda exponentials, axis: exponentials.sum(axis=axis)),
    known.SOFTMAX_TWICE.by(lambda exponentials, sums, axis: softmax(exponentials / sums, axis)),
    DIVIDED_BY_COUNT.by(lambda exponentials: exponentials / exponentials.shape[-1]),
    EQUAL_SHARES.by(lambda scores: np.full(scores.shape, 1 / scores.shape[-1])),
    SIGMOID.by(lambda scores: 1 / (1 + np.exp(-scores))),
    LOG_SOFTMAX.by(
        lambda exponentials, sums: np.log(exponentials / sums),
        lambda shifted, sums: shifted - np.log(sums),
    ),
    slip("The shares are rounded.",
         "Numbers are rounded where they are shown. What comes later computes with all their digits.",
         *(_rounded_to(digits) for digits in (1, 2, 3))),
    slip("The shares are percent.",
         "As percent they sum to 100. Shares sum to 1.",
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
    slip("The result is turned over.",
         "Queries go down and keys across, as in the scores.",
         lambda exponentials, sums: (exponentials / sums).mT),
)

DIVIDE_STACK = DIVIDE.knowing(  # where axes may stand in front
    slip("The result is turned over, with all its axes.",
         ".T puts the last axis first and the first last. The weights have the axes of the scores.",
         lambda exponentials, sums: (exponentials / sums).T),
)

"""From scores to shares: the softmax, one operation a step."""

import numpy as np

from mha_course.checking import known_mistakes as known
from mha_course.checking.exercise import Mistake
from mha_course.checking.recipe import Step
from mha_course.maths.formulas import softmax


def _largest(scores, axis=-1):
    return scores.max(axis=axis, keepdims=True)


def _place_of_largest(scores, axis=-1):
    return scores.argmax(axis=axis, keepdims=True).astype(float)


def _sums(powers, axis=-1):
    return powers.sum(axis=axis, keepdims=True)


SUBTRACT = Step(
    "shifted",
    lambda scores: scores - _largest(scores),
    (
        known.NOTHING_SUBTRACTED.by(lambda scores: scores),
        known.PLACE_SUBTRACTED.by(
            lambda scores: scores - _place_of_largest(scores), lambda scores: scores - _place_of_largest(scores, None)
        ),
        known.WHOLE_TABLE_SUBTRACTED.by(lambda scores: scores - scores.max()),
        Mistake(
            "The largest of each column is subtracted.",
            "Numbers of one row then lose different amounts, and their shares change.",
        ).by(lambda scores: scores - _largest(scores, axis=-2)),
        Mistake(
            "The largest scores have lost their axis: keepdims=True is missing.",
            "They are then a row, and NumPy takes the largest of row 1 away from column 1. Only a square table lets "
            "this run.",
        ).by(lambda scores: scores - scores.max(axis=-1)),
        Mistake(
            "The mean is subtracted.",
            "That helps until one score stands far above the mean. Only the largest is safe: then every power is 1 or "
            "less.",
        ).by(lambda scores: scores - scores.mean(axis=-1, keepdims=True), lambda scores: scores - scores.mean()),
        Mistake(
            "The first or the last score of each row is subtracted.",
            "Only the largest is safe, wherever it stands: then every power is 1 or less.",
        ).by(lambda scores: scores - scores[..., :1], lambda scores: scores - scores[..., -1:]),
        Mistake(
            "The smallest of each row is subtracted.",
            "Then all powers are 1 or more, and the largest may still overflow.",
        ).by(lambda scores: scores - scores.min(axis=-1, keepdims=True)),
        Mistake(
            "It divides by the largest instead of subtracting it.",
            "Only differences between scores matter. A division changes them, a subtraction does not.",
        ).by(lambda scores: scores / _largest(scores), lambda scores: scores / scores.max()),
        Mistake(
            "The largest is added instead of subtracted.",
            "Then the powers become larger still, and overflow sooner. Take it away.",
        ).by(lambda scores: scores + _largest(scores)),
        Mistake(
            "Large scores are cut off.",
            "np.clip or np.minimum makes different scores equal, and so their shares.",
        ).by(
            lambda scores: np.minimum(scores, 700),
            lambda scores: np.minimum(np.maximum(scores, -700), 700),
            lambda scores: np.minimum(scores, 709),
        ),
    ),
)

EXPONENTIATE = Step(
    "powers",
    lambda shifted: np.exp(shifted),
    (
        Mistake(
            "It takes 2 to the power, not e.",
            "np.exp is e to a power, with e about 2.718. Another base gives shares too, but other ones.",
        ).by(lambda shifted: 2.0**shifted),
        Mistake(
            "It takes 10 to the power, not e.",
            "np.exp is e to a power, with e about 2.718. Another base gives shares too, but other ones.",
        ).by(lambda shifted: 10.0**shifted),
        Mistake(
            "The sign is turned.",
            "With e to the power of minus the score, the worst match gets the largest share.",
        ).by(
            lambda scores: np.exp(scores.min(axis=-1, keepdims=True) - scores),
            lambda shifted: np.exp(-shifted),
            lambda scores: np.exp(-scores),
        ),
        Mistake(
            "It divides by the sum without e.",
            "Scores may be negative, and their sum may be 0. Take e to the power of each first.",
        ).by(lambda scores: scores, lambda shifted: shifted),
        Mistake(
            "It squares instead of taking powers of e.",
            "A square forgets the sign, and a strong mismatch gets as much as a strong match.",
        ).by(lambda scores: scores * scores),
    ),
)

NORMALISE = Step(
    "weights",
    lambda powers: powers / _sums(powers),
    (
        known.OVER_QUERIES.by(lambda scores: softmax(scores, axis=-2), lambda powers: powers / _sums(powers, -2)),
        known.OVER_EVERYTHING.by(lambda scores: softmax(scores, axis=None), lambda powers: powers / powers.sum()),
        Mistake(
            "The sums have lost their axis: keepdims=True is missing.",
            "The sums of the rows are then one row themselves. NumPy fits them along the columns, so column 1 is "
            "divided by the sum of row 1. Only a square table lets this run.",
        ).by(lambda powers: powers / powers.sum(axis=-1)),
        known.NOT_NORMALISED.by(lambda powers: powers, lambda scores: np.exp(scores)),
        known.NO_SOFTMAX.by(lambda scores: scores),
        known.SOFTMAX_TWICE.by(lambda powers: softmax(powers / _sums(powers))),
        known.SCALED_LATE.by(lambda products, Q: softmax(products) / Q.shape[-1] ** 0.5),
        Mistake(
            "It divides by the sums of the scores, not of the powers.",
            "What is above and what is below must be of the same kind: powers of e over the sums of the powers of e.",
        ).by(lambda scores: np.exp(scores) / _sums(scores), lambda powers, scores: powers / _sums(scores)),
        Mistake(
            "The largest is subtracted above only.",
            "Above and below must be made from the same scores, or the shares no longer sum to 1.",
        ).by(lambda powers, scores: powers / _sums(np.exp(scores))),
        Mistake(
            "It takes e of the sum, not the sum of the powers.",
            "e to the power of a sum is one large number. Take the powers first, then add them.",
        ).by(
            lambda scores: np.exp(scores) / np.exp(_sums(scores)),
            lambda powers, shifted: powers / np.exp(_sums(shifted)),
        ),
        Mistake(
            "It divides the powers by how many there are.",
            "The mean is no whole to share out: the shares do not sum to 1. Divide by the sum of the powers.",
        ).by(lambda powers: powers / powers.shape[-1]),
        Mistake(
            "The largest of each row takes everything.",
            "That is the argmax, a hard choice. The softmax leaves a share to all.",
        ).by(
            lambda scores: (scores == _largest(scores)) * 1.0,
            lambda scores: np.eye(scores.shape[-1])[scores.argmax(axis=-1)],
        ),
        Mistake(
            "All keys get the same share.",
            "The scores are not used.",
        ).by(lambda scores: np.full(scores.shape, 1 / scores.shape[-1])),
        Mistake(
            "It takes the sigmoid of each score.",
            "Each number then lies between 0 and 1 by itself, but they do not share out one whole.",
        ).by(lambda scores: 1 / (1 + np.exp(-scores))),
        Mistake(
            "It gives the logarithm of the shares.",
            "That is the log-softmax, useful in training. Here the shares themselves are wanted.",
        ).by(lambda powers: np.log(powers / _sums(powers))),
        Mistake(
            "It divides by the lengths of the rows.",
            "Their squares sum to 1, not the shares themselves. Divide by the sum of the powers.",
        ).by(lambda powers: powers / _sums(powers * powers) ** 0.5),
    ),
)

NORMALISE_STACK = NORMALISE.knowing(  # where axes may stand in front
    known.SOFTMAX_FROM_THE_FRONT.by(
        lambda scores: softmax(scores, axis=1), lambda powers: powers / powers.sum(axis=1, keepdims=True)
    ),
    Mistake(
        "The softmax runs over the first axis.",
        "The first axis counts sentences or heads: their shares would compete. Each row must sum to 1: axis=-1.",
    ).by(lambda scores: softmax(scores, axis=0), lambda powers: powers / powers.sum(axis=0, keepdims=True)),
    Mistake(
        "Each table shares out one whole.",
        "All the scores of a sentence or a head together sum to 1, so its queries compete. Each row must sum to 1 by "
        "itself: axis=-1.",
    ).by(lambda scores: softmax(scores, axis=(-2, -1)), lambda powers: powers / _sums(powers, (-2, -1))),
)

SOFTMAX = (SUBTRACT, EXPONENTIATE, NORMALISE)
SOFTMAX_OF_STACK = (SUBTRACT, EXPONENTIATE, NORMALISE_STACK)

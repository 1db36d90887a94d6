"""Exercises of lesson 4: from scores to shares."""

import numpy as np

from mha_course.checking import known_mistakes as known
from mha_course.checking.exercise import Case, Exercise, Mistake
from mha_course.maths.formulas import softmax

SHARES = Exercise(
    name="softmax.shares",
    number="4.1",
    title="Shares of one row",
    right=lambda row: np.exp(row) / np.exp(row).sum(),
    results=("shares",),
    cases=(
        Case("the example", (np.array([0, 1, 1]),)),
        Case("five scores", lambda draw: draw((5,))),
        Case("one score", lambda draw: draw((1,))),
        Case("equal scores", (np.array([0.5, 0.5, 0.5, 0.5]),)),
    ),
    mistakes=(
        known.NOT_NORMALISED.by(lambda row: np.exp(row)),
        Mistake(
            "It divides by the sum without e.",
            "Scores may be negative, and their sum may be 0. Take e to the power of each first.",
        ).by(lambda row: row / row.sum()),
        Mistake(
            "It divides by the sum first and takes e then.",
            "Then nothing makes the results sum to 1. First e to the power of each, then divide by their sum.",
        ).by(lambda row: np.exp(row / row.sum())),
        Mistake(
            "It divides by the sum of the scores, not of the powers.",
            "What is above and what is below must be of the same kind: powers of e over the sum of the powers of e.",
        ).by(lambda row: np.exp(row) / row.sum()),
        Mistake(
            "It takes e of the sum, not the sum of the powers.",
            "np.exp(row.sum()) is e to one large number. Add the powers: np.exp(row).sum().",
        ).by(lambda row: np.exp(row) / np.exp(row.sum())),
        Mistake(
            "The sign is turned.",
            "With e to the power of minus the score, the worst match gets the largest share.",
        ).by(lambda row: np.exp(-row) / np.exp(-row).sum()),
        Mistake(
            "It gives the logarithm of the shares.",
            "That is the log-softmax, useful in training. Here the shares themselves are wanted.",
        ).by(lambda row: np.log(np.exp(row) / np.exp(row).sum())),
        Mistake(
            "It divides by the largest power.",
            "Then the largest share is 1, and all together are more. Divide by the sum.",
        ).by(lambda row: np.exp(row) / np.exp(row).max()),
        Mistake(
            "The fraction stands upside down.",
            "The part stands above, the whole below.",
        ).by(lambda row: np.exp(row).sum() / np.exp(row)),
        Mistake(
            "It takes 2 to the power, not e.",
            "np.exp is e to a power, with e about 2.718. Another base gives shares too, but other ones.",
        ).by(lambda row: 2.0**row / (2.0**row).sum()),
        Mistake(
            "The largest takes everything.",
            "That is the argmax, a hard choice. The softmax leaves a share to all.",
        ).by(lambda row: (row == row.max()) / (row == row.max()).sum()),
    ),
    notice="Equal scores get equal shares, whatever the scores are: only differences matter.",
)

ROWS = Exercise(
    name="softmax.rows",
    number="4.2",
    title="Every row by itself",
    right=lambda scores: np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True),
    results=("weights",),
    cases=(
        Case("the example", (np.array([[0, 1], [1, 1], [2, 0]]),)),
        Case("4 queries, 5 keys", lambda draw: draw((4, 5))),
        Case("one query", lambda draw: draw((1, 3))),
        Case("as many queries as keys", lambda draw: draw((3, 3))),
    ),
    mistakes=(
        known.OVER_QUERIES.by(lambda scores: np.exp(scores) / np.exp(scores).sum(axis=0, keepdims=True)),
        known.OVER_EVERYTHING.by(lambda scores: np.exp(scores) / np.exp(scores).sum()),
        Mistake(
            "The sums have lost their axis: keepdims=True is missing.",
            "The sums of the rows are then one row themselves. NumPy fits them along the columns, so column 1 is "
            "divided by the sum of row 1. Only a square table lets this run.",
        ).by(lambda scores: np.exp(scores) / np.exp(scores).sum(axis=-1)),
        known.NOT_NORMALISED.by(lambda scores: np.exp(scores)),
        known.SOFTMAX_TWICE.by(lambda scores: softmax(softmax(scores))),
        Mistake(
            "It divides by the sums of the scores, not of the powers.",
            "What is above and what is below must be of the same kind: powers of e over the sums of the powers of e.",
        ).by(
            lambda scores: np.exp(scores) / scores.sum(axis=-1, keepdims=True),
            lambda scores: scores / scores.sum(axis=-1, keepdims=True),
        ),
        Mistake(
            "The largest of each row takes everything.",
            "That is the argmax, a hard choice. The softmax leaves a share to all.",
        ).by(lambda scores: (scores == scores.max(axis=-1, keepdims=True)) * 1.0),
        Mistake(
            "The result is turned over.",
            "Queries go down and keys across, as in the scores.",
        ).by(lambda scores: softmax(scores).T),
    ),
    notice=(
        "Every row sums to 1, and no column need do so. keepdims=True keeps the sums as a column, which fits beside "
        "the table."
    ),
)


def _softmax_shifted_by(scores, amount):
    """Return the softmax of the scores with some amount taken away, which may be too much or too little."""
    powers = np.exp(scores - amount)
    return powers / powers.sum(axis=-1, keepdims=True)


def _place_of_largest(scores, axis=-1):
    return scores.argmax(axis=axis, keepdims=True).astype(float)


STABLE = Exercise(
    name="softmax.stable",
    number="4.3",
    title="Large scores",
    right=lambda scores: softmax(scores),
    results=("weights",),
    cases=(
        Case("the example", (np.array([[0, 1], [1000, 1001]]),)),
        Case("4 queries, 5 keys", lambda draw: draw((4, 5))),
        Case("rows far apart", (np.array([[-2000.0, -2001.0, -2000.5], [0.5, 0.0, 1.0], [3000.0, 3002.0, 3001.0]]),)),
        Case("one query", (np.array([[800.0, 801.0, 799.0]]),)),
        Case("large and small in one row", (np.array([[1.0, 900.0, 899.0], [0.0, 0.5, 0.25]]),)),
        Case("one score far above the others", (np.array([[0.0, 0.0, 0.0, 3000.0], [3000.0, 2999.0, 1.0, 0.0]]),)),
        Case("two scores far above the others", (np.array([[0.0, 0.0, 1400.0, 1405.0], [5.0, 0.0, 720.0, 6.0]]),)),
        Case("a score just too large for e^x", (np.array([[0.0, 1.0, 700.0, 710.5], [1.0, 0.0, 2.0, 0.0]]),)),
        Case("very large scores", (np.array([[0.0, 0.0, 0.0, 60000.0, 60001.0], [0.0, 1.0, 2.0, 3.0, 4.0]]),)),
    ),
    mistakes=(
        known.NOTHING_SUBTRACTED.by(lambda scores: np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)),
        known.PLACE_SUBTRACTED.by(
            lambda scores: _softmax_shifted_by(scores, _place_of_largest(scores)),
            lambda scores: _softmax_shifted_by(scores, _place_of_largest(scores, axis=None)),
        ),
        known.WHOLE_TABLE_SUBTRACTED.by(lambda scores: _softmax_shifted_by(scores, scores.max())),
        Mistake(
            "The largest of each column is subtracted.",
            "Numbers of one row then lose different amounts, and their shares change.",
        ).by(lambda scores: _softmax_shifted_by(scores, scores.max(axis=0, keepdims=True))),
        Mistake(
            "The largest scores have lost their axis: keepdims=True is missing.",
            "They are then a row, and NumPy takes the largest of row 1 away from column 1. Only a square table lets "
            "this run.",
        ).by(lambda scores: _softmax_shifted_by(scores, scores.max(axis=-1))),
        Mistake(
            "Only the first step is done.",
            "The scores are shifted. Now take the powers, and divide by their sum.",
        ).by(lambda scores: scores - scores.max(axis=-1, keepdims=True)),
        Mistake(
            "The mean is subtracted.",
            "That helps until one score stands far above the mean. Only the largest is safe: then every power is 1 or "
            "less.",
        ).by(lambda scores: _softmax_shifted_by(scores, scores.mean(axis=-1, keepdims=True))),
        Mistake(
            "The first or the last score of each row is subtracted.",
            "Only the largest is safe, wherever it stands: then every power is 1 or less.",
        ).by(
            lambda scores: _softmax_shifted_by(scores, scores[:, :1]),
            lambda scores: _softmax_shifted_by(scores, scores[:, -1:]),
        ),
        known.NOT_NORMALISED.by(lambda scores: np.exp(scores - scores.max(axis=-1, keepdims=True))),
        Mistake(
            "The smallest of each row is subtracted.",
            "Then all powers are 1 or more, and the largest may still overflow.",
        ).by(lambda scores: _softmax_shifted_by(scores, scores.min(axis=-1, keepdims=True))),
        Mistake(
            "The largest is subtracted above only.",
            "Above and below must be made from the same scores, or the shares no longer sum to 1.",
        ).by(
            lambda scores: (
                np.exp(scores - scores.max(axis=-1, keepdims=True)) / np.exp(scores).sum(axis=-1, keepdims=True)
            )
        ),
        Mistake(
            "It divides by the largest instead of subtracting it.",
            "Only differences between scores matter. A division changes them, a subtraction does not.",
        ).by(lambda scores: _softmax_shifted_by(scores / scores.max(axis=-1, keepdims=True), 0)),
        Mistake(
            "Large scores are cut off.",
            "np.clip or np.minimum makes different scores equal, and so their shares.",
        ).by(lambda scores: _softmax_shifted_by(np.minimum(scores, 700), 0)),
        known.OVER_QUERIES.by(lambda scores: softmax(scores, axis=0)),
    ),
    notice=(
        "The largest score becomes 0, so no power is above 1, and the sum is at least 1: neither inf nor 0 / 0 can "
        "come."
    ),
)


STRONGEST = Exercise(
    name="softmax.strongest",
    number="4.4",
    title="Read a table of weights",
    right=lambda weights: weights.argmax(axis=-1),
    results=("keys",),
    cases=(
        Case("the example", (np.array([[0.2, 0.8, 0.0], [0.5, 0.1, 0.4]]),)),
        Case("4 queries, 5 keys", lambda draw: (softmax(draw((4, 5))[0]),)),
        Case("one query", lambda draw: (softmax(draw((1, 3))[0]),)),
        Case("as many queries as keys", lambda draw: (softmax(draw((4, 4))[0]),)),
        Case("3 heads", lambda draw: (softmax(draw((3, 4, 5))[0]),)),
    ),
    mistakes=(
        Mistake(
            "The table is read sideways.",
            "Queries go down and keys across. For each key, this says which query looks at it most.",
            "poloclub/transformer-explainer #19",
        ).by(lambda weights: weights.argmax(axis=-2), lambda weights: weights.argmax(axis=0)),
        Mistake(
            "It gives the share, not the key it belongs to.",
            "max is how much, argmax is where.",
        ).by(lambda weights: weights.max(axis=-1)),
        Mistake(
            "It looks for one place in the whole table.",
            "Without an axis, argmax counts through all rows. Each query needs an answer of its own: axis=-1.",
        ).by(lambda weights: weights.argmax()),
        Mistake(
            "It gives the smallest share's key.",
            "argmin is where the least is.",
        ).by(lambda weights: weights.argmin(axis=-1)),
        Mistake(
            "The keys are counted from 1.",
            "The task counts from 0, as NumPy does.",
        ).by(lambda weights: weights.argmax(axis=-1) + 1),
        known.AXIS_FROM_THE_FRONT.by(lambda weights: weights.argmax(axis=1)),
    ),
    notice="Whenever you see a table of weights, ask first which way it is read. Published heat maps do it both ways.",
)

GENERAL = Exercise(
    name="softmax.general",
    number="4.5",
    title="The softmax",
    right=lambda scores, temperature: softmax(scores / temperature),
    results=("weights",),
    cases=(
        Case("the example", (np.array([[0, 2], [2, 2]]), 2.0)),
        Case("2 sentences of 3 heads", lambda draw: (*draw((2, 3, 4, 5)), 0.5)),
        Case("3 heads", lambda draw: (*draw((3, 4, 5)), 1.5)),
        Case("large scores", lambda draw: (draw((4, 5))[0] * 4000, 4.0)),
        Case("one row", lambda draw: (*draw((5,)), 0.7)),
        Case("rows far apart", (np.array([[0.0, 1.0, 0.5], [3000.0, 3001.0, 3000.5]]), 1.25)),
        Case("a score just too large for e^x", (np.array([[0.0, 2.0, 1400.0, 1421.0], [2.0, 0.0, 4.0, 0.0]]), 2.0)),
        Case("all sizes equal", lambda draw: (*draw((3, 3, 3)), 2.5)),
    ),
    mistakes=(
        known.OVER_QUERIES.by(lambda scores, temperature: softmax(scores / temperature, axis=-2)),
        known.SOFTMAX_FROM_THE_FRONT.by(lambda scores, temperature: softmax(scores / temperature, axis=1)),
        known.OVER_EVERYTHING.by(lambda scores, temperature: softmax(scores / temperature, axis=None)),
        Mistake(
            "The softmax runs over the first axis.",
            "The first axis counts sentences or heads: their shares would compete. The last axis counts keys.",
        ).by(lambda scores, temperature: softmax(scores / temperature, axis=0)),
        known.NOTHING_SUBTRACTED.by(lambda scores, temperature: known.unshifted_softmax(scores / temperature)),
        known.PLACE_SUBTRACTED.by(
            lambda scores, temperature: _softmax_shifted_by(scores / temperature, _place_of_largest(scores)),
            lambda scores, temperature: _softmax_shifted_by(scores / temperature, _place_of_largest(scores, axis=None)),
        ),
        Mistake(
            "The temperature has no effect.",
            "Perhaps it is not used; or it is added or taken away, which changes no share. Divide the scores by it.",
        ).by(lambda scores, temperature: softmax(scores)),
        known.WHOLE_TABLE_SUBTRACTED.by(
            lambda scores, temperature: _softmax_shifted_by(scores / temperature, scores.max() / temperature)
        ),
        Mistake(
            "It multiplies by the temperature.",
            "A high temperature must make the shares more equal, so it divides.",
        ).by(lambda scores, temperature: softmax(scores * temperature)),
        Mistake(
            "The temperature divides the shares.",
            "Then they no longer sum to 1. Divide the scores, before the softmax.",
        ).by(lambda scores, temperature: softmax(scores) / temperature),
    ),
    notice=(
        "axis=-1 serves one row, a table, heads and sentences alike. The largest may be subtracted before or after the "
        "division by the temperature."
    ),
    untraced=("temperature",),
)


EXERCISES = (SHARES, ROWS, STABLE, STRONGEST, GENERAL)

"""Exercises of lesson 4: from scores to shares."""

import numpy as np

from mha_course.checking import known_mistakes as known
from mha_course.checking.draws import FAR_FROM_ZERO, Draw
from mha_course.checking.exercise import Case, Exercise, Mistake
from mha_course.checking.recipe import Recipe, Step
from mha_course.checking.steps import masking, sharing
from mha_course.maths.formulas import softmax

NOT_SHIFTED = Step(  # small scores need no shift
    "shifted",
    lambda scores: scores,
    (
        sharing.DIVIDED_BY_LARGEST.by(
            lambda scores: scores / scores.max(axis=-1, keepdims=True), lambda scores: scores / scores.max()
        ),
        Mistake(
            "The scores are scaled once more.",
            "Scores are scaled when they are made from queries and keys. Here they are taken as they are.",
        ).by(lambda scores: scores / scores.shape[-1] ** 0.5),
        Mistake(
            "The scores have lost their signs.",
            "A score below 0 speaks against a match, and must get less than a score of 0.",
        ).by(lambda scores: abs(scores)),
        Mistake(
            "The scores below 0 have become 0.",
            "A score may be negative. e to its power is positive all the same, and small.",
        ).by(lambda scores: np.maximum(scores, 0)),
    ),
)

EXPONENTIATE_ALONG = sharing.EXPONENTIATE_ALONG.knowing(
    sharing.BASE_2.by(lambda shifted: 2**shifted),  # whole numbers as exponents may not be negative
    sharing.BASE_10.by(lambda shifted: 10**shifted),
    Mistake(
        "It subtracts 1 from each power.",
        "np.expm1 is e to the power of x, minus 1. np.exp is the power alone.",
    ).by(lambda shifted: np.exp(shifted) - 1),
    Mistake(
        "1 is added to each power.",
        "Then even the worst match keeps a large share. The power alone is positive already.",
    ).by(lambda shifted: np.exp(shifted) + 1),
)

EXPONENTIATE_SMALL = sharing.along_the_last(
    EXPONENTIATE_ALONG
).knowing(  # below 0, as all shifted scores are, these are not numbers
    Mistake(
        "The base and the exponent are exchanged.",
        "In e to the power of a score, e stands below and the score above: np.exp(score).",
    ).by(lambda shifted: shifted**np.e),
    Mistake(
        "It takes logarithms, not powers.",
        "np.log goes the other way, and knows no numbers below 0. np.exp takes e to the power of each.",
    ).by(lambda shifted: np.log(shifted)),
)

SHARES = Exercise(
    name="softmax.shares",
    title="Shares of one row",
    right=Recipe(
        "row",
        (
            Step("scores", lambda row: row),
            NOT_SHIFTED,
            EXPONENTIATE_SMALL,
            sharing.along_the_last(sharing.ADD_ROW.knowing(sharing.BY_LARGEST_POWER)),
            sharing.along_the_last(sharing.DIVIDE_ROW),
        ),
        "weights",
    ),
    results=("shares",),
    cases=(
        Case("the example", (np.array([0, 1, 1]),)),
        Case("five scores", lambda draw: draw((5,))),
        Case("one score", lambda draw: draw((1,))),
        Case("equal scores", lambda draw: (np.full(4, draw((1,))[0][0]),)),
        Case("scores below zero", lambda draw: (draw((4,))[0] - 3,)),
        Case("float32", lambda draw: (np.float32(*draw((6,))),)),
    ),
    notice="Equal scores get equal shares, whatever the scores are: only differences matter.",
)

ROWS = Exercise(
    name="softmax.rows",
    title="Every row by itself",
    right=Recipe(
        "scores",
        (
            NOT_SHIFTED.knowing(
                sharing.COLUMN_SUBTRACTED.by(lambda scores: scores - scores.max(axis=0)),
                sharing.LARGEST_WITHOUT_AXIS.by(lambda scores: scores - scores.max(axis=-1)),
            ),
            EXPONENTIATE_SMALL,
            sharing.along_the_last(sharing.ADD.knowing(sharing.BY_LARGEST_POWER)),
            sharing.along_the_last(sharing.DIVIDE),
        ),
        "weights",
    ),
    results=("weights",),
    cases=(
        Case("the example", (np.array([[0, 1], [1, 1], [2, 0]]),)),
        Case("4 queries, 5 keys", lambda draw: draw((4, 5))),
        Case("one query", lambda draw: draw((1, 3))),
        Case("as many queries as keys", lambda draw: draw((3, 3))),
        Case("more queries than keys", lambda draw: draw((5, 2))),
        Case("float32", lambda draw: (np.float32(*draw((3, 4))),)),
    ),
    notice=(
        "Every row sums to 1, and no column need do so. keepdims=True keeps the sums as a column, which fits beside "
        "the table."
    ),
)

BELOW_ONLY = Mistake(
    "The largest is subtracted below only.",
    "Above and below must be made from the same scores, or the shares no longer sum to 1.",
).by(lambda scores, sums: np.exp(scores) / sums)

FIRST_STEP_ONLY = Mistake(
    "Only the first step is done.",
    "The scores are shifted. Now take the powers, and divide by their sum.",
).by(lambda shifted: shifted)


def _subtracted_above_only(scores, axis):
    return np.exp(scores).sum(axis=axis, keepdims=True)


FAR = np.array([-2000.0, 0.0, 3000.0])


def _halves(draw: Draw, *shape: int) -> np.ndarray:
    """Return numbers with few bits, so that float32 has them even far from zero."""
    return draw.generator.permutation(np.arange(-4, 4.5, 0.5))[: int(np.prod(shape))].reshape(shape)


def _in_any_order(draw: Draw, rows: np.ndarray) -> np.ndarray:
    """Return the rows in another order, each with its scores in another order."""
    return draw.generator.permuted(draw.generator.permutation(rows), axis=-1)


STABLE = Exercise(
    name="softmax.stable",
    title="Large scores",
    right=Recipe(
        "scores",
        (
            sharing.AXIS,
            sharing.SUBTRACT_ALONG,
            EXPONENTIATE_ALONG,
            sharing.ADD.knowing(sharing.SUBTRACTED_ABOVE_ONLY.by(_subtracted_above_only)),
            sharing.DIVIDE.knowing(BELOW_ONLY, FIRST_STEP_ONLY),
        ),
        "weights",
    ),
    results=("weights",),
    cases=(
        Case("the example", (np.array([[0, 1], [1000, 1001]]),)),
        Case("4 queries, 5 keys", lambda draw: draw((4, 5))),
        Case("rows far apart", lambda draw: (_halves(draw, 3, 4) + draw.generator.permutation(FAR)[:, None],)),
        Case("one query", lambda draw: (_halves(draw, 1, 3) + 800,)),
        Case("as many queries as keys", lambda draw: (draw((4, 4))[0] * 3,)),
        Case("large and small in one row", (np.array([[1.0, 900.0, 899.0], [0.0, 0.5, 0.25]]),)),
        Case("one score far above the others", (np.array([[0.0, 0.0, 0.0, 3000.0], [3000.0, 2999.0, 1.0, 0.0]]),)),
        Case("two scores far above the others", (np.array([[0.0, 0.0, 1400.0, 1405.0], [5.0, 0.0, 720.0, 6.0]]),)),
        Case("a score just too large for e^x", (np.array([[0.0, 1.0, 700.0, 710.5], [1.0, 0.0, 2.0, 0.0]]),)),
        Case("very large scores", (np.array([[0.0, 0.0, 0.0, 60000.0, 60001.0], [0.0, 1.0, 2.0, 3.0, 4.0]]),)),
        Case("scores far above and far below zero", lambda draw: (_in_any_order(draw, FAR_FROM_ZERO),)),
    ),
    notice=(
        "The largest score becomes 0, so no power is above 1, and the sum is at least 1: neither inf nor 0 / 0 can "
        "come."
    ),
)

SIDEWAYS = Mistake(
    "The table is read sideways.",
    "Queries go down and keys across. For each key, this says which query looks at it most.",
    asked="poloclub/transformer-explainer #19",
)
WHOLE_TABLE = Mistake(
    "It looks for one place in the whole table.",
    "Without an axis, argmax counts through all rows. Each query needs an answer of its own: axis=-1.",
)

TABLE = Step("weights", lambda weights: weights, (SIDEWAYS.by(lambda weights: weights.T),))

READ_ALONG = Step(
    "axis",
    lambda: -1,
    (
        SIDEWAYS.by(lambda: -2, lambda: 0),
        WHOLE_TABLE.by(lambda: None),
        known.AXIS_FROM_THE_FRONT.by(lambda: 1),
    ),
)

LOOK = Step(
    "places",
    lambda weights, axis: weights.argmax(axis=axis),
    (
        Mistake(
            "It gives the share, not the key it belongs to.",
            "max is how much, argmax is where.",
        ).by(lambda weights, axis: weights.max(axis=axis)),
        Mistake(
            "It gives the smallest share's key.",
            "argmin is where the least is.",
        ).by(lambda weights, axis: weights.argmin(axis=axis)),
        Mistake(
            "It gives the smallest share, not the key with the largest.",
            "min is how little, argmax is where the most is.",
        ).by(lambda weights, axis: weights.min(axis=axis)),
        Mistake(
            "It gives the key with the second largest share.",
            "argsort puts the smallest first: the largest is the last, [-1], and [-2] the one before it.",
        ).by(
            lambda weights, axis: weights.argsort(axis=axis).take(-2, axis=axis),
        ),
        Mistake(
            "It gives all keys in order, not the first alone.",
            "argsort lists every key of a row. Only the one with the largest share is wanted.",
        ).by(
            lambda weights, axis: weights.argsort(axis=axis),
            lambda weights, axis: (-weights).argsort(axis=axis),
        ),
        WHOLE_TABLE.by(lambda weights: np.array(np.unravel_index(weights.argmax(), weights.shape))),
        Mistake(
            "It marks the largest share instead of saying where it stands.",
            "This has the shape of the table. For each query one number is wanted: the place of its key.",
        ).by(lambda weights, axis: weights == weights.max(axis=axis, keepdims=True)),
        Mistake(
            "The axis of the keys is still there.",
            "keepdims=True leaves an axis of size 1. One number for each query needs no such axis.",
        ).by(lambda weights, axis: weights.argmax(axis=axis, keepdims=True)),
        Mistake(
            "Only one query is answered.",
            "Every row asks for itself. A return inside a loop ends the function in its first round.",
        ).by(
            lambda weights, axis: weights.argmax(axis=axis)[..., 0],
            lambda weights, axis: weights.argmax(axis=axis)[..., -1],
            lambda weights, axis: weights.argmax(axis=axis)[0],
        ),
    ),
)

COUNT = Step(
    "keys",
    lambda places: places,
    (
        Mistake(
            "The keys are counted from 1.",
            "The task counts from 0, as NumPy does.",
        ).by(lambda places: places + 1),
        Mistake(
            "The keys are counted from the end.",
            "Key 0 is the first of the row, on the left.",
        ).by(
            lambda places, weights: weights.shape[-1] - 1 - places, lambda places, weights: places - weights.shape[-1]
        ),
        Mistake(
            "The keys are counted one too low.",
            "argmax counts from 0 already: nothing is left to subtract.",
        ).by(lambda places: places - 1),
        Mistake(
            "The places are divided by the number of keys.",
            "The place itself is wanted: a whole number.",
        ).by(lambda places, weights: places / weights.shape[-1]),
    ),
)


STRONGEST = Exercise(
    name="softmax.strongest",
    title="Read a table of weights",
    right=Recipe("weights", (TABLE, READ_ALONG, LOOK, COUNT), "keys"),
    results=("keys",),
    cases=(
        Case("the example", (np.array([[0.2, 0.8, 0.0], [0.5, 0.1, 0.4]]),)),
        Case("4 queries, 5 keys", lambda draw: (softmax(draw((4, 5))[0]),)),
        Case("one query", lambda draw: (softmax(draw((1, 3))[0]),)),
        Case("as many queries as keys", lambda draw: (softmax(draw((4, 4))[0]),)),
        Case("3 heads", lambda draw: (softmax(draw((3, 4, 5))[0]),)),
        Case("2 sentences of 3 heads", lambda draw: (softmax(draw((2, 3, 5, 4))[0]),)),
        Case("as many heads as queries and keys", lambda draw: (softmax(draw((4, 4, 4))[0]),)),
        Case("9 queries, 12 keys", lambda draw: (softmax(draw((9, 12))[0]),)),
    ),
    notice="Whenever you see a table of weights, ask first which way it is read. Published heat maps do it both ways.",
)

COOL_WHEN = Step(  # what divides the scores, and what is done with the shares at the end
    "divisor finish",
    lambda temperature: (temperature, lambda shares: shares),
    (
        Mistake(
            "The temperature divides the shares.",
            "Then they no longer sum to 1. Divide the scores, before the softmax.",
        ).by(lambda temperature: (1, lambda shares: shares / temperature)),
        Mistake(
            "The temperature is used twice.",
            "One division is enough.",
        ).by(lambda temperature: (temperature, lambda shares: shares / temperature)),
        Mistake(
            "The temperature multiplies the shares.",
            "Then they no longer sum to 1. Divide the scores, before the softmax.",
        ).by(lambda temperature: (1, lambda shares: shares * temperature)),
    ),
)

COOL = Step(
    "scores",
    lambda raw, divisor: raw / divisor,
    (
        Mistake(
            "The temperature has no effect.",
            "Perhaps it is not used; or it is added or taken away, which changes no share. Divide the scores by it.",
        ).by(lambda raw: raw),
        Mistake(
            "It multiplies by the temperature.",
            "A high temperature must make the shares more equal, so it divides.",
        ).by(lambda raw, divisor: raw * divisor),
        Mistake(
            "It divides by the root of the temperature.",
            "A root belongs to d_k, in the scale of the scores. The temperature divides as it is.",
        ).by(lambda raw, divisor: raw / divisor**0.5),
        Mistake(
            "The temperature is used twice.",
            "One division is enough.",
        ).by(lambda raw, divisor: raw / divisor**2),
        Mistake(
            "The temperature is divided by the scores.",
            "The fraction stands upside down: the scores belong above.",
        ).by(lambda raw, divisor: divisor / raw),
        Mistake(
            "// makes different scores equal.",
            "// drops what stands behind the point. Divide by /.",
        ).by(lambda raw, divisor: raw // divisor),
        Mistake(
            "It divides by a fixed number, whatever the temperature is.",
            "The number may fit the example. Divide by the temperature that is given.",
        ).by(lambda raw: raw / 2),
        Mistake(
            "The scores are scaled once more.",
            "Scores are scaled when they are made from queries and keys. Here only the temperature divides them.",
        ).by(lambda raw, divisor: raw / divisor / raw.shape[-1] ** 0.5),
    ),
)


def _temperature(draw: Draw) -> float:
    """Return neither 1, which changes nothing, nor the example's 2."""
    return float(draw.generator.choice([0.5, 0.7, 1.5, 2.5, 3.0]))


GENERAL = Exercise(
    name="softmax.general",
    title="The softmax",
    right=Recipe(
        "scores temperature",
        (
            Step("raw", lambda scores: scores),
            COOL_WHEN,
            COOL,
            sharing.AXIS_STACK,
            sharing.SUBTRACT_ALONG.knowing(
                Mistake(
                    "The largest is taken before the division by the temperature.",
                    "Subtract from the divided scores the largest of the divided scores, or both before the division.",
                ).by(lambda scores, raw, axis: scores - raw.max(axis=axis, keepdims=True)),
            ),
            EXPONENTIATE_ALONG,
            sharing.ADD_STACK.knowing(sharing.SUBTRACTED_ABOVE_ONLY.by(_subtracted_above_only)),
            sharing.DIVIDE_STACK.knowing(BELOW_ONLY, FIRST_STEP_ONLY),
            masking.FINISH,
        ),
        "weights",
    ),
    results=("weights",),
    cases=(
        Case("the example", (np.array([[0, 2], [2, 2]]), 2.0)),
        Case("2 sentences of 3 heads", lambda draw: (*draw((2, 3, 4, 5)), _temperature(draw))),
        Case("3 heads", lambda draw: (*draw((3, 4, 5)), _temperature(draw))),
        Case("a table", lambda draw: (*draw((4, 3)), _temperature(draw))),
        Case("large scores", lambda draw: (draw((4, 5))[0] * 4000, 4.0)),
        Case("one row", lambda draw: (*draw((5,)), _temperature(draw))),
        Case("rows far apart", lambda draw: (_halves(draw, 2, 3) + np.array([[0], [3000]]), 0.5)),
        Case("a score just too large for e^x", (np.array([[0.0, 2.0, 1400.0, 1421.0], [2.0, 0.0, 4.0, 0.0]]), 2.0)),
        Case("scores far above and far below zero", lambda draw: (_in_any_order(draw, FAR_FROM_ZERO) * 4, 4.0)),
        Case("all sizes equal", lambda draw: (*draw((3, 3, 3)), _temperature(draw))),
        Case("4 sentences of 4 heads, all sizes equal", lambda draw: (*draw((4, 4, 4, 4)), _temperature(draw))),
        Case("one sentence", lambda draw: (*draw((1, 4, 3)), _temperature(draw))),
        Case("float32", lambda draw: (np.float32(*draw((2, 3, 4))), _temperature(draw))),
    ),
    notice=(
        "axis=-1 serves one row, a table, heads and sentences alike. The largest may be subtracted before or after the "
        "division by the temperature."
    ),
    untraced=("temperature",),
)


EXERCISES = (SHARES, ROWS, STABLE, STRONGEST, GENERAL)

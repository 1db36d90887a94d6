"""Exercises of lesson 4: from scores to shares."""

import numpy as np

from mha_course.engine.checking.exercise import Case, Exercise, ResultType, mistake
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.solution import Solution, Step
from mha_course.maths.formulas import softmax
from mha_course.mistakes import masked_softmax, shared
from mha_course.mistakes import softmax as softmax_steps
from mha_course.mistakes.cases import FAR_FROM_ZERO

EXPONENTIATE_ALONG = softmax_steps.EXPONENTIATE_ALONG.knowing(
    softmax_steps.BASE_2.by(lambda shifted: 2**shifted),  # whole numbers as exponents may not be negative
    softmax_steps.BASE_10.by(lambda shifted: 10**shifted),
    mistake("1 is subtracted from each exponential.",
            "np.expm1 is e to the power of x, minus 1. np.exp is the exponential alone.",
            lambda shifted: np.exp(shifted) - 1),
    mistake("1 is added to each exponential.",
            "Then even the worst match keeps a large weight. The exponential alone is positive already.",
            lambda shifted: np.exp(shifted) + 1),
)



BELOW_ONLY = mistake(
    "The largest is subtracted only in the denominator.",
    "Numerator and denominator must be made from the same scores, or the weights no longer sum to 1.",
    lambda scores, sums: np.exp(scores) / sums,
)

FIRST_STEP_ONLY = mistake(
    "Only the largest is subtracted.",
    "Now take the exponentials, and divide by their sum.",
    lambda shifted: shifted,
)


def _subtracted_above_only(scores, axis):
    return np.exp(scores).sum(axis=axis, keepdims=True)




def _halves(sample: Sampler, *shape: int) -> np.ndarray:
    """Return numbers with few bits, so that float32 has them even far from zero."""
    return sample.generator.permutation(np.arange(-4, 4.5, 0.5))[: int(np.prod(shape))].reshape(shape)


def _in_any_order(sample: Sampler, rows: np.ndarray) -> np.ndarray:
    """Return the rows in another order, each with its scores in another order."""
    return sample.generator.permuted(sample.generator.permutation(rows), axis=-1)


SIDEWAYS = mistake(
    "The table is read along the wrong axis.",
    "Queries go down and keys across. This says, for each key, which query looks at it most.",
    asked="poloclub/transformer-explainer #19",
)
WHOLE_TABLE = mistake(
    "It looks for one maximum in the whole table.",
    "Without an axis, argmax counts through all rows. Each query needs its own: axis=-1.",
)

TABLE = Step("weights", lambda weights: weights, SIDEWAYS.by(lambda weights: weights.T))

READ_ALONG = Step(
    "axis",
    lambda: -1,
    SIDEWAYS.by(lambda: -2, lambda: 0),
    WHOLE_TABLE.by(lambda: None),
    shared.AXIS_FROM_THE_FRONT.by(lambda: 1),
)

LOOK = Step(
    "places",
    lambda weights, axis: weights.argmax(axis=axis),
    mistake("It returns the largest weight, not its key.",
            "max is how much, argmax is where.",
            lambda weights, axis: weights.max(axis=axis)),
    mistake("It returns the first key with a weight above one half.",
            "The largest weight of a row can be smaller than that. Then this is always key 0.",
            lambda weights, axis: (weights > 0.5).argmax(axis=axis)),
    mistake("It averages the numbers of the keys with their weights.",
            "The numbers of keys are names, and a mean of names is no name. Return the one with the largest weight.",
            lambda weights: (weights * np.arange(weights.shape[-1])).sum(axis=-1).round().astype(int),
            lambda weights: (weights * np.arange(weights.shape[-1])).sum(axis=-1)),
    mistake("It returns the key with the smallest weight.",
            "argmin finds the smallest weight, argmax the largest.",
            lambda weights, axis: weights.argmin(axis=axis)),
    mistake("It returns the smallest weight, not the key with the largest.",
            "min is how much, argmax is where.",
            lambda weights, axis: weights.min(axis=axis)),
    mistake("It returns the key with the second largest weight.",
            "argsort puts the smallest first: the largest is the last, [-1], and [-2] the one before it.",
            lambda weights, axis: weights.argsort(axis=axis).take(-2, axis=axis)),
    mistake("It returns all keys in order, not the first alone.",
            "argsort lists every key of a row. Only the one with the largest weight is wanted.",
            lambda weights, axis: weights.argsort(axis=axis),
            lambda weights, axis: (-weights).argsort(axis=axis)),
    WHOLE_TABLE.by(lambda weights: np.array(np.unravel_index(weights.argmax(), weights.shape))),
    mistake("It marks the largest weight instead of returning its key.",
            "This has the shape of the table. For each query one number is wanted: its key.",
            lambda weights, axis: weights == weights.max(axis=axis, keepdims=True)),
    mistake("The key axis is still there.",
            "keepdims=True leaves an axis of size 1. One number for each query needs no such axis.",
            lambda weights, axis: weights.argmax(axis=axis, keepdims=True)),
    mistake("Only one query's key is returned.",
            "Every row needs its own. A return inside a loop ends the function in its first round.",
            lambda weights, axis: weights.argmax(axis=axis)[..., 0],
            lambda weights, axis: weights.argmax(axis=axis)[..., -1],
            lambda weights, axis: weights.argmax(axis=axis)[0]),
)

COUNT = Step(
    "keys",
    lambda places: places,
    mistake("The keys are counted from 1.", "The task counts from 0, as NumPy does.", lambda places: places + 1),
    mistake("The keys are counted from the end.",
            "Key 0 is the first of the row, on the left.",
            lambda places, weights: weights.shape[-1] - 1 - places,
            lambda places, weights: places - weights.shape[-1]),
    mistake("The keys are one too low.",
            "argmax counts from 0 already: subtract nothing.",
            lambda places: places - 1),
    mistake("The keys are divided by how many there are.",
            "The number of the key itself is wanted: a whole number.",
            lambda places, weights: places / weights.shape[-1]),
)


WHOLE = ResultType(
    "iu",
    "The keys are right, but not whole numbers.",
    "They are used as an index, as in V[keys], and only whole numbers can be.",
)
STRONGEST = Exercise(
    "softmax.strongest",
    "Read a table of weights",
    Solution("weights", [TABLE, READ_ALONG, LOOK, COUNT]),
    types={"keys": WHOLE},
    cases=(
        Case("the example", (np.array([[0.2, 0.8, 0.0], [0.5, 0.1, 0.4]]),)),
        Case("4 queries, 5 keys", lambda sample: (softmax(sample((4, 5))[0]),)),
        Case("one query", lambda sample: (softmax(sample((1, 3))[0]),)),
        Case("as many queries as keys", lambda sample: (softmax(sample((4, 4))[0]),)),
        Case("3 heads", lambda sample: (softmax(sample((3, 4, 5))[0]),)),
        Case("2 sentences of 3 heads", lambda sample: (softmax(sample((2, 3, 5, 4))[0]),)),
        Case("as many heads as queries and keys", lambda sample: (softmax(sample((4, 4, 4))[0]),)),
        Case("9 queries, 12 keys", lambda sample: (softmax(sample((9, 12))[0]),)),
    ),
    notice="Whenever you see a table of weights, ask first which way it is read. Published heat maps do it both ways.",
)

TABLE_OF_SCORES = Exercise(
    "softmax.table",
    "The softmax",
    Solution(
        "scores",
        [
            softmax_steps.AXIS,
            softmax_steps.SUBTRACT_ALONG,
            EXPONENTIATE_ALONG,
            softmax_steps.ADD.knowing(softmax_steps.SUBTRACTED_ABOVE_ONLY.by(_subtracted_above_only)),
            softmax_steps.DIVIDE.knowing(BELOW_ONLY, FIRST_STEP_ONLY),
        ],
    ),
    cases=(
        Case("the example", (np.array([[0, 2], [1001, 1000]]),)),
        Case("4 queries, 3 keys", lambda sample: sample((4, 3))),
        Case("2 queries, 5 keys", lambda sample: sample((2, 5))),
        Case("one query", lambda sample: sample((1, 4))),
        Case("large scores", lambda sample: (sample((4, 5))[0] * 1000,)),
        Case("rows far apart", lambda sample: (_halves(sample, 2, 3) + np.array([[0], [3000]]),)),
        Case("a score just too large for e^x", (np.array([[0.0, 1.0, 700.0, 710.5], [1.0, 0.0, 2.0, 0.0]]),)),
        Case("scores far above and far below zero", lambda sample: (_in_any_order(sample, FAR_FROM_ZERO),)),
        Case("as many queries as keys", lambda sample: sample((4, 4))),
        Case("float32", lambda sample: tuple(map(np.float32, sample((3, 4))))),
    ),
    off_limits=("softmax",),
    notice=(
        "Each row now sums to 1, however large its scores are. Subtracting the largest changes no weight: only "
        "differences within a row count."
    ),
)

COOL_WHEN = Step(  # what divides the scores, and what is done with the shares at the end
    "divisor finish",
    lambda temperature: (temperature, lambda shares: shares),
    mistake("The temperature divides the weights.",
            "Then they no longer sum to 1. Divide the scores, before the softmax.",
            lambda temperature: (1, lambda shares: shares / temperature)),
    mistake("The temperature is used twice.",
            "One division is enough.",
            lambda temperature: (temperature, lambda shares: shares / temperature)),
    mistake("The temperature multiplies the weights.",
            "Then they no longer sum to 1. Divide the scores, before the softmax.",
            lambda temperature: (1, lambda shares: shares * temperature)),
)

COOL = Step(
    "scores",
    lambda raw, divisor: raw / divisor,
    mistake("The temperature has no effect.",
            "Perhaps it is not used; or it is added to the scores, or the exponentials are divided by it, which "
            "changes no weight. Divide the scores by it.",
            lambda raw: raw),
    mistake("It multiplies by the temperature instead of dividing.",
            "A high temperature must make the weights more equal, so it divides.",
            lambda raw, divisor: raw * divisor),
    mistake("It divides by the root of the temperature.",
            "The root is for d_k, in the scale of the scores. The temperature divides as it is.",
            lambda raw, divisor: raw / divisor**0.5),
    mistake("The temperature is used twice.", "One division is enough.", lambda raw, divisor: raw / divisor**2),
    mistake("The temperature is divided by the scores.",
            "The fraction is upside down: divide the scores by the temperature.",
            lambda raw, divisor: divisor / raw),
    mistake("// makes different scores equal.",
            "// drops what comes after the decimal point. Divide by /.",
            lambda raw, divisor: raw // divisor),
    mistake("It divides by a fixed number, whatever the temperature is.",
            "The number may fit the example. Divide by the temperature that is given.",
            lambda raw: raw / 2),
    mistake("The scores are scaled once more.",
            "Scores are scaled when they are made from queries and keys. Here they are divided by the temperature "
            "alone.",
            lambda raw, divisor: raw / divisor / raw.shape[-1] ** 0.5),
)


def _temperature(sample: Sampler) -> float:
    """Return neither 1, which changes nothing, nor the example's 2."""
    return float(sample.generator.choice([0.5, 0.7, 1.5, 2.5, 3.0]))


GENERAL = Exercise(
    "softmax.general",
    "The softmax for every case",
    Solution(
        "scores temperature",
        [
            Step("raw", lambda scores: scores),
            COOL_WHEN,
            COOL,
            softmax_steps.AXIS_STACK,
            softmax_steps.SUBTRACT_ALONG.knowing(
                mistake("The largest is taken before the division by the temperature.",
                        "Subtract from the divided scores the largest of the divided scores, or both before the "
                        "division.",
                        lambda scores, raw, axis: scores - raw.max(axis=axis, keepdims=True)),
            ),
            EXPONENTIATE_ALONG,
            softmax_steps.ADD_STACK.knowing(softmax_steps.SUBTRACTED_ABOVE_ONLY.by(_subtracted_above_only)),
            softmax_steps.DIVIDE_STACK.knowing(BELOW_ONLY, FIRST_STEP_ONLY),
            masked_softmax.FINISH,
        ],
    ),
    cases=(
        Case("the example", (np.array([[0, 2], [2, 2]]), 2.0)),
        Case("2 sentences of 3 heads", lambda sample: (*sample((2, 3, 4, 5)), _temperature(sample))),
        Case("3 heads", lambda sample: (*sample((3, 4, 5)), _temperature(sample))),
        Case("a table", lambda sample: (*sample((4, 3)), _temperature(sample))),
        Case("large scores", lambda sample: (sample((4, 5))[0] * 4000, 4.0)),
        Case("one row", lambda sample: (*sample((5,)), _temperature(sample))),
        Case("rows far apart", lambda sample: (_halves(sample, 2, 3) + np.array([[0], [3000]]), 0.5)),
        Case("a score just too large for e^x", (np.array([[0.0, 2.0, 1400.0, 1421.0], [2.0, 0.0, 4.0, 0.0]]), 2.0)),
        Case("scores far above and far below zero", lambda sample: (_in_any_order(sample, FAR_FROM_ZERO) * 4, 4.0)),
        Case("all sizes equal", lambda sample: (*sample((3, 3, 3)), _temperature(sample))),
        Case("4 sentences of 4 heads, all sizes equal", lambda sample: (*sample((4, 4, 4, 4)), _temperature(sample))),
        Case("one sentence", lambda sample: (*sample((1, 4, 3)), _temperature(sample))),
        Case("float32", lambda sample: (np.float32(*sample((2, 3, 4))), _temperature(sample))),
    ),
    off_limits=("softmax",),
    notice=(
        "axis=-1 works for one row, a table, heads and sentences alike. The largest may be subtracted before or after "
        "the division by the temperature."
    ),
    untraced=("temperature",),
)


def _larger_first(sample: Sampler) -> np.ndarray:
    return np.sort(sample((2,))[0])[::-1].copy()


def _larger_last(sample: Sampler) -> np.ndarray:
    return np.sort(sample((2,))[0])


def _ratio(sample: Sampler) -> float:
    """Return neither 1, whose logarithm is 0, nor the example's 3."""
    return float(sample.generator.choice([1.5, 2.0, 2.5, 5.0, 8.0]))


RATIO = Exercise(
    "softmax.ratio",
    "The temperature for a wanted ratio",
    Solution(
        "scores ratio",
        [
            Step(
                "difference",
                lambda scores: scores.max() - scores.min(),
                mistake("The second score is subtracted from the first, even where it is larger.",
                        "Then the difference is negative, and so is the temperature. Take the smaller from the larger.",
                        lambda scores: scores[0] - scores[1]),
                mistake("The first score is subtracted from the second, even where it is larger.",
                        "Then the difference is negative, and so is the temperature. Take the smaller from the larger.",
                        lambda scores: scores[1] - scores[0]),
                mistake("The scores are divided instead of subtracted.",
                        "The ratio of two exponentials is e to the power of the difference.",
                        lambda scores: scores.max() / scores.min(),
                        lambda scores: scores[0] / scores[1]),
                mistake("Only one of the scores is used.",
                        "Adding a number to both scores changes no weight: only the difference counts.",
                        lambda scores: scores.max(),
                        lambda scores: scores[0],
                        lambda scores: scores[1]),
                mistake("The scores are added.",
                        "Dividing one exponential by another subtracts the exponents.",
                        lambda scores: scores[0] + scores[1]),
                mistake("The weights are subtracted, not the scores.",
                        "The temperature divides the scores, before the softmax.",
                        lambda scores: softmax(scores).max() - softmax(scores).min()),
                mistake("The difference is halved.",
                        "np.std of two numbers is half their difference. The difference itself is wanted.",
                        lambda scores: (scores.max() - scores.min()) / 2),
                mistake("The exponentials are subtracted, not the scores.",
                        "The temperature divides the scores, before the exponential.",
                        lambda scores: np.exp(scores.max()) - np.exp(scores.min())),
            ),
            Step(
                "exponent",
                lambda ratio: np.log(ratio),
                mistake("The logarithm is missing.",
                        "e to the power of the divided difference must be the ratio. So the divided difference is the "
                        "logarithm of the ratio.",
                        lambda ratio: ratio),
                mistake("The exponential of the ratio is taken, not its logarithm.",
                        "The ratio is an exponential already. Its logarithm is the exponent.",
                        lambda ratio: np.exp(ratio)),
                mistake("The logarithm has the wrong base.",
                        "The softmax takes powers of e, so np.log undoes it.",
                        lambda ratio: np.log2(ratio),
                        lambda ratio: np.log10(ratio)),
                mistake("The logarithm of the larger weight is taken, not that of the ratio.",
                        "ratio / (1 + ratio) is the larger of the two weights. The ratio itself is wanted.",
                        lambda ratio: np.log(ratio / (1 + ratio))),
                mistake("1 is added to the ratio.",
                        "np.log1p is the logarithm of 1 + x. Use np.log.",
                        lambda ratio: np.log(ratio + 1)),
                mistake("The root is taken, not the logarithm.",
                        "A root undoes a square. The logarithm undoes an exponential.",
                        lambda ratio: ratio**0.5),
            ),
            Step(
                "temperature",
                lambda difference, exponent: difference / exponent,
                mistake("The fraction is upside down.",
                        "The difference divided by the temperature must be the logarithm. So the temperature is the "
                        "difference divided by the logarithm.",
                        lambda difference, exponent: exponent / difference),
                mistake("It multiplies instead of dividing.",
                        "A larger ratio needs sharper weights, so a lower temperature.",
                        lambda difference, exponent: difference * exponent),
                mistake("It subtracts instead of dividing.",
                        "The temperature divides the scores, so it divides their difference, too.",
                        lambda difference, exponent: difference - exponent),
                mistake("It returns only the logarithm.",
                        "The difference must become this when it is divided by the temperature.",
                        lambda exponent: exponent),
                mistake("It returns only the difference.",
                        "At that temperature the divided difference is 1, and the ratio is always e.",
                        lambda difference: difference),
            ),
        ],
    ),
    cases=(
        Case("the example", (np.array([5, 3]), 3.0)),
        Case("the larger score first", lambda sample: (_larger_first(sample), _ratio(sample))),
        Case("the larger score last", lambda sample: (_larger_last(sample), _ratio(sample))),
        Case("scores below 0", lambda sample: (_larger_last(sample) - 3, _ratio(sample))),
        Case("large scores", lambda sample: (_larger_first(sample) * 100, _ratio(sample))),
        Case("a large ratio", lambda sample: (_larger_last(sample), 50.0)),
        Case("float32", lambda sample: (np.float32(_larger_last(sample)), _ratio(sample))),
    ),
    notice=(
        "The sum over all keys cancels: the ratio of two weights does not depend on any other key. It is e to the "
        "power of the divided difference, so each further step of the difference multiplies it."
    ),
)


def _share(sample: Sampler) -> float:
    """Return a share that is not the example's half, which is as large as what it leaves."""
    return float(sample.generator.choice([0.1, 0.2, 0.3, 0.6, 0.7, 0.9]))


NEW_KEY = Exercise(
    "softmax.new_key",
    "A key with a wanted share",
    Solution(
        "row share",
        [
            Step(
                "exponentials",
                lambda row: np.exp(row),
                mistake("The exponentials are missing.",
                        "Weights are parts of a sum of exponentials, not of a sum of scores.",
                        lambda row: row),
                mistake("The scores have the wrong sign.",
                        "The softmax takes e to the power of the score, not of minus it.",
                        lambda row: np.exp(-row)),
                softmax_steps.BASE_2.by(lambda row: 2.0**row),
            ),
            Step(
                "others",
                lambda exponentials: exponentials.sum(),
                mistake("It takes the mean of the other exponentials, not their sum.",
                        "The weight is a part of all exponentials together.",
                        lambda exponentials: exponentials.sum() / len(exponentials)),
                mistake("Only the largest of the other exponentials counts.",
                        "The weight is a part of all exponentials together.",
                        lambda exponentials: exponentials.max()),
                mistake("The last of the other keys is left out.",
                        "Every key counts: range(n) runs from 0 to n - 1, and range(n - 1) stops one earlier.",
                        lambda exponentials: exponentials[:-1].sum()),
                mistake("The exponential of the sum is taken, not the sum of the exponentials.",
                        "e to the power of a sum is a product. Take the exponentials first, then add them.",
                        lambda row: np.exp(row.sum())),
                mistake("The exponential of the mean score is taken, once for each key.",
                        "The exponential of a mean is smaller than the mean of the exponentials. Take the exponentials "
                        "first, then add them.",
                        lambda row: len(row) * np.exp(row.mean())),
                mistake("1 is added to the sum.",
                        "The total is the other exponentials and the new key's own, nothing else.",
                        lambda exponentials: exponentials.sum() + 1),
            ),
            Step(
                "parts",
                lambda share: share / (1 - share),
                mistake("The share is taken of the other keys alone.",
                        "The new key is part of the total, too. The others keep 1 - share of it: divide by that.",
                        lambda share: share),
                mistake("The share and the rest are swapped.",
                        "The new key gets the share, and the others get what is left, 1 - share.",
                        lambda share: (1 - share) / share),
                mistake("The share is added instead of subtracted.",
                        "The others keep what is left of 1: 1 - share.",
                        lambda share: share / (1 + share)),
                mistake("It is not multiplied by the share.",
                        "The total is the sum of the other exponentials, divided by 1 - share. The new key gets its "
                        "share of that.",
                        lambda share: 1 / (1 - share)),
                mistake("It divides by the share.",
                        "A larger share needs a larger exponential: multiply.",
                        lambda share: 1 / share),
            ),
            Step(
                "exponential",
                lambda others, parts: others * parts,
                mistake("The other keys are not counted.",
                        "How large the new exponential must be depends on the sum of the others.",
                        lambda parts: parts),
                mistake("It divides by the sum of the other exponentials.",
                        "The larger this sum, the larger the new exponential must be: multiply.",
                        lambda others, parts: parts / others),
                mistake("The share is added to the sum.",
                        "A share is a part of a total: multiply.",
                        lambda others, parts: others + parts),
                mistake("The share is not used.",
                        "With an exponential as large as all others together, the new key always gets one half.",
                        lambda others: others),
            ),
            Step(
                "score",
                lambda exponential: np.log(exponential),
                mistake("The logarithm is missing.",
                        "That is the exponential that the new key needs. The score is its logarithm.",
                        lambda exponential: exponential),
                mistake("The logarithm has the wrong base.",
                        "The softmax takes powers of e, so np.log undoes it.",
                        lambda exponential: np.log2(exponential),
                        lambda exponential: np.log10(exponential)),
                mistake("The exponential is taken once more.",
                        "The exponential is there already. The logarithm leads back from it to the score.",
                        lambda exponential: np.exp(exponential)),
            ),
        ],
    ),
    cases=(
        Case("the example", (np.array([0.0, 0.0, 0.0]), 0.5)),
        Case("5 scores", lambda sample: (*sample((5,)), _share(sample))),
        Case("one score", lambda sample: (*sample((1,)), _share(sample))),
        Case("scores below 0", lambda sample: (sample((4,))[0] - 3, _share(sample))),
        Case("a small share", lambda sample: (*sample((6,)), 0.02)),
        Case("float32", lambda sample: (np.float32(*sample((3,))), _share(sample))),
    ),
    notice=(
        "The more keys there are, the larger a score must be for the same weight: the sum grows with each of them. "
        "Many trained language models give a large weight to the very first token, whatever it says: an attention sink "
        "(Xiao et al. 2023)."
    ),
)

EXERCISES = (STRONGEST, TABLE_OF_SCORES, RATIO, GENERAL, NEW_KEY)

"""The way back through one attention: the gradients of a loss, from that of the output to those of Q, K and V."""

import numpy as np

from mha_course.maths.formulas import softmax
from mha_course.slips import known, scoring
from mha_course.workbook.checking.exercise import slip
from mha_course.workbook.checking.recipe import Step

NOT_TURNED = slip(
    "The slopes of the scores are not turned over for the keys.",
    "A row of dS belongs to a query. A key collects from all queries, so its slopes stand in a column: dS.T @ Q.",
)
SCALE_MISSING = slip(
    "The scale is missing on the way back.",
    "The scores were divided by √d_k. So a push on Q or K reaches them divided by √d_k, too.",
)
MEAN_MISSING = slip(
    "The mean is not subtracted.",
    "The shares of a row always sum to 1, so they cannot all grow at the same time. Subtract the row's own "
    "mean, taken with its weights.",
)
PLAIN_MEAN = slip(
    "The mean counts all keys alike.", "Each slope counts as much as its weight: multiply by the weights, then add."
)
MEAN_OVER_QUERIES = slip(
    "The mean runs over the queries.",
    "Each row shares out one whole, so each row has its own mean: axis=-1, along the keys.",
)


def _mean(weights, dA, axis=-1):
    return (weights * dA).sum(axis=axis, keepdims=True)


MEANS = Step(
    "means",
    lambda weights, dA: _mean(weights, dA),
    PLAIN_MEAN.by(
        lambda dA: dA.sum(axis=-1, keepdims=True) / dA.shape[-1],
        lambda dA, mask: (dA * mask).sum(axis=-1, keepdims=True) / mask.sum(axis=-1, keepdims=True),
    ),
    MEAN_OVER_QUERIES.by(lambda weights, dA: _mean(weights, dA, axis=-2)),
    slip("One mean serves all rows.",
         "Without an axis the sum runs over the whole table. Each row needs its own mean: axis=-1, keepdims=True.",
         lambda weights, dA: (weights * dA).sum()),
    slip("The mean has lost its axis: keepdims=True is missing.",
         "The means of the rows are then one row themselves, and NumPy subtracts them along the columns. Only a "
         "square table lets this run.",
         lambda weights, dA: (weights * dA).sum(axis=-1)),
    slip("The products with the weights are averaged, not added.",
         "The weights sum to 1, so the sum of the products is a mean already. Another division makes it too small.",
         lambda weights, dA: _mean(weights, dA) / dA.shape[-1]),
    slip("One plain mean of the whole table serves all rows.",
         "Each row needs its own mean, and in it each slope counts as much as its weight.",
         lambda dA: dA.sum() / dA.size),
    slip("The plain sum of the slopes is subtracted.",
         "Each slope counts as much as its weight: multiply by the weights, then add.",
         lambda dA: dA.sum(axis=-1, keepdims=True)),
)

APART = Step(
    "apart",
    lambda dA, means: dA - means,
    MEAN_MISSING.by(lambda dA: dA),
    slip("The mean is added.",
         "It must be subtracted: the shares cannot all grow at the same time.",
         lambda dA, means: dA + means),
)

APART_SIGNED = APART.knowing(  # where nothing later can turn the sign
    slip("The sign is turned round.",
         "It takes the slopes from the mean. A share whose slope is above the mean makes the loss grow, and so does "
         "its score: dA minus the mean.",
         lambda dA, means: means - dA),
)

TO_SCORES = Step(
    "dS",
    lambda weights, apart: weights * apart,
    slip("The weights in front are missing.",
         "A small share moves little when its score does. So the difference is multiplied by the weight.",
         lambda apart: apart),
    slip("The mean is not multiplied by the weight.",
         "First subtract the mean, then multiply the difference by the weight: brackets.",
         lambda weights, dA, means: weights * dA - means),
    slip("The way back leaves out the softmax.",
         "These are the slopes for the shares. What a score does to the shares comes on top.",
         lambda dA: dA),
    slip("Only a share's own score counts.",
         "w (1 − w) is what a score does to its own share. It moves all other shares of the row, too.",
         lambda weights, dA: weights * (1 - weights) * dA),
    slip("The factor 1 − w is there as well.",
         "The others of the row are in the mean already. The factor in front is the weight alone.",
         lambda weights, apart: weights * (1 - weights) * apart),
    slip("It divides by the weights.",
         "A small share moves little. Divided by its weight, it moves most.",
         lambda weights, apart: apart / weights),
    slip("It is a product of matrices.",
         "Each weight meets the slope at its own place: entry by entry, *.",
         lambda weights, apart: weights @ apart.mT,
         lambda weights, apart: weights.mT @ apart),
    slip("The result is turned over.",
         "Queries go down, keys across, as in the weights.",
         lambda weights, apart: (weights * apart).mT),
)

THROUGH_SOFTMAX = (MEANS, APART, TO_SCORES)

MEASURE_BACK = Step(
    "scale",
    lambda Q: Q.shape[-1] ** 0.5,
    known.SCALED_BY_D_K.by(lambda Q: Q.shape[-1]),
    known.HALF_D_K.by(lambda Q: Q.shape[-1] / 2),
    known.SCALED_BY_KEYS.by(lambda K: K.shape[-2] ** 0.5),
    known.SCALED_BY_QUERIES.by(lambda Q: Q.shape[-2] ** 0.5),
    scoring.FIXED_SCALE,
)

SCALE_BACK = Step(
    "dP",
    lambda dS, scale: dS / scale,
    SCALE_MISSING.by(lambda dS: dS),
    slip("It multiplies by the scale instead of dividing.",
         "The scores were divided by √d_k. A push on Q reaches them divided by it, not multiplied.",
         lambda dS, scale: dS * scale),
)

ONE_UNSCALED = slip(
    "Only one of the two slopes is divided by √d_k.",
    "A push on a query and one on a key both reach the scores through the division: divide both slopes, or dS once "
    "before both products.",
)

TO_QUERIES = Step(
    "dQ",
    lambda dP, K: dP @ K,
    slip("The slope of Q is made with Q.",
         "Push a query: its score for a key moves with that key. So the slopes of the scores meet K.",
         lambda dP, Q: dP @ Q),
    slip("The slopes of the scores are turned over for the queries.",
         "A query collects from its own row of dS. Only for the keys is dS turned over.",
         lambda dP, K: dP.mT @ K),
    slip("K is turned over.",
         "In the scores the keys stood as columns. On the way back the rows of K are mixed, as they are.",
         lambda dP, K: dP @ K.mT),
    slip("The slope of Q is a mean over the keys.",
         "A push on a query moves its scores for all keys, and all that they do is added.",
         lambda dP, K: dP @ K / K.shape[-2]),
    ONE_UNSCALED.by(lambda dS, K: dS @ K),
)

TO_KEYS = Step(
    "dK",
    lambda dP, Q: dP.mT @ Q,
    NOT_TURNED.by(lambda dP, Q: dP @ Q),
    slip("The slope of K is made with K.",
         "Push a key: the score of a query for it moves with that query. So the slopes of the scores meet Q.",
         lambda dP, K: dP.mT @ K),
    slip("The slope of K is turned over.", "It has the shape of K: a row for each key.", lambda dP, Q: Q.mT @ dP),
    slip("The slope of K is a mean over the queries.",
         "A push on a key moves the scores of all queries for it, and all that they do is added.",
         lambda dP, Q: dP.mT @ Q / Q.shape[-2]),
    ONE_UNSCALED.by(lambda dS, Q: dS.mT @ Q),
)

BOTH = Step(
    "dQ dK",
    lambda dQ, dK: (dQ, dK),
    slip("The two results are exchanged.", "First the slope of Q, then that of K.", lambda dQ, dK: (dK, dQ)),
)

THROUGH_SCORES = (MEASURE_BACK, SCALE_BACK, TO_QUERIES, TO_KEYS)

TO_WEIGHTS = Step(
    "dA",
    lambda G, V: G @ V.mT,
    slip("The values are not turned over.",
         "A weight acts on a whole row of V. So its slope is a dot product of that row with the query's row of G.",
         lambda G, V: G @ V),
    slip("The values have no part in it.",
         "How much a push on a weight does to the output depends on what is taken: the value.",
         lambda G, V: G @ np.ones_like(V).mT),
)

TO_VALUES = Step(
    "dV",
    lambda weights, G: weights.mT @ G,
    slip("The weights are not turned over for the values.",
         "A value collects from all queries that took from it: from its column of the weights. So weights.T @ G.",
         lambda weights, G: weights @ G),
    slip("The weights have no part in the slope of V.",
         "A push on a value reaches an output as far as that query takes from it.",
         lambda weights, G: np.ones_like(weights).mT @ G),
    slip("The slope of V is a mean over the queries.",
         "A push on a value moves the outputs of all queries that take from it, and all that they do is added.",
         lambda weights, G: weights.mT @ G / G.shape[-2]),
)

AGAINST = Step(  # the gradients, by the rate
    "after",
    lambda scores, rate, dS: scores - rate * dS,
    slip("It goes up.",
         "A slope says where the loss grows, and the step goes the other way. Either there is a plus, or the "
         "difference is the target minus the output.",
         lambda scores, rate, dS: scores + rate * dS),
    slip("The rate is missing.",
         "The rate says how long the step is: rate times slope.",
         lambda scores, dS: scores - dS),
    slip("It divides by the rate.",
         "The larger the rate, the longer the step: rate times slope.",
         lambda scores, rate, dS: scores - dS / rate),
    slip("It returns the step alone.",
         "The step is taken from the scores: scores minus rate times slope.",
         lambda rate, dS: -rate * dS,
         lambda rate, dS: rate * dS),
    slip("It returns shares of the new scores.",
         "The new scores are right. The softmax comes again only when the head is computed anew.",
         lambda scores, rate, dS: softmax(scores - rate * dS)),
    slip("It returns the slopes.", "The slopes are right. Now go a step against them.", lambda dS: dS),
    slip("The step is taken from the weights.",
         "Weights are made of scores, and nobody can move them directly. What moves are the scores.",
         lambda weights, rate, dS: weights - rate * dS),
    slip("Every score is multiplied, not moved.",
         "The step is subtracted. Times a factor, a score of 0 would always stay 0.",
         lambda scores, rate, dS: scores * (1 - rate * dS)),
)

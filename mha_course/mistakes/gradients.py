"""The backward pass through one attention: the gradients of a loss, from that of the output to those of Q, K and V."""

import numpy as np

from mha_course.engine.checking.exercise import mistake
from mha_course.engine.checking.solution import Step
from mha_course.maths.formulas import softmax
from mha_course.mistakes import scores as score_steps
from mha_course.mistakes import shared

NOT_TURNED = mistake(
    "The gradients of the scores are not transposed for the keys.",
    "A row of dS belongs to a query. A key gets its gradient from all queries, from its column: dS.T @ Q.",
)
SCALE_MISSING = mistake(
    "The scale is missing in the backward pass.",
    "The scores were divided by √d_k. So the gradients of Q and K are divided by √d_k, too.",
)
MEAN_MISSING = mistake(
    "The mean is not subtracted.",
    "The weights of a row always sum to 1, so they cannot all grow at once. Subtract the row's own mean, taken with "
    "its weights.",
)
PLAIN_MEAN = mistake(
    "The mean is taken without the weights.",
    "Each gradient counts as much as its attention weight: multiply by the weights, then add."
)
MEAN_OVER_QUERIES = mistake(
    "The mean runs over the queries, not the keys.",
    "Each query has its own softmax, so each row has its own mean: axis=-1.",
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
    mistake("One mean is used for all rows.",
            "Without an axis the sum runs over the whole table. Each row needs its own mean: axis=-1, keepdims=True.",
            lambda weights, dA: (weights * dA).sum()),
    mistake("The mean has lost its axis: keepdims=True is missing.",
            "The means of the rows are then a row themselves, and NumPy subtracts them along the columns. Only a "
            "square table lets this run.",
            lambda weights, dA: (weights * dA).sum(axis=-1)),
    mistake("The products with the weights are averaged, not added.",
            "The weights sum to 1, so the sum of the products is a mean already. Another division makes it too small.",
            lambda weights, dA: _mean(weights, dA) / dA.shape[-1]),
    mistake("One plain mean of the whole table is used for all rows.",
            "Each row needs its own mean, and in it each gradient counts as much as its weight.",
            lambda dA: dA.sum() / dA.size),
    mistake("The plain sum of the gradients is subtracted.",
            "Each gradient counts as much as its weight: multiply by the weights, then add.",
            lambda dA: dA.sum(axis=-1, keepdims=True)),
)

APART = Step(
    "minus_mean",
    lambda dA, means: dA - means,
    MEAN_MISSING.by(lambda dA: dA),
    mistake("The mean is added instead of subtracted.",
            "Subtract it: the weights cannot all grow at once.",
            lambda dA, means: dA + means),
)

APART_SIGNED = APART.knowing(  # where nothing later can turn the sign
    mistake("The sign is wrong.",
            "The gradients are subtracted from the mean. It must be the other way round: the gradient minus the mean.",
            lambda dA, means: means - dA),
)

TO_SCORES = Step(
    "dS",
    lambda weights, minus_mean: weights * minus_mean,
    mistake("The difference is not multiplied by the weights.",
            "A small weight changes little when its score does. So multiply the difference by the weight.",
            lambda minus_mean: minus_mean),
    mistake("The mean is not multiplied by the weight.",
            "First subtract the mean, then multiply the difference by the weight: brackets.",
            lambda weights, dA, means: weights * dA - means),
    mistake("The gradient of the softmax is left out.",
            "These are the gradients for the weights. How a score changes the weights still has to come in.",
            lambda dA: dA,
            lambda dA, mask: np.where(mask, dA, 0)),
    mistake("Each score is taken to change only its own weight.",
            "w (1 − w) is its effect on its own weight. It changes all other weights of the row, too.",
            lambda weights, dA: weights * (1 - weights) * dA),
    mistake("There is an extra factor 1 − w.",
            "The other keys are in the mean already. The factor in front is the weight alone.",
            lambda weights, minus_mean: weights * (1 - weights) * minus_mean),
    mistake("It divides by the weights instead of multiplying.",
            "A small weight changes little when its score does. Divided by its weight, it changes most.",
            lambda weights, minus_mean: minus_mean / weights),
    mistake("The matrix product is taken instead of entry by entry.",
            "Each weight is multiplied by the gradient at its own position: *.",
            lambda weights, minus_mean: weights @ minus_mean.mT,
            lambda weights, minus_mean: weights.mT @ minus_mean),
    mistake("The result is transposed.",
            "Queries go down, keys across, as in the weights.",
            lambda weights, minus_mean: (weights * minus_mean).mT),
)

THROUGH_SOFTMAX = (MEANS, APART, TO_SCORES)

MEASURE_BACK = Step(
    "scale",
    lambda Q: Q.shape[-1] ** 0.5,
    shared.SCALED_BY_D_K.by(lambda Q: Q.shape[-1]),
    shared.HALF_D_K.by(lambda Q: Q.shape[-1] / 2),
    shared.SCALED_BY_KEYS.by(lambda K: K.shape[-2] ** 0.5),
    shared.SCALED_BY_QUERIES.by(lambda Q: Q.shape[-2] ** 0.5),
    score_steps.FIXED_SCALE,
)

SCALE_BACK = Step(
    "scaled_dS",
    lambda dS, scale: dS / scale,
    SCALE_MISSING.by(lambda dS: dS),
    mistake("It multiplies by the scale instead of dividing.",
            "The scores were divided by √d_k. So the gradient is divided by it, too.",
            lambda dS, scale: dS * scale),
)

ONE_UNSCALED = mistake(
    "Only one of the two gradients is divided by √d_k.",
    "Both Q and K reach the scores through the division: divide both gradients, or dS once before both products.",
)

TO_QUERIES = Step(
    "dQ",
    lambda scaled_dS, K: scaled_dS @ K,
    mistake("The gradient of Q is made with Q instead of K.",
            "How a query changes its scores depends on the keys. So multiply the gradients of the scores by K.",
            lambda scaled_dS, Q: scaled_dS @ Q),
    mistake("The gradients of the scores are transposed for the queries.",
            "A query gets its gradient from its own row of dS. Only for the keys is dS transposed.",
            lambda scaled_dS, K: scaled_dS.mT @ K),
    mistake("K is transposed.",
            "In the scores K was transposed. In the backward pass it is used as it is.",
            lambda scaled_dS, K: scaled_dS @ K.mT),
    mistake("The gradient of Q is a mean over the keys.",
            "A query changes its scores for all keys, and all these effects are added.",
            lambda scaled_dS, K: scaled_dS @ K / K.shape[-2]),
    ONE_UNSCALED.by(lambda dS, K: dS @ K),
)

TO_KEYS = Step(
    "dK",
    lambda scaled_dS, Q: scaled_dS.mT @ Q,
    NOT_TURNED.by(lambda scaled_dS, Q: scaled_dS @ Q),
    mistake("The gradients of the scores are reshaped, not transposed.",
            "reshape keeps the order of all numbers and cuts it into other rows. A key needs its column of dS: dS.T.",
            lambda scaled_dS, Q: scaled_dS.reshape(scaled_dS.shape[::-1]) @ Q),
    mistake("The gradient of K is made with K instead of Q.",
            "How a key changes its scores depends on the queries. So multiply the gradients of the scores by Q.",
            lambda scaled_dS, K: scaled_dS.mT @ K),
    mistake("The gradient of K is made with the gradient of Q.",
            "How a key changes its scores depends on the queries themselves: multiply the gradients of the scores by "
            "Q.",
            lambda scaled_dS, dQ: scaled_dS.mT @ dQ),
    mistake("The gradient of K is transposed.",
            "It has the shape of K: a row for each key.",
            lambda scaled_dS, Q: Q.mT @ scaled_dS),
    mistake("The gradient of K is a mean over the queries.",
            "A key changes the scores of all queries, and all these effects are added.",
            lambda scaled_dS, Q: scaled_dS.mT @ Q / Q.shape[-2]),
    ONE_UNSCALED.by(lambda dS, Q: dS.mT @ Q),
)

BOTH = Step(
    "dQ dK",
    lambda dQ, dK: (dQ, dK),
    mistake("The two results are swapped.", "First the gradient of Q, then that of K.", lambda dQ, dK: (dK, dQ)),
    mistake("All signs are wrong.", "These are gradients, not steps: no minus.", lambda dQ, dK: (-dQ, -dK)),
)

THROUGH_SCORES = (MEASURE_BACK, SCALE_BACK, TO_QUERIES, TO_KEYS)

TO_WEIGHTS = Step(
    "dA",
    lambda G, V: G @ V.mT,
    mistake("The values are not transposed.",
            "A weight affects the output through its row of V. So its gradient is the dot product of that row with the "
            "query's row of G.",
            lambda G, V: G @ V),
    mistake("The gradient of the weights is made without the values.",
            "How much a weight changes the output depends on its value.",
            lambda G, V: G @ np.ones_like(V).mT),
)

TO_VALUES = Step(
    "dV",
    lambda weights, G: weights.mT @ G,
    mistake("The weights are not transposed for the values.",
            "A value gets its gradient from all queries, from its column of the weights: weights.T @ G.",
            lambda weights, G: weights @ G),
    mistake("The weights are reshaped, not transposed, for the values.",
            "reshape keeps the order of all numbers and cuts it into other rows. A value needs its column: weights.T.",
            lambda weights, G: weights.reshape(weights.shape[::-1]) @ G),
    mistake("The gradient of V is made without the weights.",
            "A value changes each output as much as its weight says.",
            lambda weights, G: np.ones_like(weights).mT @ G),
    mistake("The gradient of V is a mean over the queries.",
            "A value changes the outputs of all queries, and all these effects are added.",
            lambda weights, G: weights.mT @ G / G.shape[-2]),
)

AGAINST = Step(  # the gradients, by the learning rate
    "after",
    lambda scores, learning_rate, dS: scores - learning_rate * dS,
    mistake("The step goes uphill.",
            "A gradient says where the loss grows, and the step goes the other way. Either there is a plus, or the "
            "difference is the target minus the output.",
            lambda scores, learning_rate, dS: scores + learning_rate * dS),
    mistake("The learning rate is missing.",
            "The learning rate says how long the step is: learning rate times gradient.",
            lambda scores, dS: scores - dS),
    mistake("It divides by the learning rate.",
            "The larger the learning rate, the longer the step: learning rate times gradient.",
            lambda scores, learning_rate, dS: scores - dS / learning_rate),
    mistake("It returns only the step.",
            "Subtract it from the scores: scores minus learning rate times gradient.",
            lambda learning_rate, dS: -learning_rate * dS,
            lambda learning_rate, dS: learning_rate * dS),
    mistake("It returns weights instead of the new scores.",
            "The new scores are right. Leave out the softmax after them.",
            lambda scores, learning_rate, dS: softmax(scores - learning_rate * dS)),
    mistake("It returns the gradients.", "They are right. Now take a step against them.", lambda dS: dS),
    mistake("The step is subtracted from the weights.",
            "Weights are made from scores and cannot be moved directly. Move the scores.",
            lambda weights, learning_rate, dS: weights - learning_rate * dS),
    mistake("Every score is multiplied instead of moved.",
            "Subtract the step. Times a factor, a score of 0 would always stay 0.",
            lambda scores, learning_rate, dS: scores * (1 - learning_rate * dS)),
)

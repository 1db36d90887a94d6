"""Exercises of the lesson on how a head learns: gradients backwards through an attention, and a step against them."""

import numpy as np

from mha_course.engine.checking.exercise import Case, Exercise, mistake
from mha_course.engine.checking.solution import Solution, Step
from mha_course.maths.formulas import softmax
from mha_course.mistakes import gradients, shared
from mha_course.mistakes.cases import drawn_weights


def _weights_and_gradients(*shape):
    return lambda sample: (drawn_weights(sample, *shape), *sample(shape))


GIVEN_WEIGHTS = Step("weights", lambda weights: weights, shared.SOFTMAX_TWICE.by(lambda weights: softmax(weights)))

NOT_SCALED = Step(
    "dS",
    lambda dS: dS,
    mistake("The result is divided by the root of the number of keys.",
            "Nothing is divided here: the scale lies before the scores, and dS is the gradient of the scores.",
            lambda dS: dS / dS.shape[-1] ** 0.5),
)

SOFTMAX = Exercise(
    "learning.softmax",
    "Back through the softmax",
    Solution("weights dA", [GIVEN_WEIGHTS, gradients.MEANS, gradients.APART_SIGNED, gradients.TO_SCORES, NOT_SCALED]),
    cases=(
        Case("the example", (np.array([[0.5, 0.5, 0.0], [0.25, 0.25, 0.5]]), np.array([[1, 3, 8], [4, 0, 2]]))),
        Case("4 queries, 5 keys", _weights_and_gradients(4, 5)),
        Case("one query", _weights_and_gradients(1, 4)),
        Case("many keys", _weights_and_gradients(2, 7)),
        Case("all sizes equal", _weights_and_gradients(4, 4)),
        Case("one key", lambda sample: (np.ones((3, 1)), *sample((3, 1)))),
    ),
    notice=(
        "Each row of the result sums to 0: adding one number to all scores of a row changes no weight (lesson 4), and "
        "so not the loss. And where a weight is 0, so is the gradient."
    ),
)


def _scores_gradients(sample, n_q, n_k, d_k):
    return sample((n_q, d_k), (n_k, d_k), (n_q, n_k))


QUERIES_KEYS = Exercise(
    "learning.queries_keys",
    "From the scores to Q and K",
    Solution("Q K dS", [*gradients.THROUGH_SCORES, gradients.BOTH]),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 0, 2, 0], [0, 4, 0, 2]]),
                np.array([[2, 0, 0, 2], [0, 6, 2, 0], [4, 0, 2, 0]]),
                np.array([[1, -1, 0], [-3, 1, 2]]),
            ),
        ),
        Case("4 queries, 5 keys, d_k = 3", lambda sample: _scores_gradients(sample, 4, 5, 3)),
        Case("one query", lambda sample: _scores_gradients(sample, 1, 3, 2)),
        Case("one key", lambda sample: _scores_gradients(sample, 3, 1, 5)),
        Case("as many queries as keys", lambda sample: _scores_gradients(sample, 3, 3, 6)),
        Case("all sizes equal", lambda sample: _scores_gradients(sample, 5, 5, 5)),
    ),
    notice=(
        "The division by √d_k comes back: a change of Q or K reaches the scores through it. In code it is often done "
        "once, on dS, before both products."
    ),
)


def _all_rows_reshaped(X, dQ):
    """Return the product of all rows at once, divided equally among the sentences."""
    product = X.reshape(X.shape[-1], -1) @ dQ.reshape(-1, dQ.shape[-1])
    return np.stack([product / len(X)] * len(X))


FOR_EACH = Step(
    "each",
    lambda X, dQ: X.mT @ dQ,
    mistake("X is not transposed.",
            "W_Q has a row for each column of X. So the columns of X must become rows: X.mT, or swapaxes(-1, -2).",
            lambda X, dQ: X @ dQ),
    mistake("X is reshaped, not transposed.",
            "reshape keeps the order of all numbers and cuts it into other rows. Swap the last two axes: X.mT, or "
            "swapaxes(-1, -2).",
            lambda X, dQ: X.reshape(X.shape[0], X.shape[2], X.shape[1]) @ dQ,
            lambda X, dQ: _all_rows_reshaped(X, dQ)),
    mistake(".T reverses all axes, the batch axis too.",
            "For two axes .T is the transpose. With more it reverses their order. Swap only the last two: X.mT, or "
            "swapaxes(-1, -2).",
            lambda X, dQ: X.T @ dQ),
    mistake("The result is transposed.", "It has the shape of W_Q: (d_model, d_k).", lambda X, dQ: dQ.mT @ X),
    mistake("The sentences are added before they are multiplied.",
            "Each sentence's X belongs to its own gradients. Multiply sentence by sentence, then add.",
            lambda X, dQ: (X.sum(axis=0).mT @ dQ.sum(axis=0))[None] / len(X)),
    mistake("The sentences are averaged before they are multiplied.",
            "Each sentence's X belongs to its own gradients. Multiply sentence by sentence, then take the mean.",
            lambda X, dQ: (X.sum(axis=0).mT @ dQ.sum(axis=0))[None] / len(X) ** 2),
    mistake("The tokens are added before they are multiplied.",
            "Each token's row of X belongs to its own row of dQ. The matrix product adds over the tokens.",
            lambda X, dQ: X.sum(axis=1)[:, :, None] * dQ.sum(axis=1)[:, None, :]),
)

OVER_BATCH = Step(
    "dW_Q",
    lambda each: each.sum(axis=0) / len(each),
    mistake("The mean over the batch is not taken.",
            "The loss is the mean over the sentences. So each sentence counts only 1 / batch of its own gradient.",
            lambda each: each.sum(axis=0)),
    mistake("Each sentence still has its own gradient.",
            "All sentences share one W_Q, so it has one gradient: the mean over the first axis.",
            lambda each: each,
            lambda each: each / len(each)),
    mistake("Only one sentence is used.",
            "All sentences share W_Q, so every sentence contributes to its gradient.",
            lambda each: each[0],
            lambda each: each[-1]),
    mistake("It is divided by the number of tokens, too.",
            "Each sentence's gradient is that of its own loss. The mean runs only over the sentences.",
            lambda each, X: each.sum(axis=0) / len(each) / X.shape[1]),
    mistake("It is divided by the number of tokens, not of sentences.",
            "The loss is the mean over the sentences. The first axis counts them.",
            lambda each, X: each.sum(axis=0) / X.shape[1]),
    mistake("It is averaged over the wrong axis.",
            "The first axis counts the sentences. The others are those of W_Q, and stay.",
            lambda each: each.sum(axis=1) / each.shape[1],
            lambda each: each.sum(axis=2) / each.shape[2]),
)

NO_SCALE = Step(
    "dW_Q",
    lambda dW_Q: dW_Q,
    mistake("The result is divided by √d_k, too.",
            "The scale lies between the queries and the scores: dQ has come through it already.",
            lambda dW_Q, dQ: dW_Q / dQ.shape[-1] ** 0.5),
)


def _batch(batch, n, d_model, d_k):
    return lambda sample: sample((batch, n, d_model), (batch, n, d_k))


SHARED = Exercise(
    "learning.shared",
    "One matrix, many sentences",
    Solution("X dQ", [FOR_EACH, OVER_BATCH, NO_SCALE]),
    cases=(
        Case(
            "the example",
            (
                np.array([[[1, 0, 2], [0, 1, 1]], [[3, 1, 0], [0, 0, 2]]]),
                np.array([[[2, 0], [0, 4]], [[2, 2], [4, 0]]]),
            ),
        ),
        Case("4 sentences", _batch(4, 3, 5, 2)),
        Case("one sentence", _batch(1, 4, 3, 2)),
        Case("sentences of one token", _batch(3, 1, 4, 2)),
        Case("as many sentences as tokens", _batch(4, 4, 3, 5)),
        Case("all sizes equal", _batch(3, 3, 3, 3)),
    ),
    notice=(
        "Many sentences share one W_Q: their gradients are added up, here as a mean. That is why a larger batch does "
        "not make steps longer. It makes them steadier."
    ),
)

WEIGHTS = Step(
    "weights",
    lambda scores: softmax(scores),
    shared.OVER_QUERIES.by(lambda scores: softmax(scores, axis=-2)),
    mistake("The softmax is missing.",
            "The scores are not weights yet. The output is made with the weights.",
            lambda scores: scores),
    mistake("The scores are scaled once more.",
            "Use them as they are: the output is softmax(scores) · V.",
            lambda scores, V: softmax(scores / V.shape[-1] ** 0.5),
            lambda scores: softmax(scores / scores.shape[-1] ** 0.5)),
)

COMPARE = Step(
    "G",
    lambda weights, V, target: weights @ V - target,
    mistake("The target is left out.",
            "The loss says how far the output is from the target: its gradient is the output minus the target.",
            lambda weights, V: weights @ V),
    mistake("The difference is squared.",
            "The squares belong to the loss. Its gradient for the output is the difference itself.",
            lambda weights, V, target: (weights @ V - target) ** 2),
    mistake("The loss is treated as a mean.",
            "Here it is half of the sum: the difference is not divided by how many there are.",
            lambda weights, V, target: (weights @ V - target) / target.size,
            lambda weights, V, target: (weights @ V - target) / target.shape[0],
            lambda weights, V, target: (weights @ V - target) / target.shape[1]),
    mistake("The gradient is twice as large as it should be.",
            "The loss is half of the squared difference. The half is there to cancel the 2.",
            lambda weights, V, target: 2 * (weights @ V - target)),
    mistake("The gradient is half as large as it should be.",
            "The square brings a 2, and the half of the loss cancels it: output minus target, without a half.",
            lambda weights, V, target: (weights @ V - target) / 2),
)


def _to_step(n_q, n_k, d_v, learning_rate):
    return lambda sample: (*sample((n_q, n_k), (n_k, d_v), (n_q, d_v)), learning_rate)


STEP_OF_SCORES = Exercise(
    "learning.step",
    "One step of training",
    Solution(
        "scores V target learning_rate",
        [WEIGHTS, COMPARE, gradients.TO_WEIGHTS, *gradients.THROUGH_SOFTMAX, gradients.AGAINST],
    ),
    cases=(
        Case("the example", (np.zeros((1, 2)), np.array([[1, 0], [3, 2]]), np.array([[3, 1]]), 2)),
        Case("3 queries, 4 keys", _to_step(3, 4, 2, 0.5)),
        Case("one query", _to_step(1, 5, 3, 1.5)),
        Case("values of one column", _to_step(2, 3, 1, 0.25)),
        Case("all sizes equal", _to_step(4, 4, 4, 0.75)),
        Case("a long step", _to_step(4, 3, 2, 3)),
    ),
    notice=(
        "A real head does not move its scores directly. It moves W_Q and W_K, from which they are made, in the same "
        "way: against the gradient, times the learning rate."
    ),
    untraced=("learning_rate",),
)

SCORE = Step(
    "scores",
    lambda Q, K: Q @ K.mT / Q.shape[-1] ** 0.5,
    shared.UNSCALED.by(lambda Q, K: Q @ K.mT),
    shared.SCALED_BY_D_K.by(lambda Q, K: Q @ K.mT / Q.shape[-1]),
)


def _masked(scores, mask):
    largest = np.where(mask, scores, -np.inf).max(axis=-1, keepdims=True)
    exponentials = np.where(mask, np.exp(scores - largest), 0)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


MASKED_WEIGHTS = Step(
    "weights",
    _masked,
    mistake("The mask is missing.",
            "A key that may not be seen must have the weight 0. Then all gradients through it are 0 by themselves.",
            lambda scores: softmax(scores)),
    mistake("The mask is the wrong way round.",
            "True means: may be seen. Here exactly these keys are hidden.",
            lambda scores, mask: _masked(scores, ~mask),
            lambda scores, mask: softmax(np.where(mask, -1e9, scores))),
    mistake("The mask comes after the softmax.",
            "Then a row no longer sums to 1. Keys must be hidden before the softmax.",
            lambda scores, mask: softmax(scores) * mask),
    shared.OVER_QUERIES.by(lambda scores, mask: softmax(np.where(mask, scores, -1e9), axis=-2)),
)

VALUES = gradients.TO_VALUES.knowing(
    mistake("The gradient of V is divided by √d_k.",
            "The division is in the scores. The values do not come through it.",
            lambda weights, G, Q: weights.mT @ G / Q.shape[-1] ** 0.5),
    mistake("The gradient of V is made with the output instead of its gradient.",
            "How the loss changes with the output is G. Each value gets its part of G, by the weights: weights.T @ G.",
            lambda weights, V: weights.mT @ (weights @ V)),
)

IN_ORDER = Step(
    "dQ dK dV",
    lambda dQ, dK, dV: (dQ, dK, dV),
    mistake("The results are in the wrong order.",
            "First the gradient of Q, then that of K, then that of V.",
            lambda dQ, dK, dV: (dV, dK, dQ),
            lambda dQ, dK, dV: (dK, dQ, dV),
            lambda dQ, dK, dV: (dV, dQ, dK)),
    mistake("All signs are wrong.", "These are gradients, not steps: no minus.", lambda dQ, dK, dV: (-dQ, -dK, -dV)),
)


def _seen(sample, n_q, n_k):
    """Draw a mask in which every query may see something, and one at least not everything."""
    mask = sample.generator.random((n_q, n_k)) < 0.6
    mask[np.arange(n_q), sample.generator.integers(n_k, size=n_q)] = True
    mask[0, 0], mask[0, -1] = False, True
    return mask


def _attention(n_q, n_k, d_k, d_v):
    return lambda sample: (*sample((n_q, d_k), (n_k, d_k), (n_k, d_v), (n_q, d_v)), _seen(sample, n_q, n_k))


ONE_HEAD = Exercise(
    "learning.one_head",
    "The whole way back",
    Solution(
        "Q K V G mask",
        [
            SCORE,
            MASKED_WEIGHTS,
            VALUES,
            gradients.TO_WEIGHTS,
            *gradients.THROUGH_SOFTMAX,
            *gradients.THROUGH_SCORES,
            IN_ORDER,
        ],
    ),
    cases=(
        Case(
            "the example",
            (
                np.array([[2, 0, 0, 0]]),
                np.array([[2, 0, 0, 4], [2, 6, 0, 0], [4, 0, 2, 0]]),
                np.array([[1, 0], [3, 2], [9, 9]]),
                np.array([[1, 2]]),
                np.array([[True, True, False]]),
            ),
        ),
        Case("3 queries, 4 keys", _attention(3, 4, 2, 5)),
        Case("one query", _attention(1, 5, 3, 2)),
        Case("a mask that hides nothing",
             lambda sample: (*sample((2, 3), (4, 3), (4, 2), (2, 2)), np.ones((2, 4), bool))),
        Case("values of one column", _attention(4, 3, 5, 1)),
        Case("all sizes equal", _attention(4, 4, 4, 4)),
    ),
    off_limits=("attention_gradients",),
    notice=(
        "The backward pass needs no line for the mask. A hidden key has the weight 0, so every gradient that goes "
        "through this weight is 0 by itself."
    ),
    untraced=("mask",),
)

EXERCISES = (SOFTMAX, QUERIES_KEYS, SHARED, STEP_OF_SCORES, ONE_HEAD)

"""Exercises of lesson 5: mix the values, and the whole of attention."""

import numpy as np

from mha_course.checking import known_mistakes as known
from mha_course.checking.exercise import Case, Exercise, Mistake
from mha_course.maths.formulas import attention, scaled_scores, softmax

ONE = Exercise(
    name="weighted_sums.one",
    number="5.1",
    title="One output row",
    right=lambda shares, V: shares @ V,
    results=("output",),
    cases=(
        Case("the example", (np.array([0.5, 0.25, 0.25]), np.array([[2, 0], [4, 8], [0, 4]]))),
        Case("5 values", lambda draw: (draw.weights(5), *draw((5, 3)))),
        Case("whole numbers", (np.array([0.5, 0.3, 0.2]), np.array([[1, 0], [0, 1], [1, 1]]))),
        Case("one value", lambda draw: (np.array([1.0]), *draw((1, 4)))),
        Case("as many values as columns", lambda draw: (draw.weights(4), *draw((4, 4)))),
    ),
    mistakes=(
        Mistake(
            "All values get the same share.",
            "That is the mean. The shares say how much to take of each.",
        ).by(lambda shares, V: V.sum(axis=0) / len(V)),
        Mistake(
            "The shares are not used.",
            "It adds the values whole.",
        ).by(lambda shares, V: V.sum(axis=0)),
        Mistake(
            "It takes only the value with the largest share.",
            "Every value adds something, as large as its share.",
        ).by(lambda shares, V: V[shares.argmax()]),
        Mistake(
            "The sum over the values is missing.",
            "These are the contributions, one row for each value. The output row is their sum.",
        ).by(lambda shares, V: shares[:, None] * V),
        Mistake(
            "The shares meet the columns of V instead of its rows.",
            "Each share belongs to a value, and a value is a row. Only a square V lets this run.",
        ).by(lambda shares, V: V @ shares),
        Mistake(
            "Everything is added up, the columns too.",
            "Add down the rows only: axis=0. One number is left for each column.",
        ).by(lambda shares, V: (shares[:, None] * V).sum()),
        Mistake(
            "It adds up along the wrong axis.",
            "Add the contributions of all values: down the rows, axis=0. What is left is as wide as a value.",
        ).by(lambda shares, V: (shares[:, None] * V).sum(axis=1)),
    ),
    notice=(
        "An output row is as wide as a value. Since the shares sum to 1, each entry lies between the smallest and the "
        "largest of its column."
    ),
)

SUM = Exercise(
    name="weighted_sums.weighted_sum",
    number="5.2",
    title="All output rows",
    right=lambda weights, V: weights @ V,
    results=("output",),
    cases=(
        Case("the example", (np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75]]), np.array([[4, 0], [2, 8]]))),
        Case("4 queries, 5 values", lambda draw: (draw.weights(4, 5), *draw((5, 6)))),
        Case("one query", lambda draw: (draw.weights(1, 3), *draw((3, 2)))),
        Case("whole numbers", (np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]]), np.array([[1, 0], [0, 1], [1, 1]]))),
        Case("all sizes equal", lambda draw: (draw.weights(3, 3), *draw((3, 3)))),
        Case("2 heads", lambda draw: (draw.weights(2, 4, 5), *draw((2, 5, 3)))),
    ),
    mistakes=(
        Mistake(
            "The weights are turned over.",
            "Then each value says how much it gives, and the shares of an output no longer sum to 1.",
        ).by(lambda weights, V: weights.mT @ V),
        Mistake(
            "The factors are exchanged.",
            "The weights stand on the left: row by row, they say what to take from the rows of V.",
        ).by(lambda weights, V: V @ weights),
        Mistake(
            "V is turned over.",
            "In the scores the keys were turned over, to stand as columns. The values stay: their rows are mixed.",
        ).by(lambda weights, V: weights @ V.mT),
        Mistake(
            "It multiplies entry by entry.",
            "* is not the matrix product. @ goes along a row of weights, down a column of V, and adds.",
        ).by(lambda weights, V: weights * V),
        Mistake(
            "np.dot pairs every head with every other.",
            "For more than two axes np.dot is not the matrix product of a stack. Use @.",
        ).by(lambda weights, V: np.dot(weights, V)),
        known.SOFTMAX_TWICE.by(lambda weights, V: softmax(weights) @ V),
        Mistake(
            "Each query takes only its strongest value.",
            "Every value adds something, as large as its share.",
        ).by(lambda weights, V: np.take_along_axis(V, weights.argmax(axis=-1)[..., None], axis=-2)),
    ),
    notice=(
        "No transpose here: the keys of the weights are the rows of V. The outputs are as many as the queries, and as "
        "wide as the values."
    ),
)


ATTENTION_SIZES = ((4, 3), (5, 3), (5, 6))

ATTENTION = Exercise(
    name="weighted_sums.attention",
    number="5.3",
    title="Attention",
    right=attention,
    results=("output",),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 0, 1, 0]]),
                np.array([[2, 1, 0, 0], [0, 1, 2, 1], [0, 0, 0, 1]]),
                np.array([[4, 0], [0, 4], [8, 8]]),
            ),
        ),
        Case("4 queries, 5 keys", lambda draw: draw(*ATTENTION_SIZES)),
        Case("one token", lambda draw: draw((1, 3), (1, 3), (1, 2))),
        Case("all sizes equal", lambda draw: draw((5, 5), (5, 5), (5, 5))),
        Case("large scores", lambda draw: tuple(array * 80 for array in draw(*ATTENTION_SIZES))),
        Case("30 queries, 20 keys", lambda draw: draw((30, 3), (20, 3), (20, 8))),
        Case("2 sentences of 3 heads", lambda draw: draw((2, 3, 4, 6), (2, 3, 5, 6), (2, 3, 5, 7))),
    ),
    mistakes=(
        known.UNSCALED.by(lambda Q, K, V: softmax(Q @ K.mT) @ V),
        known.SCALED_BY_D_K.by(lambda Q, K, V: softmax(Q @ K.mT / Q.shape[-1]) @ V),
        known.HALF_D_K.by(lambda Q, K, V: softmax(Q @ K.mT / (Q.shape[-1] ** 1 / 2)) @ V),
        known.TWICE_D_K.by(lambda Q, K, V: softmax(Q @ K.mT / Q.shape[-1] ** 1 / 2) @ V),
        Mistake(
            "It divides by the root of the width of the values.",
            "The sum in a dot product runs over the columns of queries and keys. The values have no part in it.",
        ).by(lambda Q, K, V: softmax(Q @ K.mT / np.sqrt(V.shape[-1])) @ V),
        known.SCALED_BY_KEYS.by(lambda Q, K, V: softmax(Q @ K.mT / np.sqrt(K.shape[-2])) @ V),
        Mistake(
            "It multiplies by √d_k instead of dividing.",
            "The scores are too large already; this makes them larger.",
        ).by(lambda Q, K, V: softmax(Q @ K.mT * np.sqrt(Q.shape[-1])) @ V),
        Mistake(
            ".T turns all axes over, the batch too.",
            "For two axes .T is the transpose. With more it puts the last first and the first last. Exchange the last "
            "two only: swapaxes(-1, -2).",
        ).by(lambda Q, K, V: softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V),
        known.UNSTABLE.by(lambda Q, K, V: known.unshifted_softmax(scaled_scores(Q, K)) @ V),
        known.SCALED_LATE.by(lambda Q, K, V: softmax(Q @ K.mT) / np.sqrt(Q.shape[-1]) @ V),
        known.OVER_QUERIES.by(lambda Q, K, V: softmax(scaled_scores(Q, K), axis=-2) @ V),
        known.OVER_EVERYTHING.by(lambda Q, K, V: softmax(scaled_scores(Q, K), axis=None) @ V),
        known.SOFTMAX_FROM_THE_FRONT.by(lambda Q, K, V: softmax(scaled_scores(Q, K), axis=1) @ V),
        known.NO_SOFTMAX.by(lambda Q, K, V: scaled_scores(Q, K) @ V),
        known.SOFTMAX_TWICE.by(lambda Q, K, V: softmax(softmax(scaled_scores(Q, K))) @ V),
        known.NOT_NORMALISED.by(lambda Q, K, V: np.exp(scaled_scores(Q, K)) @ V),
        known.MIXES_KEYS.by(lambda Q, K, V: softmax(scaled_scores(Q, K)) @ K),
        known.RETURNS_WEIGHTS.by(lambda Q, K, V: softmax(scaled_scores(Q, K))),
        known.SWAPPED.by(lambda Q, K, V: softmax(scaled_scores(K, Q)) @ V),
        known.NO_TRANSPOSE.by(lambda Q, K, V: softmax(Q @ K / np.sqrt(Q.shape[-1])) @ V),
    ),
    notice=(
        "Three lines hold all of attention. Scaling Q first would be right too: (Q / √d_k) Kᵀ is the same as Q Kᵀ / "
        "√d_k."
    ),
)

INPUT_SIZES = ((4, 7), (5, 7), (7, 3), (7, 3), (7, 6))
INPUT_SIZES_EQUAL = ((3, 3),) * 5


def _attention_with(score, axis=-1):
    """Return an attention from the inputs, with another way to score or another axis for the softmax.

    score: from queries, keys and d_model.
    """

    def _from_inputs(X, context, W_Q, W_K, W_V):
        return softmax(score(X @ W_Q, context @ W_K, X.shape[-1]), axis=axis) @ (context @ W_V)

    return _from_inputs


FROM_INPUTS = Exercise(
    name="weighted_sums.from_inputs",
    number="5.4",
    title="Attention from the inputs",
    right=lambda X, context, W_Q, W_K, W_V: attention(X @ W_Q, context @ W_K, context @ W_V),
    results=("output",),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 0, 0, 1]]),
                np.array([[0, 1, 0, 0], [2, 0, 1, 0]]),
                np.array([[1, 0], [0, 1], [1, 1], [1, 0]]),
                np.array([[1, 0], [0, 1], [1, 0], [0, 0]]),
                np.array([[0, 1], [4, 0], [2, 2], [1, 1]]),
            ),
        ),
        Case("4 tokens that ask, 5 that answer", lambda draw: draw(*INPUT_SIZES)),
        Case("one token each", lambda draw: draw((1, 3), (1, 3), (3, 2), (3, 2), (3, 4))),
        Case("all sizes equal", lambda draw: draw(*INPUT_SIZES_EQUAL)),
        Case("large inputs", lambda draw: tuple(array * 8 for array in draw(*INPUT_SIZES))),
    ),
    mistakes=(
        known.SCALED_BY_D_MODEL.by(_attention_with(lambda Q, K, d_model: Q @ K.T / np.sqrt(d_model))),
        known.UNSCALED.by(_attention_with(lambda Q, K, d_model: Q @ K.T)),
        known.SCALED_BY_D_K.by(_attention_with(lambda Q, K, d_model: Q @ K.T / Q.shape[-1])),
        known.HALF_D_K.by(_attention_with(lambda Q, K, d_model: Q @ K.T / (Q.shape[-1] ** 1 / 2))),
        known.OVER_QUERIES.by(_attention_with(lambda Q, K, d_model: scaled_scores(Q, K), axis=0)),
        known.OVER_EVERYTHING.by(_attention_with(lambda Q, K, d_model: scaled_scores(Q, K), axis=None)),
        known.NO_SOFTMAX.by(lambda X, context, W_Q, W_K, W_V: scaled_scores(X @ W_Q, context @ W_K) @ (context @ W_V)),
        known.SOFTMAX_TWICE.by(
            lambda X, context, W_Q, W_K, W_V: softmax(softmax(scaled_scores(X @ W_Q, context @ W_K))) @ (context @ W_V)
        ),
        known.SCALED_BY_KEYS.by(_attention_with(lambda Q, K, d_model: Q @ K.T / np.sqrt(len(K)))),
        known.CONTEXT_FORGOTTEN.by(lambda X, context, W_Q, W_K, W_V: attention(X @ W_Q, X @ W_K, X @ W_V)),
        Mistake(
            "The two sentences are exchanged.",
            "X asks, so it makes the queries, and there is one output for each of its tokens.",
        ).by(lambda X, context, W_Q, W_K, W_V: attention(context @ W_Q, X @ W_K, X @ W_V)),
        known.MATRICES_EXCHANGED.by(lambda X, context, W_Q, W_K, W_V: attention(X @ W_K, context @ W_Q, context @ W_V)),
        known.MIXES_KEYS.by(lambda X, context, W_Q, W_K, W_V: attention(X @ W_Q, context @ W_K, context @ W_K)),
        known.VALUES_FROM_X.by(lambda X, context, W_Q, W_K, W_V: attention(X @ W_Q, context @ W_K, X @ W_V)),
        Mistake(
            "It mixes the inputs instead of the values.",
            "What a token hands over is its value, context @ W_V, not its whole row.",
        ).by(lambda X, context, W_Q, W_K, W_V: attention(X @ W_Q, context @ W_K, context)),
        Mistake(
            "The scores are made from the inputs.",
            "Nothing is projected: queries and keys need W_Q and W_K.",
        ).by(lambda X, context, W_Q, W_K, W_V: attention(X, context, context @ W_V)),
    ),
    notice="This is one complete head. Its weights are three matrices, and nothing else in it is trained.",
)

EXERCISES = (ONE, SUM, ATTENTION, FROM_INPUTS)

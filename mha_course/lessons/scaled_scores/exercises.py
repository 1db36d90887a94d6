"""Exercises of lesson 3: how well each query matches each key."""

import numpy as np

from mha_course.checking import known_mistakes as known
from mha_course.checking.exercise import Case, Exercise, Mistake
from mha_course.maths.formulas import scaled_scores, softmax

DOT = Exercise(
    name="scaled_scores.dot",
    number="3.1",
    title="One score",
    right=lambda query, key: query @ key,
    results=("score",),
    cases=(
        Case("the example", (np.array([2, 0, 1]), np.array([1, 5, 1]))),
        Case("width 5", lambda draw: draw((5,), (5,))),
        Case("width 1", lambda draw: draw((1,), (1,))),
        Case("opposite rows", (np.array([1.5, -0.5]), np.array([-1.5, 0.5]))),
    ),
    mistakes=(
        Mistake(
            "The sum is missing.",
            "The products of the pairs are right. The score is their sum, one number.",
        ).by(lambda query, key: query * key),
        Mistake(
            "It adds first and multiplies then.",
            "Multiply in pairs, then add. The product of the two sums also counts pairs that do not belong together.",
        ).by(lambda query, key: query.sum() * key.sum()),
        Mistake(
            "It adds the pairs instead of multiplying them.",
            "A product is large only if both entries are. A sum is large already if one is.",
        ).by(lambda query, key: (query + key).sum()),
        Mistake(
            "It multiplies every entry with every other.",
            "np.outer makes a whole table. Only entry 1 with entry 1, 2 with 2, and so on are wanted.",
        ).by(lambda query, key: query[:, None] * key[None, :]),
        Mistake(
            "It divides by the lengths of both rows.",
            "That is the cosine of the angle between them. Attention keeps the lengths: a long key speaks louder.",
        ).by(lambda query, key: (query @ key) / (np.sqrt(query @ query) * np.sqrt(key @ key))),
        Mistake(
            "It takes the mean instead of the sum.",
            "A wide row would then count no more than a narrow one. The scale comes later, and it is the root.",
        ).by(lambda query, key: (query * key).mean()),
        Mistake(
            "It measures how far apart the two are.",
            "A distance is small for a good match. A score must be large.",
        ).by(lambda query, key: ((query - key) * (query - key)).sum()),
    ),
    notice="The order does not matter here: query @ key is key @ query. For whole tables it will.",
)

PRODUCTS = Exercise(
    name="scaled_scores.products",
    number="3.2",
    title="All products",
    right=lambda Q, K: Q @ K.T,
    results=("products",),
    cases=(
        Case("the example", (np.array([[1, 0], [0, 2]]), np.array([[3, 1], [5, 2]]))),
        Case("4 queries, 5 keys", lambda draw: draw((4, 3), (5, 3))),
        Case("one query", lambda draw: draw((1, 4), (3, 4))),
        Case("all sizes equal", lambda draw: draw((3, 3), (3, 3))),
    ),
    mistakes=(
        known.NO_TRANSPOSE.by(lambda Q, K: Q @ K),
        known.SWAPPED.by(lambda Q, K: K @ Q.T),
        Mistake(
            "The wrong one is turned over.",
            "Q.T @ K compares columns of Q with columns of K. The rows are what belongs to tokens: turn K over.",
        ).by(lambda Q, K: Q.T @ K),
        Mistake(
            "Each query meets only the key of its own token.",
            "Every query is compared with every key: that makes a table, not one number a row.",
        ).by(lambda Q, K: (Q * K).sum(axis=-1)),
        known.ENTRY_BY_ENTRY.by(lambda Q, K: Q * K),
        Mistake(
            "It is scaled already.",
            "Only the products are wanted here. The root of d_k comes in the next exercise.",
        ).by(scaled_scores),
        Mistake(
            "The queries meet themselves.",
            "Q @ Q.T compares queries with queries.",
        ).by(lambda Q, K: Q @ Q.T),
    ),
    notice=(
        "One row for each query, one column for each key. The sizes agree only in d_k, which the product makes "
        "disappear."
    ),
)

SCALED = Exercise(
    name="scaled_scores.scaled",
    number="3.3",
    title="Scaled scores",
    right=lambda Q, K: Q @ K.T / np.sqrt(Q.shape[-1]),
    results=("scores",),
    cases=(
        Case(
            "the example",
            (np.array([[1, 0, 0, 2], [0, 2, 0, 0]]), np.array([[3, 1, 0, 1], [5, 2, 0, 0], [1, 1, 1, 1]])),
        ),
        Case("4 queries, 5 keys", lambda draw: draw((4, 3), (5, 3))),
        Case("one query", lambda draw: draw((1, 6), (4, 6))),
        Case("all sizes equal", lambda draw: draw((5, 5), (5, 5))),
        Case("width 1", lambda draw: draw((3, 1), (2, 1))),
        Case("large entries", lambda draw: tuple(array * 100 for array in draw((2, 7), (3, 7)))),
    ),
    mistakes=(
        known.UNSCALED.by(lambda Q, K: Q @ K.T),
        known.SCALED_BY_D_K.by(lambda Q, K: Q @ K.T / Q.shape[-1]),
        known.HALF_D_K.by(lambda Q, K: Q @ K.T / (Q.shape[-1] ** 1 / 2)),
        known.TWICE_D_K.by(lambda Q, K: Q @ K.T / Q.shape[-1] ** 1 / 2),
        known.SCALED_BY_KEYS.by(lambda Q, K: Q @ K.T / np.sqrt(len(K))),
        known.SCALED_BY_QUERIES.by(lambda Q, K: Q @ K.T / np.sqrt(len(Q))),
        Mistake(
            "It multiplies by √d_k instead of dividing.",
            "The scores are too large already; this makes them larger. d_k ** -0.5 would be what to multiply by.",
        ).by(lambda Q, K: Q @ K.T * np.sqrt(Q.shape[-1])),
        known.SWAPPED.by(lambda Q, K: K @ Q.T / np.sqrt(Q.shape[-1])),
        known.NO_TRANSPOSE.by(lambda Q, K: Q @ K / np.sqrt(Q.shape[-1])),
        Mistake(
            "The softmax is already taken.",
            "These are weights. Scores are what comes before the softmax.",
        ).by(lambda Q, K: softmax(scaled_scores(Q, K))),
        Mistake(
            "It divides by d_k squared.",
            "** 2 is the square. The root is ** 0.5, or np.sqrt.",
        ).by(lambda Q, K: Q @ K.T / Q.shape[-1] ** 2),
        Mistake(
            "The root is taken of everything.",
            "The brackets of np.sqrt close too late: the root belongs to d_k alone. Negative products have no root.",
        ).by(lambda Q, K: np.sqrt(Q @ K.T / Q.shape[-1])),
    ),
    notice=(
        "Where the factor stands does not matter: (Q / √d_k) Kᵀ gives the same. That form was once taken for a bug and "
        "\u201ccorrected\u201d (huggingface/transformers #21627); it broke training, and came back (#22444). And "
        "* d_k ** -0.5 divides, though it looks as if it multiplied (karpathy/ng-video-lecture #46)."
    ),
)

BATCH = Exercise(
    name="scaled_scores.batch",
    number="3.4",
    title="Scores for a batch",
    right=lambda Q, K: scaled_scores(Q, K),
    results=("scores",),
    cases=(
        Case(
            "the example",
            (
                np.array([[[1, 0, 0, 2]], [[0, 2, 0, 0]]]),
                np.array([[[3, 1, 0, 1], [1, 1, 1, 1]], [[5, 2, 0, 0], [0, 1, 0, 3]]]),
            ),
        ),
        Case("3 sentences", lambda draw: draw((3, 4, 6), (3, 5, 6))),
        Case("2 sentences of 3 heads", lambda draw: draw((2, 3, 4, 5), (2, 3, 6, 5))),
        Case("no batch", lambda draw: draw((4, 3), (5, 3))),
        Case("all sizes equal", lambda draw: draw((3, 3, 3), (3, 3, 3))),
    ),
    mistakes=(
        Mistake(
            ".T turns all axes over, the batch too.",
            "For two axes .T is the transpose. For three it puts the last first and the first last. Exchange the last "
            "two only: swapaxes(-1, -2).",
        ).by(lambda Q, K: Q @ K.T / np.sqrt(Q.shape[-1])),
        Mistake(
            "np.dot pairs every sentence with every other.",
            "For more than two axes np.dot is not the matrix product of a stack: each query meets the keys of all "
            "sentences. Use @.",
        ).by(lambda Q, K: np.dot(Q, K.mT) / np.sqrt(Q.shape[-1])),
        known.AXIS_FROM_THE_FRONT.by(lambda Q, K: Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])),
        Mistake(
            "It divides by the root of shape[1].",
            "In two axes shape[1] is d_k. In three it is the number of queries. shape[-1] is the width, always.",
        ).by(lambda Q, K: Q @ K.mT / np.sqrt(Q.shape[1])),
        Mistake(
            "It divides by the root of the number of sentences.",
            "len(Q) is the first axis. The width is the last: Q.shape[-1].",
        ).by(lambda Q, K: Q @ K.mT / np.sqrt(len(Q))),
        known.SWAPPED.by(lambda Q, K: K @ Q.mT / np.sqrt(Q.shape[-1])),
        known.UNSCALED.by(lambda Q, K: Q @ K.mT),
        known.SCALED_BY_D_K.by(lambda Q, K: Q @ K.mT / Q.shape[-1]),
        known.HALF_D_K.by(lambda Q, K: Q @ K.mT / (Q.shape[-1] ** 1 / 2)),
        known.TWICE_D_K.by(lambda Q, K: Q @ K.mT / Q.shape[-1] ** 1 / 2),
        known.NO_TRANSPOSE.by(lambda Q, K: Q @ K / np.sqrt(Q.shape[-1])),
    ),
    notice=(
        "swapaxes(-1, -2) and shape[-1] count from the end. So one line serves two axes, three or four: heads will be "
        "the third."
    ),
)

EXERCISES = (DOT, PRODUCTS, SCALED, BATCH)

"""Exercises of lesson 3: how well each query matches each key."""

import numpy as np

from mha_course.checking.exercise import Case, Exercise, Mistake
from mha_course.checking.recipe import Recipe, Step
from mha_course.checking.steps import scoring
from mha_course.checking.steps.dotting import PAIR, add_up
from mha_course.maths.formulas import softmax

DOT = Exercise(
    name="scaled_scores.dot",
    title="One score",
    right=Recipe(
        "query key",
        (
            Step(
                "left right",
                lambda query, key: (query, key),
                (
                    Mistake("The query meets itself.", "What answers a query is a key.").by(
                        lambda query: (query, query)
                    ),
                    Mistake("The key meets itself.", "What asks is a query.").by(lambda key: (key, key)),
                ),
            ),
            PAIR,
            add_up("score"),
        ),
        "score",
    ),
    results=("score",),
    cases=(
        Case("the example", (np.array([2, 0, 1]), np.array([1, 5, 1]))),
        Case("width 5", lambda draw: draw((5,), (5,))),
        Case("another width", lambda draw: draw.all_equal(1, 1)),
        Case("float32", lambda draw: tuple(map(np.float32, draw((7,), (7,))))),
        Case("width 1", lambda draw: draw((1,), (1,))),
        Case("opposite rows", (np.array([1.5, -0.5]), np.array([-1.5, 0.5]))),
    ),
    notice="The order does not matter here: query @ key is key @ query. For whole tables it will.",
)

NOTHING_MORE = Step(
    "products",
    lambda products: products,
    (
        Mistake(
            "It is scaled already.",
            "Only the products are wanted here. The root of d_k comes in the next exercise.",
        ).by(lambda products, Q: products / Q.shape[-1] ** 0.5),
        Mistake(
            "The softmax is already taken.",
            "These are shares. Only the products are wanted here.",
        ).by(lambda products: softmax(products)),
    ),
)

PRODUCTS = Exercise(
    name="scaled_scores.products",
    title="All products",
    right=Recipe("Q K", (scoring.MULTIPLY, NOTHING_MORE), "products"),
    results=("products",),
    cases=(
        Case("the example", (np.array([[1, 0], [0, 2]]), np.array([[3, 1], [5, 2]]))),
        Case("4 queries, 5 keys", lambda draw: draw((4, 3), (5, 3))),
        Case("one query", lambda draw: draw((1, 4), (3, 4))),
        Case("more queries than keys", lambda draw: draw((5, 4), (2, 4))),
        Case("as many queries as keys", lambda draw: draw((4, 3), (4, 3))),
        Case("float32", lambda draw: tuple(map(np.float32, draw((2, 5), (3, 5))))),
        Case("all sizes equal", lambda draw: draw.all_equal(2, 2)),
    ),
    notice=(
        "One row for each query, one column for each key. The sizes agree only in d_k, which the product makes "
        "disappear."
    ),
)

NO_SHARES = Step(
    "scores",
    lambda scores: scores,
    (
        Mistake(
            "The softmax is already taken.",
            "These are weights. Scores are what comes before the softmax.",
        ).by(lambda scores: softmax(scores)),
    ),
)

SCALED = Exercise(
    name="scaled_scores.scaled",
    title="Scaled scores",
    right=Recipe("Q K", (*scoring.SCORES, NO_SHARES), "scores"),
    results=("scores",),
    cases=(
        Case(
            "the example",
            (np.array([[1, 0, 0, 2], [0, 2, 0, 0]]), np.array([[3, 1, 0, 1], [5, 2, 0, 0], [1, 1, 1, 1]])),
        ),
        Case("4 queries, 5 keys", lambda draw: draw((4, 3), (5, 3))),
        Case("one query", lambda draw: draw((1, 6), (4, 6))),
        Case("more queries than keys", lambda draw: draw((5, 4), (2, 4))),
        Case("as many queries as keys", lambda draw: draw((4, 3), (4, 3))),
        Case("float32", lambda draw: tuple(map(np.float32, draw((2, 5), (3, 5))))),
        Case("all sizes equal", lambda draw: draw.all_equal(2, 2)),
        Case("width 1", lambda draw: draw((3, 1), (2, 1))),
        Case("large entries", lambda draw: tuple(array * 100 for array in draw((2, 7), (3, 7)))),
    ),
    notice=(
        "Where the factor stands does not matter: (Q / √d_k) Kᵀ gives the same. That form was once taken for a bug and "
        "\u201ccorrected\u201d (huggingface/transformers #21627); it broke training, and came back (#22444). And "
        "* d_k ** -0.5 divides, though it looks as if it multiplied (karpathy/ng-video-lecture #46)."
    ),
)

BATCH = Exercise(
    name="scaled_scores.batch",
    title="Scores for a batch",
    right=Recipe("Q K", (*scoring.SCORES_OF_STACK, NO_SHARES), "scores"),
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
        Case("one sentence", lambda draw: draw((1, 4, 3), (1, 5, 3))),
        Case("as many queries as keys", lambda draw: draw((3, 4, 6), (3, 4, 6))),
        Case("more queries than keys", lambda draw: draw((2, 5, 3), (2, 4, 3))),
        Case("sentences of heads, all sizes equal", lambda draw: draw.all_equal(4, 4)),
        Case("float32", lambda draw: tuple(map(np.float32, draw((2, 3, 5), (2, 4, 5))))),
        Case("no batch", lambda draw: draw((4, 3), (5, 3))),
        Case("all sizes equal", lambda draw: draw.all_equal(3, 3)),
    ),
    notice=(
        "swapaxes(-1, -2) and shape[-1] count from the end. So one line serves two axes, three or four: heads will be "
        "the third."
    ),
)

EXERCISES = (DOT, PRODUCTS, SCALED, BATCH)

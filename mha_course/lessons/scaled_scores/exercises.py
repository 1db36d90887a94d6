"""Exercises of lesson 3: how well each query matches each key."""

import numpy as np

from mha_course.engine.checking.exercise import Case, Exercise, mistake
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.solution import Solution, Step
from mha_course.maths.formulas import softmax
from mha_course.mistakes import scores as score_steps
from mha_course.mistakes import shared
from mha_course.mistakes.dot_product import PAIR, add_up

DOT = Exercise(
    "scaled_scores.dot",
    "One score",
    Solution(
        "query key",
        [
            Step(
                "one other",
                lambda query, key: (query, key),
                mistake("The query is multiplied by itself.",
                        "A score compares the query with a key.", lambda query: (query, query)),
                mistake("The key is multiplied by itself.",
                        "A score compares the query with a key.", lambda key: (key, key)),
            ),
            PAIR,
            add_up("score"),
        ],
    ),
    cases=(
        Case("the example", (np.array([2, 0, 1]), np.array([1, 5, 1]))),
        Case("width 5", lambda sample: sample((5,), (5,))),
        Case("another width", lambda sample: sample.all_equal(1, 1)),
        Case("float32", lambda sample: tuple(map(np.float32, sample((7,), (7,))))),
        Case("width 1", lambda sample: sample((1,), (1,))),
        Case("opposite rows", (np.array([1.5, -0.5]), np.array([-1.5, 0.5]))),
    ),
    notice="The order does not matter here: query @ key is key @ query. For whole tables it will.",
)

NO_SHARES = Step(
    "scores",
    lambda scores: scores,
    shared.ALREADY_WEIGHTS.by(lambda scores: softmax(scores)),
    mistake("The largest score of each row is already subtracted.",
            "That is a part of the softmax. Here only the scores are wanted.",
            lambda scores: scores - scores.max(axis=-1, keepdims=True)),
)

SCALED = Exercise(
    "scaled_scores.scaled",
    "Scaled scores",
    Solution("Q K", [*score_steps.SCORES, NO_SHARES]),
    cases=(
        Case(
            "the example",
            (np.array([[1, 0, 0, 2], [0, 2, 0, 0]]), np.array([[3, 1, 0, 1], [5, 2, 0, 0], [1, 1, 1, 1]])),
        ),
        Case("4 queries, 5 keys", lambda sample: sample((4, 3), (5, 3))),
        Case("one query", lambda sample: sample((1, 6), (4, 6))),
        Case("more queries than keys", lambda sample: sample((5, 4), (2, 4))),
        Case("as many queries as keys", lambda sample: sample((4, 3), (4, 3))),
        Case("float32", lambda sample: tuple(map(np.float32, sample((2, 5), (3, 5))))),
        Case("all sizes equal", lambda sample: sample.all_equal(2, 2)),
        Case("width 1", lambda sample: sample((3, 1), (2, 1))),
        Case("large entries", lambda sample: tuple(array * 100 for array in sample((2, 7), (3, 7)))),
    ),
    off_limits=("scaled_scores",),
    notice=(
        "The factor may be anywhere: (Q / √d_k) Kᵀ gives the same. That form was once taken for a bug and "
        "“corrected” (huggingface/transformers #21627); it broke training, and came back (#22444). And * d_k ** -0.5 "
        "divides, though it looks like a multiplication (karpathy/ng-video-lecture #46)."
    ),
)

BATCH = Exercise(
    "scaled_scores.batch",
    "Scores for a batch",
    Solution("Q K", [*score_steps.SCORES_OF_STACK, NO_SHARES]),
    cases=(
        Case(
            "the example",
            (
                np.array([[[1, 0, 0, 2]], [[0, 2, 0, 0]]]),
                np.array([[[3, 1, 0, 1], [1, 1, 1, 1]], [[5, 2, 0, 0], [0, 1, 0, 3]]]),
            ),
        ),
        Case("3 sentences", lambda sample: sample((3, 4, 6), (3, 5, 6))),
        Case("2 sentences of 3 heads", lambda sample: sample((2, 3, 4, 5), (2, 3, 6, 5))),
        Case("one sentence", lambda sample: sample((1, 4, 3), (1, 5, 3))),
        Case("as many queries as keys", lambda sample: sample((3, 4, 6), (3, 4, 6))),
        Case("more queries than keys", lambda sample: sample((2, 5, 3), (2, 4, 3))),
        Case("sentences of heads, all sizes equal", lambda sample: sample.all_equal(4, 4)),
        Case("float32", lambda sample: tuple(map(np.float32, sample((2, 3, 5), (2, 4, 5))))),
        Case("no batch", lambda sample: sample((4, 3), (5, 3))),
        Case("all sizes equal", lambda sample: sample.all_equal(3, 3)),
    ),
    off_limits=("scaled_scores",),
    notice=(
        "swapaxes(-1, -2) and shape[-1] count from the end. So one line works for two axes, three or four: heads "
        "will be the third."
    ),
)


def _wanted(sample: Sampler, d_k: int, n_k: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw queries that have an inverse, far from having none, and the scores that are wanted."""
    small, scores = sample((d_k, d_k), (d_k, n_k))
    return np.roll(np.eye(d_k), 1, axis=1) * 2 + small * 0.3, scores


UNDO_SCALE = Step(
    "products",
    lambda Q, scores: scores * Q.shape[-1] ** 0.5,
    mistake("The division by √d_k is not undone.",
            "The dot products must be √d_k times as large as the scores.",
            lambda scores: scores),
    mistake("It divides by √d_k once more.",
            "The scores are divided already. Multiply by √d_k to get back to the products.",
            lambda Q, scores: scores / Q.shape[-1] ** 0.5),
    mistake("It multiplies by d_k, not by its root.",
            "The products were divided by √d_k. Undo just that.",
            lambda Q, scores: scores * Q.shape[-1]),
    mistake("It multiplies by d_k / 2.",
            "** binds first: d_k ** 1 / 2 is half of d_k. The root is np.sqrt(d_k), or d_k ** 0.5.",
            lambda Q, scores: scores * Q.shape[-1] / 2),
    mistake("The scale is the root of the number of keys.",
            "The number of keys plays no part in the scale. It is the root of the width of a query.",
            lambda scores: scores * scores.shape[-1] ** 0.5),
    mistake("It multiplies by a fixed number, whatever d_k is.",
            "2 fits the example, where d_k is 4. Another width has another root: take it from the shape.",
            lambda scores: scores * 2),
)

UNDO_QUERIES = Step(
    "columns",
    lambda Q, products: np.linalg.solve(Q, products),
    mistake("It multiplies by Q once more.",
            "The products are Q times Kᵀ already. The inverse of Q leads back to the keys.",
            lambda Q, products: Q @ products),
    mistake("The transpose of Q is used instead of its inverse.",
            "They are the same only if the queries have length 1 and are at right angles to each other.",
            lambda Q, products: Q.T @ products),
    mistake("The queries are transposed.",
            "Q is on the left of the product as it is: only the keys are transposed there.",
            lambda Q, products: np.linalg.solve(Q.T, products)),
    mistake("The queries are not used.",
            "The products mix the entries of the keys, by the queries. Undo that with the inverse of Q.",
            lambda products: products),
)

KEYS = Exercise(
    "scaled_scores.keys",
    "Keys for wanted scores",
    Solution(
        "Q scores",
        [
            UNDO_SCALE,
            UNDO_QUERIES,
            Step(
                "K",
                lambda columns: columns.T,
                mistake("The keys are columns instead of rows.",
                        "That is Kᵀ, the right side of the product. In K each key is a row.",
                        lambda columns: columns),
                mistake("The keys are reshaped instead of transposed.",
                        "reshape fills the new rows with pieces of several keys. Each column must become a row: .T.",
                        lambda columns: columns.reshape(columns.shape[::-1])),
                mistake("The keys have the wrong sign.",
                        "Transposing moves entries; it never changes their signs.",
                        lambda columns: -columns.T),
            ),
        ],
    ),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]]),
                np.array([[1, 0], [3, 1], [0, 3], [1, 3]]),
            ),
        ),
        Case("3 queries, 5 keys", lambda sample: _wanted(sample, 3, 5)),
        Case("5 queries, one key", lambda sample: _wanted(sample, 5, 1)),
        Case("as many keys as queries", lambda sample: _wanted(sample, 3, 3)),
        Case("width 6", lambda sample: _wanted(sample, 6, 4)),
        Case("one query", (np.array([[-4.0]]), np.array([[2.0, 8.0, -6.0]]))),
        Case("float32", lambda sample: tuple(map(np.float32, _wanted(sample, 5, 3)))),
    ),
    notice=(
        "If no query is a sum of multiples of the others, any table of scores can be reached. That holds for "
        "d_k queries at most. With more tokens than that, the scores of one head are tied to each other."
    ),
    untraced=("Q",),  # it must keep its inverse
)

EXERCISES = (DOT, SCALED, BATCH, KEYS)

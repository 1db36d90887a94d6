"""Exercises of lesson 3: how well each query matches each key."""

import numpy as np

from mha_course.checking.draws import Draw
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


def _looked_for(draw: Draw, n: int) -> np.ndarray:
    """Draw for each token which one it looks for: not each for itself, and the last is nobody's best match."""
    best = draw.generator.integers(0, n - 1, n)
    best[:2] = [1, 0]
    return best


def _score(draw: Draw) -> float:
    """Return a score that is neither 1, which changes nothing, nor the example's 6."""
    return float(draw.generator.choice([2.5, 3.5, 7.0, 10.0]))


MATCHES = Step(
    "matches",
    lambda best, n: np.eye(n)[best],
    (
        Mistake(
            "It is turned over.",
            "Row i of W_Q is the query of token i. Here column i says whom token i looks for.",
        ).by(lambda best, n: np.eye(n)[best].T),
        Mistake("Each token looks for itself.", "best says which key each query is to match.").by(lambda n: np.eye(n)),
        Mistake(
            "Tokens are counted from 1.",
            "The task counts from 0, as NumPy does: nothing is to be taken away.",
        ).by(lambda best, n: np.eye(n)[best - 1]),
        Mistake(
            "The tokens are read in reverse.",
            "Row i of W_Q belongs to token i, and so does best[i].",
        ).by(lambda best, n: np.eye(n)[best[::-1]], lambda best, n: np.eye(n)[best][:, ::-1]),
        Mistake(
            "Every token looks for all but its best match.",
            "Then the named token has the score 0, and all others have the score.",
        ).by(lambda best, n: 1 - np.eye(n)[best]),
        Mistake(
            "Every token looks for all.",
            "Only one entry of each row is to differ from 0: that in the column of the best match.",
        ).by(lambda n: np.ones((n, n))),
    ),
)

UNDO = Step(
    "scale",
    lambda n: n**0.5,
    (
        Mistake(
            "The division by √d_k is not undone.",
            "These are the scores that are wanted. But the products are divided by √d_k afterwards, so the queries "
            "must be larger.",
        ).by(lambda: 1.0),
        Mistake(
            "It divides by √d_k itself.",
            "The scores are divided by √d_k anyway. For them to come out, W_Q must be multiplied by it.",
        ).by(lambda n: n**-0.5),
        Mistake(
            "The factor is d_k, not its root.",
            "The scores are divided by √d_k once. So much is to be undone.",
        ).by(lambda n: n),
        Mistake(
            "The factor is d_k / 2.",
            "** binds first: d_k ** 1 / 2 is half of d_k. The root is np.sqrt(d_k), or d_k ** 0.5.",
        ).by(lambda n: n / 2),
        Mistake(
            "The factor is a fixed number, whatever d_k is.",
            "The number fits the example. Another number of tokens gives another width, and so another root.",
        ).by(lambda: 2.0),
    ),
)

DESIGN = Exercise(
    name="scaled_scores.design",
    title="Who looks for whom",
    right=Recipe(
        "best score",
        (
            Step(
                "n",
                lambda best: len(best),
                (
                    Mistake(
                        "The width is the largest number in best, plus 1.",
                        "A token that nobody looks for has a key too: there are len(best) tokens.",
                    ).by(lambda best: int(best.max()) + 1),
                ),
            ),
            MATCHES,
            UNDO,
            Step(
                "W_Q",
                lambda matches, score, scale: matches * score * scale,
                (
                    Mistake("The score is not used.", "The best match is to have this score, not 1.").by(
                        lambda matches, scale: matches * scale
                    ),
                    Mistake(
                        "The score is added everywhere.",
                        "Then every token matches every other. Where there is no match, 0 must stay.",
                    ).by(lambda matches, score, scale: matches * scale + score),
                    Mistake(
                        "All others get minus the score.",
                        "Their score is to be 0. Below 0 the softmax would give them less than that.",
                    ).by(lambda matches, score, scale: (2 * matches - 1) * score * scale),
                    Mistake(
                        "It divides by the score.",
                        "A larger score needs a larger entry of W_Q.",
                    ).by(lambda matches, score, scale: matches * scale / score),
                    Mistake(
                        "The root is taken of the score.",
                        "The whole score stands in the query: the key holds a 1, and adds nothing to it.",
                    ).by(lambda matches, score, scale: matches * abs(score) ** 0.5 * scale),
                ),
            ),
        ),
        "W_Q",
    ),
    results=("W_Q",),
    cases=(
        Case("the example", (np.array([0, 0, 1, 2]), 6.0)),
        Case("6 tokens", lambda draw: (_looked_for(draw, 6), _score(draw))),
        Case("3 tokens", lambda draw: (_looked_for(draw, 3), _score(draw))),
        Case("one token", lambda draw: (np.array([0]), _score(draw))),
        Case("each token looks for another", lambda draw: (np.array([2, 3, 4, 0, 1]), _score(draw))),
        Case("a score below 0", lambda draw: (_looked_for(draw, 5), -_score(draw))),
    ),
    notice=(
        "W_Q says, for each token, what it looks for. With W_Q and W_K together, any table of scores can be made where "
        "X is the identity and d_k is n. A head that looks one token back is found in trained models, too."
    ),
    untraced=("best",),
)

EXERCISES = (DOT, SCALED, BATCH, DESIGN)

"""Exercises of the lesson on what a head does: its two matrices, and what it adds to the result."""

import numpy as np

from mha_course.engine.checking.exercise import Case, Exercise, mistake
from mha_course.engine.checking.solution import Solution, Step
from mha_course.maths.formulas import merge_heads, softmax, split_heads
from mha_course.mistakes import masks, shared

WHO_ASKS = Step(
    "X context",
    lambda X, context: (X, context),
    shared.CONTEXT_FORGOTTEN.by(lambda X: (X, X)),
    mistake("The two sentences are swapped.",
            "X belongs on the left: each of its rows makes a row of the scores.",
            lambda X, context: (context, X)),
)

MEET = Step(
    "products",
    lambda X, M, context: X @ M @ context.mT,
    mistake("M is transposed.",
            "The rows of M belong to the query's token, its columns to the key's token. So use M as it is.",
            lambda X, M, context: X @ M.mT @ context.mT),
    mistake("M is left out.",
            "Then the rows themselves are compared, and every head would look in the same way.",
            lambda X, context: X @ context.mT),
    mistake("M is multiplied in twice.",
            "M is both projections in one: W_Q for the rows of X, W_K for those of the context.",
            lambda X, M, context: X @ M @ M @ context.mT,
            lambda X, M, context: X @ M @ (context @ M).mT,
            lambda X, M, context: X @ M @ M.mT @ context.mT),
    mistake("The result is transposed.",
            "Queries go down, keys across: a row of the scores for each row of X.",
            lambda X, M, context: (X @ M @ context.mT).mT),
    mistake("The context is not transposed.",
            "The rows of the context must become columns, so that each meets x M in a dot product: context.T.",
            lambda X, M, context: X @ M @ context),
    mistake("The product with the context is missing.",
            "X M is as wide as a row of the context. Take its dot products with each of these rows.",
            lambda X, M: X @ M),
)

DIVIDE = Step(
    "scores",
    lambda products, d_k: products / d_k**0.5,
    shared.UNSCALED.by(lambda products: products),
    shared.SCALED_BY_D_MODEL.by(lambda products, X: products / X.shape[-1] ** 0.5),
    shared.SCALED_BY_D_K.by(lambda products, d_k: products / d_k),
    shared.HALF_D_K.by(lambda products, d_k: products / (d_k / 2)),
    mistake("The scale is d_model.",
            "M is d_model wide, but the dot products of this head add d_k products: divide by √d_k.",
            lambda products, X: products / X.shape[-1]),
    mistake("It multiplies by the scale instead of dividing.",
            "The scores are too large already; this makes them larger.",
            lambda products, d_k: products * d_k**0.5),
    shared.SCALED_BY_KEYS.by(lambda products, context: products / context.shape[-2] ** 0.5),
)

STILL_SCORES = Step(
    "scores",
    lambda scores: scores,
    shared.ALREADY_WEIGHTS.by(lambda scores: softmax(scores)),
)


def _draw_scores(sample, n_q, n_k, d_model, d_k):
    """Draw tokens, and an M that is the product of two drawn matrices."""
    X, context, W_Q, W_K = sample((n_q, d_model), (n_k, d_model), (d_model, d_k), (d_model, d_k))
    return X, context, (W_Q @ W_K.T).round(2), d_k


SCORES = Exercise(
    "what_a_head_does.scores",
    "Scores without Q and K",
    Solution("X context M d_k", [WHO_ASKS, MEET, DIVIDE, STILL_SCORES]),
    cases=(
        Case(
            "the example",
            (np.array([[1, 0], [2, 1]]), np.array([[0, 2], [1, 1], [4, 0]]), np.array([[0, 3], [1, 0]]), 4),
        ),
        Case("4 queries, 5 keys", lambda sample: _draw_scores(sample, n_q=4, n_k=5, d_model=6, d_k=3)),
        Case("one query, one key", lambda sample: _draw_scores(sample, n_q=1, n_k=1, d_model=4, d_k=2)),
        Case("many keys", lambda sample: _draw_scores(sample, n_q=2, n_k=7, d_model=5, d_k=3)),
        Case("wide queries", lambda sample: _draw_scores(sample, n_q=5, n_k=3, d_model=4, d_k=9)),
        Case("all sizes equal", lambda sample: _draw_scores(sample, n_q=5, n_k=5, d_model=5, d_k=5)),
    ),
    notice=(
        "No query and no key was computed. Who looks at whom depends on W_Q and W_K only through their product M, "
        "and on the scale."
    ),
    untraced=("d_k",),
)


def _shifted(by):
    return lambda n: np.eye(n, k=by)


PREVIOUS = Exercise(
    "what_a_head_does.previous",
    "Look at the token before",
    Solution(
        "n",
        [
            Step("n", lambda n: n, *masks.size_of(3)),
            Step(
                "who",
                lambda n: np.eye(n, k=-1),
                mistake("Each token looks at the one after it.",
                        "The rows of M belong to the query's token. Token 2 looks at token 1: row 2, column 1. Here "
                        "the ones are above the diagonal; perhaps W_Q and W_K are swapped.",
                        _shifted(1)),
                mistake("Each token looks at itself.",
                        "A query that equals the key of its own token finds that token. It must equal the key of the "
                        "token before.",
                        lambda n: np.eye(n)),
                mistake("The first token looks at the last.",
                        "np.roll and % n go round. There is no token before the first: its query has only zeros.",
                        lambda n: np.roll(np.eye(n), -1, axis=1)),
                mistake("Each token looks at the one after it, and the last at the first.",
                        "np.roll and % n go round, and here the wrong way. Row 2 needs its 1 in column 1; row 1 has "
                        "only zeros.",
                        lambda n: np.roll(np.eye(n), 1, axis=1)),
                mistake("The first token looks at itself.",
                        "That would be a good choice, too. Here its query must have only zeros.",
                        lambda n: np.eye(n)[[0, *range(n - 1)]]),
                mistake("Each token looks two positions back.",
                        "It is shifted twice: once in W_Q and once in W_K. One shift is enough.",
                        _shifted(-2)),
                mistake("Each token looks at all tokens before it.",
                        "Only the one right before it is wanted: a single 1 in a row.",
                        lambda n: np.tri(n, k=-1)),
                mistake("Each token looks at itself and at all tokens before it.",
                        "That is the causal mask. Only the token right before is wanted: a single 1 in a row.",
                        lambda n: np.tri(n)),
                mistake("Each token looks at the one before it and at itself.",
                        "A single 1 in a row is wanted, in the column of the token before.",
                        lambda n: np.eye(n) + np.eye(n, k=-1)),
                mistake("Each token looks at all tokens after it.",
                        "Only the one right before it is wanted: a single 1 in a row, to the left of the diagonal.",
                        lambda n: np.tri(n, k=-1).T),
                mistake("Each token looks at itself and at all tokens after it.",
                        "Only the one right before it is wanted: a single 1 in a row, to the left of the diagonal.",
                        lambda n: np.tri(n).T),
                mistake("Each token looks at the one after it and at itself.",
                        "A single 1 in a row is wanted, in the column of the token before.",
                        lambda n: np.eye(n) + np.eye(n, k=1)),
                mistake("Each token looks at both of its neighbours.",
                        "A single 1 in a row is wanted, in the column of the token before.",
                        lambda n: np.eye(n, k=1) + np.eye(n, k=-1)),
                mistake("No token looks at another.",
                        "All scores are 0. Row 2 needs a 1 in column 1, row 3 in column 2, and so on.",
                        lambda n: np.zeros((n, n))),
            ),
            Step(
                "M",
                lambda who: who,
                mistake("The ones have become a larger number.",
                        "A large number makes the softmax sharper, which helps in a model. Here M has ones.",
                        *(lambda who, factor=factor: factor * who for factor in (2, 5, 8, 10, 50, 100, 1000)),
                        lambda who, n: who * n**0.5),
                mistake("The sign is wrong.",
                        "A negative score keeps a token from looking there.",
                        lambda who: -who),
            ),
        ],
    ),
    cases=(
        Case("the example", (3,)),
        Case("a few tokens", lambda sample: (sample.whole(4, 6),)),
        Case("one token", (1,)),
        Case("two tokens", (2,)),
        Case("more tokens", lambda sample: (sample.whole(7, 10),)),
    ),
    notice=(
        "Any two matrices with this product are right, and the check cannot tell which you chose. Neither can the "
        "scores."
    ),
    untraced=("n",),
)


def _inverse(A):
    return np.linalg.inv(A)


TURNED = Exercise(
    "what_a_head_does.turned",
    "Another W_K, the same scores",
    Solution(
        "W_Q A",
        [
            Step(
                "inverse",
                _inverse,
                mistake("The inverse is missing.",
                        "W_K A puts A into every score. Its inverse takes it out again: np.linalg.inv(A).",
                        lambda A: A),
                mistake("The inverse is taken entry by entry.",
                        "1 / A and A ** -1 divide 1 by every entry. The inverse of a matrix is np.linalg.inv(A).",
                        lambda A: 1 / A),
                mistake("W_Q is not changed.",
                        "Then every score has A in it, and who looks at whom changes. The new W_Q has to take A out "
                        "again.",
                        lambda A: np.eye(len(A))),
            ),
            Step(
                "inverse",
                lambda inverse: inverse.mT,
                mistake("The transpose is missing.",
                        "In the product W_K A is transposed: (W_K A)ᵀ = Aᵀ W_Kᵀ. So it is Aᵀ that must be taken out.",
                        lambda inverse: inverse),
            ),
            Step(
                "turned",
                lambda W_Q, inverse: W_Q @ inverse,
                shared.ENTRY_BY_ENTRY.by(lambda W_Q, inverse: W_Q * inverse),
                mistake("The factors are in the wrong order.",
                        "A has a row for each of the d_k columns of W_Q, so the inverse belongs on the right.",
                        lambda W_Q, inverse: inverse @ W_Q),
                mistake("W_Q is missing from the result.",
                        "The new W_Q is the old one times a matrix.",
                        lambda inverse: inverse),
                mistake("The new matrix is transposed.",
                        "It has the shape of W_Q: (d_model, d_k).",
                        lambda W_Q, inverse: (W_Q @ inverse).mT),
                mistake("The inverse is multiplied in twice.",
                        "A is in the new W_K once, so it is taken out once.",
                        lambda W_Q, inverse: W_Q @ inverse @ inverse),
                mistake("The result is divided by √d_k, too.",
                        "The scores are divided by it later, with the old matrices and with the new ones.",
                        lambda W_Q, inverse: W_Q @ inverse / len(inverse) ** 0.5),
            ),
        ],
    ),
    results=("W_Q",),
    cases=(
        Case("the example", (np.array([[1, 0], [2, 3], [0, 1]]), np.array([[1, 1], [0, 2]]))),
        Case("width 5, 3 columns", lambda sample: _draw_turn(sample, 5, 3)),
        Case("a single row", lambda sample: _draw_turn(sample, 1, 2)),
        Case("width 6, 4 columns", lambda sample: _draw_turn(sample, 6, 4)),
        Case("one column", lambda sample: _draw_turn(sample, 4, 1)),
        Case("all sizes equal", lambda sample: _draw_turn(sample, 3, 3)),
    ),
    notice=(
        "Both matrices are different now, so queries and keys are different, and no score has changed. What a head "
        "compares is M. A single entry of Q or K means nothing by itself."
    ),
    untraced=("A",),
)


def _draw_turn(sample, d_model, d_k):
    """Draw W_Q, and a matrix that is far from having no inverse."""
    W_Q, A = sample((d_model, d_k), (d_k, d_k))
    return W_Q, A + 5 * np.roll(np.eye(d_k), 1, axis=1)


def _blocks(W_O, num_heads):
    return W_O.reshape(num_heads, -1, W_O.shape[-1])


BLOCKS = Step(
    "blocks",
    lambda heads, W_O: _blocks(W_O, len(heads)),
    mistake("W_O is cut by columns, not by rows.",
            "All heads share the columns of W_O. Its rows belong to the heads: d_v rows for head 1, then d_v for "
            "head 2.",
            lambda heads, W_O: split_heads(W_O, len(heads))),
    mistake("Every head uses the first rows of W_O.",
            "Each head has a block of its own: rows i · d_v to (i + 1) · d_v.",
            lambda heads, W_O: np.stack([W_O[: heads.shape[-1]]] * len(heads))),
    mistake("The rows of W_O go to the heads in turn.",
            "Head 1 comes first in the concatenation, so its rows are the first d_v, not every h-th.",
            lambda heads, W_O: np.stack([W_O[i :: len(heads)] for i in range(len(heads))])),
    mistake("The blocks of W_O are in the wrong order.",
            "The first rows of W_O belong to head 1.",
            lambda heads, W_O: _blocks(W_O, len(heads))[::-1]),
    mistake("There are always two heads.",
            "That fits the example only. The number of heads is len(heads).",
            lambda W_O: _blocks(W_O, 2)),
    mistake("The blocks of W_O begin one row apart.",
            "Head i begins at row i · d_v, where head i - 1 ends.",
            lambda heads, W_O: np.stack([W_O[i : i + heads.shape[-1]] for i in range(len(heads))])),
)

ADD = Step(
    "parts",
    lambda heads, blocks: heads @ blocks,
    mistake("A block of W_O has as many rows as there are tokens.",
            "A head's row is d_v wide, so d_v rows of W_O belong to it: heads.shape[-1].",
            lambda heads, W_O: np.stack(
                [head @ W_O[i * len(head) : (i + 1) * len(head)] for i, head in enumerate(heads)]
            )),
    mistake("The heads are already added up.",
            "That is the result of the layer. Here each head's own part is wanted: (h, n, d_model).",
            lambda heads, blocks: (heads @ blocks).sum(axis=0),
            lambda heads, W_O: merge_heads(heads) @ W_O),
    mistake("Each head gets the whole result.",
            "A head goes through its own rows of W_O alone. Only the sum of all parts is the result.",
            lambda heads, blocks: np.stack([(heads @ blocks).sum(axis=0)] * len(heads))),
    mistake("Each part is the result without this head.",
            "That is the result minus the part. Return the part itself.",
            lambda heads, blocks: (heads @ blocks).sum(axis=0) - heads @ blocks),
    mistake("The result is divided equally among the heads.",
            "Heads add different things. Each head's part goes through its own rows of W_O.",
            lambda heads, blocks: np.stack([(heads @ blocks).sum(axis=0) / len(heads)] * len(heads))),
    mistake("The parts are divided by the number of heads.",
            "The layer adds its heads; it takes no mean.",
            lambda heads, blocks: heads @ blocks / len(heads)),
    mistake("W_O is missing.",
            "A head's output is d_v wide. Its part of the result comes from its rows of W_O.",
            lambda heads: heads),
    mistake("The parts are added up, head by head.",
            "Each part is what one head adds, not what the heads so far have added together.",
            lambda heads, blocks: np.cumsum(heads @ blocks, axis=0)),
    mistake("The head axis does not come first.",
            "The shape is (h, n, d_model): for each head, a table with a row for each token.",
            lambda heads, blocks: (heads @ blocks).swapaxes(0, 1)),
)


def _draw_heads(sample, h, n, d_v, d_model):
    return sample((h, n, d_v), (h * d_v, d_model))


PARTS = Exercise(
    "what_a_head_does.parts",
    "The layer as a sum of its heads",
    Solution("heads W_O", [BLOCKS, ADD]),
    cases=(
        Case(
            "the example",
            (np.array([[[1, 0], [2, 1]], [[3, 1], [0, 4]]]), np.array([[1, 0, 1], [0, 2, 0], [0, 1, 1], [5, 0, 0]])),
        ),
        Case("3 heads", lambda sample: _draw_heads(sample, 3, 4, 2, 6)),
        Case("one token", lambda sample: _draw_heads(sample, 2, 1, 3, 4)),
        Case("one head", lambda sample: _draw_heads(sample, 1, 3, 4, 2)),
        Case("4 heads", lambda sample: _draw_heads(sample, 4, 2, 3, 8)),
        Case("all sizes equal", lambda sample: _draw_heads(sample, 2, 2, 2, 2)),
    ),
    notice=(
        "Added up over the heads, parts.sum(axis=0) is the result of the layer. To remove a head, leave its part out. "
        "Here reshape alone is right: a head's rows of W_O lie together."
    ),
)

EXERCISES = (SCORES, PREVIOUS, TURNED, PARTS)

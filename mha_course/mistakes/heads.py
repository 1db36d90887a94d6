"""Wide rows into heads, and heads back into wide rows: one operation a step."""

from collections.abc import Iterable

import numpy as np

from mha_course.engine.checking.exercise import Function, Mistake, mistake
from mha_course.engine.checking.solution import Solution, Step
from mha_course.maths.formulas import split_heads
from mha_course.mistakes import shared

NO_BATCH = mistake(
    "A batch axis is not allowed for.",
    "With a batch there is one axis more than names for the sizes. A star collects the axes in front: *batch, n, "
    "width = wide.shape.",
)
BATCH_RUN_TOGETHER = mistake(
    "The sentences of a batch are run together.",
    "A -1 in front makes one long axis of batch and tokens. Keep the axes in front: *wide.shape[:-1].",
)
SPLIT_BY_T = mistake(".T reverses all axes.", "Only tokens and heads must change places: swapaxes(-3, -2).")
MERGED_BY_T = mistake(
    "The merge reverses all axes with .T.", "Only heads and tokens must change places: swapaxes(-3, -2)."
)
HEADS_AND_SENTENCES_SWAPPED = mistake(
    "Heads and sentences are swapped.",
    "The batch comes first, then the heads: axis -3. With a batch, the first axis counts the sentences, and a loop "
    "over it runs over them.",
    where="lsdefine/attention-is-all-you-need-keras #36",
)
SENTENCES_AND_HEADS_SHARE_AN_AXIS = mistake(
    "Sentences and heads share one axis.",
    "Some code keeps batch · h heads on one axis. Here the batch stays an axis of its own: (…, h, n, d_k).",
)
ALL_THE_FIRST = mistake(
    "All heads are copies of the first.", "Each head has its own columns."
)
AXES_1_AND_2 = mistake(
    "It swaps axes 1 and 2, which is right with one batch axis only.",
    "Without a batch, the two are axes 0 and 1. Count from the end: swapaxes(-3, -2).",
)
PROJECTION_SHARED = mistake(
    "One projection is shared by all heads.",
    "The inputs are cut into heads first, and every piece is multiplied by the same small matrix. Each head must see "
    "the whole row, through a matrix of its own: project first, then split.",
    where="MarcoMeter/episodic-transformer-memory-ppo #22",
)
PIECES_PROJECTED = mistake(
    "Each head sees only its piece of the row.",
    "The heads have parameters of their own, but the inputs are cut before they are projected, so the other pieces "
    "are lost to a head. Project the whole row, then cut.",
)
BATCH_MEETS_HEADS = mistake(
    "The batch axis of X lines up with the head axis of the matrix.",
    "A matrix that is cut into heads has a head axis, and X has none. So with a batch the sentences meet the heads. "
    "Give X a head axis, too: X[..., None, :, :].",
)
MATRIX_RESHAPED = mistake(
    "The matrix is cut into heads by reshape alone.",
    "A head's parameters are columns of the matrix. reshape reads along its rows, so each head gets pieces of all "
    "columns.",
)

OF_A_BATCH = (  # what is no mistake where there is one sentence, or no other than one that has a name already
    shared.AXIS_FROM_THE_FRONT, shared.FIRST_AXES_EXCHANGED, AXES_1_AND_2, NO_BATCH, BATCH_RUN_TOGETHER,
    BATCH_MEETS_HEADS, HEADS_AND_SENTENCES_SWAPPED, SENTENCES_AND_HEADS_SHARE_AN_AXIS, SPLIT_BY_T, MERGED_BY_T,
)  # fmt: skip


def _sizes(wide, num_heads):
    """Return the batch sizes, the number of rows, and the width of a head."""
    *batch, n, width = wide.shape
    return batch, n, width // num_heads


def _cut(wide, num_heads):
    batch, n, width = _sizes(wide, num_heads)
    return wide.reshape(*batch, n, num_heads, width)


def _cut_heads_first(wide, num_heads):
    batch, n, width = _sizes(wide, num_heads)
    return wide.reshape(*batch, num_heads, n, width)


def _cut_in_turns(wide, num_heads):
    batch, n, width = _sizes(wide, num_heads)
    return wide.reshape(*batch, n, width, num_heads).mT


def _cut_without_batch(wide, num_heads):
    n, width = wide.shape
    return wide.reshape(n, num_heads, width // num_heads)


def _cut_from(starts):
    """Return a cut in which each head begins at another column. starts: from its number, how many and how wide."""

    def _cut_there(wide, num_heads):
        width = wide.shape[-1] // num_heads
        begins = [starts(i, num_heads, width) for i in range(num_heads)]
        return np.stack([wide[..., begin : begin + width] for begin in begins], axis=-2)

    return _cut_there


CUT = Step(
    "pieces",
    _cut,
    mistake("The number of heads and their width are swapped.",
            "num_heads says how many pieces to cut, not how wide they are.",
            lambda wide, num_heads: wide.reshape(*wide.shape[:-1], -1, num_heads)),
    mistake("The rows are cut by a reshape straight into heads.",
            "reshape reads row by row and fills up the new shape, so pieces of different tokens end up in one head. "
            "Cut each token's row first: (n, h, d_k).",
            _cut_heads_first),
    shared.COLUMNS_TAKE_TURNS.by(_cut_in_turns),
    shared.AXIS_FROM_THE_FRONT.by(
        lambda wide, num_heads: wide.reshape(wide.shape[0], num_heads, -1),
        lambda wide, num_heads: wide.reshape(wide.shape[0], num_heads, wide.shape[1] // num_heads),
    ),
    NO_BATCH.by(_cut_without_batch),
    BATCH_RUN_TOGETHER.by(lambda wide, num_heads: wide.reshape(-1, num_heads, wide.shape[-1] // num_heads)),
    mistake("There are always two heads.",
            "That fits the example only. The number of heads is num_heads.",
            lambda wide: wide.reshape(*wide.shape[:-1], 2, wide.shape[-1] // 2)),
    mistake("Each head is always 2 wide.",
            "That fits the example only. The width of a head is the width of the row, divided by num_heads.",
            lambda wide: wide.reshape(*wide.shape[:-1], wide.shape[-1] // 2, 2)),
    mistake("The width of a head is not divided by num_heads.",
            "The heads share the columns of a row: each has width // num_heads of them.",
            lambda wide, num_heads: wide.reshape(*wide.shape[:-1], num_heads, wide.shape[-1])),
    mistake("The heads begin at the wrong columns.",
            "Head i begins at column i · d_k, where head i - 1 ends. Here some columns are used twice or not at all.",
            _cut_from(lambda i, num_heads, width: i),
            _cut_from(lambda i, num_heads, width: i * num_heads),
            _cut_from(lambda i, num_heads, width: i * (width - 1)),
            _cut_from(lambda i, num_heads, width: i * width + 1)),
)


def _reshaped(pieces):
    *batch, n, num_heads, width = pieces.shape
    return pieces.reshape(*batch, num_heads, n, width)


def _run_together(pieces):
    heads = pieces.swapaxes(-3, -2)
    return heads.reshape(-1, *heads.shape[-2:])


EXCHANGE = Step(
    "heads",
    lambda pieces: pieces.swapaxes(-3, -2),
    shared.HEADS_BEHIND.by(lambda pieces: pieces),
    shared.RESHAPE_SPLIT.by(
        _reshaped,
        lambda wide, num_heads: wide.reshape(num_heads, wide.shape[0], -1),
        lambda wide, num_heads: wide.reshape(num_heads, wide.shape[-2], wide.shape[-1] // num_heads),
        lambda wide, num_heads: wide.reshape(num_heads, -1, wide.shape[-1] // num_heads),
    ),
    shared.FIRST_AXES_EXCHANGED.by(lambda pieces: pieces.swapaxes(0, 1)),
    AXES_1_AND_2.by(lambda pieces: pieces.swapaxes(1, 2)),
    shared.AXIS_FROM_THE_FRONT.by(
        lambda pieces: np.transpose(pieces, (1, 0, 2)), lambda pieces: np.transpose(pieces, (0, 2, 1, 3))
    ),
    mistake("The split swaps the wrong two axes.",
            "Tokens and heads must change places, axes -3 and -2. The width stays last.",
            lambda pieces: pieces.mT,
            lambda pieces: pieces.swapaxes(-3, -1)),
    SPLIT_BY_T.by(lambda pieces: pieces.T),
    mistake("Only one head is left.",
            "All of them are wanted, each as a table of its own.",
            lambda pieces: pieces[..., 0, :],
            lambda pieces: pieces[..., -1, :]),
    mistake("Each head is transposed.",
            "Each head must be (n, d_k): a row for each token. The wrong two axes were swapped.",
            lambda pieces: pieces.swapaxes(-3, -2).mT),
    HEADS_AND_SENTENCES_SWAPPED.by(lambda pieces: np.moveaxis(pieces, -2, 0)),
    SENTENCES_AND_HEADS_SHARE_AN_AXIS.by(_run_together),
    mistake("The tokens are divided among the heads, not the columns.",
            "Every head needs all tokens, and its own columns of each.",
            lambda wide, num_heads: np.stack(np.split(wide, num_heads, axis=-2), axis=-3)),
)


def _one_for_all(heads, number=0):
    return np.repeat(heads[..., [number], :, :], heads.shape[-3], axis=-3)


def _taken(heads: np.ndarray, numbers: Iterable[int]) -> np.ndarray:
    """Take some heads one by one, which raises where there are none to take."""
    return np.stack([heads[..., number, :, :] for number in numbers], axis=-3)


ORDER_OF_HEADS = Step("heads", lambda heads: heads, shared.WRONG_ORDER.by(lambda heads: np.flip(heads, axis=-3)))

HEADS_TAKEN = ORDER_OF_HEADS.knowing(  # where no W_O comes, which would not fit
    mistake("The last head is left out.",
            "All of them are wanted: range(h) runs from 0 to h - 1, the last head.",
            lambda heads: heads[..., :-1, :, :],
            lambda heads: _taken(heads, range(heads.shape[-3] - 1))),
    mistake("The first head is left out.",
            "All of them are wanted: counting begins at 0.",
            lambda heads: heads[..., 1:, :, :],
            lambda heads: _taken(heads, range(1, heads.shape[-3]))),
    mistake("Only the first two heads are taken.",
            "That fits the example only. There may be any number of heads.",
            lambda heads: heads[..., :2, :, :],
            lambda heads: _taken(heads, range(2))),
    ALL_THE_FIRST.by(_one_for_all),
)


def _behind(variant: Function) -> Function:
    """Return a way to take heads for pieces, where they stand behind the tokens."""
    return lambda pieces: np.asarray(variant(pieces.swapaxes(-3, -2))).swapaxes(-3, -2)


PIECES_TAKEN = Step(
    "pieces", lambda pieces: pieces, *tuple(each.by(*map(_behind, each.variants)) for each in HEADS_TAKEN.mistakes)
)

SPLIT = Solution("wide num_heads", [CUT, PIECES_TAKEN, EXCHANGE])
SPLIT_OF_A_SENTENCE = Solution(
    "wide num_heads", [CUT.without(*OF_A_BATCH), PIECES_TAKEN, EXCHANGE.without(*OF_A_BATCH)]
)


def pieces_projected(X: np.ndarray, W: np.ndarray, num_heads: int, shared: bool = False) -> np.ndarray:
    """Cut the inputs into heads first, and send each piece through a block of W: its own, or the first for all.

    Shapes: X (..., n, d_model), W (d_model, h·d_k) -> (..., h, n, d_k).
    """
    pieces = split_heads(X, num_heads)
    height, width = X.shape[-1] // num_heads, W.shape[-1] // num_heads
    blocks = [0 if shared else i for i in range(num_heads)]
    heads = [
        pieces[..., i, :, :] @ W[block * height : (block + 1) * height, block * width : (block + 1) * width]
        for i, block in enumerate(blocks)
    ]
    return np.stack(heads, axis=-3)


def cut_by_reshape(W: np.ndarray, num_heads: int) -> np.ndarray:
    """Return the matrix that gives what W gives if it is cut into heads by reshape alone.

    Shapes: (d_model, h·d_k) -> the same.
    """
    d_model, width = W.shape
    return W.reshape(num_heads, d_model, width // num_heads).swapaxes(0, 1).reshape(d_model, width)


def _all_three(split: Function) -> Function:
    return lambda Q, K, V, num_heads: tuple(split(wide, num_heads) for wide in (Q, K, V))


def _split_in_all_three() -> tuple[Mistake, ...]:
    """Return what can go wrong in one split as it goes wrong in three, the likeliest first.

    Which heads are taken, and in which order, is left to later steps.
    """
    later = {each.name for each in HEADS_TAKEN.mistakes}
    variants: dict[Mistake, list[Function]] = {}
    for each in sorted(SPLIT.step_mistakes, key=lambda each: each.rank):
        if each.mistake.name not in later:
            variants.setdefault(each.mistake, []).append(_all_three(SPLIT.with_mistakes(each)))
    return tuple(each.by(*functions) for each, functions in variants.items())


SPLIT_ALL = Step(
    "Q K V",
    _all_three(split_heads),
    *_split_in_all_three(),
    mistake("One of Q, K and V is cut by reshape alone.",
            "All three are split in the same way: cut each token's row, then swap the token axis and the head axis.",
            lambda Q, K, V, num_heads: (
                _cut_heads_first(Q, num_heads),
                split_heads(K, num_heads),
                split_heads(V, num_heads),
            ),
            lambda Q, K, V, num_heads: (
                split_heads(Q, num_heads),
                _cut_heads_first(K, num_heads),
                split_heads(V, num_heads),
            ),
            lambda Q, K, V, num_heads: (
                split_heads(Q, num_heads),
                split_heads(K, num_heads),
                _cut_heads_first(V, num_heads),
            )),
    mistake("The rows are not split into heads.",
            "Without the split, each token has a single row of weights, from all columns at once.",
            lambda Q, K, V: tuple(wide[..., None, :, :] for wide in (Q, K, V))),
    PROJECTION_SHARED.by(
        lambda X, context, W_Q, W_K, W_V, num_heads: (
            pieces_projected(X, W_Q, num_heads, shared=True),
            pieces_projected(context, W_K, num_heads, shared=True),
            pieces_projected(context, W_V, num_heads, shared=True),
        )
    ),
    PIECES_PROJECTED.by(
        lambda X, context, W_Q, W_K, W_V, num_heads: (
            pieces_projected(X, W_Q, num_heads),
            pieces_projected(context, W_K, num_heads),
            pieces_projected(context, W_V, num_heads),
        )
    ),
    BATCH_MEETS_HEADS.by(
        lambda X, context, W_Q, W_K, W_V, num_heads: (
            X @ split_heads(W_Q, num_heads),
            context @ split_heads(W_K, num_heads),
            context @ split_heads(W_V, num_heads),
        )
    ),
)


OWN_HEADS = Step(
    "Q K V",
    lambda Q, K, V: (Q, K, V),
    mistake("All heads have the same keys.",
            "Each head has keys of its own: columns i · d_k to (i + 1) · d_k.",
            lambda Q, K, V: (Q, _one_for_all(K), V),
            lambda Q, K, V: (Q, _one_for_all(K, -1), V)),
    mistake("All heads have the same values.",
            "Each head has values of its own: columns i · d_v to (i + 1) · d_v.",
            lambda Q, K, V: (Q, K, _one_for_all(V)),
            lambda Q, K, V: (Q, K, _one_for_all(V, -1))),
    mistake("All heads have the same queries.",
            "Each head has queries of its own: columns i · d_k to (i + 1) · d_k.",
            lambda Q, K, V: (_one_for_all(Q), K, V)),
    ALL_THE_FIRST.by(lambda Q, K, V: (_one_for_all(Q), _one_for_all(K), _one_for_all(V))),
    mistake("All heads have the same keys and values.",
            "Some models share them on purpose, to save memory. Here each head has its own columns of both.",
            lambda Q, K, V: (Q, _one_for_all(K), _one_for_all(V))),
    mistake("All heads have the same queries and keys.",
            "Then all heads have the same weights. Each needs its own columns of both.",
            lambda Q, K, V: (_one_for_all(Q), _one_for_all(K), V)),
)


EXCHANGE_BACK = Step(
    "rows",
    lambda heads: heads.swapaxes(-3, -2),
    shared.RESHAPE_MERGE.by(lambda heads: heads),
    shared.FIRST_AXES_EXCHANGED.by(lambda heads: heads.swapaxes(0, 1)),
    AXES_1_AND_2.by(lambda heads: heads.swapaxes(1, 2)),
    shared.AXIS_FROM_THE_FRONT.by(
        lambda heads: np.transpose(heads, (1, 0, 2)), lambda heads: np.transpose(heads, (0, 2, 1, 3))
    ),
    mistake("The wrong two axes are swapped.",
            "Heads and tokens must change places, axes -3 and -2. The width stays last.",
            lambda heads: heads.mT,
            lambda heads: heads.swapaxes(-3, -1)),
    mistake("The merged columns take turns.",
            "First all columns of head 1, then all of head 2. Here neighbouring columns come from different heads.",
            lambda heads: np.moveaxis(heads, -3, -1)),
    MERGED_BY_T.by(lambda heads: heads.T),
)


def _without_batch(rows):
    n, num_heads, width = rows.shape
    return rows.reshape(n, num_heads * width)


def _joined(heads, rows):
    *batch, num_heads, n, width = heads.shape
    return rows.reshape(*batch, n, num_heads * width)


JOIN = Step(
    "concatenation",
    _joined,
    shared.RESHAPE_MERGE.by(
        lambda heads: heads.reshape(heads.shape[1], -1),
        lambda heads: heads.reshape(heads.shape[-2], heads.shape[-3] * heads.shape[-1]),
    ),
    mistake("The reshape is missing.",
            "The axes are swapped back: (n, h, d_v). Now make one row of each token's pieces.",
            lambda rows: rows),
    shared.AXIS_FROM_THE_FRONT.by(lambda rows: rows.reshape(rows.shape[0], -1)),
    NO_BATCH.by(_without_batch),
    BATCH_RUN_TOGETHER.by(lambda rows: rows.reshape(-1, rows.shape[-2] * rows.shape[-1])),
    mistake("The tokens of each head are run together.",
            "That gives one row for each head. One row for each token is wanted, with its pieces from all heads.",
            lambda heads: heads.reshape(*heads.shape[:-2], -1),
            lambda heads, rows: rows.reshape(*heads.shape[:-2], -1)),
    mistake("Everything is in one row.",
            "Each token keeps a row of its own: only its pieces are put side by side.",
            lambda rows: rows.reshape(-1),
            lambda heads: heads.reshape(-1)),
)

MERGE = (ORDER_OF_HEADS, EXCHANGE_BACK, JOIN)

JOIN_ALONE = JOIN.knowing_only(
    mistake("The heads are stacked one below the other.",
            "Then there are more rows than tokens. A token's pieces from all heads belong side by side.",
            lambda heads: heads.reshape(*heads.shape[:-3], -1, heads.shape[-1])),
    shared.HEADS_ADDED.by(lambda rows: rows.sum(axis=-2), lambda heads: sum(np.moveaxis(heads, -3, 0))),
    mistake("The mean of the heads is taken.",
            "A mean mixes the heads, and W_O can no longer tell them apart.",
            lambda rows: rows.sum(axis=-2) / rows.shape[-2]),
    *JOIN.mistakes,
    shared.AXIS_FROM_THE_FRONT.by(lambda heads: np.concatenate([*np.moveaxis(heads, -3, 0)], axis=1)),
    mistake("Only one head is left.",
            "All heads belong side by side.",
            lambda rows: rows[..., 0, :],
            lambda rows: rows[..., -1, :]),
)

MERGE_ALONE = (HEADS_TAKEN, EXCHANGE_BACK.without(*OF_A_BATCH), JOIN_ALONE.without(*OF_A_BATCH))

APPLY_W_O = Step(
    "output",
    lambda concatenation, W_O: concatenation @ W_O,
    mistake("W_O is missing.",
            "The heads are side by side, but nothing has mixed them, and the rows need not have the width d_model.",
            lambda concatenation: concatenation),
    mistake("W_O is transposed.",
            "The concatenation is h·d_v wide, and W_O has just as many rows: use it as it is.",
            lambda concatenation, W_O: concatenation @ W_O.mT),
    mistake("The result is divided by the number of heads.",
            "No mean is taken of the heads: W_O decides how much of each goes in.",
            lambda concatenation, W_O, num_heads: concatenation @ W_O / num_heads),
    mistake("The input is added to the result.",
            "The residual connection comes later. Only the output of attention is wanted here.",
            lambda concatenation, W_O, X: X + concatenation @ W_O),
    mistake("The factors of the last product are in the wrong order.",
            "The concatenation belongs on the left: each of its rows meets each column of W_O.",
            lambda concatenation, W_O: W_O @ concatenation),
    mistake("W_O is multiplied in entry by entry.",
            "* is not the matrix product. @ goes along a row, down a column, and adds.",
            lambda concatenation, W_O: concatenation * W_O),
    mistake("W_O is multiplied in twice.",
            "The product is taken once, after the heads were merged.",
            lambda concatenation, W_O: concatenation @ W_O @ W_O),
    mistake("All heads share the first rows of W_O.",
            "The rows of W_O belong to head 1, then to head 2, and so on: set the heads side by side, then multiply.",
            lambda heads, W_O: heads.sum(axis=-3) @ W_O[: heads.shape[-1]]),
)

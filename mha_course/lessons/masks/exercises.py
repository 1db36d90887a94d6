"""Exercises of lesson 7: who may look at whom, and attention that keeps to it."""

import numpy as np

from mha_course.checking import known_mistakes as known
from mha_course.checking.draws import draw
from mha_course.checking.exercise import Case, Exercise, Mistake
from mha_course.maths.formulas import scaled_scores, softmax, turned

HIDDEN = -1e9  # what much code writes for minus infinity


def _causal(n):
    return np.arange(n) <= np.arange(n)[:, None]


def _real(lengths, n_k):
    return np.arange(n_k) < lengths[:, None]  # (batch, n_k)


def _padding(lengths, n_k):
    return _real(lengths, n_k)[:, None, :]  # (batch, 1, n_k)


def _to_add(mask):
    return np.where(mask, 0.0, -np.inf)


CAUSAL = Exercise(
    name="masks.causal",
    number="7.1",
    title="Not the future",
    right=_causal,
    results=("mask",),
    cases=(
        Case("the example", (3,)),
        Case("5 tokens", (5,)),
        Case("one token", (1,)),
        Case("8 tokens", (8,)),
    ),
    mistakes=(
        known.MASK_INVERTED.by(lambda n: ~_causal(n)),
        Mistake(
            "Queries and keys are exchanged.",
            "Queries go down, keys across. Here each token sees itself and what comes after it, and nothing before.",
        ).by(lambda n: _causal(n).T),
        Mistake(
            "No token may see itself.",
            "A token knows itself, so the diagonal is True. Without it, the first row may look at nothing.",
        ).by(lambda n: np.arange(n) < np.arange(n)[:, None]),
        Mistake(
            "It sees one token too far.",
            "The token after the own one is the very one that a model is to guess.",
        ).by(lambda n: np.arange(n) <= np.arange(n)[:, None] + 1),
        Mistake(
            "Nothing is hidden.",
            "Every query sees every key, the later ones too.",
        ).by(lambda n: np.ones((n, n), bool)),
        Mistake(
            "Each token sees only itself.",
            "That is the diagonal. The tokens before it may be seen as well.",
        ).by(lambda n: np.eye(n, dtype=bool)),
        Mistake(
            "The positions of queries and of keys lie along the same axis.",
            "Both count across, so each position meets only itself. Queries go down: give their positions an axis "
            "more, [:, None].",
        ).by(lambda n: np.arange(n) <= np.arange(n)),
        known.NUMBERS_TO_ADD.by(lambda n: _to_add(_causal(n)), lambda n: np.where(_causal(n), 0.0, HIDDEN)),
    ),
    notice="np.tril(np.ones((n, n), bool)) is the same. Keep a mask boolean: ~ turns True into False, but 1 into -2.",
    untraced=("n",),
)

PADDING = Exercise(
    name="masks.padding",
    number="7.2",
    title="Not the padding",
    right=_padding,
    results=("mask",),
    cases=(
        Case("the example", (np.array([3, 2]), 4)),
        Case("4 sentences, 6 keys", (np.array([5, 1, 6, 3]), 6)),
        Case("one sentence", (np.array([2]), 3)),
        Case("an empty sentence", (np.array([4, 0, 1]), 5)),
        Case("as many sentences as keys", (np.array([1, 4, 2, 3]), 4)),
    ),
    mistakes=(
        known.MASK_INVERTED.by(lambda lengths, n_k: ~_padding(lengths, n_k)),
        Mistake(
            "The axis of the queries is missing.",
            "(batch, n_k) against scores of (batch, n_q, n_k): NumPy lines up axes from the end, so the sentences meet "
            "the queries. With as many of both, no error comes. A 1 in the middle stands for all queries.",
        ).by(_real),
        known.MASKS_QUERIES.by(lambda lengths, n_k: _real(lengths, n_k)[:, :, None]),
        Mistake(
            "One token too many.",
            "Positions count from 0: the three tokens of a sentence of length 3 stand at 0, 1 and 2.",
        ).by(lambda lengths, n_k: (np.arange(n_k) <= lengths[:, None])[:, None, :]),
        Mistake(
            "The padding stands in front.",
            "Some code pads on the left. Here the sentence comes first, and the padding after it.",
        ).by(lambda lengths, n_k: _padding(lengths, n_k)[..., ::-1]),
        Mistake(
            "The padded queries are hidden too.",
            "A padded query may look at what it likes: nobody reads its output. If it may look at nothing, its softmax "
            "is 0 / 0.",
        ).by(lambda lengths, n_k: _padding(lengths, n_k) & _real(lengths, n_k)[:, :, None]),
        Mistake(
            "The batch does not come first.",
            "The first axis counts sentences: (batch, 1, n_k).",
        ).by(
            lambda lengths, n_k: _real(lengths, n_k)[None],
            lambda lengths, n_k: np.moveaxis(_padding(lengths, n_k), 0, -1),
            lambda lengths, n_k: _real(lengths, n_k).T,
        ),
        known.NUMBERS_TO_ADD.by(
            lambda lengths, n_k: _to_add(_padding(lengths, n_k)),
            lambda lengths, n_k: np.where(_padding(lengths, n_k), 0.0, HIDDEN),
        ),
    ),
    notice="The 1 in the middle says: the same for every query. NumPy stretches it to as many queries as there are.",
    untraced=("lengths", "n_k"),
)

BOTH = Exercise(
    name="masks.both",
    number="7.3",
    title="Both at once",
    right=lambda lengths, n: _causal(n) & _padding(lengths, n),
    results=("mask",),
    cases=(
        Case("the example", (np.array([3, 2]), 3)),
        Case("4 sentences of 6 tokens", (np.array([5, 1, 6, 3]), 6)),
        Case("one sentence", (np.array([2]), 4)),
        Case("one token", (np.array([1]), 1)),
        Case("as many sentences as tokens", (np.array([1, 4, 2, 3]), 4)),
    ),
    mistakes=(
        Mistake(
            "One of the two is enough.",
            "| and + are True where at least one mask is. A key must be real and not in the future: &.",
        ).by(lambda lengths, n: _causal(n) | _padding(lengths, n)),
        Mistake(
            "`and` asks about the whole table.",
            "Is a table true that holds True and False? NumPy does not know, and says so. & compares entry by entry.",
        ).by(lambda lengths, n: _causal(n) and _padding(lengths, n)),
        Mistake(
            "Only the future is hidden.",
            "The padded queries still see padded keys. With padding at the end nobody reads their outputs. With "
            "padding in front, real tokens would see it.",
        ).by(
            lambda lengths, n: np.repeat(_causal(n)[None], len(lengths), axis=0),
            lambda lengths, n: _causal(n),
        ),
        Mistake(
            "Only the padding is hidden.",
            "Each query still sees the real tokens after it.",
        ).by(
            lambda lengths, n: np.repeat(_padding(lengths, n), n, axis=1),
            _padding,
        ),
        known.MASK_INVERTED.by(
            lambda lengths, n: ~(_causal(n) & _padding(lengths, n)),
            lambda lengths, n: ~_causal(n) & ~_padding(lengths, n),
            lambda lengths, n: ~_causal(n) & _padding(lengths, n),
            lambda lengths, n: _causal(n) & ~_padding(lengths, n),
        ),
        Mistake(
            "Each token sees itself and what comes after it.",
            "Queries go down, keys across. The causal mask is turned over.",
        ).by(lambda lengths, n: _causal(n).T & _padding(lengths, n)),
        Mistake(
            "It hides the padded queries.",
            "The padding mask lies along the queries: keys go across. A padded query may look at what it likes, since "
            "nobody reads its output. If it may look at nothing, its softmax is 0 / 0.",
            "lsdefine/attention-is-all-you-need-keras #16",
        ).by(
            lambda lengths, n: _causal(n) & turned(_padding(lengths, n)),
            lambda lengths, n: _causal(n) & _padding(lengths, n) & turned(_padding(lengths, n)),
        ),
        Mistake(
            "The axis of the queries is missing in the padding mask.",
            "(batch, n) meets (n, n) as if the sentences were queries. Only with as many of both, or with one "
            "sentence, does it run. Make the padding mask (batch, 1, n).",
        ).by(lambda lengths, n: _causal(n) & _real(lengths, n)),
        known.NUMBERS_TO_ADD.by(
            lambda lengths, n: _to_add(_causal(n) & _padding(lengths, n)),
            lambda lengths, n: _to_add(_causal(n)) + _to_add(_padding(lengths, n)),
        ),
    ),
    notice=(
        "(n, n) and (batch, 1, n) make (batch, n, n): the causal mask is the same for every sentence, the padding mask "
        "for every query."
    ),
    untraced=("lengths", "n"),
)


def _masked_softmax(scores, mask, axis=-1):
    """Return the softmax of what may be seen, 0 elsewhere, and 0 throughout in a row that may see nothing.

    Numbers that remember keep their arithmetic in it.
    """
    largest = np.where(mask, scores, -np.inf).max(axis=axis, keepdims=True)
    powers = np.exp(scores - np.where(np.any(mask, axis=axis, keepdims=True), largest, 0))
    return _shares(np.where(mask, powers, 0), axis)


def _shares(powers, axis=-1):
    sums = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(sums == 0, 1, sums)


def _naive(scores, mask):
    """Return nan in a row that may see nothing: its largest score is minus infinity."""
    return softmax(np.where(mask, scores, -np.inf))


def _nearly(scores, mask):
    """Return equal shares in a row that may see nothing: all its scores are -1e9."""
    return softmax(np.where(mask, scores, HIDDEN))


def _added(scores, mask):
    """Return in a row that may see nothing what it would be without a mask: -1e9 is a common shift."""
    return softmax(scores + np.where(mask, 0.0, HIDDEN))


def _wrong_sign(scores, mask):
    return softmax(scores + np.where(mask, 0.0, np.inf))


def _put_wrong_sign(scores, mask):
    return softmax(np.where(mask, scores, np.inf))


def _after(scores, mask):
    return softmax(scores) * mask


def _multiplied(scores, mask):
    return softmax(scores * mask)


def _hidden_largest(scores, mask):
    """Hide after the largest was taken: all other powers may be 0."""
    return np.where(mask, np.exp(scores - scores.max(axis=-1, keepdims=True)), 0)


def _inverted(way):
    return lambda scores, mask: way(scores, ~mask)


_ROWS = np.array([[1, 0, 1, 1, 0], [0, 0, 1, 0, 0], [1, 1, 1, 1, 1], [0, 1, 1, 0, 1]], dtype=bool)

SOFTMAX = Exercise(
    name="masks.softmax",
    number="7.4",
    title="Softmax with a mask",
    right=lambda scores, mask: _masked_softmax(scores, mask),
    results=("weights",),
    cases=(
        Case("the example", (np.array([[0, 0, 5], [2, 1, 2]]), np.array([[True, True, False], [True, False, True]]))),
        Case("4 queries, 5 keys", (*draw(301, (4, 5)), _ROWS)),
        Case("one query", (*draw(302, (1, 4)), np.array([[False, True, True, False]]))),
        Case("a causal mask", (*draw(303, (4, 4)), _causal(4))),
        Case("a row that may see nothing", (*draw(304, (3, 4)), _real(np.array([2, 0, 3]), 4))),
        Case("a hidden score far above the others", (np.array([[1.0, 2000.0, 2.0]]), np.array([[True, False, True]]))),
        Case("large scores", (draw(305, (4, 5))[0] * 500, _ROWS)),
        Case("2 sentences of 3 heads", (*draw(306, (2, 3, 4, 5)), _padding(np.array([4, 2]), 5)[:, None])),
    ),
    mistakes=(
        known.MASKED_AFTER.by(_after),
        known.MASK_MULTIPLIED.by(_multiplied),
        known.MASK_WRONG_SIGN.by(_wrong_sign, _put_wrong_sign),
        known.MASK_INVERTED.by(*map(_inverted, (_naive, _masked_softmax, _nearly, _added))),
        known.EMPTY_ROW_NAN.by(_naive),
        known.EMPTY_ROW_LOOKS.by(_nearly, _added),
        known.MASK_UNUSED.by(lambda scores, mask: softmax(scores)),
        known.NOT_NORMALISED.by(
            lambda scores, mask: np.exp(scores) * mask,
            lambda scores, mask: np.where(mask, np.exp(scores), 0),
            _hidden_largest,
        ),
        Mistake(
            "The largest is taken over the hidden scores too.",
            "It may be a hidden one, far above the others. Then every other power is e to something far below 0, which "
            "is 0, and so is their sum. A softmax without a mask, made to sum to 1 afterwards, does that too. Hide "
            "first.",
        ).by(
            lambda scores, mask: _shares(_hidden_largest(scores, mask)),
            lambda scores, mask: _hidden_largest(scores, mask) / _hidden_largest(scores, mask).sum(-1, keepdims=True),
        ),
        Mistake(
            "The softmax breaks at large scores.",
            "e to the power of 710 is more than a float can hold. Subtract each row's largest visible score first.",
        ).by(
            lambda scores, mask: _shares(np.where(mask, np.exp(scores), 0)),
            lambda scores, mask: (
                np.where(mask, np.exp(scores), 0) / np.where(mask, np.exp(scores), 0).sum(-1, keepdims=True)
            ),
            lambda scores, mask: _shares(np.exp(scores) * mask),
            lambda scores, mask: np.exp(scores) * mask / (np.exp(scores) * mask).sum(-1, keepdims=True),
        ),
        known.OVER_QUERIES.by(
            lambda scores, mask: _masked_softmax(scores, np.broadcast_to(mask, scores.shape), axis=-2),
            lambda scores, mask: softmax(np.where(mask, scores, -np.inf), axis=-2),
            lambda scores, mask: softmax(np.where(mask, scores, HIDDEN), axis=-2),
        ),
        Mistake(
            "It puts -∞ into the weights.",
            "-∞ belongs among the scores, before the softmax. A hidden key's weight is 0.",
        ).by(
            lambda scores, mask: np.where(mask, softmax(scores), -np.inf),
            lambda scores, mask: np.where(mask, softmax(scores), HIDDEN),
        ),
    ),
    notice=(
        "A row that may see nothing takes nothing. That is this course's answer, and that of some engines. Others give "
        "nan there, or equal shares."
    ),
    untraced=("mask",),
)


def _attention(score=scaled_scores, share=_masked_softmax, for_heads=lambda mask: mask[:, None]):
    """Return an attention with a mask in which one step is done in another way."""
    return lambda Q, K, V, mask: share(score(Q, K), for_heads(mask)) @ V


def _sizes(batch, h, n_q, n_k, d_k, d_v):
    return (batch, h, n_q, d_k), (batch, h, n_k, d_k), (batch, h, n_k, d_v)


def _every_way(score=scaled_scores, for_heads=lambda mask: mask[:, None], change=lambda way: way):
    return [_attention(score, change(way), for_heads) for way in (_masked_softmax, _naive, _nearly)]


_SENTENCES = np.stack([_ROWS, _ROWS[::-1, ::-1]])  # (2, 4, 5)

ATTENTION = Exercise(
    name="masks.attention",
    number="7.5",
    title="Attention with a mask, from scratch",
    right=_attention(),
    results=("output",),
    cases=(
        Case(
            "the example",
            (
                np.array([[[[1, 0, 1, 0]]]]),
                np.array([[[[2, 1, 0, 0], [0, 1, 2, 1], [0, 0, 0, 1]]]]),
                np.array([[[[4, 0], [0, 4], [8, 8]]]]),
                np.array([[[True, False, True]]]),
            ),
        ),
        Case("2 sentences of 3 heads", (*draw(311, *_sizes(2, 3, 4, 5, 6, 7)), _padding(np.array([4, 2]), 5))),
        Case("a row of the mask for each query", (*draw(312, *_sizes(2, 3, 4, 5, 3, 2)), _SENTENCES)),
        Case("as many sentences as heads", (*draw(313, *_sizes(3, 3, 2, 4, 5, 6)), _padding(np.array([1, 4, 2]), 4))),
        Case("as many queries as keys", (*draw(314, *_sizes(2, 3, 4, 4, 5, 3)), _padding(np.array([3, 2]), 4))),
        Case("an empty sentence", (*draw(315, *_sizes(3, 2, 4, 5, 3, 6)), _padding(np.array([2, 0, 5]), 5))),
        Case("all sizes equal", (*draw(316, *_sizes(3, 3, 3, 3, 3, 3)), _causal(3) & _padding(np.array([3, 1, 2]), 3))),
    ),
    mistakes=(
        known.MASKED_AFTER.by(_attention(share=_after)),
        known.MASK_MULTIPLIED.by(_attention(share=_multiplied)),
        known.MASK_WRONG_SIGN.by(*(_attention(share=way) for way in (_wrong_sign, _put_wrong_sign))),
        known.MASK_INVERTED.by(*_every_way(change=_inverted)),
        known.MASKS_QUERIES.by(*_every_way(for_heads=lambda mask: turned(mask[:, None]))),
        Mistake(
            "The mask has no axis for the heads.",
            "(batch, n_q, n_k) against (batch, h, n_q, n_k): NumPy lines up axes from the end, so the sentences meet "
            "the heads. With as many of both, each head gets the mask of another sentence. Put a 1 between them.",
            "lsdefine/attention-is-all-you-need-keras #36",
        ).by(*_every_way(for_heads=lambda mask: mask)),
        Mistake(
            "The axis for the heads stands behind the queries.",
            "Heads come before positions: (batch, 1, n_q, n_k). For a padding mask both places look the same.",
        ).by(*_every_way(for_heads=lambda mask: mask[:, :, None])),
        known.EMPTY_ROW_NAN.by(_attention(share=_naive)),
        known.EMPTY_ROW_LOOKS.by(*(_attention(share=way) for way in (_nearly, _added))),
        known.MASK_UNUSED.by(lambda Q, K, V, mask: softmax(scaled_scores(Q, K)) @ V),
        known.UNSCALED.by(*_every_way(score=lambda Q, K: Q @ turned(K))),
        known.SCALED_BY_D_K.by(*_every_way(score=lambda Q, K: Q @ turned(K) / Q.shape[-1])),
        known.HALF_D_K.by(*_every_way(score=lambda Q, K: Q @ turned(K) / (Q.shape[-1] ** 1 / 2))),
        known.OVER_QUERIES.by(
            _attention(share=lambda scores, mask: softmax(np.where(mask, scores, -np.inf), axis=-2)),
            _attention(share=lambda scores, mask: _masked_softmax(scores, mask | np.zeros(scores.shape, bool), -2)),
        ),
        known.MIXES_KEYS.by(lambda Q, K, V, mask: _attention()(Q, K, K, mask)),
        known.RETURNS_WEIGHTS.by(lambda Q, K, V, mask: _masked_softmax(scaled_scores(Q, K), mask[:, None])),
    ),
    notice="This is what every decoder computes. mask[:, None] makes one table serve all heads, whatever the engine.",
    untraced=("mask",),
)

EXERCISES = (CAUSAL, PADDING, BOTH, SOFTMAX, ATTENTION)

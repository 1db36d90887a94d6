"""Exercises of lesson 7: who may look at whom, and attention that keeps to it."""

import numpy as np

from mha_course.checking import known_mistakes as known
from mha_course.checking.exercise import Case, Exercise, Mistake
from mha_course.checking.recipe import Recipe, Step
from mha_course.checking.steps import seeing
from mha_course.maths.formulas import scaled_scores, softmax

HIDDEN = -1e9  # what much code writes for minus infinity


def _causal_mask(n):  # -> (n, n)
    return np.arange(n) <= np.arange(n)[:, None]


def _real_tokens(lengths, n_k):  # (batch,) -> (batch, n_k)
    return np.arange(n_k) < lengths[:, None]


def _padding_mask(lengths, n_k):  # (batch,) -> (batch, 1, n_k)
    return _real_tokens(lengths, n_k)[:, None, :]


def _draw_size(fewest, most):
    """Return what draws a number of tokens."""
    return lambda draw: (int(draw.generator.integers(fewest, most + 1)),)


def _draw_lengths(batch, n, fewest=1):
    """Return what draws lengths, no two alike and the first not the longest, and gives them with the size n."""

    def _drawn(draw):
        lengths = draw.generator.permutation(np.arange(fewest, n + 1))[:batch]
        if batch > 1 and lengths.argmax() == 0:
            lengths = lengths[::-1].copy()
        return lengths, n

    return _drawn


AXIS_TOO_MANY = Mistake(
    "There is an axis too many.",
    "A batch or heads may come later. Here one table is wanted: (n, n).",
)

CAUSAL = Exercise(
    name="masks.causal",
    number="7.1",
    title="Not the future",
    right=Recipe(
        "n",
        (
            Step("n", lambda n: n, seeing.size_of(3)),
            seeing.POSITIONS,
            seeing.ACROSS_AND_DOWN.knowing(
                Mistake(
                    "The positions of queries and of keys lie along the same axis.",
                    "Both count the same way, so each position meets only itself. Keys go across, queries go down: "
                    "give the positions of the queries an axis more, [:, None].",
                ).by(
                    lambda positions: (positions, positions),
                    lambda positions: (positions[:, None], positions[:, None]),
                ),
                Mistake(
                    "Queries and keys are exchanged.",
                    "Queries go down, keys across. Here each token sees itself and what comes after it, and nothing "
                    "before.",
                ).by(lambda positions: (positions, positions[:, None])),
            ),
            seeing.NOT_LATER.knowing(seeing.SEES_EVERYTHING.by(lambda n: np.ones((n, n), bool))),
            Step("mask", lambda causal: causal),
            seeing.MEANING,
            seeing.MASK,
            Step(
                "mask",
                lambda mask: mask,
                (
                    AXIS_TOO_MANY.by(lambda mask: mask[None], lambda mask: mask[None, None]),
                    Mistake(
                        "It is a list of its entries, in one row.",
                        "Each query has a row of its own: (n, n).",
                    ).by(lambda mask: mask.ravel()),
                ),
            ),
        ),
        "mask",
    ),
    results=("mask",),
    cases=(
        Case("the example", (3,)),
        Case("a few tokens", _draw_size(4, 6)),
        Case("one token", (1,)),
        Case("more tokens", _draw_size(7, 10)),
    ),
    notice="np.tril(np.ones((n, n), bool)) is the same. Keep a mask boolean: ~ turns True into False, but 1 into -2.",
    untraced=("n",),
)

PADDING = Exercise(
    name="masks.padding",
    number="7.2",
    title="Not the padding",
    right=Recipe(
        "lengths n_k",
        (
            Step("n", lambda n_k: n_k),
            Step("n", lambda n: n, seeing.size_of(4)),
            seeing.POSITIONS,
            seeing.LIMITS,
            seeing.REAL.knowing(
                Mistake("Nothing is hidden.", "Every query sees every key, the padding too.").by(
                    lambda lengths, n: np.ones((len(lengths), n), bool)
                )
            ),
            Step("mask", lambda is_real: is_real),
            seeing.MEANING,
            seeing.MASK,
            Step(
                "mask",
                lambda mask: mask[:, None, :],
                (
                    Mistake(
                        "The axis of the queries is missing.",
                        "(batch, n_k) against scores of (batch, n_q, n_k): NumPy lines up axes from the end, so the "
                        "sentences meet the queries. With as many of both, no error comes. A 1 in the middle stands "
                        "for all queries.",
                    ).by(lambda mask: mask),
                    known.MASKS_QUERIES.by(lambda mask: mask[:, :, None]),
                    Mistake(
                        "The padded queries are hidden too.",
                        "A padded query may look at what it likes: nobody reads its output. If it may look at nothing, "
                        "its softmax is 0 / 0.",
                    ).by(lambda mask: mask[:, None, :] & mask[:, :, None]),
                    Mistake(
                        "The batch does not come first.",
                        "The first axis counts sentences: (batch, 1, n_k).",
                    ).by(
                        lambda mask: mask[None],
                        lambda mask: np.moveaxis(mask[:, None, :], 0, -1),
                        lambda mask: mask.T,
                        lambda mask: mask.T[:, None, :],
                    ),
                    Mistake(
                        "There is an axis for the heads already.",
                        "(batch, 1, 1, n_k) fits scores with heads. Here the mask is (batch, 1, n_k), and whoever has "
                        "heads puts an axis more into it.",
                    ).by(lambda mask: mask[:, None, None, :]),
                    Mistake(
                        "It is spread over the queries already.",
                        "A 1 in the middle is enough, and fits to any number of queries: (batch, 1, n_k).",
                    ).by(lambda mask: np.repeat(mask[:, None, :], mask.shape[-1], axis=1)),
                ),
            ),
        ),
        "mask",
    ),
    results=("mask",),
    cases=(
        Case("the example", (np.array([3, 2]), 4)),
        Case("4 sentences, 6 keys", _draw_lengths(4, 6)),
        Case("one sentence", lambda draw: (draw.generator.integers(1, 4, size=1), 5)),
        Case("an empty sentence", lambda draw: (np.append(draw.generator.permutation([2, 3, 5])[:2], 0), 5)),
        Case("as many sentences as keys", _draw_lengths(4, 4)),
        Case("one key", (np.array([0, 1]), 1)),
        Case("much padding", lambda draw: (draw.generator.permutation([1, 2, 3, 4])[:3], 8)),
    ),
    notice="The 1 in the middle says: the same for every query. NumPy stretches it to as many queries as there are.",
    untraced=("lengths", "n_k"),
)

BOTH = Exercise(
    name="masks.both",
    number="7.3",
    title="Both at once",
    right=Recipe(
        "lengths n",
        (
            Step("n", lambda n: n, seeing.size_of(3)),
            seeing.POSITIONS,
            seeing.ACROSS_AND_DOWN.knowing(
                Mistake(
                    "Each token sees itself and what comes after it.",
                    "Queries go down, keys across. The causal mask is turned over.",
                ).by(lambda positions: (positions, positions[:, None]))
            ),
            seeing.NOT_LATER,
            seeing.LIMITS,
            seeing.REAL,
            Step(
                "padding",
                lambda is_real: is_real[:, None, :],
                (
                    Mistake(
                        "It hides the padded queries.",
                        "The padding mask lies along the queries: keys go across. A padded query may look at what it "
                        "likes, since nobody reads its output. If it may look at nothing, its softmax is 0 / 0.",
                        "lsdefine/attention-is-all-you-need-keras #16",
                    ).by(
                        lambda is_real: is_real[:, :, None],
                        lambda is_real: is_real[:, None, :] & is_real[:, :, None],
                    ),
                    Mistake(
                        "The axis of the queries is missing in the padding mask.",
                        "(batch, n) meets (n, n) as if the sentences were queries. Only with as many of both, or with "
                        "one sentence, does it run. Make the padding mask (batch, 1, n).",
                    ).by(lambda is_real: is_real),
                    Mistake(
                        "There is an axis for the heads already.",
                        "(batch, 1, n, n) fits scores with heads. Here the mask is (batch, n, n).",
                    ).by(lambda is_real: is_real[:, None, None, :]),
                    Mistake(
                        "The batch does not come first.",
                        "The first axis counts sentences: the padding mask is (batch, 1, n).",
                    ).by(lambda is_real: is_real[None], lambda is_real: is_real.T[:, None, :]),
                ),
            ),
            seeing.TOGETHER,
            seeing.MEANING,
            seeing.MASK,
            Step(
                "mask",
                lambda mask: mask,
                (
                    Mistake(
                        "Only the first sentence is there.",
                        "Each sentence needs a mask of its own: (batch, n, n).",
                    ).by(lambda mask: mask[0]),
                    Mistake(
                        "All sentences have one mask.",
                        "np.all and np.any over the first axis make one table of all. Each sentence needs one of its "
                        "own: (batch, n, n).",
                    ).by(lambda mask: mask.all(axis=0), lambda mask: mask.any(axis=0)),
                    Mistake(
                        "The whole mask is turned over.",
                        "Queries go down, keys across.",
                    ).by(lambda mask: mask.mT),
                ),
            ),
        ),
        "mask",
    ),
    results=("mask",),
    cases=(
        Case("the example", (np.array([3, 2]), 3)),
        Case("4 sentences of 6 tokens", _draw_lengths(4, 6)),
        Case("one sentence", lambda draw: (draw.generator.integers(1, 4, size=1), 4)),
        Case("one token", (np.array([1]), 1)),
        Case("as many sentences as tokens", _draw_lengths(4, 4)),
        Case("an empty sentence", lambda draw: (np.append(draw.generator.permutation([2, 3, 5])[:2], 0), 5)),
        Case("much padding", lambda draw: (draw.generator.permutation([1, 2, 3, 4])[:3], 8)),
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
    return _normalised(np.where(mask, powers, 0), axis)


def _normalised(powers, axis=-1):
    """Make the powers of a row sum to 1, unless all are 0."""
    sums = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(sums == 0, 1, sums)


def _hidden_by_infinity(scores, mask):
    """Return nan in a row that may see nothing: its largest score is minus infinity."""
    return softmax(np.where(mask, scores, -np.inf))


def _hidden_by_a_large_number(scores, mask):
    """Return equal shares in a row that may see nothing: all its scores are -1e9."""
    return softmax(np.where(mask, scores, HIDDEN))


def _large_number_added(scores, mask):
    """Return in a row that may see nothing what it would be without a mask: -1e9 is a common shift."""
    return softmax(scores + np.where(mask, 0.0, HIDDEN))


def _plus_infinity_added(scores, mask):
    return softmax(scores + np.where(mask, 0.0, np.inf))


def _hidden_by_plus_infinity(scores, mask):
    return softmax(np.where(mask, scores, np.inf))


def _masked_after(scores, mask):
    """Take the shares of hidden keys away after the whole was shared out."""
    return softmax(scores) * mask


def _mask_multiplied(scores, mask):
    return softmax(scores * mask)


def _powers_hidden_late(scores, mask):
    """Hide after the largest was taken: all other powers may be 0."""
    return np.where(mask, np.exp(scores - scores.max(axis=-1, keepdims=True)), 0)


def _hidden_by(low, afterwards):
    """Hide by a number that is low but not -∞, and perhaps multiply zeros in afterwards."""

    def _share(scores, mask):
        shares = softmax(np.where(mask, scores, low))
        return shares * mask if afterwards else shares

    return _share


NOT_LOW_ENOUGH = tuple(_hidden_by(low, afterwards) for low in (-100, -1000, -1e4) for afterwards in (True, False))
UNSTABLE = (  # nothing is subtracted
    lambda scores, mask: _normalised(np.where(mask, np.exp(scores), 0)),
    lambda scores, mask: np.where(mask, np.exp(scores), 0) / np.where(mask, np.exp(scores), 0).sum(-1, keepdims=True),
    lambda scores, mask: _normalised(np.exp(scores) * mask),
    lambda scores, mask: np.exp(scores) * mask / (np.exp(scores) * mask).sum(-1, keepdims=True),
)


def _with_mask_inverted(way):
    return lambda scores, mask: way(scores, ~mask)


FOUR_ROWS = np.array([[1, 0, 1, 1, 0], [0, 0, 1, 0, 0], [1, 1, 1, 1, 1], [0, 1, 1, 0, 1]], dtype=bool)

SOFTMAX = Exercise(
    name="masks.softmax",
    number="7.4",
    title="Softmax with a mask",
    right=lambda scores, mask: _masked_softmax(scores, mask),
    results=("weights",),
    cases=(
        Case("the example", (np.array([[0, 0, 5], [2, 1, 2]]), np.array([[True, True, False], [True, False, True]]))),
        Case("4 queries, 5 keys", lambda draw: (*draw((4, 5)), FOUR_ROWS)),
        Case("one query", lambda draw: (*draw((1, 4)), np.array([[False, True, True, False]]))),
        Case("a causal mask", lambda draw: (*draw((4, 4)), _causal_mask(4))),
        Case("a row that may see nothing", lambda draw: (*draw((3, 4)), _real_tokens(np.array([2, 0, 3]), 4))),
        Case("a hidden score far above the others", (np.array([[1.0, 2000.0, 2.0]]), np.array([[True, False, True]]))),
        Case(
            "visible scores far below zero",
            (
                np.array([[-32768.0, -32769.0, 3.0], [-40000.0, 0.0, -40001.0]]),
                np.array([[True, True, False], [True, False, True]]),
            ),
        ),
        Case("large scores", lambda draw: (draw((4, 5))[0] * 500, FOUR_ROWS)),
        Case("2 sentences of 3 heads", lambda draw: (*draw((2, 3, 4, 5)), _padding_mask(np.array([4, 2]), 5)[:, None])),
    ),
    mistakes=(
        known.MASKED_AFTER.by(_masked_after),
        known.MASK_MULTIPLIED.by(_mask_multiplied),
        known.MASK_WRONG_SIGN.by(_plus_infinity_added, _hidden_by_plus_infinity),
        known.MASK_INVERTED.by(
            *map(
                _with_mask_inverted,
                (_hidden_by_infinity, _masked_softmax, _hidden_by_a_large_number, _large_number_added),
            )
        ),
        known.EMPTY_ROW_NAN.by(_hidden_by_infinity),
        known.EMPTY_ROW_LOOKS.by(_hidden_by_a_large_number, _large_number_added),
        known.HIDDEN_NOT_LOW.by(*NOT_LOW_ENOUGH),
        known.MASK_UNUSED.by(lambda scores, mask: softmax(scores)),
        known.NOT_NORMALISED.by(
            lambda scores, mask: np.exp(scores) * mask,
            lambda scores, mask: np.where(mask, np.exp(scores), 0),
            _powers_hidden_late,
        ),
        Mistake(
            "The largest is taken over the hidden scores too.",
            "It may be a hidden one, far above the others. Then every other power is e to something far below 0, which "
            "is 0, and so is their sum. A softmax without a mask, made to sum to 1 afterwards, does that too. Hide "
            "first.",
        ).by(
            lambda scores, mask: _normalised(_powers_hidden_late(scores, mask)),
            lambda scores, mask: (
                _powers_hidden_late(scores, mask) / _powers_hidden_late(scores, mask).sum(-1, keepdims=True)
            ),
        ),
        Mistake(
            "The softmax breaks at large scores.",
            "e to the power of 710 is more than a float can hold. Subtract each row's largest visible score first.",
        ).by(*UNSTABLE),
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


def _attention_with(score=scaled_scores, share=_masked_softmax, for_heads=lambda mask: mask[:, None]):
    """Return an attention with a mask in which one step is done in another way."""
    return lambda Q, K, V, mask: share(score(Q, K), for_heads(mask)) @ V


def _shapes(batch, h, n_q, n_k, d_k, d_v):
    """Return the shapes of Q, K and V."""
    return (batch, h, n_q, d_k), (batch, h, n_k, d_k), (batch, h, n_k, d_v)


def _with_each_softmax(score=scaled_scores, for_heads=lambda mask: mask[:, None], change=lambda way: way):
    """List attentions with one other step: one for each way to hide scores that agree unless a row sees nothing."""
    return [
        _attention_with(score, change(way), for_heads)
        for way in (_masked_softmax, _hidden_by_infinity, _hidden_by_a_large_number)
    ]


def _far_from_zero():
    """Return a sentence with visible scores near -32768 for the first query, and near 32768 for the second."""
    Q = np.array([[256.0, 0, 0, 0], [-256, 0, 0, 0]])
    K = np.array([[-256.0, 0, 0, 0], [-256 - 1 / 128, 0, 0, 0], [0, 1, 0, 0]])
    V, mask = np.array([[1.0, 4], [2, 0], [8, 3]]), np.array([[[True, True, False]]])
    return Q[None, None], K[None, None], V[None, None], mask


TWO_SENTENCES = np.stack([FOUR_ROWS, FOUR_ROWS[::-1, ::-1]])  # (2, 4, 5)

ATTENTION = Exercise(
    name="masks.attention",
    number="7.5",
    title="Attention with a mask, from scratch",
    right=_attention_with(),
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
        Case(
            "2 sentences of 3 heads",
            lambda draw: (*draw(*_shapes(2, 3, 4, 5, 6, 7)), _padding_mask(np.array([4, 2]), 5)),
        ),
        Case("a row of the mask for each query", lambda draw: (*draw(*_shapes(2, 3, 4, 5, 3, 2)), TWO_SENTENCES)),
        Case(
            "as many sentences as heads",
            lambda draw: (*draw(*_shapes(3, 3, 2, 4, 5, 6)), _padding_mask(np.array([1, 4, 2]), 4)),
        ),
        Case(
            "as many queries as keys",
            lambda draw: (*draw(*_shapes(2, 3, 4, 4, 5, 3)), _padding_mask(np.array([3, 2]), 4)),
        ),
        Case("visible scores far above and far below zero", _far_from_zero()),
        Case(
            "an empty sentence", lambda draw: (*draw(*_shapes(3, 2, 4, 5, 3, 6)), _padding_mask(np.array([2, 0, 5]), 5))
        ),
        Case(
            "all sizes equal",
            lambda draw: (*draw(*_shapes(3, 3, 3, 3, 3, 3)), _causal_mask(3) & _padding_mask(np.array([3, 1, 2]), 3)),
        ),
    ),
    mistakes=(
        known.MASKED_AFTER.by(_attention_with(share=_masked_after)),
        known.MASK_MULTIPLIED.by(_attention_with(share=_mask_multiplied)),
        known.MASK_WRONG_SIGN.by(
            *(_attention_with(share=way) for way in (_plus_infinity_added, _hidden_by_plus_infinity))
        ),
        known.MASK_INVERTED.by(*_with_each_softmax(change=_with_mask_inverted)),
        known.MASKS_QUERIES.by(*_with_each_softmax(for_heads=lambda mask: mask[:, None].mT)),
        Mistake(
            "The mask has no axis for the heads.",
            "(batch, n_q, n_k) against (batch, h, n_q, n_k): NumPy lines up axes from the end, so the sentences meet "
            "the heads. With as many of both, each head gets the mask of another sentence. Put a 1 between them.",
            "lsdefine/attention-is-all-you-need-keras #36",
        ).by(*_with_each_softmax(for_heads=lambda mask: mask)),
        Mistake(
            "The axis for the heads stands behind the queries.",
            "Heads come before positions: (batch, 1, n_q, n_k). For a padding mask both places look the same.",
        ).by(*_with_each_softmax(for_heads=lambda mask: mask[:, :, None])),
        known.EMPTY_ROW_NAN.by(_attention_with(share=_hidden_by_infinity)),
        known.EMPTY_ROW_LOOKS.by(
            *(_attention_with(share=way) for way in (_hidden_by_a_large_number, _large_number_added))
        ),
        known.HIDDEN_NOT_LOW.by(*(_attention_with(share=way) for way in NOT_LOW_ENOUGH)),
        known.UNSTABLE.by(*(_attention_with(share=way) for way in UNSTABLE)),
        known.MASK_UNUSED.by(lambda Q, K, V, mask: softmax(scaled_scores(Q, K)) @ V),
        known.UNSCALED.by(*_with_each_softmax(score=lambda Q, K: Q @ K.mT)),
        known.SCALED_BY_D_K.by(*_with_each_softmax(score=lambda Q, K: Q @ K.mT / Q.shape[-1])),
        known.HALF_D_K.by(*_with_each_softmax(score=lambda Q, K: Q @ K.mT / (Q.shape[-1] ** 1 / 2))),
        known.OVER_QUERIES.by(
            _attention_with(share=lambda scores, mask: softmax(np.where(mask, scores, -np.inf), axis=-2)),
            _attention_with(
                share=lambda scores, mask: _masked_softmax(scores, mask | np.zeros(scores.shape, bool), -2)
            ),
        ),
        known.MIXES_KEYS.by(lambda Q, K, V, mask: _attention_with()(Q, K, K, mask)),
        known.RETURNS_WEIGHTS.by(lambda Q, K, V, mask: _masked_softmax(scaled_scores(Q, K), mask[:, None])),
    ),
    notice="This is what every decoder computes. mask[:, None] makes one table serve all heads, whatever the engine.",
    untraced=("mask",),
)

EXERCISES = (CAUSAL, PADDING, BOTH, SOFTMAX, ATTENTION)

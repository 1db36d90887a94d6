"""Exercises of lesson 7: who may look at whom, and attention that keeps to it."""

import numpy as np

from mha_course.engine.checking.exercise import Arguments, Case, Exercise, ResultType, mistake
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.solution import Solution, Step
from mha_course.maths.masks import causal_mask, padding_mask
from mha_course.mistakes import masked_softmax, masks, shared, weighted_sum
from mha_course.mistakes import scores as score_steps
from mha_course.mistakes.cases import FAR_FROM_ZERO, queries_and_keys

BOOLEAN = ResultType(
    "b",
    "The mask is right, but not boolean.",
    "A mask holds True and False: attention refuses a mask of numbers, and ~ turns True into False, but 1 into -2.",
)


def _draw_lengths(batch, n, fewest=1):
    """Return what draws lengths, no two alike and the first not the longest, and gives them with the size n."""

    def _drawn(sample):
        lengths = sample.generator.permutation(np.arange(fewest, n + 1))[:batch]
        if batch > 1 and lengths.argmax() == 0:
            lengths = lengths[::-1].copy()
        return lengths, n

    return _drawn


AXIS_TOO_MANY = mistake("There is one axis too many.",
                        "A batch or heads may come later. Here one table is wanted: (n, n).")

def _draw_both(fewest, most, before):
    """Return what draws how many tokens are new, and so many more before them at least."""
    return lambda sample: (n_q := sample.whole(fewest, most), n_q + sample.whole(before, before + 2))


GOES_ON = Exercise(
    "masks.goes_on",
    "The text goes on",
    Solution(
        "n_q n_k",
        [
            Step(
                "before",
                lambda n_q, n_k: n_k - n_q,
                mistake("The positions of the new tokens begin at 0.",
                        "The new tokens are at the end of the text: n_k - n_q tokens come before the first of them, "
                        "and it may see them all.",
                        lambda: 0),
                mistake("The positions of the new tokens begin at 1.",
                        "The new tokens are at the end of the text: n_k - n_q tokens come before the first of them.",
                        lambda: 1),
                mistake("The numbers of tokens are subtracted the wrong way round.",
                        "There are more keys than queries, so n_q - n_k is below 0: the new tokens would come before "
                        "the text.",
                        lambda n_q, n_k: n_q - n_k),
            ),
            Step(
                "queries keys",
                lambda before, n_q, n_k: ((before + np.arange(n_q))[:, None], np.arange(n_k)),
                mistake("Queries and keys are swapped.",
                        "Queries go down, keys across: (n_q, n_k).",
                        lambda before, n_q, n_k: (before + np.arange(n_q), np.arange(n_k)[:, None])),
                mistake("The earlier tokens have rows, too.",
                        "Only the new tokens have queries: (n_q, n_k).",
                        lambda n_k: (np.arange(n_k)[:, None], np.arange(n_k))),
                mistake("Only the new tokens have columns.",
                        "The earlier tokens are still there as keys: (n_q, n_k).",
                        lambda before, n_q: ((before + np.arange(n_q))[:, None], before + np.arange(n_q))),
                mistake("The rows of the queries are in reverse order.",
                        "Query 1 belongs in the first row. Here the first row is that of the last token.",
                        lambda before, n_q, n_k: ((before + np.arange(n_q))[::-1, None], np.arange(n_k))),
                mistake("The columns of the keys are in reverse order.",
                        "Key 1 belongs in the first column. Here the first column is that of the last token.",
                        lambda before, n_q, n_k: ((before + np.arange(n_q))[:, None], np.arange(n_k)[::-1])),
            ),
            masks.NOT_LATER.knowing(
                masks.SEES_EVERYTHING.by(lambda n_q, n_k: np.ones((n_q, n_k), bool)),
                mistake("A new token does not see the new ones before it.",
                        "It may see all tokens before it, the old ones and the new ones.",
                        lambda queries, keys, before: (keys < before) | (keys == queries)),
                mistake("The tokens before the new ones are hidden.",
                        "A new token may see all tokens before it, the old ones and the new ones.",
                        lambda queries, keys, before: (keys >= before) & (keys <= queries)),
                mistake("Each new token no longer sees one more of the first tokens.",
                        "That is a sliding window. All the tokens before may be seen.",
                        lambda queries, keys, before: (keys <= queries) & (keys >= queries - before)),
            ),
            Step("mask", lambda causal: causal),
            masks.MEANING,
            masks.MASK,
            Step(
                "mask",
                lambda mask: mask,
                mistake("There is one axis too many.",
                        "A batch or heads may come later. Here one table is wanted: (n_q, n_k).",
                        lambda mask: mask[None],
                        lambda mask: mask[None, None]),
                mistake("The mask is flattened into one row.",
                        "Each query has a row of its own: (n_q, n_k).",
                        lambda mask: mask.ravel()),
            ),
        ],
    ),
    types={"mask": BOOLEAN},
    cases=(
        Case("the example", (2, 5)),
        Case("a few new tokens", _draw_both(3, 4, before=3)),
        Case("one new token", lambda sample: (1, sample.whole(4, 6))),
        Case("a text from its beginning", (4, 4)),
        Case("more new tokens than old ones", _draw_both(6, 8, before=2)),
    ),
    notice=(
        "A model that writes word by word works like this: the keys of earlier tokens are kept, and there is one new "
        "query. Its row is True throughout, so it needs no mask at all."
    ),
    untraced=("n_q", "n_k"),
)

PADDING = Exercise(
    "masks.padding",
    "Not the padding",
    Solution(
        "lengths n_k",
        [
            Step("n", lambda n_k: n_k),
            Step("n", lambda n: n, *masks.size_of(4)),
            masks.POSITIONS,
            masks.LIMITS,
            masks.REAL.knowing(
                mistake("Nothing is hidden.",
                        "Every query sees every key, the padding too.",
                        lambda lengths, n: np.ones((len(lengths), n), bool))
            ),
            Step("mask", lambda is_real: is_real),
            masks.MEANING,
            masks.MASK,
            Step(
                "mask",
                lambda mask: mask[:, None, :],
                mistake("The query axis is missing.",
                        "NumPy lines up axes from the end, so with (batch, n_k) the sentences meet the queries of "
                        "(batch, n_q, n_k). With as many of both, no error comes. Put an axis of size 1 in the middle.",
                        lambda mask: mask),
                shared.MASKS_QUERIES.by(lambda mask: mask[:, :, None]),
                mistake("The padded queries are hidden too.",
                        "What a padded query sees does not matter: nobody reads its output. If it may see nothing at "
                        "all, its softmax is 0 / 0.",
                        lambda mask: mask[:, None, :] & mask[:, :, None]),
                mistake("The batch axis does not come first.",
                        "The first axis counts sentences: (batch, 1, n_k).",
                        lambda mask: mask[None],
                        lambda mask: np.moveaxis(mask[:, None, :], 0, -1),
                        lambda mask: mask.T,
                        lambda mask: mask.T[:, None, :]),
                mistake("An axis for the heads has been added.",
                        "(batch, 1, 1, n_k) fits scores with heads. Here the mask is (batch, 1, n_k); code with heads "
                        "adds an axis to it.",
                        lambda mask: mask[:, None, None, :]),
                mistake("The mask is repeated for each query.",
                        "An axis of size 1 in the middle is enough, and fits any number of queries: (batch, 1, n_k).",
                        lambda mask: np.repeat(mask[:, None, :], mask.shape[-1], axis=1)),
            ),
        ],
    ),
    types={"mask": BOOLEAN},
    cases=(
        Case("the example", (np.array([3, 2]), 4)),
        Case("4 sentences, 6 keys", _draw_lengths(4, 6)),
        Case("one sentence", lambda sample: (sample.wholes(1, 3, count=1), 5)),
        Case("an empty sentence", lambda sample: (np.append(sample.generator.permutation([2, 3, 5])[:2], 0), 5)),
        Case("as many sentences as keys", _draw_lengths(4, 4)),
        Case("one key", (np.array([0, 1]), 1)),
        Case("much padding", lambda sample: (sample.generator.permutation([1, 2, 3, 4])[:3], 8)),
    ),
    off_limits=("padding_mask",),
    notice="The 1 in the middle says: the same for every query. NumPy stretches it to as many queries as there are.",
    untraced=("lengths", "n_k"),
)

BEFORE_NOT_HIDDEN = mistake(
    "Earlier texts are not hidden.",
    "The second text still sees the first. The causal mask alone gives that, or a comparison by <= instead of ==.",
)

TEXTS = Step(
    "texts",
    lambda lengths: np.repeat(np.arange(len(lengths)), lengths),
    mistake("Texts of the same length count as one.",
            "np.repeat(lengths, lengths) numbers each text by its length, so two texts of 3 tokens get the same "
            "number. Number the texts themselves: np.arange(len(lengths)).",
            lambda lengths: np.repeat(lengths, lengths)),
    mistake("The length of the first text is used for all.",
            "Each text has its own length: np.repeat takes one count for each number.",
            lambda lengths: np.repeat(np.arange(len(lengths)), lengths[0])),
    mistake("The lengths are used in reverse order.",
            "The first text comes first, with lengths[0] tokens.",
            lambda lengths: np.repeat(np.arange(len(lengths)), lengths[::-1])),
    mistake("Only the first two texts are in the mask.",
            "That fits the example only. There may be any number of texts.",
            lambda lengths: np.repeat(np.arange(len(lengths[:2])), lengths[:2])),
    mistake("The tokens belong to the texts in turn.",
            "np.tile and % count 0, 1, 0, 1. Here one text follows the other: 0, 0, 1, 1, 1.",
            lambda lengths: np.arange(lengths.sum()) % len(lengths)),
    mistake("The first token of a text counts as the last of the text before it.",
            "np.searchsorted with side=\"left\" finds the text that has ended there. Use side=\"right\", or np.repeat.",
            lambda lengths: np.searchsorted(np.cumsum(lengths), np.arange(lengths.sum()))),
    mistake("The mask always has the size of the example.",
            "The number of tokens is the sum of the lengths.",
            lambda: np.array([0, 0, 1, 1, 1])),
    mistake("There is one row for each text, not one for each token.",
            "lengths says how many tokens each text has. The mask has a row for each token: (n, n), where n is their "
            "sum.",
            lambda lengths: np.arange(len(lengths))),
)

OWN_TEXT = Step(
    "own",
    lambda texts: texts == texts[:, None],
    BEFORE_NOT_HIDDEN.by(lambda texts: texts <= texts[:, None]),
    mistake("Each token sees the other texts, and not its own.",
            "!= asks whether query and key are in different texts. They must be in the same one: ==.",
            lambda texts: texts != texts[:, None]),
)

OWN_AND_CAUSAL = Step(
    "mask",
    lambda own, causal: own & causal,
    mistake("Later keys are not hidden.",
            "Each token sees all of its own text, later tokens too. A key must be in the same text and must not come "
            "later: use &.",
            lambda own: own),
    BEFORE_NOT_HIDDEN.by(lambda causal: causal),
    mistake("The two conditions are joined by “or” instead of “and”.",
            "| and + are True where at least one of the two is. A key must be in the same text and must not come "
            "later: use &.",
            lambda own, causal: own | causal),
    mistake("A key is visible where exactly one of the two conditions holds.",
            "^ is True where the two tables differ. A key must be in the same text and must not come later: use &.",
            lambda own, causal: own ^ causal),
    mistake("A key is visible where the two conditions agree.",
            "== is also True where both are False. A key must be in the same text and must not come later: use &.",
            lambda own, causal: own == causal),
    masks.AND_OF_TABLES.by(lambda own, causal: own and causal),
)

PACKED = Exercise(
    "masks.packed",
    "Packed texts",
    Solution(
        "lengths",
        [
            TEXTS,
            Step("n", lambda texts: len(texts)),
            masks.POSITIONS,
            masks.ACROSS_AND_DOWN.knowing(
                mistake("Each token sees itself and what comes after it.",
                        "The causal mask is transposed: queries go down, keys across.",
                        lambda positions: (positions, positions[:, None]))
            ),
            masks.NOT_LATER,
            OWN_TEXT,
            OWN_AND_CAUSAL,
            masks.MEANING,
            masks.MASK,
            Step("mask", lambda mask: mask, AXIS_TOO_MANY.by(lambda mask: mask[None], lambda mask: mask[None, None])),
        ],
    ),
    types={"mask": BOOLEAN},
    cases=(
        Case("the example", (np.array([2, 3]),)),
        Case("3 texts", lambda sample: (sample.generator.permutation([1, 2, 3, 4, 5])[:3],)),
        Case("one text", lambda sample: (sample.wholes(3, 6, count=1),)),
        Case("texts of one length side by side",
             lambda sample: (sample.generator.permutation([[3, 3, 2], [4, 2, 2]])[0],)),
        Case("texts of one token each", lambda sample: (np.ones(sample.whole(3, 6), int),)),
        Case("one token", (np.array([1]),)),
        Case("many texts", lambda sample: (sample.wholes(1, 4, count=6),)),
    ),
    notice=(
        "This is how short texts share the rows of a batch, with no padding between them. Each text comes out as if it "
        "had been alone."
    ),
    untraced=("lengths",),
)


FOUR_ROWS = np.array([[1, 0, 1, 1, 0], [0, 0, 1, 0, 0], [1, 1, 1, 1, 1], [0, 1, 1, 0, 1]], dtype=bool)

VISIBLE_FAR_FROM_ZERO = np.array(  # what is hidden of `FAR_FROM_ZERO` is in some rows far above the rest
    [
        [1, 1, 0, 1],
        [0, 1, 1, 1],
        [0, 1, 1, 1],
        [1, 0, 1, 1],
        [1, 1, 0, 1],
        [1, 1, 1, 1],
        [1, 0, 0, 1],
        [0, 0, 1, 1],
        [1, 1, 1, 0],
    ],
    dtype=bool,
)


def _four_rows(sample: Sampler) -> np.ndarray:
    """Return masks that hide the first key, the last, all but one, and nothing, in any order.  (4, 5)"""
    return sample.generator.permutation(FOUR_ROWS)


def _lengths(sample: Sampler, batch: int, n: int) -> np.ndarray:
    """Return how many real tokens each sentence has: never none, and never as many as another one."""
    return sample.generator.permutation(np.arange(1, n + 1))[:batch]


def _with_an_empty_one(lengths: np.ndarray, sample: Sampler) -> np.ndarray:
    """Return the lengths, of which one has become 0."""
    return np.where(np.arange(len(lengths)) == sample.generator.integers(len(lengths)), 0, lengths)


def _far_below_zero(sample: Sampler) -> Arguments:
    """Return two queries whose visible scores are near -32768 and -40000."""
    low = sample.generator.permutation([[-32768.0, -32769.0, 3.0], [-40000.0, -40001.0, 0.0]])
    order = sample.generator.permutation(3)
    return low[:, order], np.array([[True, True, False]] * 2)[:, order]


def _hard(sample: Sampler) -> tuple[np.ndarray, np.ndarray]:
    """Return scores far above and far below zero, and who may see whom.  (9, 4), (9, 4)"""
    order = sample.generator.permutation(9)
    return FAR_FROM_ZERO[order], VISIBLE_FAR_FROM_ZERO[order]


SOFTMAX = Exercise(
    "masks.softmax",
    "Softmax with a mask",
    Solution(
        "scores mask",
        [
            masked_softmax.READ.knowing(
                mistake("The mask is transposed.",
                        "Queries go down and keys across, in the mask as in the scores: use it as it is.",
                        lambda mask, scores: (mask.mT, scores),
                        lambda mask, scores: (mask.T, scores)),
            ),
            *masked_softmax.MASKED_SOFTMAX_OF_STACK[1:],
        ],
    ),
    cases=(
        Case("the example", (np.array([[0, 0, 5], [2, 1, 2]]), np.array([[True, True, False], [True, False, True]]))),
        Case("4 queries, 5 keys", lambda sample: (*sample((4, 5)), _four_rows(sample))),
        Case("one query",
             lambda sample: (*sample((1, 4)), sample.generator.permuted([[False, True, True, False]], axis=1))),
        Case("one key", lambda sample: (*sample((3, 1)), sample.generator.permutation([[True], [False], [True]]))),
        Case("a causal mask", lambda sample: (*sample((4, 4)), causal_mask(4))),
        Case(
            "a row that may see nothing",
            lambda sample: (*sample((3, 4)), padding_mask(_with_an_empty_one(_lengths(sample, 3, 4), sample), 4)[:, 0]),
        ),
        Case("a hidden score far above the others", (np.array([[1.0, 2000.0, 2.0]]), np.array([[True, False, True]]))),
        Case("visible scores far below zero", _far_below_zero),
        Case("scores far above and far below zero", _hard),
        Case("large scores", lambda sample: (sample((4, 5))[0] * 500, _four_rows(sample))),
        Case(
            "2 sentences of 3 heads",
            lambda sample: (*sample((2, 3, 4, 5)), padding_mask(_lengths(sample, 2, 5), 5)[:, None]),
        ),
        Case(
            "4 sentences of 4 heads, all sizes equal",
            lambda sample: (*sample((4, 4, 4, 4)), causal_mask(4) & padding_mask(_lengths(sample, 4, 4), 4)[:, None]),
        ),
        Case("float32", lambda sample: (np.float32(*sample((4, 5))), _four_rows(sample))),
    ),
    off_limits=("softmax",),
    notice=(
        "A row that may see nothing gets weights of 0. That is what this course does, and some engines. Others give "
        "nan there, or equal weights."
    ),
    untraced=("mask",),
)


def _shapes(batch: int, h: int, n_q: int, n_k: int, d_k: int, d_v: int) -> tuple[tuple[int, ...], ...]:
    """Return the shapes of Q, K and V."""
    return (batch, h, n_q, d_k), (batch, h, n_k, d_k), (batch, h, n_k, d_v)


def _far_from_zero() -> Arguments:
    """Return a sentence with visible scores near -32768 for the first query, and near 32768 for the second."""
    Q = np.array([[256.0, 0, 0, 0], [-256, 0, 0, 0]])
    K = np.array([[-256.0, 0, 0, 0], [-256 - 1 / 128, 0, 0, 0], [0, 1, 0, 0]])
    V, mask = np.array([[1.0, 4], [2, 0], [8, 3]]), np.array([[[True, True, False]]])
    return Q[None, None], K[None, None], V[None, None], mask


def _hard_for_heads(sample: Sampler) -> Arguments:
    """Return one sentence with two heads whose scores are far above and far below zero."""
    scores, mask = _hard(sample)
    Q, K = (array[None, None].repeat(2, axis=1) for array in queries_and_keys(scores))
    return Q, K, *sample((1, 2, 4, 2)), mask[None]


def _two_tables(sample: Sampler) -> np.ndarray:  # -> (2, 4, 5)
    return np.stack([_four_rows(sample), FOUR_ROWS[::-1, ::-1]])


def _if_it_fits(products: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the products, unless the mask would give them a larger shape: the package's softmax refuses that."""
    np.broadcast_to(mask, products.shape)
    return products


MULTIPLY_HEADS = score_steps.MULTIPLY_STACK.knowing_only(  # always four axes, of which 2 and 3 are the last
    shared.SWAPPED.by(lambda Q, K, mask: _if_it_fits(K @ Q.mT, mask)),
    *score_steps.MULTIPLY_STACK.without(shared.AXIS_FROM_THE_FRONT).mistakes,
    shared.AXIS_FROM_THE_FRONT.by(
        lambda Q, K: Q @ K.transpose(0, 2, 1), lambda Q, K: Q @ K.swapaxes(0, 1), lambda Q, K: Q @ K.swapaxes(1, 2)
    ),
)

ATTENTION = Exercise(
    "masks.attention",
    "Attention with a mask, from scratch",
    Solution(
        "Q K V mask",
        [
            masked_softmax.FOR_HEADS,
            MULTIPLY_HEADS,
            score_steps.MEASURE_STACK,
            score_steps.SCALE,
            *masked_softmax.MASKED_SOFTMAX_OF_STACK,
            weighted_sum.MIX_STACK,
            *weighted_sum.FINISH,
        ],
    ),
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
            lambda sample: (*sample(*_shapes(2, 3, 4, 5, 6, 7)), padding_mask(_lengths(sample, 2, 5), 5)),
        ),
        Case("a row of the mask for each query",
             lambda sample: (*sample(*_shapes(2, 3, 4, 5, 3, 2)), _two_tables(sample))),
        Case(
            "as many sentences as heads",
            lambda sample: (*sample(*_shapes(3, 3, 2, 4, 5, 6)), padding_mask(_lengths(sample, 3, 4), 4)),
        ),
        Case(
            "as many queries as keys",
            lambda sample: (*sample(*_shapes(2, 3, 4, 4, 5, 3)), padding_mask(_lengths(sample, 2, 4), 4)),
        ),
        Case(
            "more queries than keys",
            lambda sample: (*sample(*_shapes(2, 2, 6, 3, 4, 5)), padding_mask(_lengths(sample, 2, 3), 3)),
        ),
        Case("visible scores far above and far below zero", _far_from_zero()),
        Case("scores far above and far below zero", _hard_for_heads),
        Case(
            "an empty sentence",
            lambda sample: (
                *sample(*_shapes(3, 2, 4, 5, 3, 6)),
                padding_mask(_with_an_empty_one(_lengths(sample, 3, 5), sample), 5),
            ),
        ),
        Case(
            "all sizes equal",
            lambda sample: (
                *sample(*_shapes(3, 3, 3, 3, 3, 3)),
                causal_mask(3) & padding_mask(_lengths(sample, 3, 3), 3),
            ),
        ),
        Case("one token", lambda sample: (*sample(*_shapes(2, 3, 1, 1, 4, 2)), np.ones((2, 1, 1), bool))),
        Case(
            "one sentence with one head",
            lambda sample: (*sample(*_shapes(1, 1, 4, 4, 2, 4)), padding_mask(_lengths(sample, 1, 3), 4)),
        ),
        Case(
            "float32",
            lambda sample:
                (*map(np.float32, sample(*_shapes(2, 3, 4, 5, 6, 2))), padding_mask(_lengths(sample, 2, 5), 5)),
        ),
    ),
    off_limits=("attention", "multi_head_attention"),
    notice=(
        "This is what every decoder of a transformer computes. mask[:, None] makes one mask serve all heads, in any "
        "engine."
    ),
    untraced=("mask",),
)

EXERCISES = (GOES_ON, PADDING, PACKED, SOFTMAX, ATTENTION)

"""Exercises of lesson 8: queries from one sentence, keys and values from another, with the mask of the keys."""

import numpy as np

from mha_course.engine.checking.exercise import Arguments, Case, Exercise, Function, Mistake, mistake
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.solution import Solution, Step
from mha_course.mistakes import heads, masked_softmax, masks, projections, shared, weighted_sum
from mha_course.mistakes import scores as score_steps


def _only(step: Step, *mistakes: Mistake) -> Step:
    """Return a step that knows these mistakes alone."""
    names = {mistake.name for mistake in mistakes}
    return step.knowing_only(*(each for each in step.mistakes if each.name in names))


def _in_each(variant: Function) -> Function:
    return lambda Q, K, V: tuple(map(variant, (Q, K, V)))


# Shapes

ANSWERS_IN_QUERIES = mistake(
    "Q has n_k rows instead of n_q.", "There is one query for each row of X."
)
HEADS_BEHIND = mistake(
    "The head axis comes after the positions.",
    "Each head has a table of its own, so the head axis comes before the positions.",
)
NO_AXIS_FOR_HEADS = mistake(
    "The head axis is missing.",
    "That is the wide table, before the split. After it, each head has a table of its own.",
)
HEADS_FIRST = mistake("The head axis comes before the batch axis.",
                      "The batch axis comes first in every array of this course.")

SHAPES = Exercise(
    "cross_attention.shapes",
    "Say each shape",
    Solution(
        "batch h n_q n_k d_model d_k d_v",
        [
            Step(
                "Q",
                lambda batch, h, n_q, d_k: (batch, h, n_q, d_k),
                ANSWERS_IN_QUERIES.by(lambda batch, h, n_k, d_k: (batch, h, n_k, d_k)),
                HEADS_BEHIND.by(lambda batch, h, n_q, d_k: (batch, n_q, h, d_k)),
                HEADS_FIRST.by(lambda batch, h, n_q, d_k: (h, batch, n_q, d_k)),
                NO_AXIS_FOR_HEADS.by(lambda batch, h, n_q, d_k: (batch, n_q, h * d_k)),
                mistake("Q is d_model wide instead of d_k.",
                        "W_Q makes the rows h·d_k wide, and the split leaves d_k for each head.",
                        lambda batch, h, n_q, d_model: (batch, h, n_q, d_model)),
            ),
            Step(
                "K",
                lambda batch, h, n_k, d_k: (batch, h, n_k, d_k),
                mistake("K has n_q rows instead of n_k.",
                        "There is one key for each row of the context.",
                        lambda batch, h, n_q, d_k: (batch, h, n_q, d_k)),
                mistake("K is already transposed.",
                        "Here K has a row for each key. It is transposed only in the product with Q.",
                        lambda batch, h, n_k, d_k: (batch, h, d_k, n_k)),
                mistake("K is d_v wide instead of d_k.",
                        "A dot product needs keys as wide as the queries.",
                        lambda batch, h, n_k, d_v: (batch, h, n_k, d_v)),
            ),
            Step(
                "V",
                lambda batch, h, n_k, d_v: (batch, h, n_k, d_v),
                mistake("V has n_q rows instead of n_k.",
                        "Each value belongs to a key, so there are as many values as keys.",
                        lambda batch, h, n_q, d_v: (batch, h, n_q, d_v)),
                mistake("V is d_k wide instead of d_v.",
                        "Values may be as wide as keys, but need not be.",
                        lambda batch, h, n_k, d_k: (batch, h, n_k, d_k)),
            ),
            Step(
                "Q K V",
                lambda Q, K, V: (Q, K, V),
                HEADS_BEHIND.by(_in_each(lambda shape: (shape[0], shape[2], shape[1], shape[3]))),
                mistake("The widths are divided by the number of heads.",
                        "d_k and d_v are the widths of one head already.",
                        lambda Q, K, V, h: tuple((*shape[:3], shape[3] // h) for shape in (Q, K, V)),
                        lambda Q, K, V, h: tuple((*shape[:3], shape[3] / h) for shape in (Q, K, V))),
                HEADS_FIRST.by(_in_each(lambda shape: (shape[1], shape[0], *shape[2:]))),
                NO_AXIS_FOR_HEADS.by(_in_each(lambda shape: (shape[0], shape[2], shape[1] * shape[3]))),
            ),
            Step(
                "weights",
                lambda batch, h, n_q, n_k: (batch, h, n_q, n_k),
                mistake("Queries and keys are swapped in the weights.",
                        "Queries go down, keys across.",
                        lambda batch, h, n_q, n_k: (batch, h, n_k, n_q)),
                mistake("The weights have no head axis.",
                        "Each head has its own scores, and so its own weights.",
                        lambda batch, n_q, n_k: (batch, n_q, n_k)),
                mistake("The weights are square, though n_q and n_k may differ.",
                        "A square table belongs to self-attention. Here there are n_q queries and n_k keys.",
                        lambda batch, h, n_q: (batch, h, n_q, n_q),
                        lambda batch, h, n_k: (batch, h, n_k, n_k)),
            ),
            Step(
                "output",
                lambda batch, n_q, d_model: (batch, n_q, d_model),
                mistake("The output has n_k rows instead of n_q.",
                        "There is one output row for each query.",
                        lambda batch, n_k, d_model: (batch, n_k, d_model)),
                mistake("The output still has a head axis.",
                        "The heads are merged, and W_O mixes them: each query has one row.",
                        lambda batch, h, n_q, d_v: (batch, h, n_q, d_v),
                        lambda batch, h, n_q, d_model: (batch, h, n_q, d_model)),
                mistake("W_O is left out.",
                        "Side by side the heads are h·d_v wide. W_O brings each row back to d_model.",
                        lambda batch, h, n_q, d_v: (batch, n_q, h * d_v)),
                mistake("The output has no batch axis.",
                        "All sentences are computed at once: the output has a batch axis, too.",
                        lambda n_q, d_model: (n_q, d_model)),
            ),
        ],
        "Q K V weights output",
    ),
    cases=(
        Case("the example", (8, 2, 4, 5, 7, 3, 6)),
        Case("other sizes", lambda sample: tuple(map(int, sample.generator.permutation([2, 3, 4, 5, 6, 7, 9])))),
        Case("one sentence with one head",
             lambda sample: (1, 1, *map(int, sample.generator.permutation([3, 4, 5, 6, 8])))),
        Case("one query", lambda sample: (3, 2, 1, *map(int, sample.generator.permutation([4, 5, 6, 7])))),
        Case(
            "the size of 2017",
            lambda sample: (sample.whole(20, 40), 8, sample.whole(9, 15), sample.whole(16, 19), 512, 64, 64),
        ),
    ),
    notice=(
        "n_q is kept from the queries to the output. n_k disappears in the sum over the keys: the shape of the output "
        "does not show how many keys there were."
    ),
    untraced=("batch", "h", "n_q", "n_k", "d_model", "d_k", "d_v"),
)


# Masks


def _padding(lengths, n):  # (batch,) -> (batch, 1, n)
    return (np.arange(n) < lengths[:, None])[:, None]


def _causal(n_q, n_k):  # -> (n_q, n_k)
    return np.arange(n_k) <= np.arange(n_q)[:, None]


def _of_all_three(variant: Function) -> Function:
    return lambda encoder, decoder, cross: tuple(map(variant, (encoder, decoder, cross)))


THREE_MASKS = Exercise(
    "cross_attention.three_masks",
    "Three masks",
    Solution(
        "read n_read written n_written",
        [
            Step(
                "encoder",
                lambda read, n_read: _padding(read, n_read),
                mistake("The encoder has a causal mask.",
                        "All of the sentence that is read is there from the start, so each of its tokens may look at "
                        "all the others. The causal mask belongs in the decoder.",
                        lambda read, n_read: _padding(read, n_read) & _causal(n_read, n_read)),
                mistake("The encoder's mask has no query axis.",
                        "NumPy lines up axes from the end, so (batch, n_read) would be read as n_q and n_k. Add an "
                        "axis of size 1 for the queries: (batch, 1, n_read).",
                        lambda read, n_read: _padding(read, n_read)[:, 0]),
                mistake("The encoder's mask hides queries instead of keys.",
                        "Keys go across: (batch, 1, n_read).",
                        lambda read, n_read: _padding(read, n_read).mT),
                mistake("The encoder's mask is made for the sentence that is written.",
                        "In the encoder, queries and keys both come from the sentence that is read: its padding must "
                        "be hidden.",
                        lambda written, n_written: _padding(written, n_written)),
            ),
            Step(
                "decoder",
                lambda written, n_written: _padding(written, n_written) & _causal(n_written, n_written),
                mistake("The decoder can see later tokens.",
                        "Its sentence is still being written: later tokens must be hidden, as well as the padding.",
                        lambda written, n_written: _padding(written, n_written),
                        lambda written, n_written: np.repeat(_padding(written, n_written), n_written, axis=1)),
                mistake("The decoder's padding is not hidden.",
                        "That is the causal mask alone. Each sentence also has its own padding.",
                        lambda n_written: _causal(n_written, n_written),
                        lambda written, n_written:
                            np.repeat(_causal(n_written, n_written)[None], len(written), axis=0)),
                mistake("The decoder's mask hides padded queries.",
                        "Padding hides columns, not rows. What a padded query sees does not matter, since nobody reads "
                        "its output. If it may see nothing at all, its softmax is 0 / 0.",
                        lambda written, n_written: _padding(written, n_written).mT & _causal(n_written, n_written),
                        lambda written, n_written: (
                            _padding(written, n_written)
                            & _padding(written, n_written).mT
                            & _causal(n_written, n_written)
                        )),
                mistake("The decoder's two masks are joined by “or” instead of “and”.",
                        "| is True where at least one mask is. A key must be real and must not come later: use &.",
                        lambda written, n_written: _padding(written, n_written) | _causal(n_written, n_written)),
                mistake("The decoder's causal mask is transposed.",
                        "Queries go down, keys across. Here each token sees itself and what comes after it.",
                        lambda written, n_written: _padding(written, n_written) & _causal(n_written, n_written).T),
            ),
            Step(
                "cross",
                lambda read, n_read: _padding(read, n_read),
                mistake("The cross-attention mask is made for the sentence that is written.",
                        "The keys come from the sentence that is read, so its padding must be hidden.",
                        lambda written, n_written: _padding(written, n_written),
                        lambda decoder: decoder),
                mistake("The cross-attention mask hides queries instead of keys.",
                        "What a padded query sees does not matter, since nobody reads its output. Hide the padded "
                        "keys, of the sentence that is read.",
                        lambda written, n_written: _padding(written, n_written).mT,
                        lambda read, n_read: _padding(read, n_read).mT),
                mistake("The cross-attention mask hides padded queries, too.",
                        "Hide padded keys, and nothing else. If a padded query may see nothing at all, its softmax "
                        "is 0 / 0.",
                        lambda read, n_read, written, n_written:
                            _padding(read, n_read) & _padding(written, n_written).mT),
                mistake("The cross-attention mask is causal.",
                        "Positions in two different sentences cannot be compared. All of the sentence that is read is "
                        "there before the first word is written.",
                        lambda read, n_read, n_written: _padding(read, n_read) & _causal(n_written, n_read),
                        lambda n_read, n_written: _causal(n_written, n_read)),
                mistake("The cross-attention mask has the lengths of one sentence and the width of the other.",
                        "Both must belong to the sentence that is read.",
                        lambda written, n_read: _padding(written, n_read),
                        lambda read, n_written: _padding(read, n_written)),
                mistake("The cross-attention mask hides nothing.",
                        "The keys include the padding of the sentence that is read. It must be hidden.",
                        lambda read, n_read: np.ones((len(read), 1, n_read), bool)),
            ),
            Step(
                "encoder decoder cross",
                lambda encoder, decoder, cross: (encoder, decoder, cross),
                shared.MASK_INVERTED.by(_of_all_three(np.logical_not)),
                shared.NUMBERS_TO_ADD.by(*(_of_all_three(masks.to_add(low)) for low in masks.LOW)),
                mistake("An axis for the heads has been added.",
                        "(batch, 1, …) with four axes fits scores with heads. Here each mask has three axes.",
                        _of_all_three(lambda mask: mask[:, None])),
            ),
        ],
    ),
    cases=(
        Case("the example", (np.array([3, 2]), 4, np.array([1, 3]), 3)),
        Case("3 pairs of sentences", lambda sample: (_lengths(sample, 3, 5), 5, _lengths(sample, 3, 4), 4)),
        Case("one pair", lambda sample: (_lengths(sample, 1, 3), 4, _lengths(sample, 1, 5), 6)),
        Case("as many tokens on both sides", lambda sample: (_lengths(sample, 2, 4), 5, _lengths(sample, 2, 4), 5)),
        Case("as many pairs as tokens", lambda sample: (_lengths(sample, 4, 4), 4, _lengths(sample, 4, 4), 4)),
        Case("more to write than to read", lambda sample: (_lengths(sample, 2, 3), 3, _lengths(sample, 2, 7), 7)),
    ),
    notice=(
        "Two of the three are equal: wherever the keys come from the sentence that is read, its padding is hidden. A "
        "padding mask belongs to the keys, wherever the queries come from."
    ),
    untraced=("read", "n_read", "written", "n_written"),
)


def _lengths(sample: Sampler, batch: int, n: int) -> np.ndarray:
    """Return how many real tokens each sentence has: never none, and never as many as another one."""
    return sample.generator.permutation(np.arange(1, n + 1))[:batch]


# Attention, with few mistakes of the softmax: lesson 7 has them all

LARGE = 1e9  # minus this is what much code writes for minus infinity: a row that sees nothing has equal shares then

HIDE = _only(masked_softmax.HIDE, shared.MASK_MULTIPLIED, masked_softmax.MASK_ADDED)
HIDE_OF_STACK = HIDE.knowing(
    shared.MASKS_QUERIES.by(lambda open_scores, mask: np.where(mask.mT, open_scores, -LARGE)),
)
BEFORE_HIDING = (masked_softmax.READ, _only(masked_softmax.WHEN, shared.MASKED_AFTER))
AFTER_HIDING = (masked_softmax.SUBTRACT.knowing_only(), masked_softmax.EXPONENTIATE.knowing_only())
NORMALISE = _only(masked_softmax.NORMALISE, shared.OVER_QUERIES, shared.NO_SOFTMAX)








MULTIPLY_HEADS = score_steps.MULTIPLY_STACK.knowing_only(  # always four axes
    *(
        each
        for each in score_steps.MULTIPLY_STACK.mistakes
        if each.name == shared.NO_TRANSPOSE.name or each.name.endswith(" are compared with themselves.")
    )
)
SCALES = _only(
    score_steps.MEASURE_STACK,
    shared.SCALED_BY_D_K, shared.SCALED_BY_KEYS, shared.SCALED_BY_QUERIES, shared.SCALED_BY_D_MODEL
).knowing(
    mistake("The scale is the root of the full width h·d_k.",
            "Each dot product adds up the d_k products of one head. Divide by √d_k; after the split that is "
            "Q.shape[-1].",
            lambda W_Q: W_Q.shape[-1] ** 0.5)
)

SPLIT = _only(  # axes 1 and 2 are the right ones where there is always a batch
    heads.SPLIT_ALL,
    shared.RESHAPE_SPLIT,
    shared.HEADS_BEHIND,
    shared.COLUMNS_TAKE_TURNS,
    shared.FIRST_AXES_EXCHANGED,
    heads.PROJECTION_SHARED,
    heads.PIECES_PROJECTED,
)
ORDER_OF_HEADS, EXCHANGE_BACK, JOIN = heads.MERGE
MERGE = (
    ORDER_OF_HEADS,
    _only(EXCHANGE_BACK, shared.RESHAPE_MERGE, shared.FIRST_AXES_EXCHANGED),
    _only(JOIN, shared.RESHAPE_MERGE),
)

MULTI_HEAD = Exercise(
    "cross_attention.multi_head",
    "Multi-head cross-attention, from scratch",
    Solution(
        "X context W_Q W_K W_V W_O num_heads mask",
        [
            projections.INPUTS,
            projections.MATRICES,
            projections.QUERIES,
            projections.KEYS,
            projections.VALUES,
            SPLIT,
            masked_softmax.FOR_HEADS,
            MULTIPLY_HEADS,
            SCALES,
            _only(score_steps.SCALE, shared.UNSCALED),
            *BEFORE_HIDING,
            HIDE_OF_STACK,
            Step("axis", lambda: -1),
            *AFTER_HIDING,
            NORMALISE,
            masked_softmax.FINISH,
            _only(weighted_sum.MIX_STACK, shared.MIXES_KEYS, shared.RETURNS_WEIGHTS).making("heads"),
            *MERGE,
            heads.APPLY_W_O,
        ],
    ),
    cases=(
        Case(
            "the example",
            (
                np.array([[[1, 0]]]),
                np.array([[[1, 0], [0, 1], [1, 1]]]),
                np.array([[1, 0, 0, 2], [0, 1, 1, 0]]),
                np.array([[2, 0, 1, 1], [0, 1, 2, 1]]),
                np.array([[4, 0], [0, 8]]),
                np.array([[1, 0], [1, 1]]),
                2,
                np.array([[[True, True, False]]]),
            ),
        ),
        Case("2 sentences of 3 heads", lambda sample: _multi_head(sample, 2, 3, n_q=4, n_k=6, d_model=5, d_k=2, d_v=3)),
        Case("3 sentences of 2 heads", lambda sample: _multi_head(sample, 3, 2, n_q=5, n_k=4, d_model=6, d_k=4, d_v=2)),
        Case("one sentence", lambda sample: _multi_head(sample, 1, 2, n_q=3, n_k=5, d_model=4, d_k=3, d_v=6)),
        Case("one query", lambda sample: _multi_head(sample, 2, 2, n_q=1, n_k=4, d_model=7, d_k=3, d_v=4)),
        Case("as many sentences as heads",
             lambda sample: _multi_head(sample, 3, 3, n_q=2, n_k=4, d_model=5, d_k=2, d_v=4)),
        Case(
            "as many tokens on both sides",
            lambda sample: _multi_head(sample, 2, 3, n_q=4, n_k=4, d_model=8, d_k=3, d_v=2),
        ),
        Case("one head", lambda sample: _multi_head(sample, 2, 1, n_q=3, n_k=5, d_model=6, d_k=4, d_v=3)),
        Case(
            "a row of the mask for each query",
            lambda sample: _with_a_table(sample, 2, 3, n_k=5, d_model=6, d_k=3, d_v=2),
        ),
        Case(
            "all sizes equal",
            lambda sample: _with_a_table(sample, 4, 4, n_k=4, d_model=4, d_k=1, d_v=1),
        ),
    ),
    off_limits=("multi_head_attention",),
    notice=(
        "With context = X it is self-attention; with a causal mask as well, it is a decoder's self-attention. So one "
        "function is enough for all three attention layers of an encoder-decoder."
    ),
    untraced=("num_heads", "mask"),
)


def _multi_head(sample, batch, h, n_q, n_k, d_model, d_k, d_v) -> Arguments:
    """Draw the inputs of a batch, whose sentences have padding at the end, and no two as much of it."""
    X, context, *matrices = sample(
        (batch, n_q, d_model), (batch, n_k, d_model), (d_model, h * d_k), (d_model, h * d_k), (d_model, h * d_v),
        (h * d_v, d_model),
    )  # fmt: skip
    return (X, context, *(W / 2 for W in matrices), h, _padding(_lengths(sample, batch, n_k), n_k))


def _with_a_table(sample: Sampler, batch: int, h: int, n_k: int, d_model: int, d_k: int, d_v: int) -> Arguments:
    """Draw the inputs of a batch in which each query may see other keys, though none of them all."""
    rows = np.array([[1, 0, 1, 1, 0], [0, 0, 1, 0, 1], [1, 1, 0, 1, 0], [0, 1, 1, 0, 0]], dtype=bool)[:, :n_k]
    *others, _ = _multi_head(sample, batch, h, 4, n_k, d_model, d_k, d_v)
    return *others, np.stack([np.roll(rows, turns, axis=-1) for turns in range(batch)])


EXERCISES = (SHAPES, THREE_MASKS, MULTI_HEAD)

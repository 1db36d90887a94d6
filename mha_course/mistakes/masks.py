"""Who may see whom: the positions of queries and keys, and how they are compared."""

from collections.abc import Callable

import numpy as np

from mha_course.engine.checking.exercise import Mistake, mistake
from mha_course.engine.checking.solution import Step
from mha_course.mistakes import shared

LOW = (-np.inf, -1e9, -1e10, -1e4, float(np.finfo(np.float32).min))  # what is written for minus infinity

SIZE_OF_EXAMPLE = mistake(
    "The mask always has the size of the example.",
    "The number of tokens is an argument. Count the positions up to it.",
)
SEES_EVERYTHING = mistake("Nothing is hidden.", "Every query sees every key, the later ones too.")
SEES_NOTHING = mistake("Everything is hidden.", "No query may look at anything, so nothing is left to mix.")
AND_OF_TABLES = mistake(
    "`and` is used between whole tables.",
    "A table of True and False is neither true nor false as a whole, so NumPy refuses. & compares entry by entry.",
)


def size_of(example: int) -> tuple[Mistake, ...]:
    """Return the wrong ways to say how many positions there are. example: how many the task's example has."""
    return (
        SIZE_OF_EXAMPLE.by(lambda: example),
        mistake("The mask has one position too few.",
                "np.arange(n) counts n positions, from 0 to n - 1.", lambda n: n - 1),
        mistake("The mask has one position too many.",
                "np.arange(n) counts n positions, from 0 to n - 1.", lambda n: n + 1),
        mistake("The mask is only as wide as the longest sentence.",
                "The padding counts, too: the scores have a column for each key, real or not.",
                lambda lengths: int(lengths.max())),
        mistake("The mask has as many positions as there are sentences.",
                "len(lengths) counts sentences. The number of tokens is an argument.",
                lambda lengths: len(lengths)),
    )


POSITIONS = Step("positions", lambda n: np.arange(n))

ACROSS_AND_DOWN = Step(
    "queries keys",
    lambda positions: (positions[:, None], positions),
    mistake("The rows of the queries are in reverse order.",
            "Query 1 belongs in the first row. Here the first row is that of the last token.",
            lambda positions: (positions[::-1, None], positions)),
    mistake("The columns of the keys are in reverse order.",
            "Key 1 belongs in the first column. Here the first column is that of the last token.",
            lambda positions: (positions[:, None], positions[::-1])),
)

NOT_LATER = Step(
    "causal",
    lambda queries, keys: keys <= queries,
    mistake("Each token's own position is hidden.",
            "A token may see itself, too. The first token of a text could otherwise see nothing.",
            lambda queries, keys: keys < queries),
    mistake("Each token sees one later token.",
            "The next token is the very one that a model has to predict.",
            lambda queries, keys: keys <= queries + 1),
    mistake("Each token sees only itself.",
            "Here only the diagonal is True. The tokens before it may be seen as well.",
            lambda queries, keys: keys == queries),
    mistake("Each token sees all but itself.",
            "!= is True wherever two positions differ. A key may be seen if it is not later than the query: <=.",
            lambda queries, keys: keys != queries),
    mistake("Each token sees only itself and the one before.",
            "That is a window. All the tokens before may be seen.",
            lambda queries, keys: (keys <= queries) & (keys >= queries - 1)),
    mistake("Each token sees two later tokens.",
            "Later tokens are those that a model has to predict.",
            lambda queries, keys: keys <= queries + 2),
)

LIMITS = Step(
    "key_positions limits",
    lambda positions, lengths: (positions, lengths[:, None]),
    mistake("The lengths line up with the keys.",
            "So length 1 meets key 1. Give the lengths another axis, [:, None]. As it is, this runs only with as many "
            "sentences as keys.",
            lambda positions, lengths: (positions, lengths)),
    mistake("The length of the longest sentence is used for all.",
            "Each sentence has its own length, and with it its own padding.",
            lambda positions, lengths: (positions, np.full((len(lengths), 1), lengths.max()))),
    mistake("The length of the shortest sentence is used for all.",
            "Each sentence has its own length, and with it its own padding.",
            lambda positions, lengths: (positions, np.full((len(lengths), 1), lengths.min()))),
    mistake("The length of the first sentence is used for all.",
            "Each sentence has its own length: lengths[:, None] is a column of them.",
            lambda positions, lengths: (positions, np.full((len(lengths), 1), lengths[0]))),
    mistake("The lengths are added up from sentence to sentence.",
            "Each sentence of a batch begins at position 0, so its own length is the limit.",
            lambda positions, lengths: (positions, np.cumsum(lengths)[:, None])),
    mistake("The sentences are in reverse order.",
            "Length 1 belongs to sentence 1.",
            lambda positions, lengths: (positions, lengths[::-1, None])),
    mistake("The padding is expected in front.",
            "Some code pads on the left. Here the sentence comes first, and the padding after it.",
            lambda positions, lengths: (positions[::-1], lengths[:, None])),
    mistake("Each sentence's padded tokens are counted, not its real ones.",
            "The number of all tokens minus the length is that of the padding. A token is real if its position is "
            "below the length.",
            lambda positions, lengths: (positions, len(positions) - lengths[:, None])),
)

REAL = Step(
    "is_real",
    lambda key_positions, limits: key_positions < limits,
    mistake("One token too many is visible in each sentence.",
            "Positions count from 0: a sentence of length 3 has the positions 0, 1 and 2.",
            lambda key_positions, limits: key_positions <= limits),
    mistake("One token too few is visible in each sentence.",
            "A sentence of length 3 has the positions 0, 1 and 2, and 2 < 3. Count the positions from 0, and compare "
            "them with the lengths as they are.",
            lambda key_positions, limits: key_positions < limits - 1),
    mistake("Only the last token of each sentence can be seen.",
            "== is True at one position only. All real tokens can be seen: <.",
            lambda key_positions, limits: key_positions == limits - 1),
    mistake("Only the first token of the padding can be seen.",
            "== is True at one position only, and the length is that of the first padding token. All real tokens can "
            "be seen: <.",
            lambda key_positions, limits: key_positions == limits),
    mistake("Only the first token of the padding is hidden.",
            "!= is False at one position only. All real tokens can be seen, and nothing after them: <.",
            lambda key_positions, limits: key_positions != limits),
)


def to_add(low: float) -> Callable[[np.ndarray], np.ndarray]:
    """Return what turns a mask into numbers to add, as much other code does."""
    return lambda mask: np.where(mask, 0.0, low)


MEANING = Step("mask", lambda mask: mask, shared.MASK_INVERTED.by(lambda mask: ~mask))

MASK = Step(
    "mask",
    lambda mask: mask,
    shared.NUMBERS_TO_ADD.by(*map(to_add, LOW)),
    mistake("It returns scores, with -∞ where a key is hidden.",
            "A mask says yes or no: True or False. It is applied to the scores later.",
            lambda mask: np.where(mask, 1.0, -np.inf)),
    mistake("It returns weights instead of True and False.",
            "The softmax of the scores comes later.",
            lambda mask: mask / mask.sum(axis=-1, keepdims=True)),
    SEES_NOTHING.by(lambda mask: mask & False),
    mistake("It returns positions instead of True and False.",
            "np.argwhere and np.nonzero say where a mask is True. The mask itself is wanted.",
            lambda mask: np.argwhere(mask)),
)

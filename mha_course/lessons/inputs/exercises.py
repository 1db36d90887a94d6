"""Exercises of lesson 1: rows for tokens, rows for positions."""

import itertools

import numpy as np

from mha_course.engine.checking.exercise import Arguments, Case, Exercise, mistake
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.solution import Solution, Step
from mha_course.maths.inputs import positional_encoding
from mha_course.mistakes import positions


def _alike(sample: Sampler, size: int, width: int) -> np.ndarray:
    """Draw a table whose rows all differ, though they have many entries in common."""
    rows = np.array(list(itertools.product((-1.5, 0.5, 2.0), repeat=width)))
    return sample.generator.permutation(rows)[:size]


def _looked_up(sample: Sampler, n: int, size: int, width: int) -> Arguments:
    """Draw the rows of a sentence of n tokens, the first of which comes again, and their table."""
    table = _alike(sample, size, width)
    ids = sample.generator.permutation(np.arange(1, size))[: max(n - 1, 1)]
    return table[np.append(ids, ids[0])[:n]], table


def _ids_and_tables(sample: Sampler, n: int, size: int, positions: int, d_model: int) -> Arguments:
    """Draw the ids of n tokens, none twice as far as the vocabulary allows, and the two tables."""
    ids = np.resize(sample.generator.permutation(size), n)
    return ids, *sample((size, d_model), (positions, d_model))


LOOK_UP = Step(
    "embedded",
    lambda ids, embeddings: embeddings[ids],
    mistake("The ids are counted from 1.",
            "Id 0 is the first row of the table: use the ids as they are.",
            lambda ids, embeddings: embeddings[ids - 1]),
    mistake("It takes the first rows of the embeddings, whatever the ids are.",
            "Token i has the row number ids[i] of the table: embeddings[ids].",
            lambda ids, embeddings: embeddings[: len(ids)]),
    mistake("It takes the whole table of embeddings.",
            "The table has a row for every word. Only those of this sentence are wanted: embeddings[ids].",
            lambda embeddings: embeddings),
    mistake("It takes columns of the embeddings, not rows.",
            "A token's embedding is a row of the table: embeddings[ids].",
            lambda ids, embeddings: embeddings[:, ids],
            lambda ids, embeddings: embeddings[:, ids].T),
    mistake("The rows are in the order of the ids, not of the sentence.",
            "The first row belongs to the first token: the ids stay in their order.",
            lambda ids, embeddings: embeddings[np.sort(ids)]),
    mistake("The sentence is read backwards.",
            "The first row belongs to the first token.",
            lambda ids, embeddings: embeddings[ids[::-1]]),
    mistake("All tokens get the embedding of one of them.",
            "Each token has an id of its own: look up all of them, embeddings[ids].",
            lambda ids, embeddings: embeddings[ids[0]],
            lambda ids, embeddings: embeddings[ids[-1]]),
    mistake("The embeddings are multiplied by √d_model.",
            "The 2017 paper does that as well. This task only adds.",
            lambda ids, embeddings: embeddings[ids] * embeddings.shape[-1] ** 0.5),
    mistake("The ids are added, not the rows that they stand for.",
            "An id is only the number of a row. Look the row up: embeddings[ids].",
            lambda ids: ids[:, None]),
)

CUT = Step(
    "encoding",
    lambda ids, encoding: encoding[: len(ids)],
    mistake("The rows of the encoding are looked up by the ids.",
            "The id says which word it is. Its position says where it stands: 0 for the first token, then 1, and so "
            "on.",
            lambda ids, encoding: encoding[ids]),
    mistake("The encoding is not cut to the length of the sentence.",
            "The table has rows for long sentences, too. Take as many as there are tokens: encoding[:n].",
            lambda encoding: encoding),
    mistake("The positions begin at 1.",
            "The first token is at position 0: it gets the first row.",
            lambda ids, encoding: encoding[1 : len(ids) + 1]),
    mistake("The last rows of the encoding are taken.",
            "The first token is at position 0: take the first rows, encoding[:n].",
            lambda ids, encoding: encoding[-len(ids) :]),
    mistake("The positions run backwards.",
            "The first token is at position 0, the last at n - 1.",
            lambda ids, encoding: encoding[: len(ids)][::-1]),
    mistake("Every token gets the row of position 0.",
            "Then all positions look alike, and attention cannot know the order. Token 1 gets row 1, and so on.",
            lambda encoding: encoding[0]),
    mistake("Every token gets the row of the last position.",
            "Then all positions look alike, and attention cannot know the order. Each token gets its own row.",
            lambda ids, encoding: encoding[len(ids) - 1],
            lambda ids, encoding: encoding[len(ids)],
            lambda encoding: encoding[-1]),
    mistake("The encoding is cut to the size of the vocabulary.",
            "There is a row for each token of the sentence: len(ids) of them, not len(embeddings).",
            lambda encoding, embeddings: encoding[: len(embeddings)]),
    mistake("The encoding is cut to the width of a row.",
            "There is a row for each token of the sentence: len(ids) of them. The width is another size.",
            lambda encoding: encoding[: encoding.shape[-1]]),
    mistake("The number of tokens is fixed.",
            "It fits the example only. Other sentences are longer or shorter: take it from the ids, len(ids).",
            lambda encoding: encoding[:2],
            lambda encoding: encoding[:3]),
    mistake("It adds the position itself, not its row of the encoding.",
            "The position grows without end, and drowns out the token. The encoding has a row for each position.",
            lambda ids: np.arange(len(ids))[:, None]),
)

COMPARE = Step(
    "same",
    lambda rows, embeddings: (rows[:, None] == embeddings).all(axis=-1),
    mistake("One equal entry counts as an equal row.",
            "Rows may share an entry. A row is the same only if all its entries are: all, not any.",
            lambda rows, embeddings: (rows[:, None] == embeddings).any(axis=-1)),
    mistake("Only the first column is compared.",
            "Several rows of the table may begin with the same entry. All columns must agree.",
            lambda rows, embeddings: rows[:, None, 0] == embeddings[:, 0]),
    mistake("Only the last column is compared.",
            "Several rows of the table may end with the same entry. All columns must agree.",
            lambda rows, embeddings: rows[:, None, -1] == embeddings[:, -1]),
    mistake("The sums of the rows are compared.",
            "Different rows may have the same sum. Compare entry by entry.",
            lambda rows, embeddings: rows.sum(axis=-1)[:, None] == embeddings.sum(axis=-1)),
    mistake("It looks for the largest dot product, not for an equal row.",
            "Another row can have a larger dot product, just because it is long. Ask which row is equal.",
            lambda rows, embeddings: rows @ embeddings.T),
)


def _by_first_appearance(ids):
    return np.array([list(dict.fromkeys(ids.tolist())).index(each) for each in ids.tolist()])


FIND = Step(
    "ids",
    lambda same: same.argmax(axis=1),
    mistake("It looks up the table in the sentence, not the sentence in the table.",
            "One number for each token is wanted: the row of the table that is equal to it. The tokens go down, the "
            "ids across.",
            lambda same: same.argmax(axis=0)),
    mistake("It returns True or False for each row of the table.",
            "The id is the position of the True: argmax finds it.",
            lambda same: same,
            lambda same: same * 1),
    mistake("It says whether there is an equal row, not which one.",
            "max says whether. argmax says where.",
            lambda same: same.max(axis=1),
            lambda same: same.max(axis=1) * 1),
    mistake("It only numbers the tokens of the sentence.",
            "An id is a row of the table. np.nonzero gives two arrays: first the tokens, then their rows in the table.",
            lambda same: np.arange(len(same)),
            lambda same: _by_first_appearance(same.argmax(axis=1))),
    mistake("Each id is in an array of its own.",
            "One number for each token is wanted, not an array with one number in it.",
            lambda same: same.argmax(axis=1)[:, None]),
)

COUNT = Step(
    "ids",
    lambda ids: ids,
    mistake("The ids are counted from 1.", "Id 0 is the first row of the table.", lambda ids: ids + 1),
    mistake("Repeated ids are left out.",
            "A token that occurs twice in the sentence has its id twice, and the ids keep the order of the tokens.",
            lambda ids: np.unique(ids)),
    mistake("The ids are sorted.",
            "A sentence has its own order: the first id belongs to the first token.",
            lambda ids: np.sort(ids)),
    mistake("The sentence is read backwards.", "The first id belongs to the first token.", lambda ids: ids[::-1]),
    mistake("Only the first token's id is returned.",
            "Every token needs one. A return inside a loop ends the function in its first round.",
            lambda ids: ids[0],
            lambda ids: ids[:1]),
)

IDS = Exercise(
    "inputs.ids",
    "Back to the ids",
    Solution("rows embeddings", [COMPARE, FIND, COUNT]),
    cases=(
        Case("the example", (np.array([[1, 4], [3, 4], [1, 4]]), np.array([[1, 2], [3, 4], [1, 4]]))),
        Case("five tokens, a table of seven rows", lambda sample: _looked_up(sample, 5, 7, 3)),
        Case("one token", lambda sample: _looked_up(sample, 1, 8, 2)),
        Case("more tokens than the table is wide", lambda sample: _looked_up(sample, 6, 9, 2)),
        Case("as many tokens as the table has rows", lambda sample: _looked_up(sample, 6, 6, 4)),
        Case("all sizes equal", lambda sample: _looked_up(sample, 5, 5, 5)),
        Case("a table of width 1", lambda sample: _looked_up(sample, 3, 3, 1)),
    ),
    notice=(
        "A lookup loses nothing as long as no two rows of the table are equal. A model that writes text goes back in "
        "this way at its end, from a row to a token, though there the row hardly ever equals a row of the table."
    ),
    untraced=("rows", "embeddings"),  # the rows must be in the table
)

TOKENS = Step(
    "embedded",
    lambda embedded: embedded,
    mistake("The embeddings are multiplied by √d_model.",
            "The 2017 paper does that as well. This task only adds.",
            lambda embedded: embedded * embedded.shape[-1] ** 0.5),
    mistake("The embeddings are divided by √d_model.",
            "Nothing is scaled here: this task only adds.",
            lambda embedded: embedded / embedded.shape[-1] ** 0.5),
    mistake("The sentences are mixed with each other.",
            "Each sentence of the batch is a separate text: every token keeps its own row.",
            lambda embedded: embedded.sum(axis=0),
            lambda embedded: embedded.mean(axis=0),
            lambda embedded: embedded.sum(axis=0, keepdims=True),
            lambda embedded: embedded.mean(axis=0, keepdims=True)),
    mistake("Only one sentence is returned.",
            "Every sentence of the batch gets its positions: add to all of them at once.",
            lambda embedded: embedded[0],
            lambda embedded: embedded[-1],
            lambda embedded: embedded[:1]),
)

HOW_MANY = Step(
    "n",
    lambda embedded: embedded.shape[-2],
    mistake("The number of sentences is used as the number of tokens.",
            "Axis 0 counts sentences, axis 1 tokens. The number of tokens is shape[-2].",
            lambda embedded: len(embedded)),
    mistake("The width is used as the number of tokens.",
            "The last axis is as wide as a row. The one before it counts tokens: shape[-2].",
            lambda embedded: embedded.shape[-1]),
    mistake("There is one position too many.",
            "A sentence of n tokens has the positions 0 to n - 1: positional_encoding(n, d_model) gives these n rows.",
            lambda embedded: embedded.shape[-2] + 1),
    mistake("There is one position too few.",
            "A sentence of n tokens has the positions 0 to n - 1: positional_encoding(n, d_model) gives these n rows.",
            lambda embedded: embedded.shape[-2] - 1),
    mistake("The tokens of all sentences are counted together.",
            "Each sentence has its own positions, from 0 on. The number of its tokens is shape[-2].",
            lambda embedded: len(embedded) * embedded.shape[-2]),
    mistake("The number of tokens is fixed: 3.",
            "It fits the example only. Other sentences are longer or shorter: take it from the shape.",
            lambda: 3),
)

HOW_WIDE = Step(
    "d_model",
    lambda embedded: embedded.shape[-1],
    mistake("The number of tokens is used as the width.",
            "The width of a row is the last axis: shape[-1].",
            lambda embedded: embedded.shape[-2]),
    mistake("The number of sentences is used as the width.",
            "The width of a row is the last axis: shape[-1].",
            lambda embedded: len(embedded)),
    mistake("The width is fixed: 2.",
            "It fits the example only. Other rows are wider: take it from the shape.", lambda: 2),
)

ENCODE = Step(
    "encoding",
    lambda n, d_model: positional_encoding(n, d_model),
    mistake("The positions are counted along the batch.",
            "Axis 0 counts sentences, axis 1 counts tokens. Here every token of a sentence gets the same row, and each "
            "sentence a different one.",
            lambda embedded, d_model: positional_encoding(len(embedded), d_model)[:, None, :],
            lambda n, d_model: positional_encoding(n, d_model)[:, None, :],
            where="cmu-l3/anlp-fall2025-code #1"),
    mistake(
        "The positions run on from one sentence to the next.",
        "Every sentence begins at position 0.",
        lambda embedded, n, d_model: positional_encoding(len(embedded) * n, d_model).reshape(len(embedded), n, d_model),
    ),
    mistake("The positions begin at 1.",
            "The first token is at position 0: its row is (0, 1, 0, 1, …).",
            lambda n, d_model: positional_encoding(n + 1, d_model)[1:]),
    mistake("The positions run backwards.",
            "The first token is at position 0, the last at n - 1.",
            lambda n, d_model: positional_encoding(n, d_model)[::-1]),
    mistake("Every token gets the row of position 0.",
            "Then all positions look alike, and attention cannot know the order. Token 1 gets row 1, and so on.",
            lambda d_model: positional_encoding(1, d_model)),
    mistake("Every token gets the row of the last position.",
            "Then all positions look alike, and attention cannot know the order. Each token gets its own row.",
            lambda n, d_model: positional_encoding(n, d_model)[-1]),
    mistake("The number of rows and the width are swapped.",
            "positional_encoding(n, d_model): first how many positions, then how wide.",
            lambda n, d_model: positional_encoding(d_model, n)),
    mistake("The wrong two sizes are taken from the shape.",
            "The first two count sentences and tokens. Tokens and width are the last two: shape[-2:].",
            lambda embedded: positional_encoding(*embedded.shape[:2])),
    mistake("The encoding is transposed.",
            "positional_encoding(n, d_model) has one row for each position, as the sentence has one for each token.",
            lambda n, d_model: positional_encoding(n, d_model).T),
    mistake("It adds the position itself, not its row of the encoding.",
            "The position grows without end, and drowns out the token. positional_encoding gives a row of waves for "
            "each position.",
            lambda n: np.arange(n)[:, None],
            lambda n: np.arange(n)),
)

FIRST_SENTENCE_ONLY = mistake(
    "Only the first sentence gets its positions.",
    "Every sentence begins at position 0: add the rows to all sentences of the batch.",
)
FIRST_TOKEN_ONLY = mistake(
    "Only the first token gets its position.", "Every token has a position of its own: add the whole table."
)

ADD = Step(
    "X",
    lambda embedded, encoding: embedded + encoding,
    mistake("It subtracts the positions.",
            "A model could learn with either, but this course adds them, as the paper does.",
            lambda embedded, encoding: embedded - encoding),
    mistake("It subtracts the embeddings.",
            "Add the two: the token's row, plus that of its position.",
            lambda embedded, encoding: encoding - embedded),
    mistake("The embeddings are missing from the result.",
            "It says where each token is, but no longer which it is. Add the two.",
            lambda embedded, encoding: embedded * 0 + encoding,
            lambda encoding: encoding),
    mistake("The positions are missing from the result.",
            "The rows come back as they were, so attention cannot know the order.",
            lambda embedded: embedded),
    mistake("The two are put side by side, not added.",
            "That doubles the width. Add them: the row keeps its width d_model.",
            lambda embedded, encoding: np.concatenate([embedded, embedded * 0 + encoding], axis=-1)),
    mistake("The two are put one below the other, not added.",
            "That makes more rows. Add them: each token keeps one row.",
            lambda embedded, encoding: np.concatenate([embedded, embedded * 0 + encoding], axis=-2),
            lambda embedded, encoding: np.concatenate([embedded, embedded * 0 + encoding], axis=0)),
    mistake("It multiplies instead of adding.",
            "Many entries of the encoding are near 0: multiplying by them wipes out the token.",
            lambda embedded, encoding: embedded * encoding),
    mistake("It takes the matrix product instead of the sum.",
            "@ combines every token with every position. Each token needs only its own: add the rows.",
            lambda embedded, encoding: embedded @ encoding.mT),
    mistake("It takes the mean of the two.",
            "Add them, without dividing.",
            lambda embedded, encoding: (embedded + encoding) / 2),
    mistake("The positions are added twice.",
            "Once is enough: each token gets one row of waves.",
            lambda embedded, encoding: embedded + 2 * encoding),
    mistake("The embeddings are added twice.",
            "Add each token's row once, and one row of waves.",
            lambda embedded, encoding: 2 * embedded + encoding),
    FIRST_SENTENCE_ONLY.by(
         lambda embedded, encoding: np.concatenate([embedded[:1] + encoding, embedded[1:]])),
    FIRST_TOKEN_ONLY.by(
         lambda embedded, encoding: np.concatenate([embedded[:, :1] + encoding[..., :1, :], embedded[:, 1:]], axis=1)),
)

FROM_IDS = Exercise(
    "inputs.from_ids",
    "From ids to inputs",
    Solution(
        "ids embeddings encoding",
        [
            LOOK_UP,
            CUT,
            ADD.without(FIRST_SENTENCE_ONLY, FIRST_TOKEN_ONLY).knowing(
                FIRST_TOKEN_ONLY.by(
                    lambda embedded, encoding: np.concatenate([embedded[:1] + encoding[:1], embedded[1:]])
                ),
                mistake("The result is transposed.", "Each token keeps a row of its own.",
                        lambda embedded, encoding: (embedded + encoding).T),
            ),
        ],
    ),
    cases=(
        Case(
            "the example",
            (np.array([2, 0]), np.array([[1, 2], [3, 4], [5, 6]]), np.array([[0.5, 0], [0, 1], [2, 0], [0, 3]])),
        ),
        Case("5 tokens, a vocabulary of 7", lambda sample: _ids_and_tables(sample, 5, 7, 9, 3)),
        Case("more tokens than words", lambda sample: _ids_and_tables(sample, 6, 4, 8, 5)),
        Case("one token", lambda sample: _ids_and_tables(sample, 1, 5, 6, 4)),
        Case("as many tokens as positions", lambda sample: _ids_and_tables(sample, 4, 6, 4, 3)),
        Case("as many tokens as columns", lambda sample: _ids_and_tables(sample, 3, 8, 9, 3)),
        Case("all sizes equal", lambda sample: _ids_and_tables(sample, 4, 4, 4, 4)),
        Case("as many tokens as words", lambda sample: _ids_and_tables(sample, 5, 5, 8, 2)),
    ),
    notice=(
        "This is how every language model begins: one table says which token it is, the other where it stands. In a "
        "model both tables can be learned."
    ),
    untraced=("ids",),
    off_limits=("mine.inputs",),
)

BATCH = Step(
    "X",
    lambda X: X,
    mistake("The batch axis is lost.",
            "The rows of all sentences are in one table now. Each sentence stays a table of its own: the result has "
            "the shape of the embeddings.",
            lambda X: X.reshape(-1, X.shape[-1])),
    mistake("All numbers are in one long row.",
            "The result has the shape of the embeddings: sentences, tokens, columns.",
            lambda X: X.reshape(-1)),
    mistake("Each sentence has become one long row.",
            "Each token keeps a row of its own: the result has the shape of the embeddings.",
            lambda X: X.reshape(len(X), -1)),
    mistake("The axes of sentences and tokens are swapped.",
            "Sentences come first, then tokens, then columns, as in the embeddings. Some frameworks put tokens first.",
            lambda X: X.swapaxes(0, 1)),
    mistake("Each sentence is transposed.",
            "Each token keeps a row of its own, as in the embeddings.",
            lambda X: X.mT),
)

ADD_POSITIONS = Exercise(
    "inputs.add_positions",
    "Add the positions to a batch",
    Solution("embedded", [TOKENS, HOW_MANY, HOW_WIDE, ENCODE, ADD, BATCH]),
    cases=(
        Case("the example", (np.array([[[0, 0], [0, 0], [0, 0]], [[1, 2], [3, 4], [5, 6]]]),)),
        Case("4 sentences of 5 tokens", lambda sample: sample((4, 5, 6))),
        Case("5 sentences of 2 tokens", lambda sample: sample((5, 2, 4))),
        Case("one sentence of one token", lambda sample: sample((1, 1, 3))),
        Case("as many sentences as tokens", lambda sample: sample((3, 3, 4))),
        Case("one sentence of 4 tokens", lambda sample: sample((1, 4, 6))),
        Case("3 sentences of one token", lambda sample: sample((3, 1, 4))),
        Case("3 sentences of 4 tokens, width 1", lambda sample: sample((3, 4, 1))),
        Case("as many tokens as columns", lambda sample: sample((2, 4, 4))),
        Case("as many sentences as columns", lambda sample: sample((4, 3, 4))),
        Case("all sizes equal", lambda sample: sample((4, 4, 4))),
        Case("float32", lambda sample: tuple(map(np.float32, sample((2, 5, 8))))),
    ),
    notice=(
        "Both sentences got the same encoding: NumPy repeats the (n, d_model) table for every sentence of the batch. "
        "Counting from the end of the shape, shape[-2], also works without a batch."
    ),
)


def _positions(sample: Sampler, n: int) -> np.ndarray:
    """Draw positions: out of order, none twice, and 0 in the second place."""
    numbers = sample.generator.permutation(np.arange(1, 50))[:n]
    return np.array([0 if place == 1 else number for place, number in enumerate(numbers)])


def _one_position(sample: Sampler) -> np.ndarray:
    """Draw one position whose sine and cosine are both below 0."""
    return sample.generator.choice([4, 10, 16, 23, 29], size=1)


def _width(sample: Sampler) -> int:
    return int(sample.generator.choice([8, 10, 12]))


ANGLES = Exercise(
    "inputs.angles",
    "The angles",
    Solution("positions d_model", positions.TABLE_OF_ANGLES),
    cases=(
        Case("the example", (np.array([5, 0, 2]), 4)),
        Case("seven positions", lambda sample: (_positions(sample, 7), _width(sample))),
        Case("one position", lambda sample: (_positions(sample, 1), 6)),
        Case("as many positions as pairs", lambda sample: (_positions(sample, 4), 8)),
        Case("one pair", lambda sample: (_positions(sample, 3), 2)),
        Case("more pairs than positions", lambda sample: (_positions(sample, 3), _width(sample))),
        Case("as many positions as columns", lambda sample: (_positions(sample, 6), 6)),
    ),
    notice=(
        "Column 0 is the position itself: the first pair turns by 1 radian a step, and every later pair more slowly."
    ),
    untraced=("d_model",),
)

ENCODING = Exercise(
    "inputs.encoding",
    "The positional encoding",
    Solution("positions d_model", positions.ENCODING),
    cases=(
        Case("the example", (np.array([3, 0]), 4)),
        Case("seven positions", lambda sample: (_positions(sample, 7), _width(sample))),
        Case("one position", lambda sample: (_one_position(sample), 6)),
        Case("as many positions as columns", lambda sample: (_positions(sample, 6), 6)),
        Case("one pair", lambda sample: (_positions(sample, 3), 2)),
        Case("more pairs than positions", lambda sample: (_positions(sample, 3), _width(sample))),
        Case("as many positions as pairs", lambda sample: (_positions(sample, 4), 8)),
    ),
    off_limits=("positional_encoding",),
    notice="Position 0 is (0, 1, 0, 1, …) at every width. Every row is a set of clock hands, the second hand first.",
    untraced=("d_model",),
)


EXERCISES = (FROM_IDS, ADD_POSITIONS, IDS, ANGLES, ENCODING)

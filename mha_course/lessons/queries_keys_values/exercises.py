"""Exercises of lesson 2: queries, keys and values."""

from functools import partial

import numpy as np

from mha_course.engine.checking.exercise import Arguments, Case, Exercise, Function, mistake
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.solution import Solution, Step
from mha_course.mistakes import projections, shared

LISTS = Step(
    "has wants",
    lambda has, wants: (has, wants),
    mistake("has and wants are swapped.",
            "A row of W_Q belongs to a column of X, to something a token has. A column of W_Q is something it asks "
            "for.",
            lambda has, wants: (wants, has)),
    mistake("The columns are counted from 1.",
            "The arguments count from 0, as NumPy does. Minus 1, column 0 becomes column -1, the last.",
            lambda has, wants: (has - 1, wants - 1)),
    mistake("Only the first question is written.",
            "Each position of the two lists holds a question: one 1 for each.",
            lambda has, wants: (has[:1], wants[:1])),
    mistake("Only the last question is written.",
            "Each position of the two lists holds a question: one 1 for each. An array made inside the loop begins "
            "anew every time.",
            lambda has, wants: (has[-1:], wants[-1:])),
    mistake("The first question is left out.",
            "Counting begins at 0: range(1, n) leaves out the first.",
            lambda has, wants: (has[1:], wants[1:])),
    mistake("The last question is left out.",
            "range(n) runs from 0 to n - 1, and range(n - 1) stops one earlier.",
            lambda has, wants: (has[:-1], wants[:-1])),
    mistake("A later question overwrites an earlier one.",
            "A token may ask for several things at once: then its row of W_Q has several 1s.",
            lambda has, wants: tuple(np.array([*{h: (h, w) for h, w in zip(has, wants, strict=True)}.values()]).T)),
    mistake("wants is read backwards.", "wants[i] belongs to has[i].", lambda has, wants: (has, wants[::-1])),
    mistake("The two lists are sorted first.",
            "wants[i] belongs to has[i]: sorted, the two no longer fit together.",
            lambda has, wants: (np.sort(has), np.sort(wants))),
)

NO_QUESTION = Step(
    "empty",
    lambda d_model: np.zeros((d_model, d_model)),
    mistake("Every token also asks for what it is itself.",
            "Begin with zeros: the lists hold all the questions. np.eye already has a 1 for each column.",
            lambda d_model: np.eye(d_model)),
    mistake("Every token asks for everything.",
            "Begin with zeros: a 1 belongs only where there is a question.",
            lambda d_model: np.ones((d_model, d_model))),
    mistake("The matrix is no larger than the questions need.",
            "It has a row and a column for each column of X: (d_model, d_model). Many may stay zero.",
            lambda has, wants: np.zeros((max(*has, *wants) + 1,) * 2),
            lambda has, wants: np.zeros((max(has) + 1, max(wants) + 1))),
)


def _written(table, rows, columns, entry=1.0):
    """Return a copy of a table with an entry in these places."""
    table = table.copy()
    table[rows, columns] = entry
    return table


def _written_as(empty, has, wants, entry=1.0):
    return _written(empty, has, wants, entry)


def _written_into_a_copy(empty, has, wants):
    empty[has][wants] = 1.0
    return empty


WRITE = Step(
    "W_Q",
    lambda empty, has, wants: _written(empty, has, wants),
    mistake("Every entry of has is paired with every entry of wants.",
            "wants[i] belongs to has[i] alone. W_Q[has, wants] = 1 writes one entry for each position of the lists.",
            lambda empty, has, wants: _written(empty, has[:, None], wants)),
    mistake("The questions go both ways.",
            "An action asks for something animate. If something animate asked for an action, that would be another "
            "question.",
            lambda empty, has, wants: _written(_written(empty, has, wants), wants, has)),
    mistake("Whole rows are written.",
            "A row of 1s asks for everything. Row and column together choose the entry: W_Q[has, wants].",
            lambda empty, has: _written(empty, has, slice(None)),
            lambda empty, has, wants: _written(empty, has, slice(None), wants[:, None])),
    mistake("Whole columns are written.",
            "Then every token asks, whatever it has. Row and column together choose the entry: W_Q[has, wants].",
            lambda empty, wants: _written(empty, slice(None), wants)),
    mistake("W_Q has a row for each question, not for each column of X.",
            "X @ W_Q needs a row for each column of X, and has[i] says which row it is.",
            lambda d_model, wants: np.eye(d_model)[wants],
            lambda empty, wants: _written(empty, np.arange(len(wants)), wants)),
    mistake("The matrix stays all zeros.",
            "No 1 was written into it. One way to lose them all is W_Q[has][wants] = 1: that writes into a copy. Both "
            "belong in one pair of brackets: W_Q[has, wants] = 1.",
            lambda d_model: np.zeros((d_model, d_model)),
            _written_into_a_copy),
    mistake("The entries are column numbers instead of 1.",
            "A column's number is only its name. The entry says how strongly to ask: 1.",
            lambda empty, has, wants: _written(empty, has, wants, wants),
            lambda empty, has, wants: _written(empty, has, wants, has)),
    mistake("The entries are -1 instead of 1.",
            "A query of -1 looks for the opposite: its match with the wanted column is below 0.",
            lambda empty, has, wants: _written(empty, has, wants, -1.0)),
    mistake("The entries are not 1.",
            "Each question is equally strong here: its entry is 1. How much a token has makes its query larger.",
            *(partial(_written_as, entry=entry) for entry in (2.0, 0.5, 3.0, 5.0, 10.0, 100.0))),
)

ALL_QUESTIONS = Step(
    "W_Q",
    lambda W_Q: W_Q,
    mistake("Zeros and ones are swapped.",
            "A 1 belongs where there is a question, a 0 everywhere else.",
            lambda W_Q: 1 - W_Q),
    mistake("The table is flattened.",
            "W_Q has two axes, both of size d_model.",
            lambda W_Q: W_Q.reshape(-1)),
    mistake("Each row is divided by its sum.",
            "These are parameters, not attention weights: each question gets a 1.",
            lambda W_Q: W_Q / np.maximum(W_Q.sum(axis=-1, keepdims=True), 1)),
)


def _questions(sample: Sampler, count: int, d_model: int) -> Arguments:
    """Draw different questions, in no order; the first column asks twice, and the last two columns ask nothing."""
    others = sample.generator.permutation([(h, w) for h in range(1, d_model - 2) for w in range(d_model) if h != w])
    twice = [(0, w) for w in sample.generator.permutation(np.arange(1, d_model))[:2]]
    has, wants = sample.generator.permutation(np.concatenate([twice, others[: count - 2]])).T
    return has, wants, d_model


def _one_question(sample: Sampler) -> Arguments:
    has, wants = sample.generator.permutation(np.arange(1, 4))[:2]
    return np.array([has]), np.array([wants]), 5


QUESTIONS = Exercise(
    "queries_keys_values.questions",
    "Write the questions",
    Solution("has wants d_model", [LISTS, NO_QUESTION, WRITE, ALL_QUESTIONS]),
    cases=(
        Case("the example", (np.array([0, 0, 3]), np.array([1, 2, 2]), 4)),
        Case("4 questions", lambda sample: _questions(sample, 4, 5)),
        Case("one question", _one_question),
        Case("6 questions", lambda sample: _questions(sample, 6, 7)),
        Case("as many questions as columns", lambda sample: _questions(sample, 6, 6)),
        Case("wide rows", lambda sample: _questions(sample, 5, 9)),
    ),
    notice=(
        "A row of W_Q says what a token with something in this column of X asks for, and how strongly. W_Q[has, wants] "
        "= 1 takes the two lists in pairs. Training finds such entries by itself, though rarely ones that can be read "
        "so well."
    ),
    untraced=("has", "wants", "d_model"),
)


ALL_SIZES_DIFFERENT = ((4, 7), (5, 7), (7, 3), (7, 3), (7, 6))
ALL_SIZES_EQUAL = ((3, 3), (3, 3), (3, 3), (3, 3), (3, 3))  # every wrong order still runs

OTHER_ORDERS: tuple[Function, ...] = (
    lambda Q, K, V: (Q, V, K),
    lambda Q, K, V: (K, Q, V),
    lambda Q, K, V: (K, V, Q),
    lambda Q, K, V: (V, K, Q),
    lambda Q, K, V: (V, Q, K),
)
TURNED_OVER = (
    mistake("K is already transposed.",
            "It is transposed only in the product Q @ K.T. Here each row belongs to one token.",
            lambda Q, K, V: (Q, K.T, V)),
    mistake("All three are transposed.",
            "Each row of the queries, keys and values belongs to one token.",
            lambda Q, K, V: (Q.T, K.T, V.T)),
)
SCALED_ALREADY = mistake(
    "The result is already scaled.",
    "Only queries, keys and values are wanted here. The root of d_k belongs to the scores, in the next lesson.",
    lambda Q, K, V: (Q / Q.shape[-1] ** 0.5, K, V),
    lambda Q, K, V: (Q / Q.shape[-1] ** 0.5, K / K.shape[-1] ** 0.5, V),
    lambda Q, K, V: (Q / Q.shape[-1] ** 0.5, K / K.shape[-1] ** 0.5, V / V.shape[-1] ** 0.5),
    lambda Q, K, V: (Q / Q.shape[-1] ** 0.25, K / K.shape[-1] ** 0.25, V),
)

ORDER = Step(
    "Q K V",
    lambda Q, K, V: (Q, K, V),
    mistake("The results are in the wrong order.",
            "The task wants Q, K, V. As long as their shapes are alike, no error shows that two are swapped.",
            *OTHER_ORDERS),
    *TURNED_OVER,
    SCALED_ALREADY,
    mistake("All factors are in the wrong order.",
            "A token is a row, so X and the context belong on the left: each row is multiplied by each column of its "
            "matrix.",
            lambda X, context, W_Q, W_K, W_V: (W_Q @ X, W_K @ context, W_V @ context)),
    mistake("It multiplies entry by entry, three times.",
            "* is not the matrix product. @ goes along a row, down a column, and adds.",
            lambda X, context, W_Q, W_K, W_V: (X * W_Q, context * W_K, context * W_V)),
    mistake("It returns W_Q, W_K and W_V themselves.",
            "Queries, keys and values are made with them: X @ W_Q, context @ W_K, context @ W_V.",
            lambda W_Q, W_K, W_V: (W_Q, W_K, W_V)),
    mistake("Queries, keys and values are all the same.",
            "Each of them is made with its own matrix.",
            lambda Q: (Q, Q, Q),
            lambda V: (V, V, V)),
    mistake("The queries are returned as keys, too.",
            "The second result is the keys: context @ W_K.", lambda Q, V: (Q, Q, V)),
    mistake("The queries are returned as values.",
            "The third result is the values: context @ W_V.",
            lambda Q, K: (Q, K, Q)),
)

KEYS_MAKE_VALUES = mistake(
    "W_V is not used.",
    "The values are made with the matrix of the keys. They need one of their own.",
    lambda W_Q, W_K: (W_Q, W_K, W_K),
)

QKV = Exercise(
    "queries_keys_values.qkv",
    "Queries, keys and values",
    Solution(
        "X context W_Q W_K W_V",
        [
            projections.INPUTS,
            projections.MATRICES_ALONE.knowing(KEYS_MAKE_VALUES),
            projections.QUERIES,
            projections.KEYS,
            projections.VALUES,
            ORDER,
        ],
    ),
    cases=(
        Case(
            "the example",
            (
                np.array([[1, 0]]),
                np.array([[0, 1], [2, 1]]),
                np.array([[1, 2], [3, 4]]),
                np.array([[0, 1], [1, 0]]),
                np.array([[1, 1], [0, 3]]),
            ),
        ),
        Case("4 queries, 5 keys", lambda sample: sample(*ALL_SIZES_DIFFERENT)),
        Case("one token each", lambda sample: sample((1, 3), (1, 3), (3, 2), (3, 2), (3, 4))),
        Case("all sizes equal", lambda sample: sample(*ALL_SIZES_EQUAL)),
        Case("more queries than keys", lambda sample: sample((6, 4), (2, 4), (4, 5), (4, 5), (4, 3))),
        Case("as many queries as keys, one width for all",
             lambda sample: sample((4, 5), (4, 5), (5, 3), (5, 3), (5, 3))),
        Case("square matrices", lambda sample: sample((3, 4), (5, 4), (4, 4), (4, 4), (4, 4))),
        Case("float32", lambda sample: tuple(map(np.float32, sample((2, 6), (3, 6), (6, 4), (6, 4), (6, 5))))),
    ),
    off_limits=("mine.qkv",),
    notice=(
        "There are as many queries as tokens in X, and as many keys and values as tokens in the context. In "
        "self-attention, X and the context are the same."
    ),
)

WIDE = Step(
    "wide",
    lambda X, W: X @ W,
    mistake("W is transposed.",
            "X @ W.T is right where W is stored as (3·d_k, d_model), as torch.nn.Linear does. Here it is (d_model, "
            "3·d_k).",
            lambda X, W: X @ W.T),
    mistake("X is transposed.",
            "The shared size is d_model: the columns of X, the rows of W. Use X as it is.",
            lambda X, W: X.T @ W),
    mistake("The factors are in the wrong order.",
            "A token is a row, so X belongs on the left: each row of X is multiplied by each column of W.",
            lambda X, W: W @ X),
    shared.ENTRY_BY_ENTRY.by(lambda X, W: X * W),
    mistake("W is cut instead of the product.",
            "The three parts of W are only parameters. Multiply X by them: X @ W, or X @ each part.",
            lambda W: W),
    mistake("The product is transposed.",
            "Each row must belong to one token: cut the columns of X @ W as it is.",
            lambda X, W: (X @ W).T),
)

WIDTH = Step(
    "width",
    lambda wide: wide.shape[-1] // 3,
    mistake("d_model is used as the width of a block.",
            "Each block is as wide as a third of X @ W. It need not be as wide as X.",
            lambda X: X.shape[-1]),
    mistake("Each block is a third as wide as X, not as X @ W.",
            "Cut the product: each block is as wide as a third of it.",
            lambda X: X.shape[-1] // 3),
    mistake("The blocks are cut by the number of tokens.",
            "Each block is as wide as a third of X @ W, however many tokens there are.",
            lambda X: len(X),
            lambda X: len(X) // 3),
    mistake("The product is cut into halves, not thirds.",
            "There are three blocks side by side: each is a third as wide as X @ W.",
            lambda wide: wide.shape[-1] // 2),
    mistake("The width of a block is a fixed number.",
            "It may fit the example. Other blocks are wider: take a third of X @ W's width.",
            lambda: 1,
            lambda: 2,
            lambda: 3),
    mistake("Each block is one column too narrow.",
            "The end of a slice is not part of it: [:width] has width columns already.",
            lambda wide: wide.shape[-1] // 3 - 1),
    mistake("Each block is one column too wide.",
            "A block is as wide as a third of X @ W.",
            lambda wide: wide.shape[-1] // 3 + 1),
    mistake("Each block is as wide as the whole.",
            "Three blocks share the columns of X @ W: divide its width by 3.",
            lambda wide: wide.shape[-1]),
)

CUT = Step(
    "Q K V",
    lambda wide, width: (wide[:, :width], wide[:, width : 2 * width], wide[:, 2 * width :]),
    mistake("The product is cut between the tokens.",
            "Each token needs its query, its key and its value. Cut the columns: axis=-1.",
            lambda wide: np.split(wide, 3, axis=0),
            lambda wide: np.array_split(wide, 3, axis=0),
            lambda wide, width: (wide[:width], wide[width : 2 * width], wide[2 * width :])),
    mistake("The product is cut by reshape alone.",
            "reshape(3, …) fills three blocks from the first numbers on, so pieces of a token's query, key and value "
            "end up in one block. Cut the columns.",
            lambda wide, width: wide.reshape(3, -1, width)),
    mistake("The blocks are made of every third column.",
            "W_Q, W_K and W_V are side by side as blocks; their columns do not take turns.",
            lambda wide: (wide[:, 0::3], wide[:, 1::3], wide[:, 2::3])),
    mistake("Each part is a single column, and flat.",
            "Cut blocks of columns: wide[:, :width] stays a table.",
            lambda wide: (wide[:, 0], wide[:, 1], wide[:, 2]),
            lambda wide: wide.T),
    mistake("Each part is only one column.",
            "Cut blocks of columns: wide[:, :width], and so on.",
            lambda wide: (wide[:, :1], wide[:, 1:2], wide[:, 2:3])),
    mistake("Q, K and V are all the same block.",
            "The first block holds only the queries.",
            lambda wide, width: (wide[:, :width],) * 3),
    mistake("The product is not cut.",
            "With three tokens its three rows look like Q, K and V. Cut the columns into three parts.",
            lambda wide: wide),
    mistake("Each of the three is the whole product.",
            "Cut its columns into three blocks: queries, keys and values.",
            lambda wide: (wide, wide, wide)),
    mistake("X is cut instead of the product.",
            "Every query is made from the whole row of X. Multiply first, then cut the result.",
            lambda X, W: tuple(part @ W[: part.shape[-1]] for part in np.array_split(X, 3, axis=-1)),
            lambda X, W: tuple(
                part @ rows for part, rows in zip(np.array_split(X, 3, axis=-1), np.array_split(W, 3), strict=True)
            )),
    mistake("The axis of Q, K and V comes second.",
            "The cut is right, but the first axis still counts tokens. Bring the axis of the three to the front.",
            lambda wide, width: wide.reshape(len(wide), 3, -1)),
    mistake("A column is missing between two blocks.",
            "The end of a slice is not part of it, so the next block begins exactly there: [:width], then [width : 2 * "
            "width].",
            lambda wide, width: (wide[:, :width], wide[:, width + 1 : 2 * width], wide[:, 2 * width + 1 :]),
            lambda wide, width: (wide[:, :width], wide[:, width + 1 : 2 * width + 1], wide[:, 2 * width + 2 :]),
            lambda wide, width: (wide[:, : width - 1], wide[:, width : 2 * width - 1], wide[:, 2 * width : -1]),
            lambda wide, width: (wide[:, : width - 1], wide[:, width : 2 * width - 1], wide[:, 2 * width :])),
    mistake("A column is in two blocks.",
            "The end of a slice is not part of it, so the next block begins exactly there: [:width], then [width : 2 * "
            "width].",
            lambda wide, width: (wide[:, : width + 1], wide[:, width : 2 * width + 1], wide[:, 2 * width :]),
            lambda wide, width: (wide[:, :width], wide[:, width - 1 : 2 * width - 1], wide[:, 2 * width - 1 :])),
    mistake("A block runs on into the next, or begins at the first column.",
            "A slice needs both ends: wide[:, width : 2 * width] is the block in the middle.",
            lambda wide, width: (wide[:, :width], wide[:, width:], wide[:, 2 * width :]),
            lambda wide, width: (wide[:, :width], wide[:, : 2 * width], wide[:, : 3 * width]),
            lambda wide, width: (wide[:, :width], wide[:, : 2 * width], wide[:, 2 * width :]),
            lambda wide, width: (wide[:, :width], wide[:, width:], wide[:, width:]),
            lambda wide, width: (wide, wide[:, width:], wide[:, 2 * width :])),
    mistake("The middle block is returned twice.",
            "The third block begins where the second ends: at 2 * width.",
            lambda wide, width: (wide[:, :width], wide[:, width : 2 * width], wide[:, width : 2 * width])),
    mistake("The middle block is empty.",
            "A slice names its beginning and its end, not its length: the second block ends at 2 * width.",
            lambda wide, width: (wide[:, :width], wide[:, width:width], wide[:, 2 * width :]),
            lambda wide, width: (wide[:, :width], wide[:, width:width], wide[:, width:])),
)

THREE = Step(
    "Q K V",
    lambda Q, K, V: (Q, K, V),
    mistake("Q, K and V are in the wrong order.",
            "The blocks of W come in the order W_Q, W_K, W_V. If the order is wrong, the roles are swapped, and no "
            "error comes.",
            *OTHER_ORDERS,
            where="jsbaan/transformer-from-scratch #1"),
    *TURNED_OVER,
    SCALED_ALREADY,
)

FUSED = Exercise(
    "queries_keys_values.fused",
    "Three in one product",
    Solution("X W", [WIDE, WIDTH, CUT, THREE]),
    cases=(
        Case("the example", (np.array([[1, 0], [0, 1], [1, 1]]), np.array([[1, 2, 3], [4, 5, 6]]))),
        Case("5 tokens", lambda sample: sample((5, 4), (4, 6))),
        Case("one token", lambda sample: sample((1, 4), (4, 9))),
        Case("3 tokens", lambda sample: sample((3, 2), (2, 12))),
        Case("as many tokens as a block has columns", lambda sample: sample((4, 5), (5, 12))),
        Case("6 tokens, all of one width", lambda sample: sample((6, 3), (3, 9))),
        Case("as wide as all three together", lambda sample: sample((2, 6), (6, 6))),
        Case("all sizes equal", lambda sample: sample((3, 3), (3, 9))),
        Case("6 of each", lambda sample: sample((6, 6), (6, 6))),
    ),
    notice=(
        "Real code often does this: one large product is faster than three small ones. "
        "np.split(X @ W, 3, axis=-1) cuts in one call."
    ),
)

EXERCISES = (QUESTIONS, QKV, FUSED)

"""Exercises of lesson 2: queries, keys and values."""

import numpy as np

from mha_course.checking import known_mistakes as known
from mha_course.checking.exercise import Case, Exercise, Mistake

ENTRY = Exercise(
    name="queries_keys_values.entry",
    number="2.1",
    title="One entry",
    right=lambda X, W, row, column: (X[row] * W[:, column]).sum(),
    results=("entry",),
    cases=(
        Case("the example", (np.array([[1, 2], [3, 4]]), np.array([[1, 2], [0, 5]]), 0, 1)),
        Case("3 tokens", lambda draw: (*draw((3, 4), (4, 5)), 2, 3)),
        Case("one token", lambda draw: (*draw((1, 3), (3, 2)), 0, 1)),
        Case("the first column", lambda draw: (*draw((4, 3), (3, 3)), 2, 0)),
        Case("a negative entry", lambda draw: (*draw((3, 4), (4, 2)), 1, 1)),
    ),
    mistakes=(
        Mistake(
            "It takes a row of W instead of a column.",
            "W[column] is a row. A column is W[:, column]: all rows, one column.",
        ).by(lambda X, W, row, column: (X[row] * W[column]).sum()),
        Mistake(
            "The sum is missing.",
            "The products of the pairs are right. The entry is their sum.",
        ).by(lambda X, W, row, column: X[row] * W[:, column]),
        Mistake(
            "Row and column are exchanged.",
            "The first number chooses a row of X, the second a column of W.",
        ).by(lambda X, W, row, column: (X[column] * W[:, row]).sum()),
        Mistake(
            "It counts from 1.",
            "The arguments count from 0, as NumPy does. With 1 taken away, row 0 becomes row -1, the last.",
        ).by(lambda X, W, row, column: (X[row - 1] * W[:, column - 1]).sum()),
        Mistake(
            "It adds first and multiplies then.",
            "Multiply in pairs, then add the products. The product of two sums is another number.",
        ).by(lambda X, W, row, column: X[row].sum() * W[:, column].sum()),
        Mistake(
            "It adds the pairs instead of multiplying them.",
            "Each pair gives a product: what the token has, times how much this column takes of it.",
        ).by(lambda X, W, row, column: (X[row] + W[:, column]).sum()),
    ),
    notice=(
        "This is a dot product. X[row] @ W[:, column] writes the same; so does (X @ W)[row, column], which computes "
        "all the other entries too."
    ),
    untraced=("row", "column"),
)

PROJECT = Exercise(
    name="queries_keys_values.project",
    number="2.2",
    title="All entries",
    right=lambda X, W: X @ W,
    results=("projection",),
    cases=(
        Case("the example", (np.array([[1, 2], [3, 4]]), np.array([[1, 2], [0, 5]]))),
        Case("5 tokens", lambda draw: draw((5, 4), (4, 3))),
        Case("one token", lambda draw: draw((1, 3), (3, 2))),
        Case("all sizes equal", lambda draw: draw((4, 4), (4, 4))),
    ),
    mistakes=(
        Mistake(
            "W is turned over.",
            "X @ W.T is right where W is stored as (d_k, d_model), as torch.nn.Linear does. Here it is (d_model, d_k). "
            "With a square W no error comes.",
        ).by(lambda X, W: X @ W.T),
        Mistake(
            "The factors are exchanged.",
            "A token is a row, so X stands on the left: each row of X meets each column of W.",
        ).by(lambda X, W: W @ X),
        known.ENTRY_BY_ENTRY.by(lambda X, W: X * W),
        Mistake(
            "The result is turned over.",
            "Each row of the result must belong to one token.",
        ).by(lambda X, W: (X @ W).T),
        Mistake(
            "X is turned over.",
            "The shared size is d_model: the columns of X, the rows of W. X fits as it is.",
        ).by(lambda X, W: X.T @ W),
        Mistake(
            "W is applied twice.",
            "One product makes the query. A second one would project the query again.",
        ).by(lambda X, W: X @ W @ W),
    ),
    notice="Row 1 of the result uses row 1 of X only. X @ W also works for a batch: @ treats leading axes as a stack.",
)


ALL_SIZES_DIFFERENT = ((4, 7), (5, 7), (7, 3), (7, 3), (7, 6))
ALL_SIZES_EQUAL = ((3, 3), (3, 3), (3, 3), (3, 3), (3, 3))  # every wrong order still runs


def _queries_keys_values(X, context, W_Q, W_K, W_V):
    return X @ W_Q, context @ W_K, context @ W_V


QKV = Exercise(
    name="queries_keys_values.qkv",
    number="2.3",
    title="Queries, keys and values",
    right=_queries_keys_values,
    results=("Q", "K", "V"),
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
        Case("4 tokens that ask, 5 that answer", lambda draw: draw(*ALL_SIZES_DIFFERENT)),
        Case("one token each", lambda draw: draw((1, 3), (1, 3), (3, 2), (3, 2), (3, 4))),
        Case("all sizes equal", lambda draw: draw(*ALL_SIZES_EQUAL)),
    ),
    mistakes=(
        known.CONTEXT_FORGOTTEN.by(lambda X, context, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, X @ W_V)),
        known.VALUES_FROM_X.by(lambda X, context, W_Q, W_K, W_V: (X @ W_Q, context @ W_K, X @ W_V)),
        Mistake(
            "The keys come from the wrong sentence.",
            "A key is the label by which a token of the context is found.",
        ).by(lambda X, context, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, context @ W_V)),
        Mistake(
            "The two sentences are exchanged.",
            "X asks: it makes the queries. The context answers: it makes keys and values.",
        ).by(lambda X, context, W_Q, W_K, W_V: _queries_keys_values(context, X, W_Q, W_K, W_V)),
        Mistake(
            "The results come in another order.",
            "The task wants Q, K, V. Nobody who takes the three apart can see that two have changed places, as long as "
            "their shapes are alike.",
        ).by(
            lambda X, context, W_Q, W_K, W_V: (X @ W_Q, context @ W_V, context @ W_K),
            lambda X, context, W_Q, W_K, W_V: (context @ W_K, X @ W_Q, context @ W_V),
            lambda X, context, W_Q, W_K, W_V: (context @ W_K, context @ W_V, X @ W_Q),
            lambda X, context, W_Q, W_K, W_V: (context @ W_V, context @ W_K, X @ W_Q),
        ),
        Mistake(
            "W_V is not used.",
            "The values are made with the matrix of the keys. They need one of their own.",
        ).by(lambda X, context, W_Q, W_K, W_V: (X @ W_Q, context @ W_K, context @ W_K)),
        known.MATRICES_EXCHANGED.by(lambda X, context, W_Q, W_K, W_V: (X @ W_K, context @ W_Q, context @ W_V)),
        Mistake(
            "One weight matrix makes all three.",
            "Then a token looks for exactly what it is itself. Three views need three matrices.",
        ).by(lambda X, context, W_Q, W_K, W_V: (X @ W_Q, context @ W_Q, context @ W_Q)),
    ),
    notice=(
        "Queries are as many as the tokens that ask, keys and values as many as the tokens that answer. If a sentence "
        "asks itself, X and the context are the same."
    ),
)


def _cut_in_three(wide):
    """Cut the columns into three blocks: queries, keys, values."""
    width = wide.shape[-1] // 3
    return wide[..., :width], wide[..., width : 2 * width], wide[..., 2 * width :]


FUSED = Exercise(
    name="queries_keys_values.fused",
    number="2.4",
    title="Three in one product",
    right=lambda X, W: _cut_in_three(X @ W),
    results=("Q", "K", "V"),
    cases=(
        Case("the example", (np.array([[1, 0], [0, 1], [1, 1]]), np.array([[1, 2, 3], [4, 5, 6]]))),
        Case("5 tokens", lambda draw: draw((5, 4), (4, 6))),
        Case("one token", lambda draw: draw((1, 4), (4, 9))),
        Case("3 tokens", lambda draw: draw((3, 2), (2, 12))),
    ),
    mistakes=(
        Mistake(
            "It cuts between the tokens.",
            "Each token needs its query, its key and its value. Cut the columns: axis=-1.",
        ).by(lambda X, W: tuple(np.split(X @ W, 3, axis=0))),
        Mistake(
            "It cuts by reshape alone.",
            "reshape(3, …) fills three blocks from the first numbers on, so pieces of a token's query, key and value "
            "land in one block. Cut the columns.",
        ).by(lambda X, W: tuple((X @ W).reshape(3, -1, W.shape[-1] // 3))),
        Mistake(
            "It takes every third column.",
            "W_Q, W_K and W_V stand beside each other as blocks; their columns do not take turns.",
        ).by(lambda X, W: tuple((X @ W)[..., i::3] for i in range(3))),
        Mistake(
            "The three come in another order.",
            "The blocks of W stand in the order W_Q, W_K, W_V. The names are ours: if the order is wrong, the roles "
            "are exchanged and nothing complains.",
            "jsbaan/transformer-from-scratch #1",
        ).by(lambda X, W: _cut_in_three(X @ W)[::-1]),
        Mistake(
            "Each part is one column, and flat.",
            "Cut blocks of columns: wide[:, :width] stays a table.",
        ).by(lambda X, W: tuple((X @ W)[:, i] for i in range(3)), lambda X, W: tuple((X @ W).T)),
        Mistake(
            "Query, key and value are all the same block.",
            "The first block is the query only.",
        ).by(lambda X, W: (_cut_in_three(X @ W)[0],) * 3),
        Mistake(
            "The product is not cut.",
            "With three tokens its three rows pass for Q, K and V. Cut the columns into three parts.",
        ).by(lambda X, W: X @ W),
        Mistake(
            "X is cut instead of the product.",
            "Every query is made from the whole row of X. Multiply first, then cut the result.",
        ).by(lambda X, W: tuple(part @ W[: part.shape[-1]] for part in np.array_split(X, 3, axis=-1))),
    ),
    notice=(
        "Real code often does this: one large product is faster than three small ones. "
        "np.split(X @ W, 3, axis=-1) cuts in one call."
    ),
)

EXERCISES = (ENTRY, PROJECT, QKV, FUSED)

"""Lesson 1: from text to the input matrix X."""

import re

import numpy as np

from mha_course.maths.arguments import read_arrays, read_count


def tokenize(text):
    """Split text into lower-case words and punctuation marks.

    Real models split rarer words into smaller pieces; whole words are enough to see attention.
    Errors: `TypeError` if text is not a string.

    >>> tokenize("Create, and disrupt.")
    ['create', ',', 'and', 'disrupt', '.']
    """
    if not isinstance(text, str):
        raise TypeError(f"text is {type(text).__name__}, but must be a string.")
    return re.findall(r"\w+|[^\w\s]", text.lower())


def vocabulary(tokens):
    """Give every different token a number, its id, in the order of first appearance.

    Errors: `TypeError` if tokens is not a list of strings.

    >>> vocabulary(["to", "be", "or", "not", "to", "be"])
    {'to': 0, 'be': 1, 'or': 2, 'not': 3}
    """
    return {token: number for number, token in enumerate(dict.fromkeys(_read_tokens(tokens)))}


def token_ids(tokens, vocabulary):
    """Look up the id of every token: n tokens -> list of n ids.

    Errors: `TypeError` if tokens is not a list of strings, `ValueError` naming a token that the
    vocabulary does not have.

    >>> token_ids(["be", "be"], {"to": 0, "be": 1})
    [1, 1]
    """
    for token in _read_tokens(tokens):
        if token not in vocabulary:
            raise ValueError(f"tokens has {token!r}, but the vocabulary knows only {list(vocabulary)}.")
    return [vocabulary[token] for token in tokens]


def embed(ids, embeddings):
    """Take one row of the embedding table per token id.

    Shapes: ids (n,), embeddings (vocabulary size, d_model) -> (n, d_model).
    Dtypes: as the embeddings; integers become float64.
    Errors: `TypeError` for ids that are no whole numbers, `ValueError` for ids outside the table.
    Source: Vaswani et al. 2017, section 3.4.

    >>> embed([1, 0, 1], [[5, 6], [7, 8]]).tolist()
    [[7.0, 8.0], [5.0, 6.0], [7.0, 8.0]]
    """
    (table,) = read_arrays(embeddings=(embeddings, "vocabulary d_model"))
    try:
        ids = np.asarray(ids)
    except ValueError:
        raise ValueError("ids has rows of different lengths, but needs one row of whole numbers.") from None
    if ids.size == 0:
        raise ValueError(f"ids is empty: it has shape {ids.shape}, but needs at least one id.")
    if ids.dtype.kind not in "iu":
        raise TypeError(f"ids holds {ids.dtype} values, but needs whole numbers.")
    outside = ids[(ids < 0) | (ids >= len(table))]
    if outside.size:
        raise ValueError(f"ids has {outside[0]}, but embeddings has rows 0 to {len(table) - 1}.")
    return table[ids]


def positional_encoding(n, d_model):
    """Return one row of sines and cosines per position.

    Columns 2i and 2i + 1 hold the sine and cosine of position / 10000^(2i / d_model), in radians.

    Shapes: two whole numbers -> (n, d_model), float64, entries between -1 and 1.
    Errors: `TypeError` or `ValueError` if n or d_model is not a whole number of at least 1.
    Source: Vaswani et al. 2017, section 3.5.

    >>> positional_encoding(2, 4).round(3).tolist()
    [[0.0, 1.0, 0.0, 1.0], [0.841, 0.54, 0.01, 1.0]]
    """
    n, d_model = read_count("n", n), read_count("d_model", d_model)
    position = np.arange(n)[:, None]  # (n, 1)
    column = np.arange(d_model)[None, :]  # (1, d_model)
    angle = position / 10000 ** (2 * (column // 2) / d_model)  # (n, d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))


def _read_tokens(tokens):
    if not isinstance(tokens, (list, tuple)) or not all(isinstance(token, str) for token in tokens):
        raise TypeError(f"tokens is {tokens!r}, but must be a list of strings, as tokenize returns it.")
    return tokens

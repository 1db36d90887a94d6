"""From text to the input matrix X."""

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import read_count, read_positive
from mha_course.maths.array_arguments import finite, overflow_is_reported, read_array, read_arrays


def tokenize(text: str) -> list[str]:
    """Split text into lower-case words and punctuation marks.

    Real models split rarer words into smaller pieces; whole words are enough to see attention.
    Errors: `TypeError` if text is not a string.

    >>> tokenize("Create, and disrupt.")
    ['create', ',', 'and', 'disrupt', '.']
    """
    if not isinstance(text, str):
        raise TypeError(f"text is {type(text).__name__}, but must be a string.")
    return re.findall(r"\w+|[^\w\s]", text.lower())


def vocabulary(tokens: Sequence[str]) -> dict[str, int]:
    """Give every different token a number, its id, in the order of first appearance.

    Errors: `TypeError` if tokens is not a list of strings.

    >>> vocabulary(["to", "be", "or", "not", "to", "be"])
    {'to': 0, 'be': 1, 'or': 2, 'not': 3}
    """
    return {token: number for number, token in enumerate(dict.fromkeys(_read_tokens(tokens)))}


def token_ids(tokens: Sequence[str], vocabulary: Mapping[str, int]) -> list[int]:
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


def embed(ids: ArrayLike, embeddings: ArrayLike) -> np.ndarray:
    """Take one row of the embedding table per token id.

    Shapes: ids (n,), embeddings (vocabulary size, d_model) -> (n, d_model).
    Dtypes: as the embeddings; ids are whole numbers.
    Errors: `TypeError` for ids that are no whole numbers, `ValueError` for ids outside the table.
    Source: Vaswani et al. 2017, section 3.4.

    >>> embed([1, 0, 1], [[5, 6], [7, 8]]).tolist()
    [[7.0, 8.0], [5.0, 6.0], [7.0, 8.0]]
    """
    (table,) = read_arrays(embeddings=(embeddings, "vocabulary d_model"))
    rows = read_array("ids", ids)
    if rows.size == 0:
        raise ValueError(f"ids is empty: it has shape {rows.shape}, but needs at least one id.")
    if rows.dtype.kind not in "iu":
        raise TypeError(f"ids holds {rows.dtype} values, but needs whole numbers.")
    outside = rows[(rows < 0) | (rows >= len(table))]
    if outside.size:
        raise ValueError(f"ids has {outside[0]}, but embeddings has rows 0 to {len(table) - 1}.")
    return table[rows]


def wavelengths(d_model: int, *, base: float = 10000) -> np.ndarray:
    """Return after how many positions each pair of columns has turned once.

    Pair i turns once in 2π · base^(2i / d_model) positions. A smaller base suits short sentences.

    Shapes: a whole number -> (⌈d_model / 2⌉,), float64, in positions.
    Errors: `TypeError` or `ValueError` if d_model is not a whole number of at least 1, or base not above 0.
    Source: Vaswani et al. 2017, section 3.5.

    >>> wavelengths(4).round(3).tolist()
    [6.283, 628.319]
    """
    d_model = read_count("d_model", d_model)
    return 2 * np.pi * read_positive("base", base) ** (np.arange(0, d_model, 2) / d_model)


@overflow_is_reported
def sinusoids(positions: ArrayLike, wavelengths: ArrayLike, d_model: int) -> np.ndarray:
    """Return the sine (even columns) and cosine (odd columns) of every position's turns.

    Shapes: positions (n,), wavelengths (⌈d_model / 2⌉,) -> (n, d_model), from -1 to 1.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, section 3.5, with any wavelengths.

    >>> sinusoids([0, 1, 2], [4], d_model=2).round(3).tolist()
    [[0.0, 1.0], [1.0, 0.0], [0.0, -1.0]]
    """
    places, lengths = read_arrays(positions=(positions, "n"), wavelengths=(wavelengths, "pairs"))
    d_model = read_count("d_model", d_model)
    if len(lengths) != (d_model + 1) // 2:
        raise ValueError(
            f"wavelengths has shape {lengths.shape}, but d_model = {d_model} needs {(d_model + 1) // 2}, "
            "one for each pair of columns."
        )
    if (lengths <= 0).any():
        raise ValueError(f"wavelengths has {lengths.min()}, but each must be above 0.")
    column = np.arange(d_model)
    angle = finite("positions / wavelengths", 2 * np.pi * places[:, None] / lengths[column // 2])  # (n, d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))


def positional_encoding(n: int, d_model: int, *, base: float = 10000) -> np.ndarray:
    """Return one row of sines and cosines per position.

    Columns 2i and 2i + 1 hold the sine and cosine of position / base^(2i / d_model), in radians.

    Shapes: two whole numbers -> (n, d_model), float64, entries between -1 and 1.
    Errors: `TypeError` or `ValueError` if n or d_model is not a whole number of at least 1, or base not above 0.
    Source: Vaswani et al. 2017, section 3.5.

    >>> positional_encoding(2, 4).round(3).tolist()
    [[0.0, 1.0, 0.0, 1.0], [0.841, 0.54, 0.01, 1.0]]
    """
    return sinusoids(np.arange(read_count("n", n)), wavelengths(d_model, base=base), d_model)


def _read_tokens(tokens: Sequence[str]) -> Sequence[str]:
    if not isinstance(tokens, (list, tuple)) or not all(isinstance(token, str) for token in tokens):
        raise TypeError(f"tokens is {tokens!r}, but must be a list of strings, as tokenize returns it.")
    return tokens

"""Reads what the real model is asked for, or says in plain words what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from mha_course.maths.which_head import Head

if TYPE_CHECKING:
    from mha_course.language_model.parameters import Parameters
    from mha_course.language_model.tokens import Tokens

MOST = 512  # tokens, those to be written included: the weights of so many fill 280 MB

Text = str | Sequence[int]  # or the ids of its tokens


def read_text(text: object) -> str:
    """Return a text that is still to be tokenized. Errors: `TypeError` if it is no string.

    >>> read_text(3)
    Traceback (most recent call last):
    TypeError: text must be a string, but it is int.
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a string, but it is {type(text).__name__}.")
    return text


def read_ids(text: Text, tokens: Tokens, vocabulary: int, more: int = 0) -> list[int]:
    """Return the ids of a text's tokens. vocabulary: how many there are. more: how many are to be written behind them.

    Errors: `TypeError` or `ValueError` if the model cannot read them, or not so many.
    """
    ids = tokens.ids(text) if isinstance(text, str) else _checked(text, vocabulary)
    if not ids:
        raise ValueError("text is empty, but the model needs at least one token to begin with.")
    if len(ids) + more > MOST:
        has = "token" if len(ids) == 1 else "tokens"
        and_more = f", and {more:,} more are to be written" if more else ""
        raise ValueError(f"text has {len(ids):,} {has}{and_more}, but this course reads at most {MOST} in all.")
    return ids


def _checked(given: Sequence[int], vocabulary: int) -> list[int]:
    try:
        ids = [index(id) for id in given]
    except TypeError:
        kind = type(given).__name__
        raise TypeError(f"text is {kind}, but must be a string, or the ids of tokens.") from None
    if outside := [id for id in ids if not 0 <= id < vocabulary]:
        raise ValueError(f"text has the id {outside[0]}, but the vocabulary has only 0 to {vocabulary - 1}.")
    return ids


def read_head(head: Any, parameters: Parameters) -> Head:
    """Return a head as (layer, head), both counted from 1. Errors: `ValueError` if the model has no such head."""
    layers, heads = len(parameters.layers), parameters.num_heads
    try:
        layer, number = map(index, head)
        is_there = 1 <= layer <= layers and 1 <= number <= heads
    except (TypeError, ValueError):
        is_there = False
    if not is_there:
        raise ValueError(f"There is no head {head!r}: a head is a pair (layer, head), (1, 1) to ({layers}, {heads}).")
    return layer, number


def read_kept(without: Collection[Head], parameters: Parameters) -> np.ndarray:
    """Return 0 for each head that is to be off, 1 for the others: (layers, heads, 1, 1).

    Errors: `ValueError` for a head that there is not.
    """
    kept = np.ones((len(parameters.layers), parameters.num_heads, 1, 1), np.float32)
    for each in without:
        layer, head = read_head(each, parameters)
        kept[layer - 1, head - 1] = 0
    return kept

"""Reads what the real model is asked for, or says in plain words what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from mha_course.engine.validation import is_whole
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
    given = tokens.ids(text) if isinstance(text, str) else text
    if not _has_a_length(given):
        raise TypeError(f"text is {type(given).__name__}, but must be a string, or the ids of tokens.")
    if not len(given):
        raise ValueError("text is empty, but the model needs at least one token to begin with.")
    if len(given) + more > MOST:
        has = "token" if len(given) == 1 else "tokens"
        and_more = f", and {more:,} more are to be written" if more else ""
        raise ValueError(f"text has {len(given):,} {has}{and_more}, but this course reads at most {MOST} in all.")
    return read_given_ids("text", given, vocabulary)


def _has_a_length(given: object) -> bool:
    try:
        return len(given) >= 0  # type: ignore[arg-type]
    except TypeError:  # also an array of a single number
        return False


def read_given_ids(name: str, given: Sequence[int], vocabulary: int) -> list[int]:
    """Return ids that were given as such. vocabulary: how many there are.

    Errors: `TypeError` for what is no list of whole numbers, `ValueError` for an id that there is not.

    >>> read_given_ids("ids", [3, -1], 49152)
    Traceback (most recent call last):
    ValueError: ids has the id -1, but the vocabulary has only 0 to 49151.
    """
    if isinstance(given, str) or not _has_a_length(given):
        raise TypeError(f"{name} is {given!r}, but must be a list of the ids of tokens.")
    ids = []
    for id in given:
        if not is_whole(id):
            raise TypeError(f"{name} has {id!r}, but the id of a token is a whole number.")
        if not 0 <= id < vocabulary:
            raise ValueError(f"{name} has the id {id}, but the vocabulary has only 0 to {vocabulary - 1}.")
        ids.append(int(id))
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

    Errors: `TypeError` for what is no list of heads, `ValueError` for a head that there is not.
    """
    if isinstance(without, str) or not _has_a_length(without):
        raise TypeError(f"without is {without!r}, but must be a list of heads, each a pair (layer, head).")
    kept = np.ones((len(parameters.layers), parameters.num_heads, 1, 1), np.float32)
    for each in without:
        layer, head = read_head(each, parameters)
        kept[layer - 1, head - 1] = 0
    return kept

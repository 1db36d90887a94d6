"""Sentences of letters to learn from, with what is to be written below them."""

from dataclasses import dataclass

import numpy as np

from mha_course.maths.masks import causal_mask

ALPHABET = "abcdefghijkl"


@dataclass(frozen=True, eq=False)
class Sentences:
    """Some sentences as ids of letters, the right answer at each position, and where a head should look for it.

    Shapes: ids and answers (count, n), loss_mask (count, n) of True where an answer counts, looks (count, n, n) of True
    where this query (row) finds its answer in this key (column).

    >>> written(np.array([1, 0, 3]))
    'bad'
    """

    ids: np.ndarray
    answers: np.ndarray
    loss_mask: np.ndarray
    looks: np.ndarray


def written(ids: np.ndarray) -> str:
    """Write ids as letters."""
    return "".join(ALPHABET[each] for each in ids)


def ids_of(text: str, longest: int) -> np.ndarray:
    """Return the ids of a text of letters.

    Errors: `TypeError` if text is not a string, `ValueError` if it is empty or too long, or has a letter that the
    alphabet has not.

    >>> ids_of("bad", 8)
    array([1, 0, 3])
    """
    if not isinstance(text, str):
        raise TypeError(f"text is {text!r}, but must be a string.")
    unknown = sorted(set(text) - set(ALPHABET))
    if unknown:
        raise ValueError(f"text has {unknown[0]!r}, but its letters must be from {ALPHABET[0]} to {ALPHABET[-1]}.")
    if not 0 < len(text) <= longest:
        raise ValueError(f"text has {len(text)} letters, but needs 1 to {longest}.")
    return np.array([ALPHABET.index(each) for each in text])


def letters(rng: "np.random.Generator", count: int, n: int, lengths: tuple[int, ...] = ()) -> np.ndarray:
    """Sample letters, each by itself: ids (count, n). There are no words, so lengths says nothing."""
    return rng.integers(len(ALPHABET), size=(count, n), dtype=np.intp)


def previous(ids: np.ndarray) -> Sentences:
    """Ask at each position for the letter before it; at the first position nothing counts.

    >>> made = previous(np.array([[4, 7, 2]]))
    >>> made.answers[:, 1:].tolist(), made.loss_mask.tolist()
    ([[4, 7]], [[False, True, True]])
    """
    n = ids.shape[1]
    loss_mask = np.broadcast_to(np.arange(n) > 0, ids.shape)
    return Sentences(
        ids, np.roll(ids, 1, axis=1), loss_mask, np.broadcast_to(np.eye(n, k=-1, dtype=bool), (*ids.shape, n))
    )


def first(ids: np.ndarray) -> Sentences:
    """Ask at each position for the first letter."""
    n = ids.shape[1]
    return _all_count(ids, np.broadcast_to(ids[:, :1], ids.shape), np.arange(n) == np.zeros((n, 1)))


def reversed_(ids: np.ndarray) -> Sentences:
    """Ask for the letters from the last to the first.

    >>> reversed_(np.array([[4, 7, 2]])).answers.tolist()
    [[2, 7, 4]]
    """
    return _all_count(ids, ids[:, ::-1], np.eye(ids.shape[1], dtype=bool)[::-1])


def sorted_(ids: np.ndarray) -> Sentences:
    """Ask for the letters in the order of the alphabet."""
    answers = np.sort(ids, axis=1)
    return _all_count(ids, answers, answers[:, :, None] == ids[:, None, :])


def after_earlier(ids: np.ndarray) -> Sentences:
    """Ask at each position for the letter that came behind the present one before.

    Only positions whose letter has come before count. A head finds the answer after every earlier occurrence of the
    letter.

    >>> made = after_earlier(np.array([[2, 0, 1, 2, 0]]))
    >>> made.loss_mask[0].tolist(), made.answers[0, 3:].tolist(), np.flatnonzero(made.looks[0, 4]).tolist()
    ([False, False, False, True, True], [0, 1], [2])
    """
    n = ids.shape[1]
    before = np.concatenate([np.full((len(ids), 1), -1), ids[:, :-1]], axis=1)  # the letter before each key
    looks = (before[:, None, :] == ids[:, :, None]) & causal_mask(n)  # (count, n, n)
    last = n - 1 - looks[..., ::-1].argmax(axis=-1)
    return Sentences(ids, np.take_along_axis(ids, last, axis=1), looks.any(axis=-1), looks)


def repeated_words(rng: "np.random.Generator", count: int, n: int, lengths: tuple[int, ...]) -> np.ndarray:
    """Sample words of different letters, and repeat each to the end: ids (count, n).

    lengths: of the words, sampled anew for each sentence.

    >>> written(repeated_words(np.random.default_rng(0), 1, 8, (3,))[0])
    'jchjchjc'
    """
    word_lengths = rng.choice(lengths, size=count)
    words = rng.permuted(np.tile(np.arange(len(ALPHABET)), (count, 1)), axis=1)
    return np.take_along_axis(words, np.arange(n) % word_lengths[:, None], axis=1)


def _all_count(ids: np.ndarray, answers: np.ndarray, looks: np.ndarray) -> Sentences:
    return Sentences(ids, answers, np.ones(ids.shape, dtype=bool), np.broadcast_to(looks, (*ids.shape, ids.shape[1])))

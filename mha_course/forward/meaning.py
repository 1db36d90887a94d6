"""Says in one sentence what a word asks for, and where it looks most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from mha_course.forward.path_matrix import Path

ALIKE = 1e-9  # weights that differ by less are equal, and entries of a query that are no larger are 0
EVEN = 0.01  # weights that all lie within so much are nearly alike: nobody is looked at more
STEADY = 6  # decimals to which a share is rounded first, so that no machine's last digit decides
Part = tuple[str, bool]  # of a sentence: its text, and whether it stands out


@dataclass(frozen=True)
class Sense:
    """What the numbers of an example mean. chosen: the word to begin with, from 0.

    asks: what each column of a query asks for, the same in all heads. called: word -> how a sentence calls it.
    push: an entry that moves much, where there is one: its matrix, row and column, from 0.
    """

    chosen: int = 0
    asks: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)
    push: tuple[str, int, int] | None = None


PLAIN = Sense()


def meaning(path: Path, query: int, sense: Sense = PLAIN, head: int = 0) -> list[Part]:
    """Say what a word asks for, if its query has columns with a meaning, and at which words it looks most.

    It asks for what its query has above 0: of what is below, it wants the opposite. path: what `forward` returned.
    query, head: whose row of weights, counted from 0.

    >>> from mha_course.forward.presets import PRESETS, preset
    >>> from mha_course.forward.forward import forward
    >>> in_words(meaning(forward(preset("steals")), query=1, sense=PRESETS["steals"].sense))
    'steals asks who does it, and finds the dog: 90 per cent.'
    >>> in_words(meaning(forward(preset("article")), query=1))
    'create looks most at create: 91 per cent.'
    """
    weights, Q = path[f"weights/{head + 1}"], path[f"Q/{head + 1}"].values[query]
    asked = [name for name, entry in zip(sense.asks, Q.tolist(), strict=False) if entry > ALIKE]
    words, read = weights.rows or (), weights.columns or ()
    return of_a_row(weights.values[query], words[query], [sense.called.get(each, each) for each in read], asked)


def of_a_row(row: np.ndarray, word: str, read: Sequence[str], asked: Sequence[str] = ()) -> list[Part]:
    """Say where a word looks most. row: its weights, (n_k,). read: the words looked at. asked: what it asks for.

    >>> in_words(of_a_row(np.array([0.5, 0.5, 0]), "a", ["a", "b", "c"]))
    'a looks most at a and b: 50 per cent each.'
    >>> in_words(of_a_row(np.array([0.5, 0.5]), "a", ["a", "b"])), in_words(of_a_row(np.zeros(1), "a", ["a"]))
    ('a looks at all alike: 50 per cent each.', 'a may look at nothing.')
    """
    begin = [(word, True), *([(" asks ", False), *_listed(asked), (", and", False)] if asked else [])]
    largest = float(row.max())
    if largest < ALIKE:
        return [*begin, (" may look at nothing.", False)]
    found = [word for word, share in zip(read, row.tolist(), strict=True) if share > largest - ALIKE]
    is_even = len(read) > 1 and float(np.ptp(row)) < EVEN
    each = " each" if is_even or len(found) > 1 else ""
    share = f": {round(100 * largest, STEADY):.0f} per cent{each}."
    if is_even:
        return [*begin, (f" looks at all {'' if len(found) == len(read) else 'nearly '}alike{share}", False)]
    return [*begin, (" finds " if asked else " looks most at ", False), *_listed(found), (share, False)]


def in_words(parts: Sequence[Part]) -> str:
    """Return a sentence as plain text."""
    return "".join(text for text, _ in parts)


def _listed(names: Sequence[str]) -> list[Part]:
    """Join names, which stand out, as a sentence does."""
    between = [", "] * (len(names) - 2) + [" and "] * (len(names) > 1) + [""]
    return [
        part for name, sign in zip(names, between, strict=True) for part in ((name, True), (sign, False)) if part[0]
    ]

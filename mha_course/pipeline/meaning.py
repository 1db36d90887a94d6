"""Says in one sentence what a word asks for, and where it looks most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from mha_course.pipeline.path_matrix import Path

ALIKE = 1e-9  # weights that differ by less are equal, and entries of a query that are smaller are 0
STEADY = 6  # decimals to which a share is rounded first, so that no machine's last digit decides
Part = tuple[str, bool]  # of a sentence: its text, and whether it stands out


@dataclass(frozen=True)
class Sense:
    """What the numbers of an example mean. chosen: the word to begin with, from 0.

    asks: what each column of a query asks for, the same in all heads. called: word -> how a sentence calls it.
    """

    chosen: int = 0
    asks: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)


PLAIN = Sense()


def meaning(path: Path, query: int, head: int = 0, sense: Sense = PLAIN) -> list[Part]:
    """Say what a word asks for, if its query has columns with a meaning, and at which words it looks most.

    path: what `steps` returned. query, head: whose row of weights, counted from 0.

    >>> from mha_course.pipeline.presets import PRESETS, preset
    >>> from mha_course.pipeline.steps import steps
    >>> in_words(meaning(steps(preset("steals")), query=1, sense=PRESETS["steals"].sense))
    'steals asks who does it, and finds the dog: 90 per cent.'
    >>> in_words(meaning(steps(preset("article")), query=1))
    'create looks most at create: 91 per cent.'
    """
    weights = path[f"weights/{head + 1}"]
    words, read = weights.rows or (), weights.columns or ()
    row, asked = weights.values[query], _asked(path, query, head, sense)
    begin = [(words[query], True), *([(" asks ", False), *_listed(asked), (", and", False)] if asked else [])]
    largest = float(row.max())
    if largest < ALIKE:
        return [*begin, (" may look at nothing.", False)]
    found = [word for word, share in zip(read, row.tolist(), strict=True) if share > largest - ALIKE]
    share = f": {round(100 * largest, STEADY):.0f} per cent{' each' if len(found) > 1 else ''}."
    if len(found) == len(read) > 1:
        return [*begin, (f" looks at all alike{share}", False)]
    verb = " finds " if asked else " looks most at "
    return [*begin, (verb, False), *_listed([sense.called.get(word, word) for word in found]), (share, False)]


def in_words(parts: Sequence[Part]) -> str:
    """Return a sentence as plain text."""
    return "".join(text for text, _ in parts)


def _asked(path: Path, query: int, head: int, sense: Sense) -> list[str]:
    Q = path.get(f"Q/{head + 1}")
    if Q is None or Q.values.shape[1] != len(sense.asks):
        return []
    return [name for name, entry in zip(sense.asks, np.abs(Q.values[query]), strict=True) if entry > ALIKE]


def _listed(names: Sequence[str]) -> list[Part]:
    """Join names, which stand out, as a sentence does."""
    between = [", "] * (len(names) - 2) + [" and "] * (len(names) > 1) + [""]
    return [
        part for name, sign in zip(names, between, strict=True) for part in ((name, True), (sign, False)) if part[0]
    ]

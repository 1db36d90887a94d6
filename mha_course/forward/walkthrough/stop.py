"""One stop on a row's way, and what many of them have in common."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mha_course.engine.notation.arithmetic import MOST_TERMS, arithmetic
from mha_course.engine.notation.labels import Address
from mha_course.engine.notation.traced_number import Traced, total

LIKEWISE = "; the other {} are made in the same way"


@dataclass(frozen=True)
class Stop:
    """One thing that is done on the way.

    entries: (key, row, column) of what it makes, or of what the stops after it make of it; the one whose
    arithmetic is shown comes first. sources: of what it is made from.
    """

    title: str
    words: str
    arithmetic: str
    entries: tuple[Address, ...]
    sources: tuple[Address, ...] = ()


def stop(title: str, words: str, text: str, entries: Iterable[Address], sources: Iterable[Address]) -> Stop:
    """Make a stop; what it is made from is listed once."""
    return Stop(title, words, text, tuple(entries), tuple(dict.fromkeys(sources)))


def first(entry: Address, entries: Sequence[Address]) -> list[Address]:
    """Put one entry before the others."""
    return [entry, *(each for each in entries if each != entry)]


def likewise(what: str, count: int) -> str:
    """Say that the others are made in the same way, if there are others."""
    return LIKEWISE.format(what) if count > 1 else ""


def products_of(left: Sequence[Traced], right: Sequence[Traced]) -> list[Traced]:
    """Multiply number by number."""
    return [a * b for a, b in zip(left, right, strict=True)]


def written(terms: Sequence[Traced]) -> str:
    """Write every product; of too many the first."""
    shown = terms if len(terms) <= MOST_TERMS else terms[: MOST_TERMS - 1]
    more = [f"and {len(terms) - len(shown)} more"] if len(shown) < len(terms) else []
    return "; ".join([*(arithmetic(term) for term in shown), *more])


def added(terms: Sequence[Traced]) -> Traced:
    """Add up products that have been multiplied already; of one there is nothing to add."""
    return total(Traced(float(term)) for term in terms) if len(terms) > 1 else terms[0]


def subject(terms: Sequence[Traced]) -> tuple[str, str]:
    """Say what the terms come to: as a title, and to begin a sentence with."""
    return ("sum", "The sum of the products") if len(terms) > 1 else ("one product", "The product")

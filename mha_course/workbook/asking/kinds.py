"""The kinds of question: a choice, a number, an order. Each reads an answer and judges it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeGuard, TypeVar

from mha_course.workbook.notation.entry import read_entry
from mha_course.workbook.pictures.forms import choice_fields, number_field, order_fields
from mha_course.workbook.pictures.markup import Markup

Said = TypeVar("Said")


class Kind(Protocol[Said]):
    """What a kind of question does. Said: what an answer to it is."""

    def drawn(self) -> Markup:
        """Draw the fields for an answer."""

    def texts(self) -> list[str]:
        """Return the texts of what can be answered, where these are given."""

    def read(self, fields: Mapping[str, object]) -> Said:
        """Return the answer that the fields of a form give. Errors: `ValueError` in plain words."""

    def can_be(self, answer: object) -> TypeGuard[Said]:
        """Whether this can be an answer; one that was saved by another version may not."""

    def is_right(self, answer: Said, truth: Said) -> bool:
        """Whether an answer is the true one."""

    def fields(self, answer: Said) -> dict[str, str]:
        """Return what the fields of a form show for an answer."""

    def written(self, answer: Said) -> str:
        """Write an answer out."""


@dataclass(frozen=True)
class Option:
    """One answer of a choice, and the reason why it is right or wrong.

    >>> Option("4 × 5", "4 rows, 5 columns.").text
    '4 × 5'
    """

    text: str
    reason: str


@dataclass(frozen=True)
class Choice:
    """One of several answers. options: key -> `Option`.

    >>> Choice({"up": Option("It grows.", "…"), "down": Option("It shrinks.", "…")}).written("up")
    'It grows.'
    """

    options: dict[str, Option]

    def drawn(self) -> Markup:
        """Draw the fields for an answer."""
        return choice_fields({key: option.text for key, option in self.options.items()})

    def texts(self) -> list[str]:
        """Return the texts of what can be answered, where these are given."""
        return [option.text for option in self.options.values()]

    def read(self, fields: Mapping[str, object]) -> str:
        """Return the answer that the fields of a form give. Errors: `ValueError` in plain words."""
        if self.can_be(answer := fields.get("answer")):
            return answer
        raise ValueError("Nothing is chosen yet: choose one of the answers.")

    def can_be(self, answer: object) -> TypeGuard[str]:
        """Whether this can be an answer; one that was saved by another version may not."""
        return isinstance(answer, str) and answer in self.options

    def is_right(self, answer: str, truth: str) -> bool:
        """Whether the answer is the true one."""
        return answer == truth

    def fields(self, answer: str) -> dict[str, str]:
        """Return what the fields of a form show for an answer."""
        return {"answer": answer}

    def written(self, answer: str) -> str:
        """Write an answer out."""
        return self.options[answer].text


@dataclass(frozen=True)
class Number:
    """A number, right up to a tolerance.

    >>> Number(0.01).is_right(2.814, 2.8098)
    True
    """

    tolerance: float = 0.0

    def drawn(self) -> Markup:
        """Draw the fields for an answer."""
        return number_field()

    def texts(self) -> list[str]:
        """Return the texts of what can be answered, where these are given."""
        return []

    def read(self, fields: Mapping[str, object]) -> float:
        """Return the answer that the fields of a form give. Errors: `ValueError` in plain words."""
        text = str(fields.get("answer", "")).strip()
        if not text:
            raise ValueError("The field is empty: type a number.")
        return read_entry(text)

    def can_be(self, answer: object) -> TypeGuard[float]:
        """Whether this can be an answer; one that was saved by another version may not."""
        return isinstance(answer, (int, float)) and not isinstance(answer, bool)

    def is_right(self, answer: float, truth: float) -> bool:
        """Whether the answer is near enough to the true one."""
        return abs(answer - truth) <= self.tolerance

    def fields(self, answer: float) -> dict[str, str]:
        """Return what the fields of a form show for an answer."""
        return {"answer": self.written(answer)}

    def written(self, answer: float) -> str:
        """Write an answer out."""
        return f"{answer:.6g}"


@dataclass(frozen=True)
class Order:
    """Items to put in order. items: key -> text, in an order that is not the answer.

    >>> Order({"b": "T = 1", "a": "T = 4"}).written(["a", "b"])
    'T = 4 → T = 1'
    """

    items: dict[str, str]

    def drawn(self) -> Markup:
        """Draw the fields for an answer."""
        return order_fields(self.items)

    def texts(self) -> list[str]:
        """Return the texts of what can be answered, where these are given."""
        return list(self.items.values())

    def read(self, fields: Mapping[str, object]) -> list[str]:
        """Return the answer that the fields of a form give. Errors: `ValueError` in plain words."""
        places = {key: str(fields.get(key, "")) for key in self.items}
        if missing := [self.items[key] for key, place in places.items() if not place.isdecimal()]:
            raise ValueError(f"Without a place yet: {', '.join(missing)}.")
        if len(set(places.values())) < len(places):
            raise ValueError("Two items have the same place: give each place once.")
        return sorted(self.items, key=lambda key: int(places[key]))

    def can_be(self, answer: object) -> TypeGuard[list[str]]:
        """Whether this can be an answer; one that was saved by another version may not."""
        return isinstance(answer, list) and sorted(map(str, answer)) == sorted(self.items)

    def is_right(self, answer: list[str], truth: list[str]) -> bool:
        """Whether the items stand in the true order."""
        return answer == truth

    def fields(self, answer: list[str]) -> dict[str, str]:
        """Return what the fields of a form show for an answer."""
        return {key: str(place) for place, key in enumerate(answer, 1)}

    def written(self, answer: list[str]) -> str:
        """Write an answer out."""
        return " → ".join(self.items[key] for key in answer)

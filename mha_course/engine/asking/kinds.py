"""The kinds of answer that most questions have: a choice, a number, an order."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

from mha_course.engine.asking.kind import Computed, Judgement
from mha_course.engine.notation.typed_numbers import read_entry
from mha_course.engine.pictures.forms import choice_fields, number_field, order_fields
from mha_course.engine.pictures.markup import Markup


@dataclass(frozen=True)
class Option:
    """Something to choose or to put in order, and of what is chosen the reason why it is right or wrong.

    >>> Option("4 × 5", "4 rows, 5 columns.").told
    '“4 × 5”: 4 rows, 5 columns.'
    """

    text: str
    reason: str = ""

    @property
    def told(self) -> str:
        """The option and its reason, as they stand in a sentence."""
        return f"“{self.text.removesuffix('.')}”: {self.reason}"


@dataclass(frozen=True)
class Choice(Computed[str]):
    """One of several answers. right: the key of the right one. options: key -> `Option`.

    >>> growth = Choice("up", {"up": Option("It grows.", "2 is more than 1."), "down": Option("It shrinks.", "2 > 1.")})
    >>> growth.judged("down").told
    'Not “It shrinks.”. 2 > 1. Choose again.'
    >>> growth.corrected("down")
    'Not “It shrinks”: 2 > 1. The answer is “It grows”: 2 is more than 1.'
    """

    options: Mapping[str, Option]

    def render(self) -> Markup:
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

    def fields(self, answer: str) -> dict[str, str]:
        """Return what the fields of a form show for an answer."""
        return {"answer": answer}

    def written(self, answer: str) -> str:
        """Write an answer out."""
        return self.options[answer].text

    def judged(self, answer: str) -> Judgement:
        """Say whether an answer is right, and what is wrong with it; it may be tried again."""
        if answer != self.truth():
            return Judgement(False, f"Not {self.quoted(answer)}. {self.reason(answer)} Choose again.")
        others = tuple((option.text, option.reason) for key, option in self.options.items() if key != answer)
        return Judgement(True, self.reason(answer), reasons=others, summary="Why not the others?")

    def reason(self, answer: str) -> str:
        """Say why an answer is right or wrong, where each has its reason."""
        return self.options[answer].reason

    def corrected(self, answer: str) -> str:
        """Say what is wrong with an answer, and what is right: it is not tried again."""
        if self.is_right(answer):
            return self.reason(answer)
        return f"Not {self.options[answer].told} The answer is {self.options[self.truth()].told}"


@dataclass(frozen=True)
class Number(Computed[float]):
    """A number, right up to a tolerance.

    >>> Number(2.8098, 0.01).is_right(2.814)
    True
    """

    tolerance: float = 0.0

    def render(self) -> Markup:
        """Draw the fields for an answer."""
        return number_field()

    def read(self, fields: Mapping[str, object]) -> float:
        """Return the answer that the fields of a form give. Errors: `ValueError` in plain words."""
        text = str(fields.get("answer", "")).strip()
        if not text:
            raise ValueError("The field is empty: type a number.")
        return read_entry(text)

    def can_be(self, answer: object) -> TypeGuard[float]:
        """Whether this can be an answer; one that was saved by another version may not."""
        return isinstance(answer, (int, float)) and not isinstance(answer, bool)

    def fields(self, answer: float) -> dict[str, str]:
        """Return what the fields of a form show for an answer."""
        return {"answer": self.written(answer)}

    def written(self, answer: float) -> str:
        """Write an answer out."""
        return f"{answer:.6g}"

    def quoted(self, answer: float) -> str:
        """Write an answer out, as it stands in a sentence."""
        return self.written(answer)

    def judged(self, answer: float) -> Judgement:
        """Say whether an answer is right, and what is wrong with it; it may be tried again."""
        is_right = abs(answer - self.truth()) <= self.tolerance
        return Judgement(is_right, "" if is_right else f"Not {self.written(answer)}. Try again.")


@dataclass(frozen=True)
class Order(Computed[list[str]]):
    """Items to put in order. right: their keys in it. items: key -> text, in an order that is not the answer.

    >>> Order(["a", "b"], {"b": "T = 1", "a": "T = 4"}).written(["a", "b"])
    'T = 4 → T = 1'
    """

    items: Mapping[str, str]

    def render(self) -> Markup:
        """Draw the fields for an answer."""
        return order_fields(self.items)

    def texts(self) -> list[str]:
        """Return the texts of what can be answered, where these are given."""
        return list(self.items.values())

    def read(self, fields: Mapping[str, object]) -> list[str]:
        """Return the answer that the fields of a form give. Errors: `ValueError` in plain words."""
        places = {key: str(fields.get(key, "")) for key in self.items}
        if missing := [self.items[key] for key, place in places.items() if not place.isdecimal()]:
            raise ValueError(f"Not placed yet: {', '.join(missing)}.")
        if len(set(places.values())) < len(places):
            raise ValueError("Two items have the same position: use each position once.")
        return sorted(self.items, key=lambda key: int(places[key]))

    def can_be(self, answer: object) -> TypeGuard[list[str]]:
        """Whether this can be an answer; one that was saved by another version may not."""
        return isinstance(answer, list) and sorted(map(str, answer)) == sorted(self.items)

    def fields(self, answer: list[str]) -> dict[str, str]:
        """Return what the fields of a form show for an answer."""
        return {key: str(place) for place, key in enumerate(answer, 1)}

    def written(self, answer: list[str]) -> str:
        """Write an answer out."""
        return " → ".join(self.items[key] for key in answer)

    def judged(self, answer: list[str]) -> Judgement:
        """Say whether an answer is right, and what is wrong with it; it may be tried again."""
        is_right = answer == self.truth()
        return Judgement(is_right, "" if is_right else "That is not the right order. Try again.")

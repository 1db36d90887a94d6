"""A small table of boxes to fill with numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

from mha_course.engine.asking.kind import Judgement, QuestionKind
from mha_course.engine.notation.typed_numbers import read_entry
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.practice import Table, number_fields

ROUNDED = 0.0051  # how far off a mistake's number may be, which is typed with two decimals


@dataclass(frozen=True)
class WrongNumbers:
    """What a mistake makes of a table: its name, what it does in plain words, and its numbers by place."""

    name: str
    why: str
    numbers: Mapping[str, float]


@dataclass(frozen=True)
class Numbers(QuestionKind[list[str]]):
    """The entries of a table, each right up to a tolerance. table: the right one. hint: how one entry is made.

    >>> import numpy as np
    >>> sums = Table("scores", np.array([[3, 5]]))
    >>> swapped = WrongNumbers("The columns are swapped.", "The first stands first.", {"0,0": 5, "0,1": 3})
    >>> Numbers(sums, hint="Add.", mistakes=(swapped,)).judged(["5", "3"]).told
    'scores[1,1] is not 5. What gives this: The columns are swapped. The first stands first. Try again.'
    """

    table: Table
    hint: str
    tolerance: float = 1e-9
    mistakes: tuple[WrongNumbers, ...] = ()

    def render(self) -> Markup:
        """Draw the fields for an answer."""
        return number_fields(self.table)

    def read(self, fields: Mapping[str, object]) -> list[str]:
        """Return the answer that the fields of a form give. Errors: `ValueError` in plain words."""
        said = []
        for place in self.table.numbers():
            text = str(fields.get(place, "")).strip()
            if not text:
                raise ValueError(f"{self.table.label(place)} is empty: type a number.")
            try:
                said.append(f"{read_entry(text):.6g}")
            except ValueError as error:
                raise ValueError(f"{self.table.label(place)}: {error}") from None
        return said

    def can_be(self, answer: object) -> TypeGuard[list[str]]:
        """Whether this can be an answer; one that was saved by another version may not."""
        if not isinstance(answer, list) or len(answer) != len(self.table.numbers()):
            return False
        try:
            return all(isinstance(each, str) and read_entry(each) is not None for each in answer)
        except ValueError:
            return False

    def fields(self, answer: list[str]) -> dict[str, str]:
        """Return what the fields of a form show for an answer."""
        return dict(zip(self.table.numbers(), answer, strict=True))

    def written(self, answer: list[str]) -> str:
        """Write an answer out."""
        return ", ".join(answer)

    def truth(self) -> list[str]:
        """Return the right numbers."""
        return [f"{number:.6g}" for number in self.table.numbers().values()]

    def judged(self, answer: list[str]) -> Judgement:
        """Say whether an answer is right, and else which is the first wrong number, and where it comes from."""
        typed = self.fields(answer)
        wrong = {place: text for place, text in typed.items() if not self._is(text, self.table.numbers()[place])}
        if not wrong:
            return Judgement(True)
        first = next(iter(wrong))
        said = f"{self.table.label(first)} is not {wrong[first]}."
        if mistake := self._mistake(wrong):
            told = f"{said} What gives this: {mistake.name} {mistake.why} Try again."
            return Judgement(False, told, mistake.name)
        others = f" {len(wrong)} of {len(typed)} numbers are not right." if len(wrong) > 1 else ""
        return Judgement(False, f"{said}{others} {self.hint} Try again.")

    def _is(self, text: str, number: float, least: float = 1e-9) -> bool:
        return abs(read_entry(text) - number) <= max(self.tolerance, least)

    def _mistake(self, wrong: Mapping[str, str]) -> WrongNumbers | None:
        """Return the first mistake that gives all the wrong numbers; one whole number alone may be any mistake."""
        if len(wrong) == 1 and read_entry(next(iter(wrong.values()))).is_integer():
            return None
        return next((mistake for mistake in self.mistakes if self._explains(mistake, wrong)), None)

    def _explains(self, mistake: WrongNumbers, wrong: Mapping[str, str]) -> bool:
        return all(self._is(text, mistake.numbers[place], ROUNDED) for place, text in wrong.items())

"""A worked computation in which one entry is wrong: find it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

from mha_course.engine.asking.kind import Judgement, QuestionKind
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.practice import ENTRY, Table, entry_fields


@dataclass(frozen=True)
class WrongEntry(QuestionKind[list[str]]):
    """The one wrong entry of some tables. wrong: its address, "scores:0,1". told: what it should be, and why.

    made: address -> how each of the other entries was made.

    >>> import numpy as np
    >>> sums = Table("scores", np.array([[3, 5]]))
    >>> found = WrongEntry((sums,), "scores:0,1", "It is 4.", {"scores:0,0": "1 + 2 = 3"})
    >>> found.judged(["scores:0,0"]).told
    'scores[1,1] is right: 1 + 2 = 3. Look for another one.'
    """

    tables: tuple[Table, ...]
    wrong: str
    told: str
    made: Mapping[str, str]

    def render(self) -> Markup:
        """Draw the fields for an answer."""
        return entry_fields(self.tables)

    def pictures(self) -> list[Picture]:
        """Return what is drawn in place of the fields where nothing can be filled in."""
        return [table.picture() for table in self.tables]

    def read(self, fields: Mapping[str, object]) -> list[str]:
        """Return the answer that the fields of a form give. Errors: `ValueError` in plain words."""
        if self.can_be(answer := [fields.get(ENTRY)]):
            return answer
        raise ValueError("No entry is chosen yet: click on one, or move to it with the arrow keys.")

    def can_be(self, answer: object) -> TypeGuard[list[str]]:
        """Whether this can be an answer; one that was saved by another version may not."""
        return isinstance(answer, list) and len(answer) == 1 and answer[0] in {self.wrong, *self.made}

    def fields(self, answer: list[str]) -> dict[str, str]:
        """Return what the fields of a form show for an answer."""
        return {ENTRY: answer[0]}

    def written(self, answer: list[str]) -> str:
        """Write an answer out."""
        name, _, place = answer[0].partition(":")
        return next(table for table in self.tables if table.name == name).label(place)

    def truth(self) -> list[str]:
        """Return the address of the wrong entry."""
        return [self.wrong]

    def judged(self, answer: list[str]) -> Judgement:
        """Say whether an answer is right, and else how the chosen entry is made."""
        (at,) = answer
        if at == self.wrong:
            return Judgement(True, self.told)
        return Judgement(False, f"{self.written(answer)} is right: {self.made[at]}. Look for another one.")

"""A task: steps to do by hand, each of them judged at once, as often as it takes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeGuard

from mha_course.workbook.pictures.markup import Markup
from mha_course.workbook.pictures.picture import Picture

Said = list[str]  # the keys that were chosen, or what was typed into the boxes, in their order


@dataclass(frozen=True)
class Judgement:
    """What is to be said of an answer. mistake: the name of the known one that explains it.

    reasons: (what could be chosen, why it is right or wrong), where there is one for each.
    """

    is_right: bool
    told: str = ""
    mistake: str = ""
    reasons: tuple[tuple[str, str], ...] = ()


class Judging(Protocol):
    """What a kind of step does; it holds its truth, and knows why another answer is wrong."""

    def drawn(self) -> Markup:
        """Draw the fields for an answer."""

    def pictures(self) -> Iterable[Picture]:
        """Return what is drawn in place of the fields where nothing can be filled in."""

    def texts(self) -> list[str]:
        """Return the texts of what can be answered, where these are given."""

    def read(self, fields: Mapping[str, object]) -> Said:
        """Return the answer that the fields of a form give. Errors: `ValueError` in plain words."""

    def can_be(self, answer: object) -> TypeGuard[Said]:
        """Whether this can be an answer; one that was saved by another version may not."""

    def fields(self, answer: Said) -> dict[str, str]:
        """Return what the fields of a form show for an answer."""

    def truth(self) -> Said:
        """Return the right answer."""

    def judged(self, answer: Said) -> Judgement:
        """Say whether an answer is right, and what is wrong with it."""


@dataclass(frozen=True)
class Step:
    """One step of a task: what is asked, the tables above the fields, and the kind of answer."""

    text: str
    kind: Judging
    tables: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Task:
    """Steps, of which each opens when the one before is right. notice: what to notice at the end."""

    title: str
    steps: tuple[Step, ...]
    notice: str

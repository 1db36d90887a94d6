"""A kind of answer: how it is asked for, read, judged and told."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeGuard, TypeVar

from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.picture import Picture

Said = TypeVar("Said")


@dataclass(frozen=True)
class Judgement:
    """What is to be said of an answer. mistake: the name of the known one that explains it.

    reasons: (what could be chosen, why it is right or wrong), where there is one for each. summary: what stands above
    them.
    """

    is_right: bool
    told: str = ""
    mistake: str = ""
    reasons: tuple[tuple[str, str], ...] = ()
    summary: str = "Why?"


class QuestionKind(ABC, Generic[Said]):
    """What is asked for; it knows the right answer, and why another one is wrong. Said: what an answer is."""

    @abstractmethod
    def render(self) -> Markup:
        """Draw the fields for an answer."""

    def pictures(self) -> list[Picture]:
        """Return what is drawn in place of the fields where nothing can be filled in."""
        return []

    def texts(self) -> list[str]:
        """Return the texts of what can be answered, where these are given."""
        return []

    @abstractmethod
    def read(self, fields: Mapping[str, object]) -> Said:
        """Return the answer that the fields of a form give. Errors: `ValueError` in plain words."""

    @abstractmethod
    def can_be(self, answer: object) -> TypeGuard[Said]:
        """Whether this can be an answer; one that was saved by another version may not."""

    @abstractmethod
    def fields(self, answer: Said) -> dict[str, str]:
        """Return what the fields of a form show for an answer."""

    @abstractmethod
    def written(self, answer: Said) -> str:
        """Write an answer out."""

    def quoted(self, answer: Said) -> str:
        """Write an answer out, as it stands in a sentence."""
        return f"“{self.written(answer)}”"

    @abstractmethod
    def truth(self) -> Said:
        """Return the right answer."""

    @abstractmethod
    def judged(self, answer: Said) -> Judgement:
        """Say whether an answer is right, and what is wrong with it; it may be tried again."""

    def is_right(self, answer: Said) -> bool:
        """Whether an answer is right."""
        return self.judged(answer).is_right

    def reason(self, answer: Said) -> str:
        """Say why an answer is right or wrong, where each has its reason."""
        return ""

    def corrected(self, answer: Said) -> str:
        """Say what is wrong with an answer, and what is right: it is not tried again."""
        return self.judged(answer).told if self.is_right(answer) else f"The answer is {self.quoted(self.truth())}."


@dataclass(frozen=True)
class Computed(QuestionKind[Said]):
    """A kind whose right answer is given, or computed by a function, once: some are measured."""

    right: Said | Callable[[], Said]

    def truth(self) -> Said:
        """Return the right answer."""
        return self._truth

    @cached_property
    def _truth(self) -> Said:
        return self.right() if callable(self.right) else self.right

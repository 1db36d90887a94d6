"""A question: a text, and what is to be answered. A task is several of them, each after the other."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from mha_course.engine.asking.kind import QuestionKind, Said
from mha_course.engine.pictures.forms import NOTHING
from mha_course.engine.pictures.markup import Markup, joined
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.practice import beside


@dataclass(frozen=True)
class Question(Generic[Said]):
    """A question, whether it is a prediction, of a quiz, of a review or a part of a task.

    name: begins with that of its lesson. kind: what can be answered, and what is right. numbers: computes the words
    that show a prediction's truth, to be read after a colon. lesson: what the question is about, if not the lesson
    that asks it. source: where the learner has met it. shown: what stands above the fields.
    """

    name: str
    text: str
    kind: QuestionKind[Said]
    numbers: Callable[[], str] | None = None
    lesson: str = ""
    source: str = ""
    shown: Picture = NOTHING

    @property
    def about(self) -> str:
        """The name of the lesson that the question is about; it may be asked in a later one, to bring it to mind."""
        return self.lesson or self.name.partition(".")[0]

    def truth(self) -> Said:
        """Return the right answer."""
        return self.kind.truth()

    def render(self) -> Markup:
        """Draw what stands below the text: what is shown, and the fields for an answer."""
        return joined(filter(None, [self.shown.html, self.kind.render()]), "\n")

    def picture(self) -> Picture:
        """Return what is shown where nothing can be filled in."""
        return self.shown

    def confronted(self, answer: Said) -> str:
        """Set an answer against the truth, and show the truth in numbers.

        >>> from mha_course.engine.asking.kinds import Number
        >>> Question("sums.three", "How much is 1 + 2?", Number(3), lambda: "1 and 1 and 1.").confronted(2)
        'You said 2. It is 3: 1 and 1 and 1.'
        """
        kind = self.kind
        verdict = "That is right" if kind.is_right(answer) else f"It is {kind.quoted(self.truth())}"
        because = " ".join(filter(None, [self.numbers() if self.numbers else "", kind.reason(answer)]))
        return f"You said {kind.quoted(answer)}. {verdict}{f': {because}' if because else '.'}"

    def corrected(self, answer: Said) -> str:
        """Say what is wrong with an answer, and what is right: what was predicted once is confronted again."""
        return self.confronted(answer) if self.numbers else self.kind.corrected(answer)


@dataclass(frozen=True)
class Part(Question[Said]):
    """A part of a task. Its name is that of the task with a number. tables: what stands above the fields."""

    tables: tuple[Picture, ...] = ()

    def render(self) -> Markup:
        """Draw what stands below the text: what is shown, and the fields for an answer."""
        return joined([beside(self.tables).html, self.kind.render()])

    def picture(self) -> Picture:
        """Return what is shown where nothing can be filled in."""
        return beside([*self.tables, *self.kind.pictures()])


@dataclass(frozen=True)
class Task:
    """Something to do on paper, in parts, of which each opens when the one before is right.

    notice: what to notice at the end.
    """

    name: str
    title: str
    parts: tuple[Part[Any], ...]
    notice: str

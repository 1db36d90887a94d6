"""A question of a review: it is asked once, and then told what is right and why."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from mha_course.workbook.asking.kinds import Choice, Kind, Option, Said
from mha_course.workbook.asking.prediction import Prediction
from mha_course.workbook.asking.question import Question
from mha_course.workbook.pictures.forms import NOTHING
from mha_course.workbook.pictures.picture import Picture


@dataclass(frozen=True)
class ReviewQuestion(Generic[Said]):
    """A question about something that was met.

    name: of the exercise, prediction or quiz question. source: the same for the learner. truth: the right answer.
    told: says what comes of an answer, and why. shown: what the question is about. recognised: the mistake that
    makes an answer, by its name, or nothing.
    """

    name: str
    source: str
    text: str
    kind: Kind[Said]
    truth: Said
    told: Callable[[Said], str]
    shown: Picture = NOTHING
    recognised: Callable[[Said], str] = lambda answer: ""

    def is_right(self, answer: Said) -> bool:
        """Whether an answer is the true one."""
        return self.kind.is_right(answer, self.truth)


def of_choice(name: str, source: str, text: str, kind: Choice, truth: str, shown: Picture = NOTHING) -> ReviewQuestion:
    """Ask for one of several answers, each of which has its reason.

    >>> kind = Choice({"up": Option("It grows.", "2 is more than 1."), "down": Option("It shrinks.", "No, 2 > 1.")})
    >>> of_choice("lesson.point", "Lesson 1", "What of 1 + 1?", kind, "up").told("down")
    'Not “It shrinks”: No, 2 > 1. The answer is “It grows”: 2 is more than 1.'
    """

    def told(answer: str) -> str:
        chosen, right = kind.options[answer], kind.options[truth]
        return right.reason if answer == truth else f"Not {_with_reason(chosen)} The answer is {_with_reason(right)}"

    return ReviewQuestion(name, source, text, kind, truth, told, shown)


def _with_reason(option: Option) -> str:
    return f"“{option.text.removesuffix('.')}”: {option.reason}"


def of_question(name: str, source: str, question: Question) -> ReviewQuestion:
    """Ask a quiz question again."""
    return of_choice(name, source, question.text, question.kind, question.truth())


def of_prediction(name: str, source: str, prediction: Prediction) -> ReviewQuestion:
    """Ask for a prediction again."""
    truth = prediction.truth()
    return ReviewQuestion(name, source, prediction.text, prediction.kind, truth, prediction.confront)

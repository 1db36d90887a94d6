"""The manners in which a course asks: a prediction, a quiz, a task on paper, a review."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from mha_course.engine.asking.own_words import OwnWords
from mha_course.engine.asking.question import Question, Task
from mha_course.engine.asking.session import Manner, Session
from mha_course.engine.pictures.forms import OPEN
from mha_course.engine.progress.progress import Progress
from mha_course.engine.progress.spacing import KIND, RULE

NOTHING_MET = (
    "There is nothing to review yet: from the next day on, review() asks about exercises that you have tried, and "
    "repeats the questions that you got wrong."
)


def prediction(question: Question[Any], progress: Progress) -> Session:
    """Commit to an answer, meet the truth in numbers, say why in your own words."""
    return Session([question], progress, PREDICTION, OwnWords(question.name, progress))


def quiz(questions: Iterable[Question[Any]], progress: Progress) -> Session:
    """Answer questions at once or later; each can be answered again until it is right."""
    return Session(questions, progress, QUIZ)


def task(asked: Task, progress: Progress) -> Session:
    """Do one part after the other; each can be tried until it is right, which opens the next."""
    return Session(asked.parts, progress, _task(asked))


def review(questions: Iterable[Question[Any]], progress: Progress, what_is_due: Callable[[], str]) -> Session:
    """Answer a handful of questions once. what_is_due: says what is due by now; nothing if nothing was met."""
    questions = list(questions)
    return Session(questions, progress, _review(RULE if questions or what_is_due() else NOTHING_MET, what_is_due))


PREDICTION = Manner(
    event="predicted", label="Predict.", button="Commit", summary="kept", is_final=True, told=Question.confronted,
    in_words=lambda is_right, told: told,  # which says it already
)  # fmt: skip
QUIZ = Manner(
    event="answered", label="Question {place}.", button="Check", summary="score",
    stand=lambda right, answered, asked: f"{right} of {asked} right." if answered else OPEN,
)  # fmt: skip
TASK = Manner(
    event="answered", label="Step {place} of {asked}.", button="Check", summary="stand", in_turn=True,
    stand=lambda right, answered, asked: (
        f"{right} of {asked} steps are right." if right < asked else "All steps are right."
    ),
)  # fmt: skip


def _task(asked: Task) -> Manner:
    """Ask in turn. Of a task with one part, neither a number nor how things stand is told."""
    manner = replace(TASK, solves=asked.name, notice=asked.notice)
    return manner if len(asked.parts) > 1 else replace(manner, label="Practise.", stand=lambda *counts: "")


def _review(first_line: str, what_is_due: Callable[[], str]) -> Manner:
    """Say how far the sitting is; once all is answered, when the next questions are due."""

    def stand(right: int, answered: int, asked: int) -> str:
        if answered < asked:
            return f"{answered} of {asked} answered, {right} right." if answered else OPEN
        return " ".join([*[f"{right} of {asked} right."] * bool(asked), what_is_due()]).strip()

    return Manner(
        event=KIND, label="{place}. {source}.", button="Commit", summary="score", is_final=True, comes_back=False,
        told=Question.corrected, stand=stand, first_line=first_line,
    )  # fmt: skip

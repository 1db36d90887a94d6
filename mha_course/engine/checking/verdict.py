"""A diagnosis as the learner sees it."""

from collections.abc import Iterable
from dataclasses import dataclass

from mha_course.engine.checking.diagnosis import Diagnosis, Finding
from mha_course.engine.checking.exercise import Exercise
from mha_course.engine.pictures.cards import card
from mha_course.engine.pictures.glossary import NO_WORDS, Glossary
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.progress.event import Event

OF_KIND: dict[Finding, str] = {"right": "right", "mistake": "wrong", "difference": "wrong", "not started": "open"}


@dataclass(frozen=True, repr=False)
class Verdict(Picture):
    """What a check says, as a card; the rest is for programs.

    mistakes: the names of those that were recognised.
    """

    kind: Finding
    mistakes: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Whether the answer is right."""
        return self.kind == "right"


def verdict(
    exercise: Exercise, diagnosis: Diagnosis, notices: Iterable[str] = (), glossary: Glossary = NO_WORDS
) -> Verdict:
    """Draw the diagnosis of an exercise as a card.

    notices: on what else happened, such as a full disk. glossary: of the words to be linked.
    """
    headline = f"Exercise {exercise.number}: {diagnosis.headline}"
    after = [*known_from(diagnosis), *notices]
    drawn = card(OF_KIND[diagnosis.kind], headline, diagnosis.paragraphs, diagnosis.lines, after, glossary)
    event = Event("", exercise.name, 0, diagnosis.kind, diagnosis.mistakes)
    events = (event,) * (diagnosis.kind != "not started")
    return Verdict(drawn.html, drawn.text, diagnosis.kind, diagnosis.mistakes, events=events)


def known_from(diagnosis: Diagnosis) -> list[str]:
    """Say where else the mistakes were made, and where they were only asked about.

    >>> known_from(Diagnosis("mistake", "The scale is missing.", where="mlc-ai/mlc-llm #3426"))
    ['This has happened to others: mlc-ai/mlc-llm #3426.']
    """
    happened = f"This has happened to others: {diagnosis.where}." if diagnosis.where else ""
    asked = f"Readers of other code have brought it up: {diagnosis.asked}." if diagnosis.asked else ""
    return [sentence for sentence in (happened, asked) if sentence]

"""A diagnosis as the learner sees it: a card, and for programs whether it is right."""

from collections.abc import Iterable
from dataclasses import dataclass

from mha_course.checking.diagnose import Diagnosis
from mha_course.checking.exercise import Exercise
from mha_course.pictures.cards import card
from mha_course.pictures.picture import Picture

OF_KIND = {"right": "right", "mistake": "wrong", "difference": "wrong", "not started": "open"}


@dataclass(frozen=True, repr=False)
class Verdict(Picture):
    """What a check says, as a card; `is_right` is for programs."""

    is_right: bool


def verdict(exercise: Exercise, diagnosis: Diagnosis, notices: Iterable[str] = ()) -> Verdict:
    """Draw the diagnosis of an exercise as a card. notices: on what else happened, such as a full disk."""
    where = [f"This has happened to others: {diagnosis.where}."] if diagnosis.where else []
    headline = f"Exercise {exercise.number}: {diagnosis.headline}"
    drawn = card(OF_KIND[diagnosis.kind], headline, diagnosis.paragraphs, diagnosis.lines, [*where, *notices])
    return Verdict(drawn.html, drawn.text, diagnosis.kind == "right")

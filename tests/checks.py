"""What the tests of checks share: the exercises, their mistakes, and what a check says of each."""

from functools import cache

import pytest

from mha_course.checking.diagnose import diagnose
from mha_course.checking.verdict import verdict
from mha_course.lessons import catalogue

EXERCISES = catalogue.exercises()
SCALED = EXERCISES["scaled_scores.scaled"]  # one of them, for what is the same in all
EVERY_WAY = [
    (exercise, mistake, way) for exercise in EXERCISES.values() for mistake in exercise.mistakes for way in mistake.ways
]

every_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)


@cache
def diagnosis_of(exercise, way):
    """Return what a check says of one way to make a mistake; several tests look at it."""
    return diagnose(exercise, way)


def text_of(diagnosis):
    """Return all that the learner reads."""
    return verdict(SCALED, diagnosis).text

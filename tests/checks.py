"""What the tests of checks share: the exercises, every way to make one mistake, and what a check says of it."""

from functools import cache

import pytest
from combinations import combinations

from mha_course.lessons import CATALOGUE
from mha_course.workbook.checking.answers import right_answer
from mha_course.workbook.checking.diagnose import diagnose
from mha_course.workbook.checking.verdict import verdict

EXERCISES = CATALOGUE.exercises
SCALED = EXERCISES["scaled_scores.scaled"]  # one of them, for what is the same in all
EVERY_WAY = {exercise.name: combinations(exercise, 1) for exercise in EXERCISES.values()}

every_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)


@cache
def diagnosis_of(exercise, explanation):
    """Return what a check says of one way to make a mistake; several tests look at it."""
    return diagnose(exercise, explanation.function)


def right_answers(exercise, seed=0):
    """List the right answers to the inputs of one check."""
    return [right_answer(exercise, inputs) for inputs in exercise.inputs(seed)]


def text_of(diagnosis):
    """Return all that the learner reads."""
    return verdict(SCALED, diagnosis).text

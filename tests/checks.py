"""What the tests of checks share: the exercises, every way to make one mistake, and what a check says of it.

The answers of all ways and pairs to one input are computed once, for all checks of an exercise that ask for them. And
no function is rehearsed in another process, which takes longer than all else: those that tests check here come to an
end, and tests/engine checks some that do not.
"""

from functools import cache, lru_cache
from unittest.mock import patch

import pytest
from combinations import combinations

from mha_course.engine.checking import search
from mha_course.engine.checking.answers import answer_of, mistakes_stay_quiet, right_answer
from mha_course.engine.checking.compare import alike
from mha_course.engine.checking.diagnose import diagnose
from mha_course.engine.checking.verdict import verdict
from mha_course.engine.isolated_call import attempt
from mha_course.lessons import CATALOGUE

EXERCISES = CATALOGUE.exercises
SCALED = EXERCISES["scaled_scores.scaled"]  # one of them, for what is the same in all
CHANGED = search.changed

every_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)


@cache
def variants_of(exercise):
    """List every way to make one mistake."""
    return combinations(exercise, 1)


def told(exercise, function, seed=0):
    """Return what a check says of a function that comes to an end; its search looks up what mistakes make."""
    with looking_up(seed), patch.object(attempt, "is_the_courses", lambda function: True):
        return diagnose(exercise, function, seed=seed)


def looking_up(seed=0):
    """Let searches in the inputs of one seed look up what one mistake makes of them, or two."""

    def looked_up(exercise, solution, inputs, count):
        if count > 2:
            return CHANGED(exercise, solution, inputs, count)
        return made_by_mistakes(exercise, count, seed, inputs.words)

    return patch.object(search, "changed", looked_up)


@lru_cache(maxsize=32)
def made_by_mistakes(exercise, count, seed, words):
    """List what so many mistakes make of the inputs with these words, as `changed` yields it."""
    (inputs,) = (each for each in exercise.inputs(seed) if each.words == words)
    return list(CHANGED(exercise, exercise.right, inputs, count))


def right_answers(exercise, seed=0):
    """List the right answers to the inputs of one check."""
    return [right_answer(exercise, inputs) for inputs in exercise.inputs(seed)]


def answers_of(exercise, function, inputs):
    """List what a function that is known to end answers to these inputs."""
    with mistakes_stay_quiet():
        return [answer_of(exercise, function, one) for one in inputs]


def is_right(exercise, function, seed=0):
    """Whether a check would find nothing wrong in the answers: by their numbers alone, without a word on them."""
    return all(map(alike, answers_of(exercise, function, exercise.inputs(seed)), right_answers(exercise, seed)))


def text_of(diagnosis):
    """Return all that the learner reads."""
    return verdict(SCALED, diagnosis).text

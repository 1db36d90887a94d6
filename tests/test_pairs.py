"""Two mistakes at once: every pair gets both of its names, or is known to be one that no inputs tell apart."""

import itertools
import random
from collections import defaultdict

import numpy as np
import pytest
from checks import EXERCISES, every_exercise
from combinations import agree, alike_on, combinations, joined, read_table
from test_mistakes import arithmetic_gives_its_number

from mha_course import softmax
from mha_course.workbook.checking.answers import answer_of
from mha_course.workbook.checking.diagnose import FURTHER, diagnose
from mha_course.workbook.checking.recipe import Recipe

INSEPARABLE = read_table()
RECIPES = [name for name, exercise in EXERCISES.items() if isinstance(exercise.right, Recipe)]
every_recipe = pytest.mark.parametrize("exercise", [EXERCISES[name] for name in RECIPES], ids=RECIPES)


def test_all_exercises_but_the_check_of_checks_are_recipes():
    assert set(EXERCISES) - set(RECIPES) == {"find_the_bug.check"}


@every_exercise
def test_the_inputs_of_one_check_tell_apart_nearly_all_that_any_inputs_can(exercise):
    known, left = INSEPARABLE[exercise.name], set()
    for first, *others in alike_on(exercise, [*exercise.further_inputs(0, FURTHER), *exercise.inputs(0)], known):
        same = {joined(each.names) for each in others} - {joined(first.names)}
        left |= {names for names in same if not any(names in others for others in known.values())}
    assert not [names for names in left if " + " not in names]
    assert len(left) <= max(1, 0.01 * len(combinations(exercise, 2))), left


@every_recipe
def test_a_pair_gets_both_names_and_the_arithmetic_of_both(exercise):
    same = {names for one, others in INSEPARABLE[exercise.name].items() for names in (one, *others)}
    pairs = [pair for pair in combinations(exercise, 2) if joined(pair.names) not in same]
    drawn = random.Random(exercise.name).sample(pairs, min(8, len(pairs)))
    told = [diagnose(exercise, pair.function) for pair in drawn]
    named = [set(found.mistakes) == set(pair.names) for found, pair in zip(told, drawn, strict=True)]
    assert sum(named) >= 0.75 * len(drawn)  # on the inputs of one check, some look like something simpler
    for found in told:
        for _, line in found.lines:
            arithmetic_gives_its_number(line)


@every_recipe
def test_what_stands_in_the_table_is_the_same_on_other_draws(exercise):
    ways = defaultdict(list, {"right": [exercise.right]})
    for each in (*combinations(exercise, 1), *combinations(exercise, 2)):
        ways[joined(each.names)].append(each.function)
    lines = [(one, other) for one, others in INSEPARABLE[exercise.name].items() for other in others]
    inputs = [each for seed in (7, 8) for each in exercise.inputs(seed)]
    with np.errstate(all="ignore"):
        for names in random.Random(exercise.name).sample(lines, min(4, len(lines))):
            one, other = ([[answer_of(exercise, way, each) for each in inputs] for way in ways[name]] for name in names)
            assert any(all(map(agree, *pair)) for pair in itertools.product(one, other)), names


def test_three_at_once_are_found_where_there_is_time():
    def three(Q, K):
        return softmax(K @ Q.T)

    found = diagnose(EXERCISES["scaled_scores.scaled"], three)
    assert found.headline.startswith("Three things at once: ") and len(found.mistakes) == 3


def test_an_answer_of_the_course_may_raise():
    exercise = EXERCISES["scaled_scores.scaled"]
    assert isinstance(answer_of(exercise, lambda Q, K: Q @ K, exercise.inputs(0)[1]), ValueError)

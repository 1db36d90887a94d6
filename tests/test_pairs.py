"""Two mistakes at once: every pair gets both of its names, or is known to be one that no inputs tell apart."""

import itertools
import random
from collections import defaultdict

import pytest
from arithmetic import gives_its_number
from checks import EXERCISES, answers_of, told, variants_of
from combinations import agree, alike_on, combinations, joined, read_table

from mha_course import softmax
from mha_course.engine.checking.answers import answer_of
from mha_course.engine.checking.diagnose import diagnose
from mha_course.engine.checking.search import FURTHER
from mha_course.engine.checking.solution import Solution

pytestmark = pytest.mark.long

INSEPARABLE = read_table()
SOLUTIONS = [exercise for exercise in EXERCISES.values() if isinstance(exercise.right, Solution)]


def test_the_inputs_of_one_check_tell_apart_nearly_all_that_any_inputs_can():
    singles, many = {}, {}
    for exercise in EXERCISES.values():
        left = left_together(exercise)
        singles[exercise.name] = [names for names in left if " + " not in names]
        if len(left) > max(1, 0.01 * len(combinations(exercise, 2))):
            many[exercise.name] = left
    assert {name: each for name, each in singles.items() if each} == {} and many == {}


def left_together(exercise):
    """Return the names of what looks on the inputs of one check like something simpler, though other inputs differ."""
    known, left = INSEPARABLE[exercise.name], set()
    for first, *others in alike_on(exercise, [*exercise.further_inputs(0, FURTHER[1]), *exercise.inputs(0)], known):
        same = {joined(each.names) for each in others} - {joined(first.names)}
        left |= {names for names in same if not any(names in others for others in known.values())}
    return left


def gives_numbers(exercise, pair):
    """Whether no input of one check ends in an error, which would tell less than numbers do."""
    return not any(isinstance(each, BaseException) for each in answers_of(exercise, pair.function, exercise.inputs(0)))


def test_a_pair_gets_both_names_and_the_arithmetic_of_both():
    wrong = {}
    for exercise in SOLUTIONS:
        same = {names for one, others in INSEPARABLE[exercise.name].items() for names in (one, *others)}
        pairs = [pair for pair in combinations(exercise, 2) if joined(pair.names) not in same]
        random.Random(exercise.name).shuffle(pairs)
        for pair in itertools.islice(filter(lambda pair: gives_numbers(exercise, pair), pairs), 1):
            found = told(exercise, pair.function)
            lines = [line for _, line in found.lines if not gives_its_number(line)]
            if set(found.mistakes) != set(pair.names) or lines:
                wrong[exercise.name, pair.names] = found.mistakes, lines
    assert wrong == {}


def test_what_stands_in_the_table_is_the_same_on_other_draws():
    wrong = {}
    for exercise in SOLUTIONS:
        variants = defaultdict(list, {"right": [exercise.right]})
        for each in (*variants_of(exercise), *combinations(exercise, 2)):
            variants[joined(each.names)].append(each.function)
        lines = [(one, other) for one, others in INSEPARABLE[exercise.name].items() for other in others]
        inputs = [each for seed in (7, 8) for each in exercise.inputs(seed)]
        for names in random.Random(exercise.name).sample(lines, min(4, len(lines))):
            one, other = ([answers_of(exercise, variant, inputs) for variant in variants[name]] for name in names)
            if not any(all(map(agree, *pair)) for pair in itertools.product(one, other)):
                wrong[exercise.name] = names
    assert wrong == {}


def three(Q, K):
    return softmax(K @ Q.T)


def test_three_at_once_are_found_where_there_is_time():
    found = diagnose(EXERCISES["scaled_scores.scaled"], three)
    assert found.headline.startswith("Three things at once: ") and len(found.mistakes) == 3


def test_an_answer_of_the_course_may_raise():
    exercise = EXERCISES["scaled_scores.scaled"]
    assert isinstance(answer_of(exercise, lambda Q, K: Q @ K, exercise.inputs(0)[1]), ValueError)

"""Every mistake that an exercise knows is told apart from all others, recognised by its name, and shown on one entry.

Every way to make one is searched for in a table: what all ways answer to the inputs of one check. A whole check is made
of each name once, and of the first way of each exercise.
"""

import re
from functools import cache
from html import escape

import numpy as np
import pytest
from arithmetic import gives_its_number
from checks import EXERCISES, answers_of, looking_up, right_answers, told, variants_of

from mha_course.engine.checking.answers import Outcome, mistakes_stay_quiet
from mha_course.engine.checking.compare import alike
from mha_course.engine.checking.evidence import lines, telling_places
from mha_course.engine.checking.search import FURTHER, explanations
from mha_course.engine.checking.solution import Solution, known_to
from mha_course.engine.checking.verdict import verdict
from mha_course.engine.isolated_call.attempt import Attempt

pytestmark = pytest.mark.long

EVERY_VARIANT = [(exercise, variant) for exercise in EXERCISES.values() for variant in variants_of(exercise)]
NO_ENTRY = r"it raises|only their shape is not|Only the axes|has shape \([\d, ]*\), but needs"
BY_NAME = {
    (variant.mistakes[0].name, variant.mistakes[0].why): (exercise, variant)
    for exercise, variant in reversed(EVERY_VARIANT)
}
CHECKED = {*BY_NAME.values(), *((exercise, variants_of(exercise)[0]) for exercise in EXERCISES.values())}


def label(exercise, variant):
    """Say which way it is, among those of the same name too."""
    return f"{exercise.name} {variants_of(exercise).index(variant)}: {variant.names[0]}"


@cache
def outcomes_of(exercise, variant):
    """Set what one way answers to the inputs of one check beside the right answers."""
    inputs = exercise.inputs(0)
    answers = zip(inputs, answers_of(exercise, variant.function, inputs), right_answers_to(exercise), strict=True)
    return [Outcome(one, Attempt(), made, right) for one, made, right in answers]


right_answers_to = cache(right_answers)


@cache
def whole_checks():
    """Return what a check says of each name once."""
    return [
        (exercise, variant, told(exercise, variant.function))
        for exercise, variant in EVERY_VARIANT
        if (exercise, variant) in CHECKED
    ]


def names_found(exercise, variant):
    """Name what the search finds for the answers of one way: on further inputs too, where others answer the same."""
    for count in (0, FURTHER[1]):
        more = exercise.further_inputs(0, count)
        answers = [*zip(more, answers_of(exercise, variant.function, more), strict=True)]
        with mistakes_stay_quiet(), looking_up():
            found = [each.names for each in explanations(exercise, outcomes_of(exercise, variant), lambda _: answers)]  # noqa: B023
        if found == [variant.names]:
            break
    return found


def test_every_mistake_of_a_step_can_be_made_in_an_exercise_that_has_this_step():
    known = {mistake.name for exercise in EXERCISES.values() for mistake in known_to(exercise)}
    solutions = [exercise.right for exercise in EXERCISES.values() if isinstance(exercise.right, Solution)]
    assert {mistake.name for solution in solutions for step in solution.steps for mistake in step.mistakes} <= known


def test_no_way_to_make_a_mistake_is_right():
    wrong = {label(*each) for each in EVERY_VARIANT if all(outcome.is_right for outcome in outcomes_of(*each))}
    assert wrong == set()


def test_every_way_to_make_a_mistake_is_found_by_its_name_alone():
    wrong = {}
    for exercise, variant in EVERY_VARIANT:
        is_wrong = not all(outcome.is_right for outcome in outcomes_of(exercise, variant))
        if (
            (exercise, variant) not in CHECKED
            and is_wrong
            and (found := names_found(exercise, variant)) != [variant.names]
        ):
            wrong[label(exercise, variant)] = found
    assert wrong == {}


def test_a_check_says_the_name_of_a_mistake_its_reason_and_where_it_is_known_from():
    wrong = {}
    for exercise, variant, found in whole_checks():
        (mistake,) = variant.mistakes
        said = (found.kind, found.headline, found.where, found.asked, found.mistakes)
        others = [paragraph for paragraph in found.paragraphs if "The same numbers come from" in paragraph]
        if said != ("mistake", mistake.name, mistake.where, mistake.asked, variant.names) or others:
            wrong[label(exercise, variant)] = said, others
        elif mistake.why not in found.paragraphs:
            wrong[label(exercise, variant)] = found.paragraphs
    assert wrong == {}


def test_a_card_says_the_same_in_html_and_in_text():
    wrong = {}
    for exercise, variant, found in whole_checks():
        card, (name,) = verdict(exercise, found), variant.names
        tables = {card.html.count("<table"), card.html.count("<caption"), card.text.count("  yours")}
        if len(tables) > 1 or name not in card.text or escape(name) not in card.html:
            wrong[label(exercise, variant)] = card.text
    assert wrong == {}


# The one entry


def test_a_mistake_shows_one_entry_whose_arithmetic_gives_its_number():
    shown = {label(exercise, variant): found.lines for exercise, variant, found in whole_checks()}
    assert {name: wrong for name, lines in shown.items() if (wrong := wrong_in(lines))} == {}


def test_so_does_every_wrong_function_that_no_check_was_made_of():
    functions = {function_of(variant) for _, variant in CHECKED}
    wrong = {}
    for exercise, variant in EVERY_VARIANT:
        if function_of(variant) not in functions and (miss := miss_with_an_entry(exercise, variant)):
            functions.add(function_of(variant))
            with mistakes_stay_quiet():
                shown = lines(exercise, miss, variant.function)
            if not shown or wrong_in(shown):
                wrong[label(exercise, variant)] = shown
    assert wrong == {}


def test_only_errors_and_a_mere_shape_show_no_entry():
    none = {
        label(exercise, variant): found.paragraphs for exercise, variant, found in whole_checks() if not found.lines
    }
    assert {name: said for name, said in none.items() if not re.search(NO_ENTRY, said[-1])} == {}


def wrong_in(shown):
    """Return the lines of an answer and of the right one that do not hold; empty if all do."""
    if [who for who, _ in shown] not in (["yours", "right"], []):
        return shown
    if len({line.split(" = ")[-1] for _, line in shown}) < len(shown):
        return "both numbers are the same", shown
    return [line for _, line in shown if not gives_its_number(line)]


def function_of(variant):
    """Return the wrong function itself: that of one step, or else of the whole answer."""
    return variant.step_mistakes[0].variant if variant.step_mistakes else variant.function


def miss_with_an_entry(exercise, variant):
    """Return the first outcome of a way in which two numbers differ; None if there is none."""
    misses = (outcome for outcome in outcomes_of(exercise, variant) if not outcome.is_right)
    return next((miss for miss in misses if telling_places(miss.answer, miss.right)), None)


# The records


def test_in_float16_a_mistake_is_none_the_less_a_mistake():
    assert {
        label(exercise, variant)
        for exercise, variant in EVERY_VARIANT
        if all(alike(in_float16(outcome.answer), outcome.right) for outcome in outcomes_of(exercise, variant))
        and "rounded" not in variant.names[0]
    } == set()


def in_float16(answer):
    with np.errstate(all="ignore"):
        return [array.astype(np.float16) for array in answer] if isinstance(answer, list) else answer


def test_400_mistakes_and_more_are_known_each_as_a_sentence_with_a_reason_and_perhaps_its_threads():
    mistakes = [variant.mistakes[0] for _, variant in EVERY_VARIANT]
    assert len({mistake.name for mistake in mistakes}) >= 400
    for mistake in mistakes:
        assert mistake.name.endswith(".") and mistake.why.endswith("."), mistake
        for threads in (mistake.where, mistake.asked):
            assert all(re.fullmatch(r"[\w.-]+/[\w.-]+ #\d+", each) for each in threads.split(", ") if each), mistake


def test_a_name_stands_for_one_reason_in_an_exercise():
    reasons = {}
    for exercise, variant in EVERY_VARIANT:
        reasons.setdefault((exercise.name, *variant.names), set()).add(variant.mistakes[0].why)
    assert {name: each for name, each in reasons.items() if len(each) > 1} == {}

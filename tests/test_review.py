"""What a review asks about an exercise: one right answer, a reason for each option, small numbers, and no ambiguity."""

import re
from functools import cache

import nbformat
import numpy as np
import pytest
from checks import EXERCISES, every_exercise
from run_notebooks import execute
from stored import ROOT, code_cells

from mha_course.engine.asking.kinds import Choice, Number
from mha_course.engine.asking.sittings import NOTHING_MET
from mha_course.engine.checking.effects import MANY, Effects, can_be_shown, seen, small_effects
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.shapes import situation
from mha_course.engine.checking.solution import known_to
from mha_course.engine.course import exercise_questions
from mha_course.engine.pictures.arrays import arrays
from mha_course.engine.pictures.forms import inline
from mha_course.lessons.by_name import COURSE

KINDS = ("_entry", "_diagnosis", "_cases", "_result", "_reason")
SEEDS = range(4)


def mistake_in(question, answer):
    """The known mistake that a review sees behind an answer."""
    return question.kind.judged(answer).mistake


@cache
def drawn(name):
    """Return every kind of question about an exercise for several seeds, where there is one: kind -> questions."""
    exercise = EXERCISES[name]
    return {
        kind: [
            (seed, question)
            for seed in SEEDS
            if (question := getattr(exercise_questions, kind)(exercise, Sampler(seed, 7))) is not None
        ]
        for kind in KINDS
    }


@cache
def effects_of(exercise, seed):
    """Return the inputs drawn for the questions of a seed, with what comes of them; several tests look at it."""
    return small_effects(exercise, Sampler(seed, 7))


def effects_behind(exercise, seed, question):
    """Find the inputs that a question shows, drawn once more."""
    found = effects_of(exercise, seed)
    shown = [each for each in found if question.shown.text.startswith(f"{arrays(each.named)}")]
    assert shown, "what is shown is no input of the exercise"
    return shown[0]


def texts_of(effects):
    """What every mistake makes of an input, as it is seen: name -> texts. Computed by the functions themselves."""
    return {name: set(map(seen, answers)) for name, answers in effects.made.items()}


@every_exercise
def test_every_exercise_can_always_be_asked_about_and_each_kind_comes_in_turn(exercise):
    asked = [exercise_questions.exercise_question(exercise, 5, turn) for turn in range(5)]
    possible = [kind for kind, questions in drawn(exercise.name).items() if questions]
    assert "_reason" in possible and len({each.text for each in asked}) >= min(2, len(possible))
    assert all(each.name == exercise.name and each.source.startswith(f"Exercise {exercise.number}") for each in asked)


@every_exercise
def test_one_option_is_right_and_each_has_its_reason(exercise):
    for kind, questions in drawn(exercise.name).items():
        for _, question in questions:
            if isinstance(question.kind, Choice):
                options = question.kind.options
                assert len(options) == len(set(question.kind.texts())) == 4, kind
                assert [key for key in options if question.kind.is_right(key)] == [question.truth()]
                assert all(option.reason in question.corrected(key) for key, option in options.items())


@every_exercise
def test_the_mistake_to_be_diagnosed_makes_what_is_shown_and_no_other_does(exercise):
    for seed, question in drawn(exercise.name)["_diagnosis"]:
        effects, options = effects_behind(exercise, seed, question), question.kind.options
        texts, name = texts_of(effects), exercise.results[0]
        tables = effects.named | {f"right {name}": effects.right[0]}
        makes = {
            key: any(
                question.shown.text == arrays(tables | {f"returned {name}": answer[0]}).text
                for answer in effects.made[option.text]
                if can_be_shown(answer)
            )
            for key, option in options.items()
        }
        assert [key for key, does in makes.items() if does] == [question.truth()]
        assert all(seen(effects.right) not in texts[option.text] for option in options.values())
        told_apart([texts[option.text] for option in options.values()])
        for key, option in options.items():
            if key != question.truth():
                assert option.reason.split("`")[1] in texts[option.text]


@every_exercise
def test_the_mistake_tried_in_cases_does_what_is_told_and_no_other_does(exercise):
    for seed, question in drawn(exercise.name)["_cases"]:
        inputs = exercise.inputs(Sampler(seed, 7).whole(0, MANY))
        lines = question.shown.text.splitlines()
        begins = {f"- {situation(exercise, each)} ": Effects(exercise, each) for each in inputs}
        cases = [(begin, effects) for line in lines for begin, effects in begins.items() if line.startswith(begin)]
        said = [line.removeprefix(begin) for line, (begin, _) in zip(lines, cases, strict=True)]
        does = {
            key: {
                tuple(f"{effects.outcome(answer)}." for answer, (_, effects) in zip(variant, cases, strict=True))
                for variant in zip(*(effects.made[option.text] for _, effects in cases), strict=True)
            }
            for key, option in question.kind.options.items()
        }
        assert len(set(said)) > 1 and [key for key in does if tuple(said) in does[key]] == [question.truth()]
        told_apart(list(does.values()))


@every_exercise
def test_of_the_results_one_is_made_by_the_mistake_and_the_others_are_not(exercise):
    for seed, question in drawn(exercise.name)["_result"]:
        effects, options = effects_behind(exercise, seed, question), question.kind.options
        mistake = next(name for name in effects.mistakes if f"this mistake: “{name}” Which" in question.text)
        made = texts_of(effects)[mistake]
        assert [key for key, option in options.items() if option.text.strip("`") in made] == [question.truth()]
        right = [option for option in options.values() if option.text.strip("`") == seen(effects.right)]
        assert [option.reason.startswith("A right function") for option in right] == [True]


@every_exercise
def test_the_reason_is_that_of_the_right_mistake_alone(exercise):
    whys = {mistake.name: mistake.why for mistake in known_to(exercise)}
    for _, question in drawn(exercise.name)["_reason"]:
        options = question.kind.options
        said = [key for key, option in options.items() if f"“{whys[option.text]}” Which" in question.text]
        assert said == [question.truth()]
        assert all(whys[o.text] in o.reason for key, o in options.items() if key != question.truth())


@every_exercise
def test_an_entry_is_the_right_one_and_the_number_of_a_mistake_is_told_with_it(exercise):
    for seed, question in drawn(exercise.name)["_entry"]:
        effects = effects_behind(exercise, seed, question)
        place = re.search(r"`(\w+?)(?:\[([\d,]+)\])?`", question.text)
        position = tuple(int(i) - 1 for i in place[2].split(",")) if place[2] else ()
        result = exercise.results.index(place[1])
        truth = exercise.right(*effects.inputs.arguments)
        truth = (truth if len(exercise.results) > 1 else [truth])[result]
        assert question.truth() == pytest.approx(float(np.asarray(truth)[position]))
        assert isinstance(question.kind, Number) and question.kind.is_right(round(question.truth(), 2))
        assert mistake_in(question, question.truth()) == "" and "The answer is" not in question.corrected(
            question.truth()
        )
        wrong = wrong_numbers(effects, result, position, question)
        assert len(set().union(*wrong.values())) >= 2
        for number, names in wrong.items():
            assert not question.kind.is_right(number) and mistake_in(question, number) in names
            assert f"“{mistake_in(question, number)}” " in question.corrected(number)
            assert effects.mistakes[mistake_in(question, number)].why in question.corrected(number)


def wrong_numbers(effects, result, position, question):
    """What mistakes put in that place, where it is clearly wrong: number -> names of those that come near it."""
    numbers = {
        (name, float(answer[result][position]))
        for name, answers in effects.made.items()
        for answer in answers
        if not isinstance(answer, BaseException) and answer[result].shape == effects.right[result].shape
    }
    wrong = {(name, n) for name, n in numbers if abs(n - question.truth()) > 0.02}
    return {n: {name for name, other in wrong if abs(other - n) <= 0.01} for _, n in wrong if np.isfinite(n)}


def told_apart(sets):
    assert sum(map(len, sets)) == len(set().union(*sets))


@every_exercise
def test_what_is_shown_is_small_and_says_what_it_means(exercise):
    for kind, questions in drawn(exercise.name).items():
        for _, question in questions if kind != "_cases" else ():
            numbers = re.findall(r"-?\d+\.?\d*", re.sub(r"\w+(\[\d\])* = ", "", question.shown.text))
            assert len(numbers) <= 36 + 2 * 16
            assert all(len(number.partition(".")[2]) <= 2 for number in numbers if "e" not in question.shown.text)
            for row in re.findall(r"\[([^\[\]]*)\]", question.shown.text):
                assert len(row.split(",")) <= 4
    for questions in drawn(exercise.name).values():
        for _, question in questions:
            assert len(question.shown.text.splitlines()) <= 13 and len(question.shown.text) < 700
            texts = [
                question.text,
                *(question.corrected(answer) for answer in getattr(question.kind, "options", [1.5])),
            ]
            assert not any("<em>" in inline(text) for text in texts), "a star of code became italics"


@pytest.mark.long
def test_most_exercises_have_every_kind_of_question():
    missing = {kind: [name for name in EXERCISES if not drawn(name)[kind]] for kind in KINDS}
    assert [len(names) <= len(EXERCISES) // 3 for names in missing.values()] == [True] * 5, missing


def test_an_answer_that_is_an_error_or_too_large_is_not_shown():
    assert not can_be_shown(ValueError("…")) and not can_be_shown([np.ones((5, 2))])
    assert not can_be_shown([np.ones((3, 2, 2))]) and not can_be_shown([np.array([1e9])])
    assert can_be_shown([np.ones((2, 2, 4)), np.array(1.0)])


def test_what_is_written_alike_is_seen_alike():
    exercise = EXERCISES["softmax.general"]
    effects = Effects(exercise, exercise.cases[0].inputs())
    assert seen(effects.right) == seen([effects.right[0] + 0.001]) != seen([effects.right[0] + 0.01])


def test_a_notebook_stores_a_review_as_if_nothing_had_been_met():
    COURSE.progress.record("right", "softmax.general")
    source = "from mha_course import review\n\nreview()"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    execute(notebook, ROOT)
    (output,) = code_cells(notebook)[0].outputs
    assert output["data"]["text/plain"] == NOTHING_MET and set(output["data"]) == {"text/plain", "text/html"}

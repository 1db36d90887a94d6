"""Answers that nobody wrote for the checks: a wrong one does not pass and is called what it is, a right one passes.

Each has its slips in the words of whoever invented it. What the checks say of it was read by hand and is kept in
tests/fixtures/invented.json: a name that is not true of the code is not to get in there. Those from which
the checks learned take minutes: `.ci/run` tries them, too.
"""

import json
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from checks import EXERCISES, told

from mha_course.lessons import LESSONS

SAID = json.loads((Path(__file__).parent / "fixtures" / "invented.json").read_text(encoding="utf-8"))
LEARNED_FROM = "studied"
TAKES_A_MINUTE = pytest.mark.everything("tests/invented/", "tests/fixtures/invented.json")
# By lesson, so that what slips make of an input is computed once for all answers to it.
ROWS = [
    pytest.param(lesson, is_learned, marks=[TAKES_A_MINUTE] * is_learned)
    for lesson in LESSONS
    for is_learned in (False, True)
]


@cache
def invented(file):
    """Return the rows of a file: exercise, function, slips."""
    return import_module(f"invented.{file}").INVENTED


def rows_of(lesson, is_learned):
    """Return file, exercise, function and slips of each answer to a lesson's exercises, in the order of these."""
    files = [file for file in SAID if file.startswith(LEARNED_FROM) == is_learned]
    rows = [(file, *row) for file in files for row in invented(file) if row[0].startswith(f"{lesson}.")]
    return sorted(rows, key=lambda row: list(EXERCISES).index(row[1]))


def label(exercise, function):
    return f"{exercise} {function.__name__}"


def test_what_is_said_of_each_file_is_kept():
    assert set(SAID) == {path.stem for path in (Path(__file__).parent / "invented").glob("[a-z]*.py")}


def test_every_row_is_tried():
    tried = [row for each in ROWS for row in rows_of(*each.values)]
    assert len(tried) == sum(len(invented(file)) for file in SAID)


@pytest.mark.parametrize(("lesson", "is_learned"), ROWS)
def test_an_invented_answer_does_not_pass_and_is_called_what_it_is_and_a_right_one_passes(lesson, is_learned):
    wrong = {}
    for file, name, function, slips in rows_of(lesson, is_learned):
        found = told(EXERCISES[name], function, seed=list(EXERCISES).index(name) % 2)  # not all on the same inputs
        names = SAID[file].get(label(name, function))
        is_as_said = found.kind in ("mistake", "difference") and list(found.mistakes) == names
        if not (is_as_said if slips else found.kind == "right"):
            wrong[file, name, function.__name__] = slips, found.kind, found.mistakes
    assert wrong == {}


@pytest.mark.parametrize(("count", "of"), [(1, 696), (2, 441)])
def test_most_invented_answers_are_named_those_with_two_slips_too(count, of):
    rows = [(file, *row) for file in SAID for row in invented(file) if len(row[2]) == count]
    named = [SAID[file][label(name, function)] for file, name, function, _ in rows]
    assert len(rows) == of and sum(map(bool, named)) >= 0.85 * len(rows)

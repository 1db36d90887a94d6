"""Answers that nobody wrote for the checks: a wrong one does not pass and is called what it is, a right one passes.

Each has its slips in the words of whoever invented it. What the checks say of it was read by hand and is kept in
tests/fixtures/invented.json: a name that is not true of the code is not to get in there. `.ci/run` tries those from
which the checks learned, too.
"""

import json
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from checks import EXERCISES, told

SAID = json.loads((Path(__file__).parent / "fixtures" / "invented.json").read_text(encoding="utf-8"))
FILES = [pytest.param(name, marks=[pytest.mark.everything] * name.startswith("studied")) for name in SAID]


@cache
def invented(file):
    """Return the rows of a file: exercise, function, slips."""
    return import_module(f"invented.{file}").INVENTED


def label(exercise, function):
    return f"{exercise} {function.__name__}"


def test_what_is_said_of_each_file_is_kept():
    assert set(SAID) == {path.stem for path in (Path(__file__).parent / "invented").glob("[a-z]*.py")}


@pytest.mark.parametrize("file", FILES)
def test_an_invented_answer_does_not_pass_and_is_called_what_it_is(file):
    wrong = {}
    for name, function, slips in sorted(invented(file), key=lambda row: list(EXERCISES).index(row[0])):
        found = told(EXERCISES[name], function, seed=list(EXERCISES).index(name) % 2)  # not all on the same inputs
        said = SAID[file].get(label(name, function))
        if slips and (found.kind not in ("mistake", "difference") or list(found.mistakes) != said):
            wrong[name, function.__name__] = slips, found.kind, found.mistakes
    assert wrong == {}


@pytest.mark.parametrize("file", FILES)
def test_a_right_answer_by_a_detour_is_right(file):
    right = [(name, function) for name, function, slips in invented(file) if not slips]
    assert [function.__name__ for name, function in right if told(EXERCISES[name], function).kind != "right"] == []


@pytest.mark.parametrize(("count", "of"), [(1, 699), (2, 443)])
def test_most_invented_answers_are_named_those_with_two_slips_too(count, of):
    rows = [(file, *row) for file in SAID for row in invented(file) if len(row[2]) == count]
    named = [SAID[file][label(name, function)] for file, name, function, _ in rows]
    assert len(rows) == of and sum(map(bool, named)) >= 0.85 * len(rows)

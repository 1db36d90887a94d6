"""Answers that nobody wrote for the checks: a wrong one does not pass and is called what it is, a right one passes.

Each has its slips in the words of whoever invented it. What the checks say of it was read by hand and is kept in
tests/fixtures/invented.json: a name that is not true of the code is not to get in there.
"""

import json
from pathlib import Path

import pytest
from checks import EXERCISES, told
from invented import all_lessons, lessons_1_to_5, lessons_1_to_8, lessons_6_to_9, lessons_6_to_16, lessons_9_to_16

BY_FILE = (lessons_1_to_5, lessons_6_to_9, all_lessons, lessons_6_to_16, lessons_1_to_8, lessons_9_to_16)
INVENTED = [each for file in BY_FILE for each in file.INVENTED if each[2]]
RIGHT = [each for file in BY_FILE for each in file.INVENTED if not each[2]]
SAID = json.loads((Path(__file__).parent / "fixtures" / "invented.json").read_text(encoding="utf-8"))


def test_an_invented_answer_does_not_pass_and_is_called_what_it_is():
    wrong = {}
    for seed, name, function, slips in sorted(drawn(), key=lambda each: each[:2]):
        found = told(EXERCISES[name], function, seed)
        said = SAID[f"{name} {function.__name__}"]
        if found.kind not in ("mistake", "difference") or list(found.mistakes) != said:
            wrong[name, function.__name__, seed] = slips, found.kind, found.mistakes
    assert wrong == {}


def drawn():
    """Yield each with a seed: those of every second exercise get other inputs than the rest."""
    for name, function, slips in INVENTED:
        yield list(EXERCISES).index(name) % 2, name, function, slips


def test_a_right_answer_by_a_detour_is_right():
    assert len(RIGHT) == 77
    assert [function.__name__ for name, function, _ in RIGHT if told(EXERCISES[name], function).kind != "right"] == []


@pytest.mark.parametrize(("count", "of"), [(1, 350), (2, 194)])
def test_most_invented_answers_are_named_those_with_two_slips_too(count, of):
    asked = [(name, function) for name, function, slips in INVENTED if len(slips) == count]
    named = [SAID[f"{name} {function.__name__}"] for name, function in asked]
    assert len(asked) == of and sum(map(bool, named)) >= 0.85 * len(asked)

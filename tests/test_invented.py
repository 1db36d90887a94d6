"""Wrong answers that nobody wrote for the checks: none passes, and each is called what it is.

Each has its slips in the words of whoever invented it. What the checks say of it was read by hand and is kept in
tests/fixtures/invented.json: a name that is not true of the code is not to get in there.
"""

import json
from pathlib import Path

import pytest
from checks import EXERCISES
from invented import all_lessons, lessons_1_to_5, lessons_6_to_9, lessons_6_to_16

from mha_course.workbook.checking.diagnose import diagnose

BY_FILE = (lessons_1_to_5, lessons_6_to_9, all_lessons, lessons_6_to_16)
INVENTED = [each for file in BY_FILE for each in file.INVENTED]
SAID = json.loads((Path(__file__).parent / "fixtures" / "invented.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "function", "slips"), INVENTED, ids=[each[1].__name__ for each in INVENTED])
def test_an_invented_answer_does_not_pass_and_is_called_what_it_is(name, function, slips):
    for seed in (0, 1):
        found = diagnose(EXERCISES[name], function, seed=seed)
        assert found.kind in ("mistake", "difference")
        assert list(found.mistakes) == SAID[f"{name} {function.__name__}"], slips


@pytest.mark.parametrize(("count", "of"), [(1, 146), (2, 124)])
def test_most_invented_answers_are_named_those_with_two_slips_too(count, of):
    asked = [(name, function) for name, function, slips in INVENTED if len(slips) == count]
    named = [SAID[f"{name} {function.__name__}"] for name, function in asked]
    assert len(asked) == of and sum(map(bool, named)) >= 0.85 * len(asked)

"""Recorded answers: a wrong one does not pass and is called what it is, and a right one passes.

What the checks call a wrong one was compared with its code by hand: a name that is not true of the code is not to get
in there. docs/recorded_answers.md says how they were made.
"""

from collections import defaultdict

import pytest
from checks import EXERCISES, told
from recorded_answers import RECORDS, recorded

from mha_course.lessons import LESSONS

pytestmark = pytest.mark.long

ANSWERS = recorded()
OF_LESSON = defaultdict(list)  # so that what mistakes make of an input is computed once for all answers to it
for record in ANSWERS:
    OF_LESSON[record.exercise.partition(".")[0]].append(record)


def test_a_record_is_a_line_that_is_written_again_as_it_stands():
    lines = RECORDS.read_text(encoding="utf-8").splitlines()
    assert lines == [each.line for each in ANSWERS] and len(set(lines)) == len(lines)
    assert {each.kind for each in ANSWERS} == {"right", "wrong"} and set(OF_LESSON) <= set(LESSONS)


@pytest.mark.parametrize("lesson", OF_LESSON)
def test_a_recorded_answer_does_not_pass_and_is_called_what_it_is_and_a_right_one_passes(lesson):
    amiss = []
    for record in OF_LESSON[lesson]:
        number = list(EXERCISES).index(record.exercise)
        found = told(EXERCISES[record.exercise], record.function, seed=number % 2)  # not all on the same inputs
        kinds = ("right",) if record.kind == "right" else ("mistake", "difference")
        if found.kind not in kinds or (found.mistakes, found.where) != (record.named, record.thread):
            amiss.append((record.code, found.kind, found.mistakes, found.where))
    assert amiss == []


@pytest.mark.parametrize(("count", "of"), [(1, 696), (2, 441)])
def test_most_recorded_answers_are_named_those_with_two_mistakes_too(count, of):
    wrong = [each for each in ANSWERS if len(each.wrong) == count]
    assert len(wrong) == of and sum(bool(each.named) for each in wrong) >= 0.85 * len(wrong)

"""Every record holds: right answers are right, each mistake is told by its name, and truths are those on paper."""

from importlib import import_module

import pytest

from course_package.board import BoardSession
from course_package.lessons import LESSONS
from course_package.lessons.by_name import COURSE

PROOFS = [import_module(f"course_package.lessons.{name}.proof") for name in LESSONS]
RIGHT = [(name, answer) for proof in PROOFS for name, answers in proof.RIGHT.items() for answer in answers]
MISTAKES = [(each, wrong) for each in COURSE.catalogue.exercises.values() for wrong in each.right.step_mistakes]
TRUTHS = [truth for proof in PROOFS for truth in proof.TRUTHS.items()]


@pytest.fixture(autouse=True)
def nobodys_progress(tmp_path, monkeypatch):
    monkeypatch.setenv(COURSE.identity.setting, str(tmp_path / "progress.jsonl"))


@pytest.mark.parametrize(("name", "answer"), RIGHT)
def test_other_right_answers_are_right(name, answer):
    assert COURSE.check(name, answer).is_right


@pytest.mark.parametrize(("exercise", "wrong"), MISTAKES)
def test_a_mistake_is_told_by_its_name(exercise, wrong):
    assert wrong.mistake.name in str(COURSE.check(exercise.name, exercise.right.with_mistakes(wrong)))


@pytest.mark.parametrize(("name", "truth"), TRUTHS)
def test_every_truth_is_the_one_on_paper(name, truth):
    asked = COURSE.catalogue.predictions | COURSE.catalogue.questions
    assert asked[name].truth() == truth


def test_the_board_computes_and_refuses_what_is_no_number():
    board = BoardSession()
    board.act([["submit", "numbers", {"0": "4", "1": "2", "2": "3"}]])
    assert board.still().text.endswith("9  5  7")
    assert board.act([["submit", "numbers", {"0": "four", "1": "2", "2": "3"}]])["parts"]["alert"]

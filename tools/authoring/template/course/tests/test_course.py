"""Every record holds: right answers are right, each mistake is told by its name, and truths are those on paper."""

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from course_package.lessons import LESSONS
from course_package.lessons.by_name import COURSE

HELD = COURSE.catalogue
PROOFS = [import_module(f"course_package.lessons.{name}.proof") for name in LESSONS]
RIGHT = {name: answers for proof in PROOFS for name, answers in proof.RIGHT.items()}
TRUTHS = {name: truth for proof in PROOFS for name, truth in proof.TRUTHS.items()}
MISTAKES = [(each, wrong) for each in HELD.exercises.values() for wrong in each.right.step_mistakes]


@pytest.fixture(autouse=True)
def nobodys_progress(tmp_path, monkeypatch):
    monkeypatch.setenv(COURSE.identity.setting, str(tmp_path / "progress.jsonl"))


def test_every_record_has_its_proof():
    """Write it into the lesson's proof.py: a right answer that is another than the record's, and the truth on paper."""
    assert set(RIGHT) == set(HELD.exercises)
    assert set(TRUTHS) == {*HELD.predictions, *HELD.questions}


@pytest.mark.parametrize(("name", "answer"), [(name, each) for name, answers in RIGHT.items() for each in answers])
def test_other_right_answers_are_right(name, answer):
    assert COURSE.check(name, answer).is_right


@pytest.mark.parametrize(("exercise", "wrong"), MISTAKES)
def test_a_mistake_is_told_by_its_name(exercise, wrong):
    assert wrong.mistake.name in str(COURSE.check(exercise.name, exercise.right.with_mistakes(wrong)))


@pytest.mark.parametrize("exercise", HELD.exercises.values(), ids=list(HELD.exercises))
def test_every_mistake_asks_only_for_what_is_there(exercise):
    listed = {mistake.name for step in exercise.right.steps for mistake in step.mistakes}
    assert listed == {wrong.mistake.name for wrong in exercise.right.step_mistakes}


@pytest.mark.parametrize("name", HELD.exercises)
def test_the_solution_in_the_notebook_is_right(name):
    word = f"{name.partition('.')[2]}_solution"
    text = Path("notebooks", HELD.lesson_of(name).notebook).read_text(encoding="utf-8")
    sources = ("".join(cell["source"]) for cell in json.loads(text)["cells"])
    (source,) = (each for each in sources if f"def {word}(" in each)
    names = {"np": np}
    exec(source, names)
    assert COURSE.check(name, names[word]).is_right


@pytest.mark.parametrize(("name", "truth"), TRUTHS.items())
def test_every_truth_is_the_one_on_paper(name, truth):
    assert (HELD.predictions | HELD.questions)[name].truth() == truth

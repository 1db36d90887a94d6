"""What earlier versions wrote, and the names that they were set up with, last. Their own code wrote the fixtures."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from stored import ROOT

from mha_course import Workbench, check, how_far, predict, quiz
from mha_course.engine.course.review_items import due_days
from mha_course.engine.progress.event import Event
from mha_course.engine.progress.progress import Progress
from mha_course.lessons.by_name import COURSE
from mha_course.lessons.former_names import GONE, present_name
from mha_course.training.sentences import previous
from mha_course.training.training import Training

WRITTEN = Path(__file__).parent / "fixtures" / "version_0_8"
VERSION_0_1 = Path(__file__).parent / "fixtures" / "progress_of_version_0_1.jsonl"


@pytest.fixture
def progress(monkeypatch, tmp_path):
    """A copy of the progress file."""
    path = shutil.copy(WRITTEN / "progress.jsonl", tmp_path)
    monkeypatch.setenv("MHA_COURSE_PROGRESS", str(path))
    return COURSE.progress


def test_every_event_of_a_progress_file_counts(progress):
    lines = (WRITTEN / "progress.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(progress.events()) == len(lines) == 11 and progress.notices() == []
    assert progress.solved() == {"scaled_scores.dot", "scaled_scores.wrong-entry", "scaled_scores.batch.arranged"}
    assert progress.events()[1].mistakes == ("The scale is d_k, not its root: one scaling too many.",)


def test_answers_stand_where_they_were_given_and_what_was_wrong_comes_back(progress):
    assert "You said “stay the same”." in repr(predict("scaled_scores.variance"))
    assert "√512 ≈ 22.6" in repr(quiz("scaled_scores")) and "✗" in repr(quiz("scaled_scores"))
    assert "3 · Scaled scores: exercises 0 of 1 + 2 of 4, predictions 1 of 2 + 0 of 1, recall 1 of 5" in how_far().text
    due = due_days(COURSE.catalogue, progress.events())
    assert set(due) == {
        "scaled_scores.dot", "scaled_scores.scaled", "scaled_scores.variance", "scaled_scores.which-root",
    }  # fmt: skip


@pytest.mark.parametrize("name", [*GONE, "mixing.one"])
def test_an_exercise_that_went_says_where(name):
    with pytest.raises(ValueError, match=f"name is '{name}', which is no longer asked: '.+' took its place."):
        check(name, len)
    assert GONE[present_name(name)] in COURSE.catalogue.exercises


def test_a_board_that_was_left_comes_back():
    workbench = Workbench("article", stage="scaled_scores")
    workbench.load(json.loads((WRITTEN / "board.json").read_text(encoding="utf-8"))[1])
    assert workbench.state.inputs["W_K"][0, 2] == 5


def test_a_hub_finds_the_merge_driver_by_its_former_name(tmp_path):
    notebook = ROOT / "notebooks" / "03_scaled_scores.ipynb"
    base, mine, theirs = (shutil.copy(notebook, tmp_path / name) for name in ("base", "mine", "theirs"))
    changed = json.loads(notebook.read_text(encoding="utf-8"))
    changed["cells"][0]["source"] = ["# Another title"]
    Path(theirs).write_text(json.dumps(changed), encoding="utf-8")
    driver = [sys.executable, "-P", "-m", "mha_course.learner.updating", base, mine, theirs, "03_scaled_scores.ipynb"]
    subprocess.run(driver, check=True)
    assert json.loads(Path(mine).read_text(encoding="utf-8"))["cells"][0]["source"] == ["# Another title"]


def test_a_copy_of_lesson_14_finds_what_it_reads_by_its_former_name():
    made = previous(np.array([[4, 7, 2]]))
    assert made.counts is made.loss_mask
    training = Training("previous", seed=0)
    result, reading = training.test(), training.read("cab")
    assert result.share == result.weight and (reading.guesses == reading.predictions).all()


# What version 0.1 wrote


@pytest.fixture
def old(monkeypatch, tmp_path):
    """The file of version 0.1, read by a course that calls some of it otherwise."""
    monkeypatch.setenv("MHA_COURSE_PROGRESS", shutil.copy(VERSION_0_1, tmp_path))
    return Progress(present_name)


def test_a_file_of_version_0_1_is_read_as_what_it_is(old):
    assert old.events() == [
        Event("", "start_here.strongest", 1, "predicted", answer="innovators"),
        Event("", "queries_keys_values.changed-row", 1, "predicted", answer="all"),
        Event("", "queries_keys_values.changed-row", 2, "predicted"),
        Event("", "queries_keys_values.changed-row", 3, "predicted", answer="row"),
        Event("", "scaled_scores.divisors", 1, "predicted", answer=["one", "√d_k", "√d_model", "d_k"]),
        Event("", "weighted_sums.contribution", 1, "predicted", answer=2.81),
        Event("", "five_treatments.different-rows", 1, "predicted", answer=1.0),
        Event("", "heads.eight-copies", 1, "predicted", answer=8.0),
        Event("", "heads.eight-copies", 2, "predicted"),
        Event("", "scaled_scores.which-root", 1, "answered", answer="22.6"),
        Event("", "scaled_scores.which-root", 2, "answered", answer="8"),
        Event("", "weighted_sums.doubled-values", 1, "answered", answer="outputs"),
        Event("", "softmax.axis", 1, "answered", answer="keys"),
        Event("", "softmax.axis", 2, "answered"),
        Event("", "find_the_bug.one-row", 1, "answered", answer="row"),
        Event("", "start_here.index", 1, "answered", answer="2,0"),
        Event("", "scaled_scores.scaled", 1, "right"),
        Event("", "queries_keys_values.project", 1, "right"),
        Event("", "weighted_sums.weighted_sum", 1, "right"),
        Event("", "softmax.shares", 1, "right"),
        Event("", "five_treatments.parameters", 1, "right"),
    ]
    assert old.notes() == {"start_here.strongest": "Its query is the longest, é."}
    assert old.notices() == []


def test_a_file_of_version_0_1_is_gone_on_with(old, tmp_path):
    old.record("mistake", "scaled_scores.scaled", mistakes=["The scale is missing."])
    old.record("answered", "scaled_scores.which-root")
    assert [(event.name, event.attempt) for event in old.events()[-2:]] == [
        ("scaled_scores.scaled", 2),
        ("scaled_scores.which-root", 3),
    ]
    assert "scaled_scores.scaled" in old.solved() and "scaled_scores.which-root" not in old.answers()
    assert (tmp_path / VERSION_0_1.name).read_bytes().startswith(VERSION_0_1.read_bytes())

"""What version 0.8 wrote, and the names that it was set up with, go on working. Its own code wrote the fixtures."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from stored import ROOT

from mha_course import Workbench, how_far, predict, quiz
from mha_course.lessons.by_name import COURSE
from mha_course.training.sentences import previous
from mha_course.workbook.course.met import due_days

WRITTEN = Path(__file__).parent / "fixtures" / "version_0_8"


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
    assert "3 · Scaled scores: exercises 2 of 5, predictions 1 of 3, recall 1 of 5" in how_far().text
    due = due_days(COURSE.catalogue, progress.events())
    assert set(due) == {
        "scaled_scores.dot", "scaled_scores.scaled", "softmax.rows", "scaled_scores.variance",
        "scaled_scores.which-root",
    }  # fmt: skip


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


def test_a_copy_of_lesson_14_finds_what_counts_by_its_former_name():
    made = previous(np.array([[4, 7, 2]]))
    assert made.counts is made.loss_mask

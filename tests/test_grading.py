"""nbgrader, run for real: points for right answers only, whatever a submission does, and feedback that says why."""

import json
import re

import pytest
from classroom.cells import exercises, has_tag
from course_folder import CourseFolder, read
from stored import ROOT

LESSON = "03_scaled_scores"
SOLVED = exercises(read(ROOT / "notebooks" / f"{LESSON}.ipynb"))
DOT, SCALED, BATCH, KEYS = (each.stub.id for each in SOLVED)
RIGHT = {each.stub.id: each.answer for each in SOLVED}
FULL = [1, 1, 3, 3]

MISTAKE = "def my_scaled_scores(Q, K):\n    return Q @ K.T"
UNFINISHED = "def my_scaled_scores(Q, K):\n    return Q @ ("
ENDLESS = "def my_batch_scores(Q, K):\n    while True:\n        pass"
ENDLESS_CELL = "while True:\n    pass"
UNSTOPPABLE = "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass"
HUNGRY = """def my_batch_scores(Q, K):
    import time
    hoard = []
    while True:
        hoard.append(b"x" * 4 * 10**7)
        time.sleep(0.01)"""
HUNGRY_CELL = "hoard = []\nwhile True:\n    hoard.append(b'x' * 4 * 10**7)"
WARNS = (
    "import warnings\ndef my_scaled_scores(Q, K):\n    warnings.warn('beware')\n    return Q @ K.T / Q.shape[-1] ** 0.5"
)
PATCH = """
import mha_course
class Praise:
    kind, is_right, mistakes = "right", True, ()
    def _repr_html_(self):
        return "✓ right"
mha_course.check = lambda *anything: Praise()"""
LOOKS_UP = """def my_scaled_scores(Q, K):
    from mha_course.lessons import CATALOGUE
    return CATALOGUE.exercises["scaled_scores.scaled"].right(Q, K)"""
EXITS = "import os\nos._exit(0)"

SUBMISSIONS = {  # who -> the answers, the points for each, words in the feedback
    "right": (RIGHT, FULL, "✓ right Exercise 3.4: Right."),
    "untouched": ({}, [0, 0, 0, 0], "○ open Exercise 3.1: Not started yet."),
    "mistake": (RIGHT | {SCALED: MISTAKE}, [1, 0, 3, 3], "✗ not right Exercise 3.2: The scale is missing."),
    "endless": (RIGHT | {BATCH: ENDLESS}, [1, 1, 0, 3], "still running after 3 seconds"),
    "unfinished": (RIGHT | {SCALED: UNFINISHED}, [1, 0, 3, 3], "name 'my_scaled_scores' is not defined"),
    "endless-cell": (RIGHT | {BATCH: ENDLESS_CELL}, [1, 1, 0, 3], "This cell still ran when time was up"),
    "unstoppable": (RIGHT | {BATCH: UNSTOPPABLE}, [1, 1, 0, 3], "This cell still ran when time was up"),
    "hungry": (RIGHT | {BATCH: HUNGRY}, [1, 1, 0, 3], "It used more than 1 GB of memory, so it was stopped."),
    "hungry-cell": (RIGHT | {BATCH: HUNGRY_CELL}, [1, 1, 0, 3], "It used more than 1 GB of memory, so it was stopped."),
    "warns": (RIGHT | {SCALED: WARNS}, FULL, "beware"),
    "skips": (RIGHT, [0, 1, 3, 3], "This cell did not run: it is marked to be skipped."),
    "deletes": (RIGHT, [1, None, 3, 3], "✓ right Exercise 3.4: Right."),
    "patches": (RIGHT | {SCALED: MISTAKE}, [1, 0, 3, 3], "A person will look at this. It changes mha_course.check."),
    "looks-up": (RIGHT | {SCALED: LOOKS_UP}, [1, 0, 3, 3], "A person will look at this. It imports from mha_course."),
}


def skip(notebook, checks):
    """Mark an answer and a check to be skipped: a check is judged whatever it is marked with."""
    checks[1].metadata.tags.append("skip-execution")
    next(cell for cell in notebook.cells if has_tag(cell, "stub")).metadata.tags.append("skip-execution")


def delete(notebook, checks):
    notebook.cells.remove(checks[1])


def patch(notebook, checks):
    next(cell for cell in notebook.cells if cell.cell_type == "code").source += PATCH


FLAGGED = {"patches", "looks-up"}  # who reaches for the checks or for the answers
NEVER_RUN = {"skips"}  # who has a cell that did not run
EDITS = {"skips": skip, "deletes": delete, "patches": patch}  # what else a submission does


def points(course, who):
    """Return the points for each exercise, in their order."""
    given = course.grades(who)
    return [given[each.check.id][0] for each in SOLVED]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course folder with every submission graded, and feedback written."""
    course = CourseFolder(tmp_path_factory.mktemp("grading"), LESSON)
    for who, (answers, _, _) in SUBMISSIONS.items():
        course.submit(who, answers, EDITS.get(who))
    course.log = course.run("autograde")
    course.run("generate_feedback")
    return course


@pytest.mark.parametrize("who", SUBMISSIONS)
def test_nbgrader_gives_points_for_what_is_right_and_says_what_is_not(course, who):
    _, expected, words = SUBMISSIONS[who]
    assert points(course, who) == expected
    assert words in course.feedback(who)


@pytest.mark.parametrize("who", SUBMISSIONS)
def test_a_cell_did_not_run_only_if_it_did_not(course, who):
    assert ("did not run" in course.feedback(who)) == (who in NEVER_RUN)


@pytest.mark.parametrize("who", SUBMISSIONS)
def test_feedback_gives_each_verdict_once_and_in_plain_words(course, who):
    verdicts = re.findall(r"[✓✗○] [a-z ]+ Exercise \d\.\d:", course.feedback(who))
    assert len(verdicts) == len(set(verdicts))
    assert "AssertionError" not in course.feedback(who)


def test_feedback_on_a_wrong_answer_says_that_it_gives_no_points(course):
    lines = course.feedback("mistake").splitlines()
    assert lines.count("No points yet, for the reason above.") == 1


def test_no_points_without_a_check_that_said_right(course):
    rewarded = 0
    for who in SUBMISSIONS:
        given = course.grades(who)
        for cell in read(course.path("autograded", who)).cells:
            if has_tag(cell, "check") and given[cell.metadata.nbgrader.grade_id][0]:
                assert "✓" in json.dumps(cell.outputs, ensure_ascii=False)
                rewarded += 1
    assert rewarded > 10


@pytest.mark.parametrize("who", SUBMISSIONS)
def test_all_points_of_a_suspicious_submission_wait_for_a_person_and_no_others(course, who):
    waiting = [needs_a_person for points, needs_a_person in course.grades(who).values() if points is not None]
    assert waiting == [who in FLAGGED] * len(waiting)
    assert ("A person will look at this" in course.feedback(who)) == (who in FLAGGED)


def test_the_log_says_how_far_grading_is_and_whom_to_look_at(course):
    assert re.findall(r"Judged (\d+) of", course.log) == [str(n) for n in range(1, len(SUBMISSIONS) + 1)]
    assert set(re.findall(r"Look at the submission of ([\w-]+), code cell", course.log)) == FLAGGED


def test_a_deleted_check_waits_for_a_person(course):
    assert [state for state in course.grades("deletes").values() if state[1]] == [(None, True)]


def test_a_new_submission_does_not_keep_the_points_of_an_older_one(course):
    assert points(course, "right") == FULL
    course.submit("right", {DOT: RIGHT[DOT], SCALED: EXITS}, delete)
    course.run("autograde", "--student=right", "--force")
    assert points(course, "right") == [1, None, 0, 0]

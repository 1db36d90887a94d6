"""nbgrader, run for real: points for right answers only, whatever a submission does, and feedback that says why."""

import csv
import json
import re

import pytest
from classroom import copies
from classroom.cells import exercises, has_tag
from classroom.grades.__main__ import filled
from course_folder import CourseFolder, read
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook
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
BELOW = "def my_score(query, key):\n    return helper(query, key)"
HELPER = "def helper(query, key):\n    return query @ key"
SLOW = "import time\ntime.sleep(6)  # {}"
RENAMED = RIGHT[SCALED].replace("my_scaled_scores", "my_scores")
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
    "deletes": (RIGHT, FULL, "✓ right Exercise 3.2: Right."),
    "deletes-both": (RIGHT, [1, 0, 3, 3], "name 'my_scaled_scores' is not defined"),
    "patches": (RIGHT | {SCALED: MISTAKE}, [1, 0, 3, 3], "A person will look at this. It changes mha_course.check."),
    "looks-up": (RIGHT | {SCALED: LOOKS_UP}, [1, 0, 3, 3], "A person will look at this. It imports from mha_course."),
    "no-imports": (RIGHT, [1, 0, 0, 0], "name 'np' is not defined"),
    "moves-imports": (RIGHT, [1, 0, 0, 0], "name 'np' is not defined"),
    "below": (RIGHT | {DOT: BELOW}, [0, 1, 3, 3], "name 'helper' is not defined"),
    "slow": (RIGHT, [0, 0, 0, 0], "the time for the whole notebook was up"),
    "renames": (RIGHT | {SCALED: RENAMED}, [1, 0, 3, 3], "name 'my_scaled_scores' is not defined"),
    "typo": (RIGHT | {SCALED: RIGHT[SCALED].replace("K.T", "k.T")}, [1, 0, 3, 3], "name 'k' is not defined"),
    "plain": (RIGHT | {SCALED: MISTAKE}, [1, 0, 3, 3], "✗ not right Exercise 3.2: The scale is missing."),
    "unreadable": ({}, [0, 0, 0, 0], "The file cannot be read as a notebook"),
}


def skip(notebook, checks):
    """Mark an answer and a check to be skipped: a check is judged whatever it is marked with."""
    checks[1].metadata.tags.append("skip-execution")
    next(cell for cell in notebook.cells if has_tag(cell, "stub")).metadata.tags.append("skip-execution")


def delete(notebook, checks):
    notebook.cells.remove(checks[1])


def patch(notebook, checks):
    next(cell for cell in notebook.cells if cell.cell_type == "code").source += PATCH


def delete_both(notebook, checks):
    delete(notebook, checks)
    notebook.cells.remove(next(cell for cell in notebook.cells if cell.id == SCALED))


def imports(notebook):
    return next(cell for cell in notebook.cells if cell.id == "imports")


def lack_imports(notebook, checks):
    notebook.cells.remove(imports(notebook))


def move_imports(notebook, checks):
    notebook.cells.append(moved := imports(notebook))
    notebook.cells.remove(moved)


def help_below(notebook, checks):
    notebook.cells.insert(notebook.cells.index(checks[0]) + 1, new_code_cell(HELPER))


def dawdle(notebook, checks):
    notebook.cells[:0] = [new_code_cell(SLOW.format(number)) for number in range(4)]


def take_the_plain_copy(notebook, checks):
    """Hand in the students' copy of the same cells: it has no marks of nbgrader's, and other checks."""
    plain = {cell.id: cell for cell in copies.student(read(ROOT / "notebooks" / f"{LESSON}.ipynb")).cells}
    for cell in notebook.cells:
        cell.metadata = {"tags": plain[cell.id].metadata.get("tags", [])}
        if cell in checks:
            cell.source = plain[cell.id].source


EDITS = {  # what else a submission does
    "skips": skip, "deletes": delete, "deletes-both": delete_both, "patches": patch, "no-imports": lack_imports,
    "moves-imports": move_imports, "below": help_below, "slow": dawdle, "plain": take_the_plain_copy,
}  # fmt: skip
FLAGGED = {"patches", "looks-up"}  # who reaches for the checks or for the answers
NEVER_RUN = {"skips", "slow"}  # who has a cell that did not run
NO_MAKER = "is made nowhere: a cell of the notebook is missing or changed."
WAITING = {  # who -> the exercises that wait, and the reason; an honest wrong answer is not among them
    "endless-cell": ([3], f"“my_batch_scores” {NO_MAKER}"),
    "unstoppable": ([3], f"“my_batch_scores” {NO_MAKER}"),
    "hungry-cell": ([3], f"“my_batch_scores” {NO_MAKER}"),
    "skips": ([1], "“my_score” is made in code cell 2. This cell did not run: it is marked to be skipped."),
    "deletes": ([2], "3.2: its check was deleted, and put back below the answer."),
    "deletes-both": ([2], "3.2: its check was deleted"),
    "patches": ([1, 2, 3, 4], "It changes mha_course.check."),
    "looks-up": ([1, 2, 3, 4], "It imports from mha_course.lessons."),
    "no-imports": ([2, 3, 4], f"3.2, 3.3, 3.4: “np” {NO_MAKER}"),
    "moves-imports": ([2, 3, 4], "3.2, 3.3, 3.4: “np” is made only below, in code cell 9."),
    "below": ([1], "3.1: “helper” is made only below, in code cell 4."),
    "slow": ([1, 2, 3, 4], "it was not checked. This cell did not run: the time for the whole notebook was up."),
    "renames": ([2], f"3.2: “my_scaled_scores” {NO_MAKER}"),
    "unreadable": ([1, 2, 3, 4], "The file cannot be read as a notebook: ask for it again"),
}


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
    course.path("submitted", "unreadable").write_text('{"cells": [{"source', encoding="utf-8")
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
def test_points_that_may_be_lost_in_silence_or_won_by_tricks_wait_for_a_person_and_no_others(course, who):
    given = course.grades(who)
    waiting = [number for number, each in enumerate(SOLVED, 1) if given[each.check.id][1]]
    assert waiting == WAITING.get(who, [[]])[0]
    assert ("A person will look at this" in course.feedback(who)) == (who in FLAGGED)


def rows(told):
    """Return the lines of the table at the end by student."""
    lines = told.partition("wait for you in")[2].splitlines()[1:]
    return {line.split()[0]: line for line in lines if re.match("  [a-z]", line)}


def test_the_last_that_grading_says_is_one_table_of_who_waits_and_why(course):
    assert f"{len(WAITING)} of {len(SUBMISSIONS)} wait for you in {LESSON}:\n" in course.log
    table = rows(course.log)
    assert table.keys() == WAITING.keys()
    assert [who for who, (_, words) in WAITING.items() if words not in table[who]] == []
    assert "  7 of 8  " in table["below"] and "  0 of 8  " in table["unreadable"]
    assert course.log.count("wait for you in") == 1 and "Traceback" not in course.log


def test_the_log_says_how_far_grading_is_and_whom_to_look_at(course):
    assert re.findall(r"Judged (\d+) of", course.log) == [str(n) for n in range(1, len(SUBMISSIONS) + 1)]
    assert set(re.findall(r"Look at the submission of ([\w-]+), code cell", course.log)) == FLAGGED


def sheet_of(course, folder):
    """Fill a sheet of Canvas; return what is said, and the points by login."""
    path = folder / "Grades.csv"
    lines = [f"{who},{number},{who},A," for number, who in enumerate(SUBMISSIONS, 1)]
    path.write_text("\n".join(["Student,ID,SIS Login ID,Section,Lesson 3", *lines]) + "\n", encoding="utf-8")
    told = "\n".join(filled(course.folder, LESSON, path))
    filled_in = (folder / f"Grades_{LESSON}.csv").read_text(encoding="utf-8")
    return told, {line.split(",")[0]: line.split(",")[-1] for line in filled_in.splitlines()[1:]}


def test_points_stay_empty_in_every_sheet_until_a_person_has_decided(course, tmp_path):
    told, points = sheet_of(course, tmp_path)
    assert {who for who, written in points.items() if not written} == WAITING.keys()
    assert [
        who for who, (_, words) in WAITING.items() if not re.search(rf"{who} \([^)]*{re.escape(words)}", told)
    ] == []
    with Gradebook(f"sqlite:///{course.folder}/gradebook.db") as gradebook:  # as Formgrader writes it
        grade = gradebook.find_grade(SOLVED[0].check.id, LESSON, LESSON, "below")
        grade.manual_score, grade.needs_manual_grade = 1, False
        gradebook.db.commit()
    assert sheet_of(course, tmp_path)[1]["below"] == "8.00"
    course.run("export")
    with (course.folder / "grades.csv").open(encoding="utf-8") as file:
        scores = {row["student_id"]: row["score"] for row in csv.DictReader(file)}
    assert {who for who, score in scores.items() if not score} == WAITING.keys() - {"below"}
    assert scores["below"] == "8.0" and scores["untouched"] == "0.0"


def test_a_submission_that_cannot_be_graded_is_in_the_table_and_its_traceback_in_the_log(course):
    misnamed = course.path("submitted", "misnamed").with_name("homework.ipynb")
    misnamed.parent.mkdir(parents=True)
    misnamed.write_text("{}", encoding="utf-8")
    (course.folder / "submitted" / "no-file" / LESSON).mkdir(parents=True)
    with pytest.raises(AssertionError) as stopped:
        course.run("autograde")
    table = rows(str(stopped.value))
    assert "It could not be graded: autograde.log says why." in table["misnamed"]
    assert "No notebook of the right name was handed in." in table["no-file"]
    assert "Traceback" not in str(stopped.value)
    assert "NbGraderException" in (course.folder / "autograde.log").read_text(encoding="utf-8")


def test_a_new_submission_does_not_keep_the_points_of_an_older_one(course):
    assert points(course, "right") == FULL
    course.submit("right", {DOT: RIGHT[DOT], SCALED: EXITS})
    course.run("autograde", "--student=right", "--force")
    assert points(course, "right") == [1, 0, 0, 0]

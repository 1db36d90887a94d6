"""nbgrader, run for real: points for right answers only, whatever a submission does, and feedback that says why."""

import csv
import json
import re

import pytest
from classroom import copies
from classroom.cells import exercises, has_tag
from classroom.grades.__main__ import filled
from course_folder import LESSON, read
from nbformat.v4 import new_code_cell, new_output
from nbgrader.api import Gradebook
from stored import ROOT

pytestmark = pytest.mark.minutes

SOLVED = exercises(read(ROOT / "notebooks" / f"{LESSON}.ipynb"))
DOT, SCALED, BATCH, KEYS = (each.stub.id for each in SOLVED)
RIGHT = {each.stub.id: each.answer for each in SOLVED}
FULL = [1, 1, 3, 3]

MISTAKE = "def my_scaled_scores(Q, K):\n    return Q @ K.T"
TYPO = "def my_score(query, key):\n    return query @ k"
UNFINISHED = "def my_keys(Q, scores):\n    return Q @ ("
WARNS = "import warnings\ndef my_score(query, key):\n    warnings.warn('beware')\n    return query @ key"
ENDLESS = "def my_batch_scores(Q, K):\n    while True:\n        pass"
ENDLESS_CELL = "while True:\n    pass"
UNSTOPPABLE = "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass"
# One file mapped forty times counts as 1.25 GB, and a machine has to find only 32 MB: finding a gigabyte takes seconds.
HOARD = """
import mmap
with open("hoard", "w+b") as file:
    file.write(bytes(2**25))
    file.flush()
    hoard = [mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE | mmap.MAP_POPULATE, mmap.PROT_READ) for _ in range(40)]
while True:
    pass"""
HUNGRY = "def my_score(query, key):" + HOARD.replace("\n", "\n    ")
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
SLOW = "import time\ntime.sleep(7)  # {}"  # nine times: a third of that is more than all may take
RENAMED = RIGHT[SCALED].replace("my_scaled_scores", "my_scores")
MAGIC = "%matplotlib inline\n!pip install -q numpy\n"  # as many a notebook begins
UNKNOWN = "%load_ext of_the_students_own\n"
EXITS = "import os\nos._exit(0)"

TIME_UP, TOO_MUCH = "This cell still ran when time was up", "It used more than 1 GB of memory, so it was stopped."
SUBMISSIONS = {  # who -> the answers, the points for each, words in the feedback
    "right": (RIGHT, FULL, ["✓ right Exercise 3.4: Right."]),
    "untouched": ({}, [0, 0, 0, 0], ["○ open Exercise 3.1: Not started yet."]),
    "wrong": (
        RIGHT | {DOT: TYPO, SCALED: MISTAKE, KEYS: UNFINISHED}, [0, 0, 3, 0],
        ["name 'k' is not defined", "✗ not right Exercise 3.2: The scale is missing.", "name 'my_keys' is not defined"],
    ),
    "stopped": (
        RIGHT | {DOT: WARNS, SCALED: ENDLESS_CELL, BATCH: ENDLESS}, [1, 0, 0, 3],
        ["beware", TIME_UP, "still running after 3 seconds"],
    ),
    "hungry": (
        RIGHT | {DOT: HUNGRY, BATCH: UNSTOPPABLE, KEYS: HOARD}, [0, 1, 0, 0], [TOO_MUCH, TIME_UP, TOO_MUCH],
    ),
    "damages": (
        RIGHT, [0, 1, 3, 0],
        [
            "This cell did not run: it is marked to be skipped.", "✓ right Exercise 3.2: Right.",
            "✓ right Exercise 3.3: Right.", "name 'my_keys' is not defined",
        ],
    ),
    "cheats": (
        RIGHT | {DOT: "def my_score(query, key):\n    return 0", SCALED: LOOKS_UP}, [0, 0, 3, 3],
        ["A person will look at this. It changes mha_course.check.", "A person will look at this. It imports from"],
    ),
    "no-imports": (
        RIGHT | {SCALED: RENAMED}, [1, 0, 0, 0], ["name 'my_scaled_scores' is not defined", "name 'np' is not defined"],
    ),
    "below": (RIGHT | {DOT: BELOW}, [0, 0, 0, 0], ["name 'helper' is not defined", "name 'np' is not defined"]),
    "slow": (RIGHT, [0, 0, 0, 0], ["the time for the whole notebook was up"]),
    "magic": (RIGHT | {each: MAGIC + RIGHT[each] for each in (DOT, KEYS)}, FULL, ["✓ right Exercise 3.1: Right."]),
    "elsewhere": (
        RIGHT | {DOT: UNKNOWN + RIGHT[DOT], SCALED: "2 +"}, [0, 0, 3, 3], ["No module named 'of_the_students_own'"],
    ),
    "unnamed": (RIGHT | {SCALED: MISTAKE}, [1, 0, 3, 3], ["✗ not right Exercise 3.2: The scale is missing."]),
    "renamed": (RIGHT | {SCALED: MISTAKE}, [1, 0, 3, 3], ["✗ not right Exercise 3.2: The scale is missing."]),
    "plain": (RIGHT | {SCALED: MISTAKE}, [1, 0, 3, 3], ["✗ not right Exercise 3.2: The scale is missing."]),
    "unreadable": ({}, [0, 0, 0, 0], ["The file cannot be read as a notebook"]),
}  # fmt: skip


def cell_of(notebook, name):
    return next(cell for cell in notebook.cells if cell.id == name)


def damage(notebook, checks):
    """Mark an answer and a check to be skipped: a check is judged all the same. Delete one, and one with its answer."""
    cell_of(notebook, DOT).metadata.tags.append("skip-execution")
    checks[2].metadata.tags.append("skip-execution")
    for cell in (checks[1], checks[3], cell_of(notebook, KEYS)):
        notebook.cells.remove(cell)


def patch(notebook, checks):
    next(cell for cell in notebook.cells if cell.cell_type == "code").source += PATCH


def lack_imports(notebook, checks):
    notebook.cells.remove(cell_of(notebook, "imports"))


def help_below(notebook, checks):
    """Let a helper stand below the check that needs it, and the imports at the end."""
    notebook.cells.append(cell_of(notebook, "imports"))
    lack_imports(notebook, checks)
    notebook.cells.insert(notebook.cells.index(checks[0]) + 1, new_code_cell(HELPER))


def dawdle(notebook, checks):
    notebook.cells[:0] = [new_code_cell(SLOW.format(number)) for number in range(9)]


def take_the_plain_copy(notebook, checks):
    """Hand in the students' copy of the same cells: it has no marks of nbgrader's, and other checks."""
    plain = {cell.id: cell for cell in copies.student(read(ROOT / "notebooks" / f"{LESSON}.ipynb")).cells}
    for cell in notebook.cells:
        cell.metadata = {"tags": plain[cell.id].metadata.get("tags", [])}
        if cell in checks:
            cell.source = plain[cell.id].source


def lose_the_names(notebook, checks):
    """Hand in what a tool has written that knows neither marks nor ids."""
    for cell in notebook.cells:
        del cell["id"]
        cell.metadata = {}
    notebook.nbformat_minor = 4


def call_all_anew(notebook, checks):
    for number, cell in enumerate(notebook.cells):
        cell.id = f"new-{number}"
        cell.metadata = {}


def show_the_error(notebook, checks):
    error = {"ename": "SyntaxError", "evalue": "", "traceback": []}
    cell_of(notebook, KEYS).outputs = [new_output("error", **error)]


def begin_with_magic(notebook, checks):
    cell_of(notebook, "imports").source = MAGIC + cell_of(notebook, "imports").source


EDITS = {  # what else a submission does
    "unnamed": lose_the_names, "renamed": call_all_anew, "wrong": show_the_error, "magic": begin_with_magic,
    "damages": damage, "cheats": patch, "no-imports": lack_imports, "below": help_below, "slow": dawdle,
    "plain": take_the_plain_copy,
}  # fmt: skip
FLAGGED = {"cheats"}  # who reaches for the checks and for the answers
NEVER_RUN = {"damages", "slow"}  # who has a cell that did not run
NO_MAKER = "is defined nowhere: a cell of the notebook is missing or changed."
WAITING = {  # who -> the exercises that wait, and the reasons; an honest wrong answer is not among them
    "stopped": ([2], [f"3.2: “my_scaled_scores” {NO_MAKER}"]),
    "hungry": ([3, 4], [f"3.3: “my_batch_scores” {NO_MAKER}", f"3.4: “my_keys” {NO_MAKER}"]),
    "damages": (
        [1, 2, 4],
        [
            "“my_score” is defined in code cell 2. This cell did not run: it is marked to be skipped.",
            "3.2, 3.4: the check was deleted, and put back below the answer.",
        ],
    ),
    "cheats": ([1, 2, 3, 4], ["It changes mha_course.check.", "It imports from mha_course.lessons."]),
    "elsewhere": (
        [1, 2],
        [
            "3.1: code cell 2 ended with ModuleNotFoundError here, which its stored output does not show.",
            f"3.2: “my_scaled_scores” {NO_MAKER}",
        ],
    ),
    "no-imports": ([2, 3, 4], [f"3.2: “my_scaled_scores” {NO_MAKER}", f"3.3, 3.4: “np” {NO_MAKER}"]),
    "below": (
        [1, 2, 3, 4],
        [
            "3.1: “helper” is defined only below, in code cell 3.",
            "3.2, 3.3, 3.4: “np” is defined only below, in code cell 10.",
        ],
    ),
    "slow": ([1, 2, 3, 4], ["it was not checked. This cell did not run: the time for the whole notebook was up."]),
    "unreadable": ([1, 2, 3, 4], ["The file cannot be read as a notebook: ask for it again"]),
}  # fmt: skip


def points(course, who):
    """Return the points for each exercise, in their order."""
    given = course.grades(who)
    return [given[each.check.id][0] for each in SOLVED]


@pytest.fixture(scope="module")
def course(course_folder, tmp_path_factory):
    """A course folder with every submission graded, and feedback written."""
    course = course_folder(tmp_path_factory.mktemp("grading"))
    for who, (answers, _, _) in SUBMISSIONS.items():
        course.submit(who, answers, EDITS.get(who))
    renamed = course.path("submitted", "renamed")
    renamed.write_text(renamed.read_text(encoding="utf-8"), encoding="utf-8-sig")  # with a byte-order mark
    course.path("submitted", "unreadable").write_text('{"cells": [{"source', encoding="utf-8")
    course.log = course.run("autograde", "--Judging.cell_seconds=5")  # what is endless uses up all of them
    course.run("generate_feedback")
    return course


@pytest.mark.parametrize("who", SUBMISSIONS)
def test_nbgrader_gives_points_for_what_is_right_and_says_what_is_not(course, who):
    _, expected, words = SUBMISSIONS[who]
    assert points(course, who) == expected
    assert [each for each in words if course.feedback(who).count(each) < words.count(each)] == []


@pytest.mark.parametrize("who", SUBMISSIONS)
def test_a_cell_did_not_run_only_if_it_did_not(course, who):
    assert ("did not run" in course.feedback(who)) == (who in NEVER_RUN)


@pytest.mark.parametrize("who", SUBMISSIONS)
def test_feedback_gives_each_verdict_once_and_in_plain_words(course, who):
    verdicts = re.findall(r"[✓✗○] [a-z ]+ Exercise \d\.\d:", course.feedback(who))
    assert len(verdicts) == len(set(verdicts))
    assert "AssertionError" not in course.feedback(who)


def test_feedback_on_a_wrong_answer_says_that_it_gives_no_points(course):
    lines = course.feedback("plain").splitlines()
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
    table = re.findall(r"^  ([a-z]\S*) (.*(?:\n    .*)*)", told.partition("wait for you in")[2], re.MULTILINE)
    return {who: f" {lines}" for who, lines in table}


def test_the_last_that_grading_says_is_one_table_of_who_waits_and_why(course):
    assert f"{len(WAITING)} of {len(SUBMISSIONS)} wait for you in {LESSON}:\n" in course.log
    table = rows(course.log)
    assert table.keys() == WAITING.keys()
    assert [who for who, (_, words) in WAITING.items() for each in words if each not in table[who]] == []
    assert "  4 of 8  " in table["stopped"] and "  0 of 8  " in table["unreadable"]
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
    said = ((who, each) for who, (_, words) in WAITING.items() for each in words)
    assert [who for who, words in said if not re.search(rf"{who} \([^)]*{re.escape(words)}", told)] == []
    with Gradebook(f"sqlite:///{course.folder}/gradebook.db") as gradebook:  # as Formgrader writes it
        grade = gradebook.find_grade(SOLVED[1].check.id, LESSON, LESSON, "stopped")
        grade.manual_score, grade.needs_manual_grade = 1, False
        gradebook.db.commit()
    assert sheet_of(course, tmp_path)[1]["stopped"] == "5.00"
    course.run("export")
    with (course.folder / "grades.csv").open(encoding="utf-8") as file:
        scores = {row["student_id"]: row["score"] for row in csv.DictReader(file)}
    assert {who for who, score in scores.items() if not score} == WAITING.keys() - {"stopped"}
    assert scores["stopped"] == "5.0" and scores["untouched"] == "0.0"


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
    again = "autograde", "--student=right", "--force"
    course.run(*again, "--Autograde.autograde_preprocessors=[]")  # as if it was stopped before anything was judged
    assert set(course.grades("right").values()) == {(None, True)}
    course.run(*again)
    assert points(course, "right") == [1, 0, 0, 0]

"""Points go back: a real gradebook, and the sheets as Canvas and Moodle write them."""

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from classroom.grades import sheet as sheets
from classroom.grades.__main__ import filled
from classroom.grades.platforms import form_of
from classroom.judging.for_a_person import NOT_GRADED
from nbgrader.api import Gradebook
from stored import NOTEBOOKS, ROOT

from mha_course.lessons import LESSONS

pytestmark = pytest.mark.slow

LESSON = "03_scaled_scores"
CELLS = {"warm-up": 1, "scaled": 2, "several": 3}  # grade cell -> points


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course folder in which students have points, as their zips were collected."""
    folder = tmp_path_factory.mktemp("grades")
    students = {
        "doejane_12345": [1, 2, 3], "doejane_12399": [1, 0, 0], "müllerjörg_777": [0, 0, 0],
        "o-neillmary-ann_4": [1, None, 3], "poealan_5": [1, 2, 0], "kimmin_6": [1, 0, 3], "gonegrace_99": [1, 2, 3],
        "Jane-Doe_501": [1, 2, 3], "Jane-Doe_502": [1, 0, 0], "Group-2_1-Mary-Ann-ONeill_504": [1, None, 3],
        "Someone-Else_505": [1, 2, 0], "hub-jane": [1, 2, 0], "Participant_601": [1, 2, 0], "Anon_602": [1, 2, 3],
    }  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:  # nbgrader starts a program by its bare name when it makes a gradebook
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        gradebook = Gradebook(f"sqlite:///{folder / 'gradebook.db'}")
    with gradebook:
        gradebook.add_assignment(LESSON)
        gradebook.add_notebook(LESSON, LESSON)
        for cell, points in CELLS.items():
            gradebook.add_grade_cell(cell, LESSON, LESSON, max_score=points, cell_type="code")
        for student, scores in students.items():
            gradebook.add_student(student)
            _hand_in(gradebook, student, scores)
        late = gradebook.find_submission(LESSON, "kimmin_6")
        late.notebooks[0].late_submission_penalty = 1
        gradebook.db.commit()
    (folder / "submitted" / "broken_8" / LESSON).mkdir(parents=True)
    return folder


def _hand_in(gradebook, student, scores):
    gradebook.add_submission(LESSON, student)
    for cell, score in zip(CELLS, scores, strict=True):
        grade = gradebook.find_grade(cell, LESSON, LESSON, student)
        grade.auto_score, grade.needs_manual_grade = score, score is None


CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Scaled scores (4711),Heads that learn (4712),Current Score\r\n"
    ",,,,,Manual Posting,,\r\n"
    "    Points Possible,,,,,{maximum},5.00,(read only)\r\n"
    '"Doe, Jane",12345,u1,jdoe,"A, B",,2.00,40.0\r\n'
    '"Doe, Jane",12399,u2,jdoe2,A,1.50,"",\r\n'
    '"Müller, ""Jörg""",777,u3,jm@x.org,A,"",3.00,\r\n'
    '"O\'Neill, Mary-Ann",4,u4,mao,A,4.00,,\r\n'
    '"Poe, Alan",5,u5,poe,A,EX,,\r\n'
    '"Kim, Min",6,u6,mk,A,,,\r\n'
    '"Roe, Rick",7,u7,rr,A,,1.00,\r\n'
    '"Lee, Hub",8,u8,hub-jane,A,,,\r\n'
    '"Student, Test",9,,f00,A,,,\r\n'
)
INTO_CANVAS = {  # all that changes
    '"A, B",,': '"A, B",6.00,',
    "jdoe2,A,1.50,": "jdoe2,A,1.00,",
    'jm@x.org,A,"",': 'jm@x.org,A,"0.00",',
    "mk,A,,": "mk,A,3.00,",
    "hub-jane,A,,": "hub-jane,A,3.00,",
}
MOODLE = (
    'Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",'
    '"Last modified (submission)","Last modified (grade)","Feedback comments"\n'
    '"Participant 501","Jane Doe",jane@x.org,"Submitted",,100.00,Yes,"Monday, 2 March 2026, 9:00 AM",-,\n'
    '"Participant 502","Jane Doe",jd@x.org,"Submitted",,100.00,Yes,"Monday, 2 March 2026",-,"<p>""So"",\nyes;</p>"\n'
    '"Participant 504","Mary-Ann O\'Neill",mao@x.org,"Submitted",,100.00,Yes,"Monday, 2 March 2026",-,\n'
    '"Participant 505","Alan Poe",poe@x.org,"Submitted",,100.00,Yes,"Monday, 2 March 2026",-,\n'
    '"Participant 507","Rick Roe",rr@x.org,"No submission",,100.00,Yes,-,-,\n'
    '"Participant 508","Hub Lee",hub-jane@x.org,"Submitted",12.5,100.00,Yes,-,-,'
)
INTO_MOODLE = {
    'jane@x.org,"Submitted",,100': 'jane@x.org,"Submitted",100.00,100',
    'jd@x.org,"Submitted",,100': 'jd@x.org,"Submitted",16.67,100',
    ",12.5,": ",50.00,",
}
WORTH_SIX = CANVAS.format(maximum="6.00").encode()


def hand_back(course, folder, content, column="", lesson=LESSON):
    """Fill a sheet; return what is said, and the bytes that were written, if they were."""
    path, target = folder / "Grades.csv", folder / f"Grades_{lesson}.csv"
    path.write_bytes(content)
    try:
        told = "\n".join(filled(course, lesson, path, column))
    except ValueError as error:
        told = str(error)
    assert path.read_bytes() == content
    return told, target.read_bytes() if target.exists() else None


def changed(text, changes):
    for before, after in changes.items():
        assert text.count(before) == 1
        text = text.replace(before, after)
    return text.encode()


def points(content, column, number=1):
    """Read a sheet as a platform does: number -> points."""
    rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    return {row[number].removeprefix("Participant "): row[column] for row in rows}


def line(told, begin):
    (found,) = (each for each in told.splitlines() if each.startswith(begin))
    return found


@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_canvas_gets_its_own_sheet_back_with_points_and_nothing_else_changed(course, tmp_path, bom):
    told, sheet = hand_back(course, tmp_path, bom.encode() + WORTH_SIX)
    assert sheet == changed(bom + WORTH_SIX.decode(), INTO_CANVAS)
    assert points(sheet, 5)["12345"] == "6.00"
    assert "has 6 points, and so has the column" in told
    assert line(told, "Points for") == "Points for 5 of 9 in the sheet. 2 have none, and stay as they were."
    assert line(told, "Had other").endswith(": Doe, Jane (1.50, now 1.00).")
    assert line(told, "Left as they were, since the platform").endswith(": Poe, Alan (EX).")
    assert line(told, "Left as they were, since they wait").endswith(f": O'Neill, Mary-Ann ({NOT_GRADED}).")
    assert "gonegrace_99" in line(told, "In the gradebook, but not in the sheet")
    assert line(told, "Handed in, but not graded").endswith(": broken_8.")


def test_moodle_gets_its_own_worksheet_back_scaled_to_its_maximum(course, tmp_path):
    told, sheet = hand_back(course, tmp_path, MOODLE.encode())
    assert sheet == changed(MOODLE, INTO_MOODLE)
    assert points(sheet, 4, 0)["501"] == "100.00"
    assert "has 6 points, the column 100: all points are multiplied by 16.6667." in told
    assert line(told, "Left as they were").endswith(f": Mary-Ann O'Neill ({NOT_GRADED}).")


def test_the_sheet_of_another_assignment_gives_nobody_a_classmates_points(course, tmp_path):
    told, sheet = hand_back(course, tmp_path, MOODLE.encode())
    assert line(told, "Not written, since their number").endswith(": Someone-Else_505 (here Alan Poe).")
    assert points(sheet, 4, 0)["505"] == ""


@pytest.mark.parametrize(("said", "expected"), [("Participant", "3.00"), ("Teilnehmer/in", "")])
def test_names_may_be_hidden_from_who_grades_and_columns_translated(course, tmp_path, said, expected):
    sheet = f'X,Status,Bewertung,Y\r\n"{said} 601","Abgegeben",,"6,00"\r\n"{said} 602","Abgegeben",,"6,00"\r\n'
    _, sheet = hand_back(course, tmp_path, sheet.encode(), "Bewertung")
    assert list(points(sheet, 2, 0).values())[1:] == [expected, ""]


@pytest.mark.parametrize(("maximum", "said"), [("0.00", "no maximum"), ("", "no maximum"), ('"12,00"', "by 2.")])
def test_points_are_scaled_only_where_the_sheet_has_a_maximum_of_its_own(course, tmp_path, maximum, said):
    told, sheet = hand_back(course, tmp_path, CANVAS.format(maximum=maximum).encode())
    assert said in told
    assert points(sheet, 5)["12345"] == ("12.00" if "12" in maximum else "6.00")


def test_two_in_the_gradebook_who_are_one_in_the_sheet_are_named_and_get_nothing(course, tmp_path):
    told, sheet = hand_back(
        course, tmp_path, WORTH_SIX.replace(b",jdoe,", b",hub-jane,").replace(b",8,u8,hub-jane", b",8,,x")
    )
    assert line(told, "Not written, since several").endswith(": doejane_12345 and hub-jane.")
    assert points(sheet, 5)["12345"] == ""


@pytest.mark.parametrize("column", ["heads that learn", "4712", "Heads that learn (4712)"])
def test_a_teacher_may_say_which_column(course, tmp_path, column):
    told, sheet = hand_back(course, tmp_path, WORTH_SIX, column)
    assert "has 6 points, the column 5: all points are multiplied by 0.833333." in told
    assert points(sheet, 5) == points(WORTH_SIX, 5)
    assert points(sheet, 6)["12345"] == "5.00"


def test_every_lessons_column_is_found_by_its_names_and_taken_for_no_other_lessons():
    for prefix in ("", "Lesson {0} · ", "{0}: ", "Lesson {0}: "):
        names = [prefix.format(each.number) + each.title for each in LESSONS.values()]
        head = ",".join(["Student,ID,Section", *(f'"{name} ({i})"' for i, name in enumerate(names, 100))])
        sheet = sheets.read(f'{head}\n"Doe, Jane",1,A{"," * len(names)}\n'.encode())
        assert [form_of(sheet, path.stem).column for path in NOTEBOOKS] == list(range(3, 3 + len(names)))


def test_what_cannot_be_filled_is_said_in_plain_words(course, tmp_path):
    says = {
        "no column that is called after the lesson": WORTH_SIX.replace(b"Scaled scores", b"Homework"),
        "one of: “Homework (4711)”, “Heads that learn (4712)”.": WORTH_SIX.replace(b"Scaled scores", b"Homework"),
        "has 2 columns that are called after the lesson": WORTH_SIX.replace(b"Heads that learn", b"Lesson 3"),
        "is not the UTF-8 text": WORTH_SIX.decode().encode("cp1252"),
        "neither a gradebook that Canvas exported nor a grading worksheet of Moodle": b"name,points\nJane,3\n",
        "Its columns are: none": b"",
    }
    for words, content in says.items():
        told, sheet = hand_back(course, tmp_path, content)
        assert words in told and told.startswith("Grades.csv ") and sheet is None
    told, _ = hand_back(course, tmp_path, WORTH_SIX, lesson="04_softmax")
    assert told == f"The gradebook has no assignment '04_softmax'. It has: {LESSON}."
    with pytest.raises(ValueError, match=r"There is no file .*none\.csv: say SHEET="):
        filled(course, LESSON, tmp_path / "none.csv")
    told, _ = hand_back(tmp_path, tmp_path, WORTH_SIX)
    assert "has no gradebook.db" in told and not (tmp_path / "gradebook.db").exists()


def test_the_command_says_what_it_did_and_where_it_wrote(course, tmp_path):
    path = tmp_path / "my grades.csv"
    path.write_bytes(WORTH_SIX)
    command = [sys.executable, "-m", "classroom.grades", course, LESSON]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "tools"), str(ROOT)])}
    done = subprocess.run([*command, path, ""], env=environment, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    target = tmp_path / f"my grades_{LESSON}.csv"
    assert target.read_bytes() == changed(WORTH_SIX.decode(), INTO_CANVAS)
    assert done.stdout.endswith(f"\nUpload {target}.\n")


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
@pytest.mark.parametrize("separator", [",", ";"])
def test_a_sheet_that_nobody_changes_keeps_every_byte_and_is_read_as_others_read_it(separator, end):
    text = separator.join(["a", '"b', 'c"', '"d ""e"""', "", '""', 'f"g']) + "\r\n" + separator * 3 + "x" + end
    content = ("\ufeff" + text).encode()
    sheet = sheets.read(content)
    assert sheet.to_bytes() == content
    assert [sheet.texts(row) for row in range(len(sheet.rows))] == list(
        csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    )

"""Measures a class: 60 hand-ins to one lesson, ten of them hostile, collected, graded and given back with nbgrader."""

import os
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import nbformat
from classroom import copies, grading
from classroom.cells import exercises, has_tag
from classroom.grades.__main__ import filled
from classroom.judging import for_a_person
from measuring import ROOT, show
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook

LESSON = "03_scaled_scores"
FILE = f"{LESSON}.ipynb"
NOTEBOOK = nbformat.read(ROOT / "notebooks" / FILE, 4)
SOLVED = exercises(NOTEBOOK)
RIGHT = {each.stub.id: each.answer for each in SOLVED}
DOT, SCALED, BATCH, KEYS = RIGHT
WORTH = [each.points for each in SOLVED]
WAITS, NOTHING = "waits for a person", "nothing collected"
VICTIM = "student0_100"  # whose work is right

MISTAKES = [  # the exercise, what is handed in, and what the feedback calls it
    (SCALED, "def my_scaled_scores(Q, K):\n    return Q @ K.T", "The scale is missing."),
    (SCALED, "def my_scaled_scores(Q, K):\n    return Q @ K.T / Q.shape[-1]", "The scale is d_k, not its root"),
    (BATCH, "def my_batch_scores(Q, K):\n    return Q @ K.swapaxes(-1, -2)", "The scale is missing."),
    (DOT, "def my_score(query, key):\n    return 0", "Exercise 3.1"),
    (KEYS, "def my_keys(Q, scores):\n    return np.linalg.solve(Q, scores).T", "Exercise 3.4"),
]
PATCH = "\nimport mha_course\nmha_course.check = lambda *anything: True"
REACHES = """
import glob, os, pathlib
for place in ("/", os.path.expanduser("~"), os.getcwd(), ".."):
    for path in glob.glob(f"{place}/**/gradebook.db", recursive=True) + glob.glob(f"{place}/**/submitted/*"):
        pathlib.Path(path).write_text("8 of 8")
"""
BOMB = b" " * 300 * 10**6


@dataclass
class HandIn:
    """What one student hands in. files: by name. says: what the header of the last file claims. deserves: the points
    for each exercise, or what becomes of it. feedback: words of it."""

    kind: str
    files: dict[str, bytes]
    deserves: list[int] | str
    feedback: str = ""
    says: dict[str, int] = field(default_factory=dict)


def main():
    """Do it with the zip of either platform, and print what came of it."""
    rows = [("submissions", "as deserved", "points", WAITS, NOTHING, "to collect, s", "to grade, s")]
    unlike = []
    for platform in (Canvas, Moodle):
        with tempfile.TemporaryDirectory() as home:
            row, found = of_a_class(Path(home) / "course", platform)
        rows.append((f"{platform.__name__}, {len(class_of_sixty(platform))}", *row))
        unlike += found
    show(*rows)
    show(("got through",), *((each,) for each in unlike or ["nothing"]))


def of_a_class(course, platform):
    """Return counts of what came of a class and the seconds it took, and everything that is not as it should be."""
    students = class_of_sixty(platform)
    write(course / "source" / LESSON / FILE, grading.assignment(NOTEBOOK))
    grading.equip(course)
    nbgrader(course, "generate_assignment")
    pack(course / "downloaded" / LESSON / "archive" / "submissions.zip", students, platform)
    seconds = [nbgrader(course, command) for command in ("zip_collect", "autograde", "generate_feedback")]
    sheet = course / "sheet.csv"
    sheet.write_text(platform.sheet(students), encoding="utf-8")
    filled(course, LESSON, sheet)
    written = platform.points((course / f"sheet_{LESSON}.csv").read_text(encoding="utf-8"))
    came = {who: outcome(course, who) for who in students}
    counts = Counter("points" if isinstance(each, list) else each for each in came.values())
    deserved = sum(came[who] == each.deserves for who, each in students.items())
    row = deserved, *(counts[each] for each in ("points", WAITS, NOTHING)), *seconds[:2]
    return row, got_through(course, students, came, written)


def got_through(course, students, came, written):
    """Return everything that is not as it should be."""
    wrong = [f"{each.kind} ({who}): {came[who]}" for who, each in students.items() if came[who] != each.deserves]
    for who, each in students.items():
        due = "" if isinstance(each.deserves, str) else f"{sum(each.deserves):.2f}"
        if written[who] != due:
            wrong.append(f"{each.kind} ({who}): the sheet says {written[who]!r}")
        page = course / "feedback" / who / LESSON / f"{LESSON}.html"
        if each.feedback and each.feedback not in re.sub("<[^>]+>", "", page.read_text(encoding="utf-8")):
            wrong.append(f"{each.kind} ({who}): the feedback does not say {each.feedback!r}")
    strangers = {path.name for path in (course / "submitted").iterdir()} - students.keys()
    return wrong + [f"{who} did not hand in, but is there" for who in sorted(strangers)]


def outcome(course, who):
    """Return the points for each exercise, or what became of it."""
    if not (course / "submitted" / who).exists():
        return NOTHING
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        if who in {each.student for each in for_a_person.who(course, LESSON, gradebook)}:
            return WAITS
        grades = gradebook.find_submission_notebook(LESSON, LESSON, who).grades
        given = {grade.name: grade.score for grade in grades}
    return [given[each.check.id] for each in SOLVED]


def class_of_sixty(platform):
    """Return what each student hands in, by the name that they get."""
    made = [*ordinary(), *hostile(platform)]
    return {f"student{number}_{100 + number}": each for number, each in enumerate(made)}


def ordinary():
    """Yield fifty hand-ins of students who mean no harm, no two alike."""
    kinds = [right] * 14 + [own_cells] * 6 + [half] * 8 + [wrong] * 10 + [untouched] * 6 + [unfinished] * 3
    for number, kind in enumerate([*kinds, lacks_imports, helper_below, deletes_a_check]):
        source = copies.student(NOTEBOOK) if number % 2 else grading.assignment(NOTEBOOK)  # which has nbgrader's marks
        yield kind(deepcopy(source), number)


def answered(notebook, answers, number):
    """Fill stubs in, and return the cells that are answers."""
    stubs = [cell for cell in notebook.cells if has_tag(cell, "stub")]
    for stub in stubs:
        if stub.id in answers:
            stub.source = f"{answers[stub.id]}\n# {number}"
    return stubs


def right(notebook, number):
    """Everything is right."""
    answered(notebook, RIGHT, number)
    return HandIn("right", {FILE: as_file(notebook)}, WORTH)


def own_cells(notebook, number):
    """Everything is right, and a plot below."""
    notebook.cells.append(new_code_cell("import matplotlib.pyplot as plt\nplt.plot([1, 2, 4]);"))
    return right(notebook, number)


def half(notebook, number):
    """Every other exercise is done."""
    answered(notebook, {SCALED: RIGHT[SCALED], KEYS: RIGHT[KEYS]}, number)
    return HandIn("half", {FILE: as_file(notebook)}, [0, WORTH[1], 0, WORTH[3]])


def wrong(notebook, number):
    """One answer has a mistake that the checks know."""
    where, text, words = MISTAKES[number % len(MISTAKES)]
    answered(notebook, RIGHT | {where: text}, number)
    points = [0 if each.stub.id == where else each.points for each in SOLVED]
    return HandIn("wrong", {FILE: as_file(notebook)}, points, words)


def untouched(notebook, number):
    """Nothing is begun."""
    notebook.cells[0].source += f"\n\n{number}"
    return HandIn("untouched", {FILE: as_file(notebook)}, [0, 0, 0, 0], "Not started yet.")


def unfinished(notebook, number):
    """The last answer cannot be read as Python."""
    answered(notebook, RIGHT, number)[-1].source += "\n("
    return HandIn("unfinished", {FILE: as_file(notebook)}, [*WORTH[:3], 0])


def lacks_imports(notebook, number):
    """The cell of imports is gone."""
    answered(notebook, RIGHT, number)
    notebook.cells = [cell for cell in notebook.cells if cell.id != "imports"]
    return HandIn("lacks imports", {FILE: as_file(notebook)}, WAITS)


def helper_below(notebook, number):
    """A helper stands below the check."""
    stubs = answered(notebook, RIGHT | {DOT: "def my_score(query, key):\n    return helper(query, key)"}, number)
    place = notebook.cells.index(stubs[1])
    notebook.cells.insert(place, new_code_cell("def helper(query, key):\n    return query @ key"))
    return HandIn("helper below", {FILE: as_file(notebook)}, WAITS)


def deletes_a_check(notebook, number):
    """A check is gone."""
    answered(notebook, RIGHT, number)
    notebook.cells.remove(next(cell for cell in notebook.cells if has_tag(cell, "check")))
    return HandIn("deletes a check", {FILE: as_file(notebook)}, WAITS)


def hostile(platform):
    """Yield ten hand-ins that mean harm, those of five kinds first that once did some."""
    good = right(grading.assignment(NOTEBOOK), "stolen").files[FILE]
    empty = as_file(grading.assignment(NOTEBOOK))
    name = VICTIM.partition("_")
    nested = zipped(
        {platform.path(name[0], name[2], 9999, FILE): empty, platform.path("student50", "150", 9, FILE): good}
    )
    yield HandIn("nested zip", {"notes.zip": nested}, NOTHING)
    yield HandIn("25 nested zips", {f"notes{number}.zip": nested for number in range(25)}, NOTHING)
    yield HandIn("no gzip", {"data.csv.gz": b"no gzip"}, NOTHING)
    yield HandIn("torn", {FILE: good}, NOTHING, says={"CRC": 7})
    yield HandIn("bomb", {FILE: BOMB}, NOTHING)
    yield HandIn("another's name", {f"x_{name[2]}_assignsubmission_file_{FILE}": empty}, NOTHING)
    yield HandIn("way out", {f"../../../../submitted/{VICTIM}/{LESSON}/{FILE}": empty}, NOTHING)
    yield HandIn("false size", {FILE: BOMB}, NOTHING, says={"file_size": 100})
    yield HandIn("deep", {FILE: b'{"cells": ' + b"[" * 10**6}, WAITS)
    notebook = grading.assignment(NOTEBOOK)
    stubs = [cell for cell in notebook.cells if has_tag(cell, "stub")]
    stubs[0].source = f"{RIGHT[DOT]}{REACHES}{PATCH}"
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cell.metadata.nbgrader.points = 50
    yield HandIn("pays itself", {FILE: as_file(notebook)}, WAITS)


def as_file(notebook):
    """Return a notebook as a student saves it."""
    return nbformat.writes(notebook).encode()


def zipped(files):
    """Return a student's own zip."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


class Canvas:
    """How Canvas names a file, and its gradebook."""

    @staticmethod
    def path(name, number, upload, file):
        """Return where a file stands in the zip."""
        return f"{name}_{number}_{upload}_{file}"

    @staticmethod
    def sheet(students):
        """Return the gradebook."""
        rows = (f"{who.partition('_')[0]},{who.partition('_')[2]},,A," for who in students)
        return "\n".join(["Student,ID,SIS Login ID,Section,Lesson 3", *rows]) + "\n"

    @staticmethod
    def points(text):
        """Return what a filled gradebook says."""
        rows = (line.split(",") for line in text.splitlines()[1:])
        return {f"{row[0]}_{row[1]}": row[-1] for row in rows}


class Moodle:
    """How Moodle names a file, and its worksheet."""

    @staticmethod
    def path(name, number, upload, file):
        """Return where a file stands in the zip."""
        return f"{name}_{number}_assignsubmission_file_/{file}"

    @staticmethod
    def sheet(students):
        """Return the worksheet."""
        rows = (f"Participant {who.partition('_')[2]},{who.partition('_')[0]},,8.00" for who in students)
        return "\n".join(["Identifier,Full name,Grade,Maximum Grade", *rows]) + "\n"

    @staticmethod
    def points(text):
        """Return what a filled worksheet says."""
        rows = (line.split(",") for line in text.splitlines()[1:])
        return {f"{row[1]}_{row[0].split()[-1]}": row[2] for row in rows}


def pack(path, students, platform):
    """Write the zip that a platform makes."""
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for upload, (who, each) in enumerate(students.items()):
            name, _, number = who.partition("_")
            for file, content in each.files.items():
                archive.writestr(platform.path(name, number, 1000 + upload, file), content)
            for what, value in each.says.items():
                setattr(archive.filelist[-1], what, value)


def write(path, notebook):
    """Write a notebook."""
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def nbgrader(course, command):
    """Run nbgrader, and return how many seconds it took. Errors: `CalledProcessError`."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # where nbgrader finds its own programs
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PATH": path}
    begin = time.perf_counter()
    arguments = [sys.executable, "-m", "nbgrader", command, LESSON]
    subprocess.run(arguments, cwd=course, env=environment, check=True, capture_output=True)
    return time.perf_counter() - begin

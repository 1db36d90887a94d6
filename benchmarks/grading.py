"""Measures how long grading takes: 40 planted submissions of many kinds to four lessons, one of them endless."""

import os
import re
import subprocess
import sys
import tempfile
import time
from copy import deepcopy
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))
from classroom import grading  # noqa: E402
from classroom.cells import exercises, has_tag  # noqa: E402
from record import record  # noqa: E402

LESSONS = ("03_scaled_scores", "06_heads", "09_residual_and_norm", "12_find_the_bug")
CLASS = 540  # submissions of sixty students to nine lessons
# Of each lesson there is one of each, and the last one of the first lesson is endless.
KINDS = ("right", "right", "own cells", "edited", "half", "half", "wrong", "broken", "untouched", "right")
ENDLESS = "\ndef {name}(*given):\n    while True:\n        pass"


def main():
    """Grade them as a teacher would, and print and record what it took."""
    with tempfile.TemporaryDirectory() as home:
        course = Path(home) / "course"
        for lesson in LESSONS:
            hand_in(course, lesson)
        grading.equip(course)
        seconds = sum(measured(course, lesson) for lesson in LESSONS)
    count = len(KINDS) * len(LESSONS)
    results = {
        "submissions": count,
        "seconds_each": round(seconds / count, 2),
        "minutes_for_540": round(CLASS * seconds / count / 60, 1),
    }
    record("grading", results)
    print("\n".join(f"{key}: {value}" for key, value in results.items()))


def measured(course, lesson):
    """Return the seconds that autograding takes, the start of nbgrader too."""
    nbgrader(course, "generate_assignment", lesson)
    begin = time.perf_counter()
    nbgrader(course, "autograde", lesson)
    seconds = time.perf_counter() - begin
    print(f"{lesson}: {seconds:.1f} s", flush=True)
    return seconds


def nbgrader(course, *command):
    """Run nbgrader. Errors: `CalledProcessError`."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # where nbgrader finds its own programs
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PATH": path}
    subprocess.run([sys.executable, "-m", "nbgrader", *command], cwd=course, env=environment, check=True)


def hand_in(course, lesson):
    """Write an assignment and what came back, no two alike."""
    notebook = nbformat.read(ROOT / "notebooks" / f"{lesson}.ipynb", 4)
    assignment, solved = grading.assignment(notebook), exercises(notebook)
    write(assignment, course / "source" / lesson / f"{lesson}.ipynb")
    for number, kind in enumerate(KINDS):
        is_endless = lesson == LESSONS[0] and number == len(KINDS) - 1
        made = submission(assignment, solved, kind, f"# {kind} {number}", is_endless)
        write(made, course / "submitted" / f"student_{number}" / lesson / f"{lesson}.ipynb")


def submission(assignment, solved, kind, signature, is_endless):
    """Return what a student of this kind hands in."""
    notebook = deepcopy(assignment)
    right = {each.stub.id: each.answer for each in solved}
    stubs = [cell for cell in notebook.cells if has_tag(cell, "stub")]
    for number, stub in enumerate(stubs):
        if kind != "untouched" and (kind != "half" or number % 2):
            stub.source = f"{right[stub.id]}\n{signature}"
    if kind == "wrong":
        stubs[0].source = re.sub(r"return .*", "return 0", stubs[0].source)
    if kind == "broken":
        stubs[-1].source += "\n("
    if kind == "edited":
        for cell in [cell for cell in notebook.cells if cell.cell_type == "code" and not has_tag(cell, "check")]:
            cell.source += f"\n{signature}"
    if kind == "own cells":
        notebook.cells.append(new_code_cell("import matplotlib.pyplot as plt\nplt.plot([1, 2, 4]);"))
    if is_endless:
        stubs[0].source += ENDLESS.format(name=re.search(r"def (\w+)", stubs[0].source)[1])
    return notebook


def write(notebook, path):
    """Write a notebook."""
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    main()

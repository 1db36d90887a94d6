"""What `make new-lesson` and `make exercise` write: a lesson that passes the tests, and an exercise from its record."""

import os
import shutil
import subprocess
import sys
import tomllib

import nbformat
import numpy as np
import pytest
from authoring.solutions import called, is_open, solution, stub
from authoring.standard_mistakes import mistakes_in, suggestions
from stored import ROOT

import mha_course
from mha_course.engine.checking.diagnose import diagnose
from mha_course.lessons import CATALOGUE

pytestmark = pytest.mark.slow

NAME = "running_mean"
PARTS = ("README.md", "conftest.py", "pyproject.toml", "docs", "hub", "mha_course", "notebooks", "tests", "tools")
GENERIC = ("exercises", "form", "house", "minutes", "mistakes", "notebooks", "pairs", "questions", "review", "words")
OF_NOTES = ("every_lesson_has_teaching_notes", "the_mistakes_and_exercises_in_the_notes_are_there")
ANOTHER = """
## {0}.square(x): A square

Notice: Never negative.

### Inputs

- the example: `np.array([1, 2])`
- more: `*sample((5,))`

### `y = x * x`
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A copy of the course with one lesson more."""
    folder = tmp_path_factory.mktemp("course")
    for part in PARTS:
        source, skipped = ROOT / part, shutil.ignore_patterns("__pycache__", "browser")
        if source.is_file():
            shutil.copy(source, folder)
        else:
            shutil.copytree(source, folder / part, ignore=skipped if part == "tests" else None)
    run(folder, "authoring.new_lesson", NAME, "Running mean")
    return folder


def run(folder, *module):
    environment = os.environ | {"PYTHONPATH": f"{folder / 'tools'}{os.pathsep}{folder}"}
    command = [sys.executable, "-m", *module]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def left_below_the_ceiling(folder):
    """Return how many lines the lessons may still get."""
    ceilings = tomllib.loads((folder / "tests" / "ceilings.toml").read_text(encoding="utf-8"))
    lessons = folder / "mha_course" / "lessons"
    sources = [*lessons.rglob("*.py"), *lessons.rglob("exercises.md")]
    return ceilings["mha_course/lessons"] - sum(len(path.read_text(encoding="utf-8").splitlines()) for path in sources)


def test_a_new_lesson_passes_the_tests_as_it_is(course):
    files = [f"tests/test_{name}.py" for name in GENERIC]
    notes = [f"tests/test_classroom.py::test_{name}[{NAME}]" for name in OF_NOTES]
    notebooks = ["notebooks/00_start_here.ipynb", f"notebooks/17_{NAME}.ipynb"]
    run(course, "pytest", "-q", "-p", "no:xdist", *files, *notes, *notebooks, "-k", f"{NAME} or lesson or ipynb")
    assert left_below_the_ceiling(course) == left_below_the_ceiling(ROOT)
    run(course, "ruff", "check", ".")
    run(course, "ruff", "format", "--check", ".")


def test_the_cells_of_an_exercise_come_from_its_record_and_the_others_get_their_numbers_anew(course):
    records = course / "mha_course" / "lessons" / NAME / "exercises.md"
    title, _, rest = records.read_text(encoding="utf-8").partition("\n")
    records.write_text(title + "\n" + ANOTHER.format(NAME) + rest, encoding="utf-8")
    run(course, "authoring.exercise", f"{NAME}.square")
    cells = {cell.id: cell for cell in nbformat.read(course / "notebooks" / f"17_{NAME}.ipynb", 4).cells}
    tasks = [cell.source.splitlines()[0] for cell in cells.values() if "exercise" in cell.metadata.get("tags", [])]
    assert tasks == ["### Exercise 17.1 · A square", "### Exercise 17.2 · Twice, and one more"]
    assert cells["exercise-square-stub"].source == "def my_square(x):\n    return ..."
    assert "Not started yet." in cells["exercise-square-check"].outputs[0].data["text/plain"]
    assert cells["exercise-double-solution"].source.startswith("# Solution 17.2\n")
    told = run(course, "authoring.exercise", f"{NAME}.double")
    assert "    ✓ Nothing is doubled.\n" in told and "✗" not in told and "has that exercise already" in told


FAULTS = {
    "a name": ("= 2 * x`", "= 2 * n`", "n is no argument"),
    "a doubled word": ("to be multiplied", "to to be multiplied", "a word stands twice, in 'Each number is to to be"),
    "no end": ("Nothing is doubled.", "Nothing is doubled", "a sentence has no end"),
    "an import": ("\n## ", "\n```python\nfrom math import isqrt\n```\n\n## ", "nothing names isqrt"),
}


@pytest.mark.parametrize(("old", "new", "said"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_text_is_refused_with_its_line(course, old, new, said):
    text = course / "mha_course" / "lessons" / NAME / "exercises.md"
    before = text.read_text(encoding="utf-8")
    try:
        text.write_text(before.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(AssertionError, match=rf"{NAME}/exercises.md, line \d+.*{said}"):
            run(course, "authoring.texts")
    finally:
        text.write_text(before, encoding="utf-8")
    run(course, "authoring.texts")


def test_who_renamed_an_exercise_is_told_where_its_old_name_still_stands(course):
    records = course / "mha_course" / "lessons" / NAME / "exercises.md"
    records.write_text(records.read_text(encoding="utf-8").replace(f"{NAME}.double", f"{NAME}.twice"), encoding="utf-8")
    with pytest.raises(AssertionError, match=rf"checks '{NAME}.double', .* If it is '{NAME}.twice' now, write so"):
        run(course, "authoring.exercise", f"{NAME}.twice")
    notebook = course / "notebooks" / f"17_{NAME}.ipynb"
    notebook.write_text(notebook.read_text(encoding="utf-8").replace(f"{NAME}.double", f"{NAME}.twice"), "utf-8")
    assert "has that exercise already" in run(course, "authoring.exercise", f"{NAME}.twice")


@pytest.mark.parametrize("name", ["start_here", "Mean", "3d", "a-b", "by_name", "class"])
def test_a_name_that_cannot_be_a_lessons_is_refused_before_anything_is_written(course, name):
    before = sorted(course.glob("*/*"))
    with pytest.raises(AssertionError, match="must be small letters joined by _"):
        run(course, "authoring.new_lesson", name)
    assert sorted(course.glob("*/*")) == before


def test_a_solution_takes_the_steps_of_the_right_answer():
    written = solution(CATALOGUE.exercises["scaled_scores.keys"])
    assert written == (
        "def keys_solution(Q, scores):\n"
        "    products = scores * Q.shape[-1] ** 0.5\n"
        "    columns = np.linalg.solve(Q, products)\n"
        "    K = columns.T\n"
        "    return K"
    )


def test_a_solution_leaves_out_steps_that_do_nothing_and_spells_out_names_that_learners_lack():
    assert solution(CATALOGUE.exercises["inputs.angles"]) == (
        "def angles_solution(positions, d_model):\n"
        "    pairs = np.arange(d_model // 2)\n"
        "    exponents = 2 * pairs / d_model\n"
        "    divisors = 10000.0**exponents\n"
        "    angles = positions[:, None] / divisors\n"
        "    return angles"
    )
    assert "means = (weights * dA).sum(axis=-1, keepdims=True)" in solution(CATALOGUE.exercises["learning.softmax"])


def test_a_solution_in_which_nothing_is_open_is_right():
    words = {"np": np, **{name: getattr(mha_course, name) for name in mha_course.__all__}}
    written = {name: solution(exercise) for name, exercise in CATALOGUE.exercises.items()}
    whole = {name: text for name, text in written.items() if not is_open(text)}
    assert len(whole) >= 54
    for name, text in whole.items():
        exec(text, words)
        exercise = CATALOGUE.exercises[name]
        assert diagnose(exercise, words[f"{called(exercise)}_solution"]).headline == "Right.", text


def test_a_stub_keeps_the_head_of_its_solution_and_what_it_says_of_itself():
    made = stub('def half_solution(x, n=2):\n    "Return a half."\n    y = x / n\n    return y')
    assert made == 'def my_half(x, n=2):\n    """Return a half."""\n    return ...'


def test_operations_offer_the_mistakes_that_the_text_does_not_know():
    ratio = CATALOGUE.exercises["softmax.ratio"]
    offered = {step.makes: [] for step in ratio.right.steps}
    for step, item in suggestions(ratio):
        offered[step.makes].append(item)
    turned = "- The difference is taken the other way round.\n  Subtract scores.min() from scores.max()."
    assert f"{turned} `scores.min() - scores.max()`" in offered["difference"]
    assert offered["temperature"] == []  # the text knows all that a division invites


def test_an_axis_invites_the_other_and_a_transpose_its_absence():
    found = {code: name for name, _, code in mistakes_in("(Q @ K.mT).sum(axis=-1)")}
    assert found["(Q @ K.mT).sum(axis=-2)"] == "It goes along the wrong axis."
    assert found["(Q @ K).sum(axis=-1)"] == "The transpose is missing."

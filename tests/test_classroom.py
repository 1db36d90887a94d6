"""The teacher's kit: what each copy holds, and that nbgrader, run for real, gives points for right answers only."""

import html
import json
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import nbformat
import psutil
import pytest
from nbgrader.api import Gradebook

from mha_course.lessons import catalogue

EXERCISES = catalogue.exercises()

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NOTES = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")

sys.path.insert(0, str(ROOT / "tools"))
from classroom import slides, teaching  # noqa: E402
from classroom.cells import exercises, has_tag  # noqa: E402

every_lesson = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def build(folder, seed):
    """Build the kit in a process of its own, where sets have an order of their own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tools"), "PYTHONHASHSEED": seed}
    command = [sys.executable, "-m", "classroom", folder]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=120)
    return folder


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    return build(tmp_path_factory.mktemp("kit") / "classroom", "1")


def all_bytes(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def read(path):
    return nbformat.read(path, 4)


def test_building_twice_gives_the_same_bytes(kit, tmp_path):
    first, second = all_bytes(kit), all_bytes(build(tmp_path / "again", "2"))
    assert first.keys() == second.keys()
    assert [path for path in first if first[path] != second[path]] == []


def test_every_notebook_of_the_kit_is_valid(kit):
    paths = sorted(kit.rglob("*.ipynb"))
    assert len(paths) == 10 + 10 + 9
    for path in paths:
        nbformat.validate(json.loads(path.read_text(encoding="utf-8")))


@every_lesson
def test_a_students_copy_is_the_lesson_without_its_solutions(kit, path):
    lesson, student = read(path), read(kit / "student" / path.name)
    assert student.cells == [cell for cell in lesson.cells if not has_tag(cell, "solution")]
    assert not re.search(r"\w_solution\b", json.dumps(student))
    for each in exercises(lesson):
        assert each.hints in student.cells
        body = each.solution.source.split(":\n", 1)[1].strip()
        assert not [cell.id for cell in student.cells if has_tag(cell, "stub", "check") and body in cell.source]


@every_lesson
def test_a_teachers_copy_has_open_solutions_the_mistakes_and_the_notes(kit, path):
    lesson, teacher = read(path), read(kit / "instructor" / path.name)
    assert "source_hidden" not in json.dumps(teacher)
    number = int(path.name[:2])
    assert teacher.cells[1].source.startswith(f"## Lesson {number} · {lesson.cells[0].source.splitlines()[0][6:]}\n")
    after = {cell.id: following for cell, following in zip(teacher.cells, teacher.cells[1:], strict=False)}
    for each in exercises(lesson):
        assert each.solution.source in [cell.source for cell in teacher.cells]
        for mistake in EXERCISES[each.name].mistakes:
            assert mistake.name in after[each.check.id].source
            assert mistake.where.split(",")[0] in after[each.check.id].source
    notes = {"teaching", *(f"{each.check.id}-mistakes" for each in exercises(lesson))}
    assert [cell.id for cell in teacher.cells if cell.id not in notes] == [cell.id for cell in lesson.cells]


@every_lesson
def test_every_lesson_has_teaching_notes(path):
    section = teaching.section(NOTES, int(path.name[:2]))
    assert re.findall("^#+ (.*)$", section, re.MULTILINE)[1:] == ["Timing", "What goes wrong", "Ask the room"]
    assert 3 <= len(re.findall(r"^- \*", section.split("### Ask the room")[1], re.MULTILINE)) <= 5


@every_lesson
def test_a_lesson_whose_cells_do_not_stand_in_order_is_refused(path):
    lesson = read(path)
    for each in exercises(lesson)[:1]:
        lesson.cells.remove(each.hints)
        with pytest.raises(ValueError, match=each.task.id):
            exercises(lesson)


@pytest.mark.parametrize("path", NOTEBOOKS[1:], ids=lambda path: path.stem)
def test_an_assignment_has_the_points_of_its_stars_and_links_that_resolve(kit, path):
    target = kit / "nbgrader" / "source" / path.stem / path.name
    cells, expected = read(target).cells, exercises(read(path))
    graded = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade")]
    assert [cell.metadata.nbgrader.points for cell in graded] == [each.points for each in expected]
    assert [each.task.source.splitlines()[2].count("★") for each in expected] == [each.points for each in expected]
    assert [cell.source for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")] == [
        each.stub.source for each in expected
    ]
    links = re.findall(r"\]\(([^)#]+\.ipynb)", "".join(cell.source for cell in cells))
    assert links
    assert [link for link in links if not (target.parent / link).exists()] == []


@every_lesson
def test_what_follows_a_prediction_never_stands_on_the_same_slide(path):
    cells = slides.as_slides(read(path)).cells
    asked = [i for i, cell in enumerate(cells) if "**Think first" in cell.source or has_tag(cell, "predict")]
    assert asked
    for after in (cells[i + 1] for i in asked):
        assert after.metadata.slideshow.slide_type != "-" or has_tag(after, "predict"), after.id


# nbgrader, with the exercises of one lesson

LESSON = "03_scaled_scores"
NAMES = ["scaled_scores.dot", "scaled_scores.products", "scaled_scores.scaled", "scaled_scores.batch"]
FULL = [1, 1, 2, 3]
MEMORY = 10**9  # bytes; a kernel with more is killed, as a container does
SECONDS = 8  # for one cell; a check takes 5 to stop an endless function
RIGHT = {
    each.name: re.sub(r"(\w+)_solution\b", r"my_\1", each.solution.source)
    for each in exercises(read(ROOT / "notebooks" / f"{LESSON}.ipynb"))
}

MISTAKE = "def my_scaled_scores(Q, K):\n    return Q @ K.T"
ENDLESS = "def my_products(Q, K):\n    while True:\n        pass"
ENDLESS_CELL = "while True:\n    pass"
UNSTOPPABLE = "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass"
HUNGRY = """def my_products(Q, K):
    import time
    hoard = []
    while True:
        hoard.append(b"x" * 4 * 10**7)
        time.sleep(0.01)"""
WARNS = "import warnings\ndef my_products(Q, K):\n    warnings.warn('beware')\n    return Q @ K.T"
EXITS = "def my_scaled_scores(Q, K):\n    import os\n    os._exit(0)"

SUBMISSIONS = {  # who -> the answers, the points for each, words in the feedback
    "right": (RIGHT, FULL, "✓ Exercise 3.4: Right."),
    "untouched": ({}, [0, 0, 0, 0], "○ Exercise 3.1: Not started yet."),
    "mistake": (RIGHT | {"scaled_scores.scaled": MISTAKE}, [1, 1, 0, 3], "✗ Exercise 3.3: The scale is missing."),
    "endless": (RIGHT | {"scaled_scores.products": ENDLESS}, [1, 0, 2, 3], "when 3 seconds were over"),
    "endless-cell": (
        RIGHT | {"scaled_scores.products": ENDLESS_CELL},
        [1, 0, 2, 3],
        "No reply from kernel before timeout",
    ),
    "unstoppable": (RIGHT | {"scaled_scores.products": UNSTOPPABLE}, [1, 0, 0, 0], "NotRun"),
    "hungry": (RIGHT | {"scaled_scores.products": HUNGRY}, [1, 0, 0, 0], "The kernel died before this cell was done."),
    "warns": (RIGHT | {"scaled_scores.products": WARNS}, FULL, "beware"),
    "skips": ({}, [0, 0, 0, 0], "This cell did not run."),
    "deletes": (RIGHT, [1, None, 2, 3], "✓ Exercise 3.4: Right."),
}


def skip(notebook, check):
    check.metadata.tags.append("skip-execution")


def delete(notebook, check):
    notebook.cells.remove(check)


EDITS = {"skips": skip, "deletes": delete}  # what else a submission does, to its second check


class Course:
    """A course folder in which one assignment is graded."""

    def __init__(self, folder, kit):
        self.folder = folder
        source = read(kit / "nbgrader" / "source" / LESSON / f"{LESSON}.ipynb")
        source.cells = [c for c in source.cells if c.id in ("title", "imports") or "nbgrader" in c.metadata]
        self.write(source, "source")
        (folder / "nbgrader_config.py").write_bytes((kit / "nbgrader" / "nbgrader_config.py").read_bytes())
        self.run("generate_assignment")

    def write(self, notebook, *parts):
        path = self.folder.joinpath(*parts, LESSON, f"{LESSON}.ipynb")
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, path)

    def submit(self, who, answers, edit=None):
        notebook = read(self.folder / "release" / LESSON / f"{LESSON}.ipynb")
        stubs = [cell for cell in notebook.cells if has_tag(cell, "stub")]
        checks = [cell for cell in notebook.cells if has_tag(cell, "check")]
        for stub, name in zip(stubs, NAMES, strict=True):
            stub.source = answers.get(name, stub.source)
        if edit:
            edit(notebook, checks[1])
        self.write(notebook, "submitted", who)

    def run(self, command, *options):
        """Run nbgrader, and kill each kernel that takes too much memory."""
        arguments = [sys.executable, "-m", "nbgrader", command, LESSON, *options]
        with subprocess.Popen(arguments, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as nbgrader:
            threading.Thread(target=kill_hungry_kernels, args=(nbgrader,), daemon=True).start()
            try:
                output, _ = nbgrader.communicate(timeout=240)
            finally:
                nbgrader.kill()
        assert nbgrader.returncode == 0, output.decode()[-3000:]

    def grades(self, who):
        with Gradebook(f"sqlite:///{self.folder}/gradebook.db") as gradebook:
            grades = gradebook.find_submission_notebook(LESSON, LESSON, who).grades
            return {grade.name: (grade.auto_score, grade.needs_manual_grade) for grade in grades}

    def points(self, who):
        """The points for each exercise, in their order."""
        checks = [cell.id for cell in read(self.folder / "source" / LESSON / f"{LESSON}.ipynb").cells]
        grades = self.grades(who)
        return [grades[each][0] for each in checks if each in grades]

    def feedback(self, who):
        page = (self.folder / "feedback" / who / LESSON / f"{LESSON}.html").read_text(encoding="utf-8")
        return html.unescape(re.sub("<[^>]+>", "", page))


def kill_hungry_kernels(nbgrader):
    while nbgrader.poll() is None:
        try:
            for kernel in psutil.Process(nbgrader.pid).children(recursive=True):
                if kernel.memory_info().rss > MEMORY:
                    kernel.kill()
        except psutil.NoSuchProcess:
            pass
        time.sleep(0.05)


@pytest.fixture(scope="module")
def course(kit, tmp_path_factory):
    """A course folder with every submission graded, and feedback written."""
    home = tmp_path_factory.mktemp("grading")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR"):
            patch.setenv(name, str(home / name.lower()))
        (home / "course").mkdir()
        course = Course(home / "course", kit)
        for who, (answers, _, _) in SUBMISSIONS.items():
            course.submit(who, answers, EDITS.get(who))
        course.run("autograde", f"--Execute.timeout={SECONDS}")
        course.run("generate_feedback")
        yield course


@pytest.mark.parametrize("who", SUBMISSIONS)
def test_nbgrader_gives_points_for_what_is_right_and_says_what_is_not(course, who):
    _, points, words = SUBMISSIONS[who]
    assert course.points(who) == points
    assert words in course.feedback(who)


def test_no_points_without_a_check_that_said_right(course):
    rewarded = 0
    for who in SUBMISSIONS:
        grades = course.grades(who)
        for cell in read(course.folder / "autograded" / who / LESSON / f"{LESSON}.ipynb").cells:
            if has_tag(cell, "check") and grades[cell.metadata.nbgrader.grade_id][0]:
                assert "✓" in json.dumps(cell.outputs, ensure_ascii=False)
                rewarded += 1
    assert rewarded > 10


def test_a_deleted_check_waits_for_a_person(course):
    assert [state for state in course.grades("deletes").values() if state[1]] == [(None, True)]


def test_a_new_submission_does_not_keep_the_points_of_an_older_one(course):
    assert course.points("right") == FULL
    course.submit("right", RIGHT | {"scaled_scores.scaled": EXITS}, delete)
    course.run("autograde", "--student=right", "--force")
    assert course.points("right") == [1, None, 0, 0]

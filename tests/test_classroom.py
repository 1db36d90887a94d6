"""The teacher's kit: what each copy holds."""

import json
import re
from collections import Counter

import nbformat
import pytest
from bs4 import BeautifulSoup
from built_once import run
from classroom import copies, slides, teaching
from classroom.cells import exercises, has_tag
from classroom.quizzes import choosing, quiz_page
from stored import NOTEBOOKS, ROOT, every_notebook

from mha_course.engine.asking.kinds import Choice
from mha_course.engine.asking.question import Question
from mha_course.engine.checking.solution import known_to
from mha_course.engine.pictures.forms import inline
from mha_course.lessons import CATALOGUE, LESSONS

pytestmark = pytest.mark.slow

EXERCISES = CATALOGUE.exercises
every_lesson = pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
HANDBOOK = teaching.handbook()


def all_bytes(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def read(path):
    return nbformat.read(path, 4)


SOME = """
import sys
from pathlib import Path
from classroom.__main__ import build
from mha_course.lessons import LESSONS
build(Path(sys.argv[1]), [LESSONS["scaled_scores"], LESSONS["heads"]])
"""


def test_building_again_gives_the_same_bytes(kit, tmp_path):
    run("-c", SOME, tmp_path, PYTHONHASHSEED="2")
    first, again = all_bytes(kit), all_bytes(tmp_path)
    assert len([path for path in again if "heads" in path.name]) == 6
    assert [path for path in again if first[path] != again[path]] == []


def test_every_notebook_of_the_kit_is_valid(kit):
    paths = sorted(kit.rglob("*.ipynb"))
    assert len(paths) == 3 * len(NOTEBOOKS) - 1  # two copies of each lesson, and an assignment of all but lesson 0
    for path in paths:
        nbformat.validate(json.loads(path.read_text(encoding="utf-8")))


@every_notebook
def test_a_students_copy_is_the_lesson_without_its_solutions(kit, path):
    lesson, student = read(path), read(kit / "student" / path.name)
    assert [cell.id for cell in student.cells] == [c.id for c in lesson.cells if not has_tag(c, "solution")]
    assert [c.source for c in student.cells if c.cell_type == "code"] == [
        c.source for c in lesson.cells if c.cell_type == "code" and not has_tag(c, "solution")
    ]
    assert not re.search(r"\w_solution\b", json.dumps(student))
    for each in exercises(lesson):
        assert each.hints in student.cells
        body = each.solution.source.split(":\n", 1)[1].strip()
        assert not [cell.id for cell in student.cells if has_tag(cell, "stub", "check") and body in cell.source]


def for_students(kit):
    return [read(path) for folder in ("student", "nbgrader/source") for path in sorted((kit / folder).rglob("*.ipynb"))]


def text(notebook):
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def test_a_students_copy_promises_nothing_that_it_does_not_hold(kit):
    for notebook in for_students(kit):
        assert not re.search(r"solution|stored results|Clear Outputs|beside `notebooks`", text(notebook), re.IGNORECASE)


@pytest.mark.parametrize("promise", copies.PROMISES)
def test_what_a_students_copy_leaves_out_stands_in_a_lesson(promise):
    assert any(promise in text(read(path)) for path in NOTEBOOKS)


def test_a_students_copy_differs_from_the_lesson_in_promises_only(kit):
    for path in NOTEBOOKS:
        kept = text(read(path))
        for promise in copies.PROMISES:
            kept = kept.replace(promise, "")
        assert text(read(kit / "student" / path.name)) == kept


def has_asked(cell):
    return has_tag(cell, "predict") or "**Think first.**" in cell.source or "before you run it" in cell.source


def test_a_students_copy_stores_no_result_that_answers_a_prediction(kit):
    for notebook in for_students(kit):
        asked = [i for i, cell in enumerate(notebook.cells) if has_asked(cell)]
        below = [cell for cell in notebook.cells[asked[0] + 1 :] if cell.cell_type == "code"]
        assert below
        assert [cell.id for cell in below if cell.outputs or cell.execution_count] == []


@every_notebook
def test_results_above_the_first_prediction_stay_and_a_teacher_has_all(kit, path):
    lesson = read(path)
    for cell, copied in zip(lesson.cells, read(kit / "student" / path.name).cells, strict=False):
        assert cell.get("outputs") == copied.get("outputs")
        if has_asked(cell):
            break
    results = {cell.id: cell.get("outputs") for cell in read(kit / "instructor" / path.name).cells}
    assert [cell.id for cell in lesson.cells if results[cell.id] != cell.get("outputs")] == []


def test_a_students_progress_stays_out_of_git(kit):
    folders = {path.parent for path in (kit / "nbgrader" / "source").rglob("*.ipynb")} | {kit / "student"}
    assert len(folders) == len(NOTEBOOKS)  # the students' copies, and an assignment of all but lesson 0
    for folder in folders:
        assert (folder / ".gitignore").read_text(encoding="utf-8") == "my_progress*\n"


def test_the_licence_and_the_page_on_privacy_go_with_every_copy(kit):
    folders = {path.parent for path in kit.rglob("*.ipynb")} | {kit, kit / "slides", kit / "quizzes"}
    assert [folder for folder in folders if not (folder / "LICENSE").is_file()] == []
    learners = {path.parent for path in kit.rglob(".gitignore")} | {kit}
    assert len(learners) == len(NOTEBOOKS) + 1
    privacy = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    assert {(folder / "privacy.md").read_text(encoding="utf-8") for folder in learners} == {privacy}


def test_what_a_page_of_the_kit_links_to_lies_beside_it(kit):
    pages = [path for path in kit.rglob("*.md") if "reveal.js" not in path.parts]
    links = [
        (page, link)
        for page in pages
        for link in re.findall(r"\]\(([^)#:]+)[^):]*\)", page.read_text(encoding="utf-8"))
    ]
    assert {page.parent.name for page, _ in links} >= {"student", kit.name}
    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []
    table = (kit / "README.md").read_text(encoding="utf-8").split("## ")[0]
    assert sorted(re.findall(r"^\| `(\w+)/`", table, re.MULTILINE)) == sorted(
        path.name for path in kit.iterdir() if path.is_dir()
    )


@every_notebook
def test_a_teachers_copy_has_open_solutions_the_mistakes_and_the_notes(kit, path):
    lesson, teacher = read(path), read(kit / "instructor" / path.name)
    assert not re.search("source_hidden|collapsed", json.dumps(teacher)) and not re.search(
        r"folded (away|line)", text(teacher)
    )
    assert teacher.cells[1].source.startswith(f"## Lesson {lesson.cells[0].source.splitlines()[0][2:]}\n")
    after = {cell.id: following for cell, following in zip(teacher.cells, teacher.cells[1:], strict=False)}
    for each in exercises(lesson):
        assert each.solution.source in [cell.source for cell in teacher.cells]
        for mistake in known_to(EXERCISES[each.name]):
            assert mistake.name in after[each.check.id].source
            assert mistake.where.split(",")[0] in after[each.check.id].source
    notes = {"teaching", *(f"{each.check.id}-mistakes" for each in exercises(lesson))}
    assert [cell.id for cell in teacher.cells if cell.id not in notes] == [cell.id for cell in lesson.cells]


@every_lesson
def test_every_lesson_has_teaching_notes(lesson):
    notes = teaching.notes(lesson.name)
    headings = [f"Lesson {lesson.heading}", "Timing", "What goes wrong", "Ask the room"]
    assert re.findall("^#+ (.*)$", notes, re.MULTILINE) == headings
    assert 3 <= len(re.findall(r"^- \*", notes.split("### Ask the room")[1], re.MULTILINE)) <= 5


@pytest.mark.parametrize("lesson", [*LESSONS.values()][1:], ids=lambda lesson: lesson.name)
def test_the_mistakes_and_exercises_in_the_notes_are_there(lesson):
    notes = teaching.notes(lesson.name)
    known = {mistake.name for each in lesson.exercises for mistake in known_to(each)}
    assert set(re.findall(r"\*\*(.+?)\*\*", notes)) <= known
    assert set(re.findall(rf"\b{lesson.number}\.\d+\b", notes)) <= {each.number for each in lesson.exercises}


def test_the_notes_say_what_grading_needs_before_they_say_how():
    warning = "Grading needs bubblewrap"
    row = next(line for line in HANDBOOK.splitlines() if line.startswith("| `nbgrader/`"))
    assert warning in row
    how = HANDBOOK.split("\n**nbgrader.** ")[1]
    assert how.index(warning) < re.search(r"^    .*\bnbgrader\b", how, re.MULTILINE).start()


@every_notebook
def test_a_lesson_whose_cells_do_not_stand_in_order_is_refused(path):
    lesson = read(path)
    for each in exercises(lesson)[:1]:
        lesson.cells.remove(each.hints)
        with pytest.raises(ValueError, match=each.task.id):
            exercises(lesson)


@pytest.mark.parametrize("path", NOTEBOOKS[1:], ids=lambda path: path.stem)
def test_an_assignment_has_the_points_of_its_stars_and_the_cells_of_the_students_copy(kit, path):
    target = kit / "nbgrader" / "source" / path.stem / path.name
    cells, expected = read(target).cells, exercises(read(path))
    graded = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade")]
    assert [cell.metadata.nbgrader.points for cell in graded] == [each.points for each in expected]
    assert [each.task.source.splitlines()[2].count("★") for each in expected] == [each.points for each in expected]
    assert [cell.source for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")] == [
        each.stub.source for each in expected
    ]
    copied = read(kit / "student" / path.name).cells
    checks = {cell.id for cell in graded}
    assert [(cell.id, cell.id in checks or cell.source) for cell in cells] == [
        (cell.id, cell.id in checks or cell.source) for cell in copied
    ]


def test_a_quiz_and_its_key_lie_beside_each_other_and_load_nothing(kit):
    stems = [path.stem for path in NOTEBOOKS]
    assert sorted(path.stem for path in (kit / "quizzes").glob("*.html")) == sorted(
        [*stems, *(f"{each}_key" for each in stems)]
    )
    for path in (kit / "quizzes").glob("*.html"):
        assert not re.search(r"https?:|<script|<link|<img|url\(", path.read_text(encoding="utf-8"))


def items(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").select(".items > li")


def plain(text):
    return BeautifulSoup(inline(text), "html.parser").text


@every_lesson
def test_a_quiz_takes_ten_minutes_and_its_key_has_a_reason_for_each_option(kit, lesson):
    asked = choosing.chosen(lesson)
    assert choosing.minutes(asked) == 10 and len(asked) >= 5
    place = kit / "quizzes" / lesson.notebook
    sheet, key = items(place.with_suffix(".html")), items(place.with_name(f"{place.stem}_key.html"))
    assert [item.p.text for item in sheet] == [item.p.text for item in key]
    for item, answer, (name, each) in zip(sheet, key, asked.items(), strict=True):
        if isinstance(each, Question) and isinstance(each.kind, Choice):
            options = [each.kind.options[one] for one in quiz_page.mixed(name, each.kind.options)]
            offered = [f"{letter}{plain(one.text)}" for letter, one in zip("ABCD", options, strict=False)]
            right = [one is each.kind.options[each.truth()] for one in options]
            told = [
                f"{'✕' * is_right}{text.removesuffix('.')}. {plain(one.reason)}"
                for text, one, is_right in zip(offered, options, right, strict=True)
            ]
            assert [line.text for line in item.select("ul > li")] == offered
            assert [line.text for line in answer.select("ul > li")] == told


def test_the_order_of_the_options_says_nothing_and_is_not_the_notebooks():
    places, kept = Counter(), []
    for lesson in LESSONS.values():
        choices = {name: each for name, each in choosing.chosen(lesson).items() if name in CATALOGUE.questions}
        orders = {name: quiz_page.mixed(name, each.kind.options) for name, each in choices.items()}
        right = [orders[name].index(each.truth()) for name, each in choices.items()]
        assert len(set(right)) > 1, lesson.name
        places.update(right)
        kept += [orders[name] == list(each.kind.options) for name, each in choices.items()]
    assert sorted(places) == [0, 1, 2, 3]
    assert all(0.15 < count / places.total() < 0.35 for count in places.values()), places
    assert sum(kept) < places.total() / 8


def test_every_prediction_that_needs_nothing_is_asked_on_a_sheet():
    asked = {name for lesson in LESSONS.values() for name in choosing.chosen(lesson)}
    assert set(choosing.NEED_NOTHING) <= asked


@every_notebook
def test_what_follows_a_prediction_never_stands_on_the_same_slide(path):
    cells = slides.as_slides(read(path)).cells
    asked = [i for i, cell in enumerate(cells) if "**Think first" in cell.source or has_tag(cell, "predict")]
    assert asked
    for after in (cells[i + 1] for i in asked):
        assert after.metadata.slideshow.slide_type != "-" or has_tag(after, "predict"), after.id


@pytest.mark.parametrize("lesson", ["scaled_scores", "softmax", "weighted_sums", "heads"])
def test_the_slides_step_through_one_row_to_its_end(lesson):
    cells = slides.as_slides(read(next(ROOT.glob(f"notebooks/*_{lesson}.ipynb")))).cells
    texts = [cell.outputs[-1]["data"].get("text/html", "") for cell in cells if "-step-" in cell.id]
    steps = [re.search(r"Step (\d+) of (\d+)", text) for text in texts]
    assert [int(step[1]) for step in steps] == list(range(1, int(steps[0][2]) + 1))
    before = set()
    for text in texts:
        entries = re.findall(r'<td data-at="([^"]+)" style="([^"]*)"', text)
        hidden = {at for at, style in entries if "transparent" in style}
        assert "inset 0 0 0 3px" in text or "other heads" in text  # what this stop computes
        assert not hidden & before
        before |= {at for at, _ in entries} - hidden

"""A teacher updates lessons, students click the link again: nothing of theirs is lost. All pulls are real."""

import json
import re
from copy import deepcopy
from itertools import product

import nbformat
import pytest
from classroom import copies
from hypothesis import given, settings
from hypothesis import strategies as st
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from pulling import HandedOut
from stored import ROOT

from mha_course.engine.progress.notebook_merge import merged
from mha_course.engine.progress.teachers_version import BOTH_CHANGED, about

pytestmark = [pytest.mark.slow,
    pytest.mark.world,
    pytest.mark.minutes,
]  # fmt: skip

LESSON = copies.student(nbformat.read(ROOT / "notebooks" / "04_softmax.ipynb", 4))
CODE, TEXT, GONE, OTHER = "exercise-general-stub", "why-e", "temperature", "exercise-ratio-stub"
NAME = "04_softmax.ipynb"


def cells_of(lesson):
    return {cell.id: cell for cell in lesson.cells}


def with_words(lesson, words, *names):
    """Return a lesson with words added to some of its cells."""
    lesson = deepcopy(lesson)
    for name in names:
        cells_of(lesson)[name].source += f"\n\n# {words}"
    return lesson


def without(lesson, *names):
    lesson = deepcopy(lesson)
    lesson.cells = [cell for cell in lesson.cells if cell.id not in names]
    return lesson


def with_new(lesson, below, *cells):
    lesson = deepcopy(lesson)
    place = list(cells_of(lesson)).index(below) + 1
    lesson.cells[place:place] = cells
    return lesson


def with_moved(lesson, name, below):
    return with_new(without(lesson, name), below, cells_of(lesson)[name])


def with_result(lesson, name):
    lesson = deepcopy(lesson)
    cells_of(lesson)[name].outputs = [new_output("stream", text="what the teacher's machine said")]
    return lesson


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """The lesson after a student ran all cells, with the results and the widgets' states."""
    lesson = deepcopy(LESSON)
    folder = {"metadata": {"path": tmp_path_factory.mktemp("ran")}}
    NotebookClient(lesson, timeout=600, allow_errors=True, resources=folder).execute()
    assert lesson.metadata.widgets
    return lesson


TEACHERS = {
    "code": with_words(LESSON, "by the teacher", CODE),
    "text": with_words(LESSON, "by the teacher", TEXT),
    "less": without(LESSON, GONE),
    "more": with_new(LESSON, TEXT, new_code_cell("# by the teacher", id="teachers")),
    "moved": with_moved(LESSON, GONE, "title"),
    "results": with_result(LESSON, GONE),
}
STUDENTS = {
    "same": lambda ran: with_words(LESSON, "by the student", CODE, TEXT, GONE),
    "other": lambda ran: with_words(LESSON, "by the student", OTHER),
    "ran": lambda ran: ran,
    "ran and same": lambda ran: with_words(ran, "by the student", CODE, TEXT, GONE),
    "more": lambda ran: with_new(LESSON, TEXT, new_code_cell("# mine", id="mine"), new_markdown_cell("mine", id="m2")),
    "moved": lambda ran: with_moved(LESSON, CODE, "title"),
    "less": lambda ran: without(LESSON, CODE, TEXT, GONE),
}
EVERY_PAIR = pytest.mark.parametrize(("student", "teacher"), list(product(STUDENTS, TEACHERS)))


def file_of(student, teacher):
    return f"{student} - {teacher}.ipynb"


@pytest.fixture(scope="module")
def updated(ran, tmp_path_factory):
    """What has become of a lesson after the next click, for every pair of what a student and a teacher can do."""
    pairs = list(product(STUDENTS, TEACHERS))
    course = HandedOut(tmp_path_factory.mktemp("updated"), {file_of(*pair): LESSON for pair in pairs})
    course.save({file_of(*pair): STUDENTS[pair[0]](ran) for pair in pairs})
    course.publish({file_of(*pair): TEACHERS[pair[1]] for pair in pairs})
    course.click()
    return {pair: course.open(file_of(*pair)) for pair in pairs}


def words_of(lesson):
    return {cell.id: cell.source for cell in lesson.cells}


WORDS = words_of(LESSON)


def changed(lesson):
    """The ids of the cells that were changed, added or deleted since the lesson was handed out."""
    words = words_of(lesson)
    return {name for name in WORDS | words if WORDS.get(name) != words.get(name)}


@EVERY_PAIR
def test_nothing_of_the_students_is_lost(updated, ran, student, teacher):
    mine, lesson = STUDENTS[student](ran), updated[student, teacher]
    after = cells_of(lesson)
    for name, cell in cells_of(mine).items():
        if name in changed(mine) or name not in changed(TEACHERS[teacher]):
            assert after[name].source == cell.source
            if student.startswith("ran"):
                assert after[name] == cell  # its results, too
    for name in changed(mine) - words_of(mine).keys():
        assert name not in after
    assert lesson.metadata.get("widgets") == mine.metadata.get("widgets")


@EVERY_PAIR
def test_what_the_teacher_changed_is_there_once(updated, ran, student, teacher):
    theirs, lesson = TEACHERS[teacher], updated[student, teacher]
    mine = STUDENTS[student](ran)
    by_both = {name for name in changed(mine) & changed(theirs) if name in words_of(mine) | words_of(theirs)}
    for name in changed(theirs) - by_both:
        assert words_of(lesson).get(name) == words_of(theirs).get(name)
    below = [(above.id, cell) for above, cell in zip(lesson.cells, lesson.cells[1:], strict=False) if about(cell)]
    assert {about(note) for _, note in below} == by_both and len(below) == len(by_both)
    for name, note in below:
        assert note.cell_type == "markdown"  # so that it does not run
        assert "**From an update of this lesson.**" in note.source
        assert name == about(note) or student == "less"
        assert teacher == "less" or "# by the teacher" in note.source


@EVERY_PAIR
def test_cells_stand_in_the_teachers_order_unless_the_student_moved_them(updated, ran, student, teacher):
    expected = words_of(STUDENTS[student](ran) if student == "moved" else TEACHERS[teacher])
    after = words_of(updated[student, teacher])
    assert [name for name in after if name in expected] == [name for name in expected if name in after]


def test_what_each_added_stands_where_it_was_added(updated):
    names = list(words_of(updated["more", "more"]))
    assert names[names.index(TEXT) + 1 :][:3] == ["mine", "m2", "teachers"]


def test_results_that_the_teacher_published_come_unless_the_student_has_some(updated, ran):
    of_teacher, of_student = cells_of(TEACHERS["results"])[GONE].outputs, cells_of(ran)[GONE].outputs
    for student, expected in {"other": of_teacher, "ran": of_student}.items():
        assert cells_of(updated[student, "results"])[GONE].outputs == expected


def test_the_results_of_a_cell_that_the_teacher_changed_are_not_the_old_ones(updated, ran):
    cell = cells_of(updated["ran", "code"])[CODE]
    assert cells_of(ran)[CODE].execution_count and not cell.execution_count and not cell.outputs


EDITS = st.lists(st.tuples(st.sampled_from(["change", "add", "delete", "move"]), st.integers(1, 9), st.integers(1, 9)))


def edited(lesson, edits, words):
    """Return a lesson after edits, each a kind and two places; every edit writes words of its own."""
    lesson = deepcopy(lesson)
    for i, (kind, place, to) in enumerate(edits):
        cell = lesson.cells.pop(place % len(lesson.cells))
        if kind == "change":
            cell.source += f"\n{words} {i}."
        if kind != "delete" or not lesson.cells:
            lesson.cells.insert(to if kind == "move" else place, cell)
        if kind == "add":
            lesson.cells.insert(to, new_markdown_cell(f"{words} {i}.", id=f"{words}-{i}"))
    return lesson


@settings(deadline=None)
@given(EDITS, EDITS)
def test_whatever_both_did_the_students_cells_are_as_they_were_and_the_teachers_are_seen(students, teachers):
    base = nbformat.v4.new_notebook(cells=[new_markdown_cell(f"cell {i}", id=f"c{i}") for i in range(6)])
    mine, theirs = edited(base, students, "student"), edited(base, teachers, "teacher")
    after = words_of(nbformat.from_dict(merged(base, mine, theirs)))
    assert {name: words for name, words in words_of(mine).items() if "student" in words}.items() <= after.items()
    seen = "\n".join(after.values())
    assert [words for words in re.findall(r"teacher \d+\.", str(theirs)) if words not in seen] == []


@pytest.fixture
def course(tmp_path):
    return HandedOut(tmp_path, {NAME: LESSON})


def both_change(course, words="by the teacher"):
    course.publish({NAME: with_words(LESSON, words, CODE)})
    course.click()
    return [cell for cell in course.open(NAME).cells if cell.id.startswith("update-")]


def test_a_conflict_shows_the_teachers_version_once_and_the_newest(course):
    course.save({NAME: with_words(LESSON, "by the student", CODE)})
    (note,) = both_change(course)
    assert note.source == f"{BOTH_CHANGED}\n\n```python\n{WORDS[CODE]}\n\n# by the teacher\n```"
    before = (course.student / NAME).read_bytes()
    course.click()
    assert (course.student / NAME).read_bytes() == before
    course.publish({NAME: with_words(with_words(LESSON, "by the teacher", CODE), "elsewhere", TEXT)})
    course.click()
    assert note in course.open(NAME).cells
    (newer,) = both_change(course, "by the teacher, again")
    assert "again" in newer.source


def test_a_note_to_which_the_student_added_words_stays(course):
    course.save({NAME: with_words(LESSON, "by the student", CODE)})
    (note,) = both_change(course)
    lesson = course.open(NAME)
    course.save({NAME: with_words(lesson, "ask about this", note.id)})
    kept, newer = sorted(both_change(course, "again"), key=lambda cell: "again" in cell.source)
    assert "ask about this" in kept.source and "again" in newer.source


def test_who_took_over_the_teachers_version_sees_no_note_any_more(course):
    course.save({NAME: with_words(LESSON, "by the student", CODE)})
    both_change(course)
    lesson = course.open(NAME)
    cells_of(lesson)[CODE].source = f"{WORDS[CODE]}\n\n# by the teacher"
    course.save({NAME: lesson})
    assert both_change(course, "again") == []
    assert words_of(course.open(NAME)) == words_of(with_words(LESSON, "again", CODE))


def test_a_lesson_that_was_deleted_comes_back_new_and_one_that_was_renamed_stays(course):
    mine = with_words(LESSON, "by the student", CODE)
    nbformat.write(mine, course.student / "mine.ipynb")
    (course.student / NAME).unlink()
    course.publish({NAME: TEACHERS["text"]})
    course.click()
    assert course.open(NAME) == TEACHERS["text"]
    assert course.open("mine.ipynb") == mine


def test_a_new_lesson_comes_and_a_file_of_its_name_is_kept(course):
    mine = with_words(LESSON, "by the student", CODE)
    course.save({NAME: mine, "05_new.ipynb": mine})
    course.publish({"05_new.ipynb": LESSON, "06_new.ipynb": LESSON})
    course.click()
    assert course.open("05_new.ipynb") == course.open("06_new.ipynb") == LESSON
    (renamed,) = course.student.glob("05_new__2*.ipynb")
    assert course.open(renamed.name) == course.open(NAME) == mine


def test_a_lesson_that_the_teacher_renamed_or_removed_keeps_what_the_student_wrote(tmp_path):
    course = HandedOut(tmp_path, {NAME: LESSON, "05_gone.ipynb": LESSON})
    mine = with_words(LESSON, "by the student", CODE)
    course.save({NAME: mine, "05_gone.ipynb": mine})
    course.run("git", "mv", NAME, "04_other.ipynb")
    course.run("git", "rm", "--quiet", "05_gone.ipynb")
    course.publish({"04_other.ipynb": TEACHERS["text"]})
    course.click()
    assert words_of(course.open("04_other.ipynb"))[CODE] == words_of(mine)[CODE]
    assert "# by the teacher" in words_of(course.open("04_other.ipynb"))[TEXT]
    assert course.open("05_gone.ipynb") == mine


@pytest.mark.parametrize("damage", [lambda text: text[: len(text) // 2], lambda text: b"", lambda text: b"[]"])
def test_a_damaged_notebook_opens_again_and_what_stood_in_it_is_kept(course, damage):
    path = course.student / NAME
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    course.publish({NAME: TEACHERS["text"]})
    course.click()
    lesson = course.open(NAME)
    (kept,) = course.student.glob("04_softmax_damaged_*.txt")
    assert kept.read_bytes() == damaged
    assert kept.name in lesson.cells[0].source and lesson.cells[1:] == TEACHERS["text"].cells


def test_a_damaged_notebook_of_the_teachers_changes_nothing_and_the_next_one_arrives(course):
    mine = with_words(LESSON, "by the student", CODE)
    course.save({NAME: mine})
    (course.teacher / NAME).write_text("<<<<<<< HEAD")
    course.publish({})
    course.click()
    assert course.open(NAME) == mine
    course.publish({NAME: LESSON})
    course.click()
    assert words_of(mine).items() <= words_of(course.open(NAME)).items()


def test_cells_without_ids_and_with_the_same_id_are_all_kept(course):
    mine = with_words(LESSON, "by the student", CODE, TEXT)
    mine.nbformat_minor = 4
    for cell in mine.cells[1:]:
        del cell["id"]
    mine.cells[0]["id"] = mine.cells[1]["id"] = "twice"
    (course.student / NAME).write_text(json.dumps(mine))
    course.publish({NAME: TEACHERS["more"]})
    course.click()
    after = [cell.source for cell in course.open(NAME).cells]
    assert [source for source in after if source != "# by the teacher"] == [cell.source for cell in mine.cells]


def test_without_the_set_up_the_students_version_of_a_cell_stays_and_the_teachers_is_not_shown(tmp_path):
    course = HandedOut(tmp_path, {NAME: LESSON}, hub_is_set_up=False)
    mine = with_words(LESSON, "by the student", CODE)
    course.save({NAME: mine})
    assert both_change(course) == []
    assert course.open(NAME) == mine


def test_a_hub_whose_python_is_missing_says_so_and_the_click_after_its_repair_brings_all(course):
    setting = ["git", "config", "--system", "merge.mha_course.driver"]
    driver = course.run(*setting).strip()
    course.run(*setting, "/no/such/python %O %A %B %P")
    mine = with_words(LESSON, "by the student", CODE)
    course.save({NAME: mine})
    with pytest.raises(AssertionError, match="/no/such/python"):
        both_change(course)
    assert course.open(NAME) == mine
    course.run(*setting, driver)
    course.click()
    assert "# by the teacher" in str(course.open(NAME))

"""What the lessons say of their length: by one rule, and short enough to be studied in one go."""

import re

import minutes
import nbformat
import pytest
from stored import NOTEBOOKS, every_notebook

LONGEST, MOST_CELLS = 60, 75  # of the core: minutes without exercises; cells, solutions not counted


@pytest.fixture(scope="module")
def plan():
    return next(cell.source for cell in nbformat.read(NOTEBOOKS[0], 4).cells if cell.id == "map")


@every_notebook
def test_a_lesson_says_how_long_it_takes_and_so_does_the_map(path, plan):
    lesson = nbformat.read(path, 4)
    assert minutes.stated(lesson) in minutes.about(lesson).source
    assert re.search(rf"^\| \[?{int(path.name[:2])} · .*\| {re.escape(minutes.in_map(lesson))} \|$", plan, re.MULTILINE)
    for task, effort in minutes.exercises(lesson):
        assert f"· {effort} minutes" in task.source


@every_notebook
def test_what_a_lesson_says_to_be_on_the_core_path_is(path):
    lesson = nbformat.read(path, 4)
    said = [cell.source for cell in lesson.cells if minutes.ON_THE_PATH.search(cell.source)]
    assert len(said) == (path in NOTEBOOKS[1 : minutes.CORE_LESSONS])
    assert not said or minutes.on_the_path(lesson) in said[0]


@every_notebook
def test_a_lesson_is_short_enough(path):
    lesson = minutes.core(nbformat.read(path, 4))
    assert minutes.reading(lesson) <= LONGEST
    assert sum("solution" not in cell.metadata.get("tags", []) for cell in lesson.cells) <= MOST_CELLS


def test_the_map_says_how_long_all_lessons_take(plan):
    assert f"about {minutes.total(nbformat.read(path, 4) for path in NOTEBOOKS)}" in plan


def test_a_puzzle_takes_its_time_beside_the_exercises():
    lesson = nbformat.read(NOTEBOOKS[5], 4)
    without = nbformat.v4.new_notebook(cells=[c for c in lesson.cells if "arrange" not in c.metadata.get("tags", [])])
    assert minutes.practice(lesson) == minutes.practice(without) + minutes.PUZZLE
    assert minutes.reading(lesson) == minutes.reading(without)


def test_more_words_code_and_questions_take_longer():
    def lesson(*cells):
        return nbformat.v4.new_notebook(cells=list(cells))

    words = nbformat.v4.new_markdown_cell("word " * 130 * 5)
    code, question = nbformat.v4.new_code_cell("x = 1\n" * 25), nbformat.v4.new_code_cell('quiz("heads")')
    assert [minutes.reading(lesson(*cells)) for cells in ([words], [words, code], [words, code, question])] == [
        5,
        10,
        15,
    ]

"""The core path: it runs alone, it is short, and what lies beside it says for whom."""

import re
from itertools import pairwise

import minutes
import nbformat
import numpy as np
import pytest
from stored import NOTEBOOKS, code_cells

from mha_course.forward.examples import steals
from mha_course.forward.forward import forward
from mha_course.forward.presets import PRESETS, preset
from mha_course.lessons import LESSONS
from mha_course.lessons.optional import OPTIONAL
from mha_course.maths.multi_head import multi_head_attention

CORE = NOTEBOOKS[: minutes.CORE_LESSONS]
MOST_CELLS, MOST_WORDS, MOST_HOURS = 60, 11_000, 5  # cells: solutions, which are folded, are not counted
ASKED = re.compile(r"^(?:check|predict|practise)\(\s*\"([^\"]+)\"", re.MULTILINE)

every_lesson = pytest.mark.parametrize("path", CORE, ids=lambda path: path.stem)


@every_lesson
def test_the_core_cells_run_alone_and_in_order(path, tmp_path, monkeypatch):
    monkeypatch.setenv("MHA_COURSE_PROGRESS", str(tmp_path / "progress.jsonl"))
    names = {"__name__": "lesson"}
    with np.printoptions():  # how a lesson prints arrays is nobody else's business
        for cell in code_cells(minutes.core(nbformat.read(path, 4))):
            exec(compile(cell.source, cell.id, "exec"), names)


@every_lesson
def test_the_core_of_a_lesson_is_short(path):
    cells = minutes.core(nbformat.read(path, 4)).cells
    assert sum("solution" not in cell.metadata.get("tags", []) for cell in cells) <= MOST_CELLS


def test_the_core_path_takes_five_hours():
    lessons = [nbformat.read(path, 4) for path in CORE]
    assert sum(minutes.words(minutes.core(each)) for each in lessons) <= MOST_WORDS
    assert minutes.total_of_core(lessons) == f"{MOST_HOURS} hours"
    assert f"{MOST_HOURS} hours on the core path" in "".join(cell.source for cell in lessons[0].cells)


@every_lesson
def test_what_is_optional_begins_with_a_heading_that_says_for_whom(path):
    for before, cell in pairwise(nbformat.read(path, 4).cells):
        if minutes.is_optional(cell) and re.match("##+ ", cell.source):
            assert re.search(r"^\*Optional, for .+\.\*$", cell.source, re.MULTILINE) or _goes_on(cell), cell.id
        elif minutes.is_optional(cell):
            assert minutes.is_optional(before) or "arrange" in cell.metadata.tags, cell.id


def _goes_on(cell):
    """Whether a heading stands below another one that is optional."""
    return cell.source.startswith("### ") and "exercise" not in cell.metadata.tags


def test_the_tags_and_the_list_say_the_same():
    tagged = [name for path in NOTEBOOKS for cell in _optional(path) for name in ASKED.findall(cell.source)]
    assert sorted(tagged) == sorted(OPTIONAL) and len(set(tagged)) == len(tagged)
    assert {name for lesson in LESSONS.values() for name in lesson.optional} == set(OPTIONAL)


def _optional(path):
    return [cell for cell in code_cells(nbformat.read(path, 4)) if minutes.is_optional(cell)]


# The dog


def test_the_first_preset_is_the_dogs_and_one_press_flips_the_row_of_steals():
    assert next(iter(PRESETS)) == "steals"
    before, after = preset("steals"), preset("steals").with_entry("W_Q", 0, 1, 1.0)
    looked_at = [steals.tokens[forward(each)["weights/1"].values[1].argmax()] for each in (before, after)]
    assert looked_at == ["dog", "ball"]


def test_what_comes_back_to_each_word_of_the_dogs_sentence_can_be_read():
    wide = [forward(preset("steals_two_heads")).get(name).values for name in ("W_Q", "W_K", "W_V")]
    updated = steals.X + multi_head_attention(steals.X, *wide, steals.W_O, num_heads=2).output
    read = {
        token: {name for name, entry in zip(steals.features, row, strict=True) if entry > 0.5}
        for token, row in zip(steals.tokens, updated, strict=True)
    }
    assert read["steals"] == {"action", "by", "to"}
    assert read["ball"] == {"action", "thing", "small", "by"}
    assert read["dog"] == {"action", "animate", "to"}

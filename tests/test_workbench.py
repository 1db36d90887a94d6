"""The workbench as a lesson uses it: its stored picture, and what code can do with it."""

import json
from dataclasses import replace

import nbformat
import pytest
from test_notebooks import PATHS, code_cells

from mha_course import Workbench, preset
from mha_course.live.session import Session
from mha_course.pipeline.presets import PRESETS
from mha_course.pipeline.saving import to_json
from mha_course.pipeline.state import State

LARGE = State(("a",), {name: [[1e100]] for name in ("X", "W_Q", "W_K", "W_V", "W_O")})


@pytest.mark.parametrize("name", PRESETS)
def test_the_picture_without_a_kernel_is_the_one_in_the_live_workbench(name):
    session = Session(name)
    still = session.still().html
    assert still[still.index("<p style") :] in session.screen()


def test_a_workbench_shows_its_picture_and_its_text_beside_the_live_view():
    data, _ = Workbench(stage="scaled_scores")._repr_mimebundle_()
    assert "<table" in data["text/html"] and data["text/plain"].count("scores (3 × 3)") == 1
    assert "application/vnd.jupyter.widget-view+json" in data


def test_a_changed_workbench_shown_again_shows_the_change():
    bench = Workbench(stage="scaled_scores")
    bench.edit("W_K", 0, 2, 5)
    assert "6.9282" in bench._repr_mimebundle_()[0]["text/html"]
    assert bench.state.inputs["W_K"][0, 2] == 5


def test_every_workbench_of_the_lessons_is_stored_as_its_picture_alone():
    cells = [cell for path in PATHS for cell in code_cells(nbformat.read(path, 4)) if "Workbench(" in cell.source]
    assert len(cells) >= 13
    for cell in cells:
        (output,) = cell.outputs
        assert set(output["data"]) == {"text/plain", "text/html"}
        assert 'data-at="' in output["data"]["text/html"] and len(output["data"]["text/plain"].splitlines()) > 5


@pytest.mark.parametrize(
    ("name", "row", "value", "message"),
    [
        ("W_K", 0, "abc", r'W_K\[1,3\]: "abc" is not a number. It stays 1.'),
        ("W_K", 9, 1, "no entry"),
        ("Z", 0, 1, "no"),
    ],
)
def test_what_cannot_be_changed_is_an_error_in_the_words_of_the_screen(name, row, value, message):
    bench = Workbench()
    with pytest.raises(ValueError, match=message):
        bench.edit(name, row, 2, value)
    assert bench.state is preset("article")


@pytest.mark.parametrize("text", ["", "[1]", "{", to_json(LARGE), to_json(preset("article"))[:-9]])
def test_what_cannot_be_loaded_is_an_error_and_the_state_stays(text):
    bench = Workbench()
    with pytest.raises(ValueError, match=r"JSON|damaged|larger than"):
        bench.load(text)
    assert bench.state is preset("article")


@pytest.mark.parametrize("name", ["translation", "causal"])
def test_a_saved_workbench_can_be_loaded(name):
    bench, other = Workbench(name), Workbench()
    bench.edit("W_V", 1, 1, 0.25)
    other.load(bench.to_json())
    assert json.loads(other.to_json()) == json.loads(bench.to_json())
    assert other.state.mask == preset(name).mask


def test_a_workbench_can_be_given_a_mask_by_its_text():
    bench = Workbench(stage="softmax")
    bench.load(to_json(replace(bench.state, mask="causal")))
    assert bench.path["weights/1"].values[0].tolist() == [1, 0, 0]
    assert "softmax (later keys masked) of every row" in repr(bench) and "· mask causal" in repr(bench)

"""The workbench as a lesson uses it: its stored picture, and what code can do with it."""

import json
import re
from dataclasses import replace

import nbformat
import pytest
from stored import NOTEBOOKS, code_cells

from mha_course import Workbench, preset, steps
from mha_course.engine.pictures import markup
from mha_course.forward.presets import PRESETS
from mha_course.forward.saving import to_json
from mha_course.forward.state import State
from mha_course.maths.threads import product_threads, thread_count
from mha_course.pictures import board_markup
from mha_course.pictures.workbench_frame import factors
from mha_course.widgets import snapshot
from mha_course.widgets.workbench_session import WorkbenchSession

DRAWN = re.compile(r"<svg.*?</svg>|<img [^>]*>", re.DOTALL)  # a drawing, which is an image where no kernel runs
HEADS = re.compile(
    r'<button type="button" name="head/[^>]*>(.*?)</button>|<(div|span) class="mha-head"[^>]*>(.*?)</\2>', re.DOTALL
)
LARGE = State(("a",), {name: [[1e100]] for name in ("X", "W_Q", "W_K", "W_V", "W_O")})


@pytest.mark.parametrize("name", PRESETS)
def test_the_picture_without_a_kernel_is_the_one_in_the_live_workbench(name):
    session = WorkbenchSession(name)
    still, screen = map(without_what_a_hand_needs, (session.still().html, session.screen()))
    board = still[still.index('<div class="mha-board"') : still.rindex("</div>\n<p>")]
    assert board in screen


def without_what_a_hand_needs(html):
    """Leave out the drawings, what makes a head a button, and the line that the browser tints."""
    html = re.sub(DRAWN, "", html).replace(board_markup.CHOSEN, markup.PLAIN)
    return re.sub(HEADS, lambda head: re.sub("</?b>", "", head[1] or head[3]), html)


def test_a_workbench_shows_its_picture_and_its_text_beside_the_live_view():
    data, _ = Workbench(stage="scaled_scores")._repr_mimebundle_()
    assert "<table" in data["text/html"] and data["text/plain"].count("scores (3 × 3)") == 1
    assert "application/vnd.jupyter.widget-view+json" in data


def test_a_new_view_gets_the_present_screen_for_itself(monkeypatch):
    sent, workbench = [], Workbench()
    monkeypatch.setattr(Workbench, "send", lambda self, update: sent.append(update))
    for actions in ([["show", "0.5"]], [["set", "preset", "positions"]], [["show", "0.5"]]):
        workbench._hear(workbench, {"actions": actions}, [])
    first, changed, again = sent
    assert first["view"] == again["view"] == "0.5" and "view" not in changed
    assert first["html"] == Workbench().html and again["html"] == changed["html"] != first["html"]
    assert first["cells"] == {} and first["parts"]["words"]


def test_a_changed_workbench_shown_again_shows_the_change():
    workbench = Workbench(stage="scaled_scores")
    workbench.edit("W_K", 0, 2, 5)
    data, _ = workbench._repr_mimebundle_()
    assert ">6.93<" in data["text/html"] and "6.9282" in data["text/plain"]
    assert workbench.state.inputs["W_K"][0, 2] == 5


def test_every_workbench_of_the_lessons_is_stored_as_its_picture_alone():
    cells = [cell for path in NOTEBOOKS for cell in code_cells(nbformat.read(path, 4)) if "Workbench(" in cell.source]
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
    workbench = Workbench()
    with pytest.raises(ValueError, match=message):
        workbench.edit(name, row, 2, value)
    assert workbench.state is preset("article")


@pytest.mark.parametrize("text", ["", "[1]", "{", to_json(LARGE), to_json(preset("article"))[:-9]])
def test_what_cannot_be_loaded_is_an_error_and_the_state_stays(text):
    workbench = Workbench()
    with pytest.raises(ValueError, match=r"JSON|damaged|larger than"):
        workbench.load(text)
    assert workbench.state is preset("article")


@pytest.mark.parametrize("name", ["translation", "causal"])
def test_a_saved_workbench_can_be_loaded(name):
    workbench, other = Workbench(name), Workbench()
    workbench.edit("W_V", 1, 1, 0.25)
    other.load(workbench.to_json())
    assert json.loads(other.to_json()) == json.loads(workbench.to_json())
    assert other.state.mask == preset(name).mask


def test_a_workbench_can_be_given_a_mask_by_its_text():
    workbench = Workbench(stage="softmax")
    workbench.load(to_json(replace(workbench.state, mask="causal")))
    assert workbench.path["weights/1"].values[0].tolist() == [1, 0, 0]
    assert "· mask causal" in repr(workbench)


@pytest.mark.parametrize(
    ("arithmetic", "coloured"),
    [
        ("(1·2 + 0·3)/√2 = 1.4", ["1", "2", "0", "3"]),
        ("(-1)·2 + 1·(-2.5) = -4.5", ["(-1)", "2", "1", "(-2.5)"]),
        ("((-1)·2 + 1e-05·3)/2", ["(-1)", "2", "1e-05", "3"]),
    ],
)
def test_a_factor_is_coloured_with_its_own_brackets_alone(arithmetic, coloured):
    assert re.findall(r"<span[^>]*>([^<]*)</span>", factors(arithmetic, ["query", "key"])) == coloured


def test_a_board_computes_in_one_thread(monkeypatch):
    counts = []
    monkeypatch.setattr(snapshot, "forward", lambda *given: (counts.append(thread_count()), steps(*given))[1])
    with product_threads().limit(limits=2):
        snapshot.take_snapshot("article", preset("article"), ["scores"])
    assert counts == [1]

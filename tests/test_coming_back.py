"""What is kept of a workbench: the part of coming back that needs no browser."""

import json
import re

import pytest

from mha_course import Workbench
from mha_course.engine.browser import links, notebook_cell, widget
from mha_course.engine.browser.notebook_cell import NotebookCell
from mha_course.engine.pictures.placeholder import WAKE
from mha_course.widgets.workbench import WORKBENCHES


@pytest.fixture
def cell(monkeypatch):
    """Let a learner run this cell of an open notebook."""

    def run(notebook="03_scaled_scores", name="explore"):
        for module in (widget, notebook_cell):
            monkeypatch.setattr(module, "present_place", lambda: NotebookCell(notebook, name))

    return run


def hear(shown, *actions):
    """Do what a hand did, and let the picture be asked for, as the page does when the hand rests."""
    sent = []
    shown.send = sent.append
    shown._hear(shown, {"actions": [list(each) for each in actions]}, [])
    shown._hear(shown, {"picture": True}, [])
    return sent


def test_a_workbench_comes_back_as_it_was_left_in_its_cell_alone(cell):
    cell()
    first = Workbench(stage="scaled_scores")
    first._repr_mimebundle_()
    hear(first, ["edit", "W_K:0,2", "5"])
    again, elsewhere = Workbench(stage="scaled_scores"), Workbench(stage="softmax")
    for each in (again, elsewhere):
        each._repr_mimebundle_()
    assert again.state.inputs["W_K"][0, 2] == 5 and elsewhere.state.inputs["W_K"][0, 2] == 1
    (shown, _) = hear(again)
    assert "Start afresh" in shown["parts"]["status"]
    cell(notebook="04_softmax")
    other = Workbench(stage="scaled_scores")
    other._repr_mimebundle_()
    assert other.state.inputs["W_K"][0, 2] == 1


def test_a_change_is_kept_at_once_before_the_hand_rests(cell):
    cell()
    first = Workbench(stage="scaled_scores")
    first._hear(first, {"actions": [["edit", "W_K:0,2", "5"]]}, [])
    again = Workbench(stage="scaled_scores")
    again._repr_mimebundle_()
    assert again.state.inputs["W_K"][0, 2] == 5


def test_a_workbench_started_afresh_is_as_at_the_beginning_with_its_preset(cell):
    cell()
    first = Workbench()
    first._repr_mimebundle_()
    hear(first, ["set", "preset", "positions"], ["edit", "W_K:0,0", "5"])
    again = Workbench()
    again._repr_mimebundle_()
    assert again.state.inputs["W_K"][0, 0] == 5 and again._session.preset_name == "positions"
    (update, _) = hear(again, ["press", "afresh"])
    assert again.to_json() == Workbench().to_json() and again._session.preset_name == "article"
    assert "Start afresh" not in update["parts"]["status"]
    assert list(WORKBENCHES.folder.iterdir()) == []


def test_who_runs_a_notebook_from_outside_always_gets_the_beginning(cell, monkeypatch):
    cell()
    hear(Workbench(), ["edit", "W_K:0,2", "5"])
    monkeypatch.undo()
    data, _ = Workbench()._repr_mimebundle_()
    assert data == Workbench()._repr_mimebundle_()[0] | {k: data[k] for k in data if "widget" in k}
    assert not re.search('class="mha-[0-9a-f]{32}"', data["text/html"]) and WAKE in data["text/html"]


def test_an_open_notebook_stores_the_picture_alone_and_gets_the_present_one(cell):
    cell()
    shown = Workbench(stage="scaled_scores")
    data, _ = shown._repr_mimebundle_()
    assert set(data) == {"text/plain", "text/html"} and shown.mark in data["text/html"]
    (_, answer) = hear(shown, ["edit", "W_K:0,2", "5"])
    assert answer["picture"] == shown._repr_mimebundle_() and "6.9282" in answer["picture"][0]["text/plain"]


@pytest.mark.parametrize("text", ["", "{", "[1]", json.dumps(["nothing", "{}"]), "\x00"])
def test_a_damaged_file_is_as_if_there_were_none(cell, text):
    cell()
    shown = Workbench()
    hear(shown, ["edit", "W_K:0,2", "5"])
    WORKBENCHES.keep(shown._name, text)
    again = Workbench()
    again._repr_mimebundle_()
    assert again.to_json() == Workbench().to_json()


def test_links_are_followed_from_the_first_widget_on(monkeypatch):
    followed = []
    monkeypatch.setattr(links, "present_place", lambda: NotebookCell("00_start_here", "touch"))
    monkeypatch.setattr(links, "_follow", lambda: followed.append("links"))
    Workbench()
    assert followed

"""What is kept of a workbench, and what a missing name says: the parts of coming back that need no browser."""

import json
import re

import numpy as np
import pytest

from mha_course import Workbench, check
from mha_course.live import workbench
from mha_course.workbook.browser import links, widget
from mha_course.workbook.browser.notebook_cell import NotebookCell, present_place
from mha_course.workbook.learner import kept as workbenches
from mha_course.workbook.learner import open_notebook
from mha_course.workbook.learner.missing_names import NotRunYet, first_line_that_makes, require_names
from mha_course.workbook.learner.progress import progress_file
from mha_course.workbook.pictures.asleep import WAKE

CELLS = ["import numpy as np\nbase = 1", "# prose\ndef my_scores(Q, K):\n    return np.dot(Q, K) + base"]


class Shell:
    """An IPython that was told which cell it runs."""

    def get_parent(self):
        return {"metadata": {"cellId": "explore"}}


@pytest.fixture
def cell(monkeypatch):
    """Let a learner run this cell of an open notebook."""

    def run(notebook="03_scaled_scores", name="explore"):
        for module in (widget, workbench):
            monkeypatch.setattr(module, "present_place", lambda: NotebookCell(notebook, name))

    return run


def hear(shown, *actions):
    """Do what a hand did, and let the picture be asked for, as the page does when the hand rests."""
    sent = []
    shown.send = sent.append
    shown._hear(shown, {"actions": [list(each) for each in actions]}, [])
    shown._hear(shown, {"picture": True}, [])
    return sent


def test_the_place_is_known_where_the_server_names_the_notebook_and_the_page_the_cell(monkeypatch):
    monkeypatch.setattr(open_notebook.builtins, "get_ipython", Shell, raising=False)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert present_place() is None
    monkeypatch.setenv("JPY_SESSION_NAME", "/home/me/03_scaled_scores.ipynb")
    assert present_place() == NotebookCell("03_scaled_scores", "explore")


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
    assert list(progress_file().with_suffix(workbenches.ENDING).iterdir()) == []


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
    assert answer["picture"] == shown._repr_mimebundle_()[0] and "6.9282" in answer["picture"]["text/plain"]


@pytest.mark.parametrize("text", ["", "{", "[1]", json.dumps(["nothing", "{}"]), "\x00"])
def test_a_damaged_file_is_as_if_there_were_none(cell, text):
    cell()
    shown = Workbench()
    hear(shown, ["edit", "W_K:0,2", "5"])
    workbenches.keep(shown._name, text)
    again = Workbench()
    again._repr_mimebundle_()
    assert again.to_json() == Workbench().to_json()


def test_links_are_followed_from_the_first_widget_on(monkeypatch):
    followed = []
    monkeypatch.setattr(links, "present_place", lambda: NotebookCell("00_start_here", "touch"))
    monkeypatch.setattr(links, "_follow", lambda: followed.append("links"))
    Workbench()
    assert followed


def test_a_missing_name_is_found_in_the_cell_that_makes_it():
    assert first_line_that_makes("my_scores", CELLS) == "def my_scores(Q, K):"
    assert first_line_that_makes("np", ["%%bash\nls", *CELLS]) == "import numpy as np"
    assert first_line_that_makes("Q", CELLS) is None  # only inside a function


def test_a_check_says_which_cell_the_answer_needs_and_keeps_nothing(monkeypatch, tmp_path):
    path = tmp_path / "lesson.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": [each]} for each in CELLS]}))
    names = {}
    exec("def answer(Q, K):\n    return [wide(Q) for wide in (lambda x: x + base,)]", names)
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    with pytest.raises(NotRunYet, match="base comes from a cell that has not run yet"):
        check("scaled_scores.dot", names["answer"])
    assert not progress_file().exists()
    names["base"] = np.ones(1)
    assert "has not run yet" not in repr(check("scaled_scores.dot", names["answer"]))


def test_a_cell_is_never_told_to_run_itself_first(monkeypatch, tmp_path):
    path = tmp_path / "lesson.ipynb"
    present, other = ({"cell_type": "code", "id": name, "source": "total = 0"} for name in ("explore", "other"))
    names = {}
    exec("def answer(query, key):\n    return total", names)
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    monkeypatch.setattr(open_notebook.builtins, "get_ipython", Shell, raising=False)
    path.write_text(json.dumps({"cells": [present]}))
    require_names(names["answer"])
    path.write_text(json.dumps({"cells": [present, other]}))
    with pytest.raises(NotRunYet, match="total comes from"):
        require_names(names["answer"])

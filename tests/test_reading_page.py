"""A page to read that comes alive: what its Python does with what the page says."""

import json

import nbformat
import numpy as np
import pytest
from classroom.cells import has_tag
from stored import NOTEBOOKS
from website.addresses import ONLY_READ

from mha_course import mine
from mha_course.engine.browser.cell_dependencies import needed
from mha_course.engine.browser.reading_page import ReadingPage
from mha_course.engine.identity import HOME
from mha_course.engine.pictures.placeholder import WAKE
from mha_course.identity import IDENTITY

NOT_ALONE = ("check", "solution", "raises-exception")
BOARD = 'from mha_course import Workbench\nWorkbench(stage="scaled_scores")'
QUESTION = 'from mha_course import predict\npredict("scaled_scores.largest-key")'


class Page:
    """What a page hears, and what it says."""

    def __init__(self):
        self.heard = []
        self._python = ReadingPage(lambda text: self.heard.append(json.loads(text)))

    def say(self, **message):
        """Say something, and return what is answered."""
        self.heard.clear()
        self._python.hear(json.dumps(message))
        return list(self.heard)

    def wake(self, source, cell="explore"):
        """Wake a widget, and return what shows it, with the answer to its view."""
        (shown,) = self.say(wake=cell, place=f"{cell}-alive", source=source)
        (answer,) = self.do(shown["show"], "show", "view")
        return shown, answer["content"]

    def do(self, widget, *action):
        """Do something to a widget."""
        return self.say(**{"from": widget, "content": {"actions": [list(action)]}})


@pytest.fixture(autouse=True)
def as_numpy_prints():
    """Let numbers be printed as before: cells of lessons change that for all of this Python."""
    with np.printoptions():
        yield


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Begin a page of lesson 3, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(HOME, "")
    monkeypatch.delenv(IDENTITY.setting)
    return begun


def begun(files=()):
    page = Page()
    page.say(begin="03_scaled_scores.ipynb", files=dict(files))
    return page


def test_a_widget_shows_in_its_place_and_answers(page):
    here = page()
    shown, answer = here.wake(BOARD)
    assert shown["place"] == "explore-alive" and shown["state"]["mark"] == "" and shown["state"]["_esm"]
    assert "W_K:0,2" in shown["state"]["html"] and answer["parts"]["words"]
    (message, *_) = here.do(shown["show"], "edit", "W_K:0,2", "5")
    assert "12.70" in json.dumps(message["content"]["cells"])


def test_what_is_done_is_told_as_files_and_is_there_again_when_the_page_begins_with_them(page):
    here = page()
    board, _ = here.wake(BOARD)
    *_, kept = here.do(board["show"], "edit", "W_K:0,2", "5")
    assert "/03_scaled_scores_explore_scaled_scores" in kept["file"]
    question, _ = here.wake(QUESTION, "predict-largest-key")
    *_, answered = here.do(question["show"], "submit", "scaled_scores.largest-key", {"answer": "create"})
    assert answered["file"] == IDENTITY.progress and "scaled_scores.largest-key" in answered["text"]
    assert all("file" not in message for message in here.do(board["show"], "select", "scores/1:0,0"))

    again = page({message["file"]: message["text"] for message in (kept, answered)})
    shown, answer = again.wake(BOARD)
    assert "12.70" in shown["state"]["html"] and "how you left it" in answer["parts"]["status"]


def test_a_board_that_is_as_it_came_is_kept_no_more(page):
    here = page()
    board, _ = here.wake(BOARD)
    *_, kept = here.do(board["show"], "edit", "W_K:0,2", "5")
    *_, gone = here.do(board["show"], "press", "undo")
    assert gone == {"file": kept["file"], "text": None}


@pytest.mark.parametrize("path", [path for path in NOTEBOOKS if path.stem not in ONLY_READ], ids=lambda path: path.stem)
def test_every_widget_of_a_lesson_that_can_wake_is_one_that_its_cell_makes_alone(path, page):
    here = page()
    for cell in nbformat.read(path, 4).cells:
        if any(WAKE in output.get("data", {}).get("text/html", "") for output in cell.get("outputs", [])):
            shown, _ = here.wake(cell.source, cell.id)
            assert shown["state"]["html"]


def ran(page, source, before=(), cell="free"):
    """Run a cell. Return what it shows, as text, and the cells that ran: whether each came to its end."""
    *given, end = page.say(run=cell, source=source, before=list(before), files={})
    shown = [message["shown"] for message in given if message.get("output") == cell]
    texts = (each.get("text") or each.get("data", {}).get("text/plain") or each.get("traceback") for each in shown)
    return list(texts), end["ran"]


def test_cells_share_their_names_and_what_one_needs_runs_before_it_unseen(page):
    here = page()
    before = [["first", "a = 1\nprint('unseen')"], ["other", "c = 5"], ["wrong", "b = a + 1\n1 / 0"], ["broken", "f("]]
    assert ran(here, "print(b)\na", before) == (
        ["2\n", "1"],
        {"first": True, "wrong": False, "broken": False, "free": True},
    )
    assert ran(here, "b") == (["2"], {"free": True})


@pytest.mark.parametrize(
    ("above", "source"),
    [
        ("X[0] = 3", "X"),
        ("model.size = 3", "model"),
        ("pupil.train(100)", "pupil.steps"),
        ("a = rng.normal(3)", "b = rng.normal(3)"),
        ("np.set_printoptions(precision=2)", "np.pi"),
        ("def my_scores(Q): return Q", "my_scores(3)"),
        ("total += 1", "total"),
    ],
)
def test_a_cell_needs_what_changes_things_that_it_names(above, source):
    assert needed(source, [("above", above)]) == [("above", above)]
    assert needed("other", [("above", above)]) == []


def test_looking_at_a_thing_changes_nothing():
    assert needed("Q + np.pi", [("above", "curves(Q, np.exp(Q))"), ("more", "print(Q)\nQ")]) == []


def test_an_error_begins_at_the_learners_own_line(page):
    ((first, *rest),), ended = ran(page(), "x = 1\n\nx / 0")
    assert first == "line 3 of this cell" and rest[-1] == "ZeroDivisionError: division by zero"
    assert ended == {"free": False}
    ((first, *rest),), _ = ran(page(), "def f(:")
    assert first.strip() == "line 1 of this cell" and "\x1b" not in "".join(rest)


def test_what_nobody_could_read_is_counted_and_nobody_is_asked_and_nothing_ends(page):
    texts, _ = ran(page(), "for number in range(100_000): print(number)")
    assert len("".join(texts)) < 101_000 and "more lines, which are not shown" in texts[-1]
    texts, _ = ran(page(), "for number in range(1000): display(number)")
    assert 300 < len(texts) < 500 and "left out" in texts[-1]
    assert ran(page(), "'x' * 10_000_000")[0][0].startswith("More than a page can show")
    ((sentence,),), _ = ran(page(), "input()")
    assert sentence.startswith("input() cannot wait")
    for ends in ("exit()", "quit", "raise SystemExit(3)"):
        assert "Nothing ends here" in ran(page(), ends)[0][0]


def test_a_widget_that_a_cell_shows_lives_in_a_place_of_its_output_until_the_cell_runs_again(page):
    here = page()
    place, shown, _ = here.say(run="free", source=BOARD, before=[], files={})
    assert place == {"output": "free", "shown": {"place": "free-1"}} and shown["place"] == "free-1"
    gone, end = here.say(run="free", source="1;", before=[], files={})
    assert gone == {"gone": shown["show"]} and end == {"ran": {"free": True}}


EVERY = 5  # of the cells, that is


@pytest.mark.parametrize("path", [path for path in NOTEBOOKS if path.stem not in ONLY_READ], ids=lambda path: path.stem)
def test_a_cell_that_runs_with_what_it_needs_alone_gives_what_is_stored(path, page):
    of_code = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    cells = [cell for cell in of_code if not has_tag(cell, *NOT_ALONE)]
    for number, cell in enumerate(cells):
        if number % EVERY == 0 and WAKE not in str(cell.outputs) and cell.id != "how-far":
            str(mine)  # says what other pages have asked for in this same Python
            texts, _ = ran(page(), cell.source, [[each.id, each.source] for each in cells[:number]], cell.id)
            assert "".join(texts) == "".join(map(_text, cell.outputs)), cell.id


def _text(output):
    return output.get("text") or output.get("data", {}).get("text/plain") or ""

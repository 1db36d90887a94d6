"""The workbench without its browser: what a hand does, and what the screen then has to show."""

import json
import random
import re
from contextlib import suppress
from dataclasses import replace
from html import escape, unescape
from itertools import product

import numpy as np
import pytest
from states import allowed_in

from mha_course.engine.notation.labels import address
from mha_course.engine.pictures.protocol import Update
from mha_course.forward.as_code import as_code
from mha_course.forward.forward import forward
from mha_course.forward.goals import GOALS, stages_of
from mha_course.forward.mask_choices import MASKS
from mha_course.forward.presets import PRESETS, preset
from mha_course.forward.saving import to_json
from mha_course.forward.scales import SCALES
from mha_course.forward.stages import STAGES
from mha_course.forward.state import MOST_HEADS, State
from mha_course.pictures.palette import line_colour, tint
from mha_course.pictures.workbench_frame import HEADS, OWN_SCALE
from mha_course.widgets.workbench_session import WorkbenchSession

pytestmark = pytest.mark.filterwarnings("error")
BIG = "paper_size"
SMALL = [name for name in PRESETS if name != BIG]
CELL = re.compile(r'<td data-at="([^"]*)" style="[^"]*background:([^";]*)"[^>]*>([^<]*)</td>')
SPOT = re.compile(r'<i data-look="([^"]*)" style="background:([^"]*)"></i>')  # an entry in miniature
DRAWING = re.compile(
    r'<(?:div|span) data-part="([\w/]+)"[^>]* class="mha-(?:drawing|small)">(<svg.*?</svg>)<', re.DOTALL
)
MEANING = re.compile(r'<span data-part="meaning">(.*?)</span>')
FIELD = re.compile(r'<input name="([^"]*)" value="([^"]*)"')
CHOICE = re.compile(r'<select name="([^"]*)">(.*?)</select>')


class Screen:
    """A browser without pixels: it has the markup it got last, and what updates changed in it since."""

    def __init__(self, session):
        self.session = session
        self._draw(session.screen())

    def _draw(self, html):
        self.cells = {at: (unescape(text), look) for at, look, text in CELL.findall(html)}
        assert {self.cells[at] == (unescape(text), look) for at, look, text in CELL.findall(html)} <= {True}
        self.spots = dict(SPOT.findall(html))
        self.drawings = dict(DRAWING.findall(html))
        html = DRAWING.sub(r"\1", html)
        self.meaning = "".join(MEANING.findall(html))
        html = MEANING.sub("", html)
        self.controls = {name: unescape(value) for name, value in FIELD.findall(html)}
        for name, options in CHOICE.findall(html):
            chosen = re.findall(r'value="([^"]*)" selected', options)
            self.controls[name] = unescape(chosen[0]) if chosen else ""
        self.frame = CHOICE.sub("", FIELD.sub("", SPOT.sub(r"\1", CELL.sub(r"\1", html))))

    def act(self, *actions):
        update = self.session.act([list(action) for action in actions])
        json.dumps(update)  # as it goes to the browser
        assert set(update) <= set(Update.__annotations__)
        assert signs(update) == {address(*at): by[0] for at, by in self.session.moved.items()}
        if "html" in update:
            self._draw(update["html"])
        for at, text, look in cells_of(update):
            assert at in self.cells or at in self.spots
            assert (text, look) != (None, None)  # what looks as it did is not sent
            if at in self.cells:
                self.cells[at] = tuple(new or old for new, old in zip((text, look), self.cells[at], strict=True))
            if at in self.spots:
                self.spots[at] = look or self.spots[at]
        for name, news in update.get("drawings", {}).items():
            self.drawings[name] = news if isinstance(news, str) else self._with(news, self.drawings[name])
        fields = update["fields"]["controls"]
        self.controls |= {name: text for name, text in fields.items() if name in self.controls}
        self.meaning = update["parts"].get("meaning", "")
        return update

    def _with(self, news, svg):
        """Set attributes of the elements of a drawing and its texts, as the browser does."""
        texts = {at: value for at, name, value in news if not name}
        count = iter(range(len(svg)))
        svg = re.sub(r"(?<=>)[^<]+", lambda old: escape(texts.get(next(count), unescape(old[0]))), svg)
        elements = re.split(r"(?=<\w)", svg)[1:]
        for at, name, value in news:
            if not name:
                continue
            assert f' {name}="' in elements[at]
            before, after = re.split(rf' {name}="[^"]*"', elements[at])
            elements[at] = f'{before} {name}="{escape(value)}"{after}'
        return "".join(elements)

    def assert_is_complete(self, done=None):
        fresh = Screen(self.session)
        assert self.frame == fresh.frame, done
        assert self.cells == fresh.cells, done
        assert self.spots == fresh.spots, done
        assert self.drawings == fresh.drawings, done
        assert self.meaning == fresh.meaning, done
        assert self.controls == fresh.controls, done


def act(session, *actions):
    return session.act([list(action) for action in actions])


def cells_of(update):
    """Which entries look different: (address, text, look)."""
    return [(f"{key}:{r},{c}", *rest) for key, new in update.get("cells", {}).items() for r, c, *rest in new]


def signs(update):
    """Which entries went up and which down."""
    return {
        f"{key}:{place}": sign
        for key, directions in update["marks"]["moved"].items()
        for sign, places in directions.items()
        for place in places.split()
    }


def said(update, part):
    """What a part of the screen says, as it is read."""
    return unescape(re.sub("<[^>]*>", "", update["parts"][part]))


def off(update):
    """Which of undo and redo cannot be pressed."""
    return [name for name in update["off"] if name in ("undo", "redo")]


def shown(update, name):
    """What the field of a control shows."""
    return update["fields"]["controls"][name]


def is_reached(update):
    return "data-reached" in update["parts"]["goal"]


def text_of(session):
    return to_json(session.state)


def encoded_like_the_article(embeddings=None, turns=0):
    """Make a state of the article's sizes and tokens whose X is computed."""
    article = preset("article")
    weights = {name: array for name, array in article.inputs.items() if name != "X"}
    embeddings = article.inputs["X"] if embeddings is None else embeddings
    encoding = {"embeddings": embeddings, "positions": np.arange(3)[:, None] * turns, "wavelengths": [[3, 4]]}
    return State(article.tokens, encoding | weights)


# Entries


def test_an_edit_changes_the_entry_and_what_follows():
    session = WorkbenchSession("article")
    update = act(session, ["edit", "W_K:0,2", "5"])
    assert session.state.inputs["W_K"][0, 2] == 5
    assert session.state.changes_since(preset("article")) == [("W_K", 0, 2)]
    cells = {at: text for at, text, _ in cells_of(update)}
    assert cells["W_K:0,2"] == "5" and cells["scores/1:0,2"] == "6.93"
    assert said(update, "alert") == "" and update["marks"]["bad"] is None and off(update) == ["redo"]
    np.testing.assert_array_equal(session.path["result"].values, forward(session.state)["result"].values)


@pytest.mark.parametrize(("count", "value"), [(1, 0.1), (-1, -0.1), (10, 1), (-10, -1), (3, 0.3), (1000, 100)])
def test_a_step_changes_an_entry_by_a_tenth(count, value):
    session = WorkbenchSession("article")
    act(session, ["step", "W_Q:0,1", count])
    assert session.state.inputs["W_Q"][0, 1] == value  # 0 before


@pytest.mark.parametrize("count", [1, -1, 7])
def test_two_hundred_steps_at_once_are_two_hundred_steps_one_by_one(count):
    at_once, one_by_one, screen = WorkbenchSession("article"), WorkbenchSession("article"), None
    screen = Screen(one_by_one)
    act(at_once, *[["step", "W_K:1,1", count]] * 200)
    for _ in range(200):
        screen.act(["step", "W_K:1,1", count])
    assert text_of(at_once) == text_of(one_by_one)
    assert at_once.screen() == one_by_one.screen()
    assert at_once.state.inputs["W_K"][1, 1] == preset("article").inputs["W_K"][1, 1] + 20 * count
    screen.assert_is_complete()
    for session in (at_once, one_by_one):
        update = act(session, ["press", "undo"])
        assert session.state is preset("article") and off(update) == ["undo"]


def test_steps_at_another_entry_are_another_change():
    session = WorkbenchSession("article")
    act(session, *[["step", "W_Q:0,0", 1]] * 3, *[["step", "W_Q:0,1", 1]] * 3)
    act(session, ["press", "undo"])
    assert session.state.inputs["W_Q"][0].tolist() == [1.3, 0, 1]
    act(session, ["press", "undo"])
    assert session.state is preset("article")


def test_typing_what_an_entry_is_already_is_no_change():
    session = WorkbenchSession("article")
    update = act(session, ["edit", "W_Q:0,0", " 1.0 "])
    assert session.state is preset("article") and off(update) == ["undo", "redo"]


@pytest.mark.parametrize(
    ("text", "why"),
    [("abc", '"abc" is not a number.'), ("", "the cell is empty"), ("nan", "not a finite number"),
     ("1e999", "larger than any number"), ("1,500", "write 1.500 or 1500"), ("x" * 400, "400 characters"),
     ("<b>1</b>", "is not a number"), ("1e101", "the largest that the workbench takes")],
)  # fmt: skip
def test_a_bad_entry_leaves_the_state_alone_and_says_which_and_why(text, why):
    session = WorkbenchSession("article")
    before = session.screen()
    update = act(session, ["edit", "W_Q:0,0", text])
    assert session.state is preset("article") and session.screen() == before
    assert update["marks"]["bad"] == "W_Q:0,0" and off(update) == ["undo", "redo"] and not update["cells"]
    assert said(update, "alert").startswith("W_Q[1,1]: ") and why in said(update, "alert")
    assert said(update, "alert").endswith(" It stays 1.")
    after = act(session, ["edit", "W_Q:0,0", "2"])
    assert after["marks"]["bad"] is None and said(after, "alert") == ""


def test_a_bad_entry_in_a_batch_does_not_stop_the_others():
    session = WorkbenchSession("article")
    update = act(session, ["edit", "W_Q:0,0", "3"], ["edit", "W_Q:0,1", "x"], ["edit", "W_Q:0,2", "4"])
    assert session.state.inputs["W_Q"][0].tolist() == [3, 0, 4]
    assert update["marks"]["bad"] == "W_Q:0,1"


def test_a_wavelength_must_stay_above_0():
    session = WorkbenchSession("positions")
    update = act(session, ["edit", "wavelengths:0,1", "0"])
    assert "wavelengths[1,2]: a wavelength must be above 0. It stays 628.32." in said(update, "alert")
    assert session.state is preset("positions")


# What a browser should never send

MALFORMED = [
    [], ["nonsense"], ["_change", "x"], [None], [["edit"]], ["edit"], ["edit", "W_Q:0,0"], ["edit", "nonsense", "1"],
    ["edit", "W_Q:99,0", "1"], ["edit", "W_Q:-1,0", "9"], ["edit", "W_Q:0,-1", "9"], ["edit", "W_Q:0,0,0", "1"],
    ["edit", "W_Q:a,b", "1"], ["edit", "W_Q", "1"], ["edit", "", "1"], ["edit", None, "1"],
    ["edit", "W_Q:0,0", None], ["edit", "scores/1:0,0", "1"], ["edit", "Z:0,0", "1"], ["edit", "W_Q:0,0", "1", "2"],
    ["step", "W_Q:99,0", 1], ["step", "scores/1:0,0", 1], ["step", "nonsense", 1], ["step", "W_Q:0,0", None],
    ["step", "W_Q:0,0", "1"], ["step", "W_Q:0,0", float("inf")], ["step", "W_Q:0,0", float("nan")],
    ["step", "W_Q:0,0", 10**400], ["step", "W_Q:0,0"], ["select"], ["select", None], ["select", "nonsense"],
    ["select", "W_Q:99,0"], ["select", "W_Q:-1,0"], ["select", "scores/9:0,0"], ["select", "W_Q:1.5,0"],
    ["set", "query", "99"], ["set", "query", "-1"], ["set", "query", "x"], ["set", "query", None], ["set", "query"],
    ["set", "num_heads", "x"], ["set", "num_heads", "1.5"], ["set", "num_heads", "-1"], ["set", "num_heads", None],
    ["set", "preset", "nonsense"], ["set", "preset", None], ["set", "preset", []], ["set", "scale", "nonsense"],
    ["set", "scale", None], ["set", "divisor", "0"], ["set", "divisor", None], ["set", "temperature", "x"],
    ["set", "temperature", None], ["set", "tokens", ""], ["set", "mask", "nonsense"], ["set", "mask", None],
    ["set", "mask", []], ["set", "mask"], ["set", "mask", "own"], ["hide"], ["hide", None], ["hide", "nonsense"],
    ["hide", "W_Q:0,0"], ["hide", "Q/1:0,0"], ["hide", "result:0,0"], ["hide", "scores/1:3,0"],
    ["hide", "weights/2:0,0"], ["hide", "scores/1:0,-1"], ["hide", "scores/1:0,0", True], ["press"], ["press", "load"],
    ["press", "load", None], ["press", "load", 5], ["open", "code"], ["open", [], True],
]  # fmt: skip
IGNORED = [["set", "nonsense", "1"], ["press", "nonsense"], ["open", "nonsense", True], ["show"]]


@pytest.mark.parametrize("action", MALFORMED, ids=[repr(action)[:50] for action in MALFORMED])
def test_what_cannot_be_done_gives_an_alert_and_changes_nothing(action):
    session = WorkbenchSession("article")
    screen = Screen(session)
    update = screen.act(action)
    assert session.state is preset("article") and said(update, "alert")
    assert off(act(session)) == ["undo", "redo"]
    screen.assert_is_complete()


@pytest.mark.parametrize("action", IGNORED, ids=repr)
def test_what_is_unknown_changes_nothing(action):
    session = WorkbenchSession("article")
    act(session, action)
    assert session.state is preset("article") and off(act(session)) == ["undo", "redo"]


@pytest.mark.parametrize("action", [["set", "query", "99"], ["set", "query", "-1"], ["select", "nonsense"]], ids=repr)
def test_a_session_goes_on_after_what_could_not_be_done(action):
    session = WorkbenchSession("article")
    with suppress(Exception):  # the test before is about that
        act(session, action)
    update = act(session, ["edit", "W_K:0,2", "5"], ["select", "contributions/1:0,0"])
    assert said(update, "status").startswith("W_K[1,3]: 1 → 5. Moved: K, ")
    assert update["marks"]["sources"] == ["weights/1:1,0", "V/1:0,0"]  # create is chosen


# Selecting


def test_a_selected_number_says_where_it_came_from():
    session = WorkbenchSession("article")
    update = act(session, ["select", "scores/1:1,2"])
    assert update["marks"]["selected"] == "scores/1:1,2"
    assert said(update, "words") == "How well the query of create matches the key of disrupt."
    assert said(update, "arithmetic") == "scores[2,3] = (2·2 + 2·3 + 2·1) / √3 = 12 / 1.73205 = 6.9282"
    assert update["marks"]["sources"] == ["Q/1:1,0", "Q/1:1,1", "Q/1:1,2", "K/1:2,0", "K/1:2,1", "K/1:2,2"]


def test_the_arithmetic_follows_a_change():
    session = WorkbenchSession("article")
    act(session, ["select", "Q/1:0,0"])
    update = act(session, ["edit", "W_Q:0,0", "4"])
    assert update["marks"]["selected"] == "Q/1:0,0"
    assert said(update, "arithmetic") == "Q[1,1] = 1·4 + 0·1 + 1·0 + 0·0 = 4"


def test_a_selected_number_that_is_gone_is_selected_no_more():
    session = WorkbenchSession("article")
    act(session, ["select", "result:2,0"])
    update = act(session, ["set", "tokens", "one, two"])
    assert update["marks"]["selected"] is None and update["marks"]["sources"] == [] and said(update, "arithmetic") == ""
    assert said(update, "words") == ""


def test_the_sentence_that_answers_can_be_changed_too():
    session = WorkbenchSession("translation")
    assert 'name="context_tokens"' in session.screen() and 'name="context_tokens"' not in WorkbenchSession().screen()
    update = act(session, ["set", "context_tokens", "the, cat, is, asleep, here, <now>"])
    assert session.state.context_tokens[5] == "<now>" and session.path["scores/2"].values.shape == (4, 6)
    assert said(update, "status") == ANEW + NEW
    assert "&lt;now&gt;" in update["html"] and "<now>" not in update["html"]
    assert said(act(session, ["set", "context_tokens", ""]), "alert").startswith("one of the tokens is empty")
    alert = said(act(WorkbenchSession(), ["set", "context_tokens", "a, b"]), "alert")
    assert alert == "This example has no context: its tokens look at each other."


def test_an_input_can_be_selected_and_has_no_sources():
    update = act(WorkbenchSession("article"), ["select", "X:0,0"])
    assert said(update, "arithmetic") == "X[1,1] = 1" and update["marks"]["sources"] == []


def test_the_largest_entry_can_be_typed_and_every_number_selected():
    session = WorkbenchSession("identity")
    act(session, ["edit", "W_V:0,0", "1e100"])
    assert session.state.inputs["W_V"][0, 0] == 1e100
    for key in ("W_V", "V/1", "output/1", "result"):
        assert act(session, ["select", f"{key}:0,0"])["marks"]["selected"] == f"{key}:0,0"


# Settings


def test_a_preset_replaces_everything():
    session = WorkbenchSession("article")
    screen = Screen(session)
    update = screen.act(["set", "preset", "translation"])
    assert session.state is preset("translation") and "html" in update
    assert screen.controls["preset"] == "translation" and screen.controls["num_heads"] == "2"


@pytest.mark.parametrize("scale", SCALES)
def test_a_scale_can_be_chosen(scale):
    session = WorkbenchSession("two_heads")
    update = act(session, ["set", "scale", scale])
    assert session.state.scale == scale and shown(update, "scale") == scale
    assert shown(update, "divisor") == f"{session.state.divisor:.6g}"


def test_an_own_scale_begins_with_the_present_number():
    session = WorkbenchSession("article")
    update = act(session, ["set", "scale", OWN_SCALE])
    assert session.state.scale == preset("article").divisor and shown(update, "scale") == OWN_SCALE
    update = act(session, ["set", "divisor", "2.5"])
    assert session.state.scale == 2.5 and shown(update, "divisor") == "2.5"
    assert session.path["scores/1"].values[0, 1] == 4 / 2.5


@pytest.mark.parametrize("name", ["divisor", "temperature"])
@pytest.mark.parametrize("text", ["0", "-1", "x", "", "1,500", "inf", "1e999"])
def test_a_bad_number_in_a_setting_gets_an_alert(name, text):
    session = WorkbenchSession("article")
    update = act(session, ["set", name, text])
    alert = said(update, "alert")
    assert session.state is preset("article")
    assert alert.startswith("Divide by: " if name == "divisor" else "Temperature: ")
    assert shown(update, "temperature") == "1" and shown(update, "divisor") == "1.73205"


def test_the_temperature_can_be_set():
    session = WorkbenchSession("article")
    update = act(session, ["set", "temperature", " 2,5 "])
    assert session.state.temperature == 2.5 and shown(update, "temperature") == "2.5"
    assert said(update, "status").startswith("temperature: 1 → 2.5. Moved: weights, ")


HATCHED = re.compile(r'<td data-at="([^"]*)" style="[^"]*repeating-linear-gradient[^"]*">([^<]*)</td>')


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("name", ["article", "translation"])
def test_a_mask_can_be_chosen_and_what_it_hides_is_hatched_and_named(name, mask):
    session = WorkbenchSession(name)
    screen = Screen(session)
    update = screen.act(["set", "mask", mask])
    assert session.state.mask == screen.controls["mask"] == mask and "html" not in update
    screen.assert_is_complete()
    hidden = [(int(row), int(column)) for row, column in np.argwhere(~allowed_in(session.state))]
    places = [f"{matrix}/1:{row},{column}" for matrix in ("scores", "weights") for row, column in hidden]
    hatched = dict(HATCHED.findall(session.screen()))
    assert sorted(hatched) == sorted(places) and {float(hatched[at]) for at in places if at[0] == "w"} <= {0}
    assert {at for at in update["marks"]["masked"] if "/1:" in at} == set(places)
    assert (f"· mask {MASKS[mask].label}" in session.still().text) == (mask != "none")


def test_a_mask_moves_the_weights_and_not_the_scores_and_can_be_undone():
    session = WorkbenchSession("article")
    update = act(session, ["set", "mask", "causal"], ["select", "weights/1:0,1"])
    assert said(update, "words").startswith("Masked: innovators may not attend to create.")
    assert said(update, "arithmetic").startswith("weights[1,2] = 0 / (e^")
    assert update["marks"]["sources"] == ["scores/1:0,0"]
    assert "Moved: weights, output, " in said(update, "status")
    assert "Not moved: Q, K, V, scores." in said(update, "status")
    assert {("weights/1", 0, 0), ("weights/1", 0, 1)} <= set(session.moved)
    assert shown(act(session, ["press", "undo"]), "mask") == "none" and session.state is preset("article")
    assert shown(act(session, ["press", "redo"]), "mask") == "causal" and session.state.mask == "causal"
    act(session, ["press", "reset"])
    assert session.state is preset("article")


def hatched_on(session):
    return set(dict(HATCHED.findall(session.screen())))


def test_single_entries_are_hidden_and_shown_by_hand_in_all_heads():
    session = WorkbenchSession("translation")
    screen = Screen(session)
    update = screen.act(["hide", "scores/2:1,3"])
    assert session.state.mask[1] == (True, True, True, False, True) and sum(map(sum, session.state.mask)) == 19
    assert hatched_on(session) == {"scores/1:1,3", "weights/1:1,3"}
    assert said(update, "status").startswith("mask: chat may no longer attend to sleeping. Moved: weights, ")
    assert shown(update, "mask") == screen.controls["mask"] == "own"
    assert "· mask own" in session.still().text
    screen.act(["hide", "weights/1:3,0"])
    assert len(hatched_on(session)) == 4
    screen.assert_is_complete()
    update = screen.act(["hide", "weights/1:1,3"], ["hide", "scores/1:3,0"])
    assert session.state.mask == screen.controls["mask"] == "none"
    assert "html" not in update  # a hidden entry is as little news to the screen as a changed number
    assert said(update, "status").startswith("mask: ici may attend to the again. Moved: ")
    screen.act(["press", "undo"])
    assert hatched_on(session) == {"scores/1:3,0", "weights/1:3,0"}
    screen.assert_is_complete()
    assert said(screen.act(["set", "mask", "causal"]), "status").startswith("mask: own → causal. Moved: ")


def test_an_own_mask_that_is_chosen_again_stays():
    session = WorkbenchSession("article")
    act(session, ["hide", "scores/1:2,0"])
    own = session.state
    update = act(session, ["set", "mask", "own"])
    assert session.state is own and said(update, "alert") == ""


def test_a_query_from_which_all_is_hidden_takes_nothing():
    session = WorkbenchSession("article")
    update = act(session, *(["hide", f"scores/1:1,{key}"] for key in range(3)), ["select", "weights/1:1,0"])
    assert session.path["weights/1"].values[1].tolist() == session.path["output/1"].values[1].tolist() == [0, 0, 0]
    assert said(update, "words") == "Masked: create may not attend to any key, so all its weights are 0."


@pytest.mark.parametrize(
    ("stage", "goal"),
    [
        *((stage, None) for stage in STAGES),
        *((s, goal) for goal in ("undecided", "two_texts") for s in stages_of(GOALS[goal])),
    ],
)
def test_entries_can_be_hidden_only_where_the_mask_can_be_set(stage, goal):
    session = WorkbenchSession(stage=stage, goal=goal)
    update = act(session, ["hide", "weights/1:0,0"])
    can = "mask" in STAGES[stage].settings and goal != "undecided"
    assert (session.state is preset("article")) != can
    assert said(update, "alert") == ("" if can else "Nothing can be hidden here: the mask cannot be set.")


@pytest.mark.parametrize("stage", STAGES)
def test_the_mask_is_offered_where_the_weights_are_shown(stage):
    shows_weights = "weights/1:0,0" in Screen(WorkbenchSession("article", stage)).cells
    assert ("mask" in Screen(WorkbenchSession("article", stage)).controls) == shows_weights


def test_the_number_of_heads_can_be_set_if_it_divides_the_columns():
    session = WorkbenchSession("article")
    screen = Screen(session)
    screen.act(["set", "num_heads", "3"])
    assert session.state.num_heads == 3 and 'name="head/3"' in session.screen()
    update = screen.act(["set", "num_heads", "2"])
    assert session.state.num_heads == 3 and shown(update, "num_heads") == "3"
    assert said(update, "alert") == "W_Q has 3 columns: they cannot be cut into 2 equal heads."
    screen.assert_is_complete()


@pytest.mark.parametrize(
    ("text", "tokens"), [("a,b", ["a", "b"]), ("a b", ["a", "b"]), (" a , b ,c,d, e", list("abcde")), ("x", ["x"])]
)
def test_tokens_can_be_more_or_fewer(text, tokens):
    session = WorkbenchSession("article")
    screen = Screen(session)
    update = screen.act(["set", "tokens", text])
    assert list(session.state.tokens) == tokens and shown(update, "tokens") == ", ".join(tokens)
    assert len(session.path["result"].values) == len(tokens)
    screen.assert_is_complete()


@pytest.mark.parametrize("text", ["", "a,,b", "a,b,", "x" * 41, ",".join("abcdefghijklm")])
def test_bad_tokens_get_an_alert(text):
    session = WorkbenchSession("article")
    update = act(session, ["set", "tokens", text])
    assert session.state is preset("article")
    assert said(update, "alert").startswith(("tokens has", "one of the tokens is empty"))
    assert len(said(update, "alert")) < 200


def test_drawn_rows_can_become_fewer_and_more():
    session = WorkbenchSession(BIG)
    for text, count in (("a, b", 2), ("I love my dog.", 5)):
        update = act(session, ["set", "tokens", text])
        assert said(update, "status") == ANEW and session.path["result"].values.shape == (count, 512)
    np.testing.assert_array_equal(session.state.inputs["X"], preset(BIG).inputs["X"][:5])


ANEW = "The sizes changed, and everything was computed anew."
NEW = " A new word's row is random but depends on its letters alone, so the same word always has the same row."


def test_a_sentence_of_ones_own_has_rows_that_are_not_zero():
    session = WorkbenchSession("article")
    update = act(session, ["set", "tokens", "I love my dog"])
    assert session.state.tokens == ("i", "love", "my", "dog") and shown(update, "tokens") == "i, love, my, dog"
    assert session.state.inputs["X"].any(axis=1).all() and said(update, "status") == ANEW + NEW
    before = session.state.inputs["X"]
    update = act(session, ["set", "tokens", "my dog, love, i, dog"])
    assert session.state.tokens == ("my dog", "love", "i", "dog")
    np.testing.assert_array_equal(session.state.inputs["X"][1:], before[[1, 0, 3]])
    assert said(update, "status").startswith("tokens: i, love, my, dog → my dog, love, i, dog. Moved: Q, ")
    assert said(update, "status").endswith(NEW)
    update = act(session, ["set", "tokens", "i, love, my dog, dog"])
    assert said(update, "status").startswith("tokens: ") and not said(update, "status").endswith(NEW)


def test_words_that_were_taken_away_come_back_with_their_rows():
    session = WorkbenchSession("article")
    act(session, ["edit", "X:1,0", "9"], ["set", "tokens", "innovators"], ["edit", "X:0,3", "7"])
    update = act(session, ["set", "tokens", "create, innovators, disrupt"])
    assert session.state.inputs["X"].tolist() == [[9, 2, 0, 2], [1, 0, 1, 7], [1, 1, 1, 1]]
    assert said(update, "status") == ANEW
    act(session, *[["press", "undo"]] * 3)
    assert session.state.changes_since(preset("article")) == [("X", 1, 0)]
    act(session, ["set", "preset", "look_at_yourself"], ["set", "tokens", "create, one"])
    assert session.state.inputs["X"][0].tolist() not in ([9, 2, 0, 2], [0, 2, 0, 2])  # the article's, not this one's
    assert session.state.inputs["X"][1].tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize("token", ["<script>alert(1)</script>", '"><img src=x>', "&amp;", "'x'", "</textarea>"])
def test_markup_in_tokens_is_text(token):
    session = WorkbenchSession("article")
    session.act([["set", "tokens", f"{token}, b, c"], ["set", "query", "0"]])
    html = session.screen() + session.still().html
    assert session.state.tokens[0] == token
    images = re.findall(r"<img [^>]*>", html)  # the drawings, where no kernel runs
    assert all(re.search(r' src="data:image/svg', image) for image in images) and len(images) == html.count("<img")
    assert "<script" not in html and html.count("</textarea>") == 2
    tokens = unescape(re.search(r'name="tokens" value="([^"]*)"', html)[1])
    assert tokens == f"{token}, b, c"


def test_the_query_chooses_whose_contributions_show():
    session = WorkbenchSession("article", "weighted_sums")
    screen = Screen(session)
    screen.act(["set", "query", "2"])
    assert "<b>contributions</b>" in screen.frame and ">to disrupt<" in screen.frame
    weights, V = (session.path[key].values for key in ("weights/1", "V/1"))
    np.testing.assert_array_equal(session.path["contributions/1"].values, weights[2][:, None] * V)
    screen.act(["edit", "W_V:0,0", "3"])
    assert ">to disrupt<" in screen.frame
    screen.assert_is_complete()


# Undo, redo, reset


def test_undo_and_redo_go_through_presets_edits_and_settings():
    session = WorkbenchSession("article")
    texts = [text_of(session)]
    for action in (
        ["set", "preset", "translation"], ["edit", "W_Q:0,0", "2"], ["set", "num_heads", "1"], ["set", "scale", "none"],
        ["set", "preset", "positions"], ["set", "tokens", "a, b"], ["step", "W_K:0,0", 3], ["press", "reset"],
    ):  # fmt: skip
        act(session, action)
        texts.append(text_of(session))
    assert len(set(texts)) == len(texts) - 1  # reset leads back to the positions
    screen = Screen(session)
    for text in texts[-2::-1]:
        screen.act(["press", "undo"])
        assert text_of(session) == text
        screen.assert_is_complete()
    assert screen.controls["preset"] == "article"
    assert off(screen.act(["press", "undo"])) == ["undo"] and text_of(session) == texts[0]
    for text in texts[1:]:
        screen.act(["press", "redo"])
        assert text_of(session) == text
        screen.assert_is_complete()
    assert off(screen.act(["press", "redo"])) == ["redo"]


def test_reset_goes_back_to_the_chosen_preset_and_can_be_undone():
    session = WorkbenchSession("article")
    act(session, ["set", "preset", "saturated"], ["edit", "W_Q:0,0", "2"], ["set", "temperature", "3"])
    changed = session.state
    act(session, ["press", "reset"])
    assert session.state is preset("saturated")
    act(session, ["press", "undo"])
    assert session.state is changed


def test_what_could_not_be_done_cannot_be_undone():
    session = WorkbenchSession("article")
    update = act(session, ["edit", "W_Q:0,0", "x"], ["set", "num_heads", "2"], ["press", "load", "["])
    assert off(update) == ["undo", "redo"]


# Code and data


def test_open_panels_get_their_texts_at_every_change():
    session = WorkbenchSession("article")
    assert not {"code", "data"} & set(act(session)["fields"])
    assert act(session, ["open", "code", True])["fields"]["code"]["code"] == as_code(session.state)
    update = act(session, ["open", "data", True], ["edit", "W_Q:0,0", "9"])
    assert (
        update["fields"]["code"]["code"] == as_code(session.state) and "[9, 0, 1]" in update["fields"]["code"]["code"]
    )
    assert update["fields"]["data"]["data"] == text_of(session)
    update = act(session, ["open", "code", False])
    assert "code" not in update["fields"] and "data" in update["fields"]


@pytest.mark.parametrize("name", PRESETS)
def test_a_text_can_be_loaded_and_the_loading_undone(name):
    session = WorkbenchSession("look_at_yourself")
    screen = Screen(session)
    screen.act(["edit", "W_Q:0,0", "1"], ["press", "load", to_json(preset(name).with_entry("W_O", 0, 0, 5))])
    assert text_of(session) == to_json(preset(name).with_entry("W_O", 0, 0, 5))
    screen.assert_is_complete()
    screen.act(["press", "undo"])
    assert session.state.changes_since(preset("look_at_yourself")) == [("W_Q", 0, 0)]
    screen.assert_is_complete()
    screen.act(["press", "undo"])
    assert session.state is preset("look_at_yourself")


@pytest.mark.parametrize("text", ["", "[1, 2", "{}", to_json(preset("saturated"))[:-9], '{"kind": "mha_course state'])
def test_a_damaged_text_is_not_loaded(text):
    session = WorkbenchSession("article")
    update = act(session, ["press", "load", text])
    assert session.state is preset("article") and off(update) == ["undo", "redo"]
    assert said(update, "alert").startswith("This is ") and update["marks"]["bad"] is None


def test_a_text_whose_numbers_grow_too_large_is_not_loaded():
    session = WorkbenchSession("article")
    large = {name: array * 1e99 for name, array in session.state.inputs.items()}
    update = act(session, ["press", "load", to_json(State(session.state.tokens, large))])
    assert session.state is preset("article") and "would be larger than" in said(update, "alert")


@pytest.mark.parametrize("num_heads", [5, 7, 12])
def test_a_loaded_number_of_heads_is_among_the_choices(num_heads):
    article = preset("article")
    wide = {name: np.ones((4, num_heads)) for name in ("W_Q", "W_K", "W_V")} | {"W_O": np.ones((num_heads, 4))}
    session = WorkbenchSession("article")
    screen = Screen(session)
    screen.act(["press", "load", to_json(State(article.tokens, {"X": article.inputs["X"], **wide}, num_heads))])
    assert session.state.num_heads == num_heads
    assert Screen(session).controls["num_heads"] == str(num_heads)


def wide_state_as_text(num_heads):
    """The article with heads of width 1, written as a state is saved."""
    data = json.loads(to_json(preset("article"))) | {"num_heads": num_heads}
    data["inputs"] |= {name: [[1] * num_heads] * 4 for name in ("W_Q", "W_K", "W_V")} | {"W_O": [[1] * 4] * num_heads}
    return json.dumps(data)


def test_a_loaded_state_with_more_heads_than_a_page_can_hold_is_refused_in_a_sentence():
    session = WorkbenchSession("article")
    update = act(session, ["press", "load", wide_state_as_text(MOST_HEADS + 1)])
    assert session.state is preset("article") and off(update) == ["undo", "redo"]
    assert f"num_heads is {MOST_HEADS + 1}, but must be at most {MOST_HEADS}" in said(update, "alert")
    act(session, ["press", "load", wide_state_as_text(MOST_HEADS)])
    assert session.state.num_heads == MOST_HEADS >= 4 * max(HEADS)
    assert len(session.screen()) < 3e6  # characters


def test_beside_the_message_of_a_large_board_stand_its_weights_and_its_result_in_miniature():
    session = WorkbenchSession("paper_size")
    _, many = session.screen().split('class="mha-result"')
    act(session, ["set", "num_heads", "1"])
    _, one = session.screen().split('class="mha-result"')
    looks = [re.findall(r'data-look="([^:"]+):', text) for text in (many, one)]
    assert [set(found) for found in looks] == [{"result"}, {"weights/1", "result"}]
    assert looks[1].count("weights/1") == 100  # ten tokens
    assert "mha-result" not in WorkbenchSession("article").screen()


# The screen is complete


def random_action(rng, session):
    state = session.state
    name = rng.choice(list(state.inputs))
    height, width = (min(size, 12) for size in state.inputs[name].shape)
    at = f"{name}:{rng.randrange(height)},{rng.randrange(width)}"
    key = rng.choice(list(session.path))
    shape = session.path[key].values.shape
    return rng.choices(
        [
            ["edit", at, rng.choice(["0", "1", "2", "-3", "0.5", "7e3", "-0.25", "1e-7", "x", "1e200"])],
            ["step", at, rng.choice([1, -1, 10, -10, 3])],
            ["select", f"{key}:{rng.randrange(min(shape[0], 12))},{rng.randrange(min(shape[1], 12))}"],
            ["set", "tokens", ", ".join(rng.choices(["a", "b<i>", "c&d", "e"], k=rng.randint(1, 5)))],
            ["set", "num_heads", str(rng.choice(HEADS))],
            ["set", "scale", rng.choice([*SCALES, OWN_SCALE])],
            [*rng.choice([["set", "divisor"], ["set", "temperature"]]), rng.choice(["0.5", "2", "30", "x"])],
            ["set", "query", str(rng.randrange(len(state.tokens)))],
            ["press", rng.choice(["undo", "redo", "undo", "redo", "reset"])],
            ["press", "load", rng.choice(LOADABLE)],
            ["set", "preset", rng.choice(SMALL)],
            ["set", "mask", rng.choice([*MASKS])],
            ["hide", f"weights/1:{rng.randrange(len(state.tokens))},{rng.randrange(3)}"],
        ],
        weights=[9, 6, 3, 1, 1, 1, 2, 2, 4, 1, 1, 2, 3],
    )[0]


LOADABLE = [
    to_json(preset("article").with_entry("X", 0, 0, 2.5)),
    to_json(preset("article").with_tokens(["a", "b"])),
    to_json(replace(preset("two_heads"), num_heads=1)),
    to_json(preset("translation")),
    to_json(preset("positions")),
    to_json(replace(preset("translation"), mask="last_padded")),
    to_json(replace(preset("article"), temperature=2.5, scale="none")),
    to_json(preset("translation").with_toggled(1, 4)),
    "{}",
]


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("seed", range(2))
def test_the_updates_leave_nothing_old_on_the_screen(stage, seed):
    rng = random.Random(f"{stage} {seed}")
    screen = Screen(WorkbenchSession(rng.choice(SMALL), stage))
    done = [screen.controls.get("preset"), stage]
    for _ in range(30):
        first = random_action(rng, screen.session)
        actions = [first, *(["press", rng.choice(["undo", "redo"])] for _ in range(rng.choice([0, 0, 1, 3])))]
        done.append(actions)
        screen.act(*actions)
        screen.assert_is_complete(done)


@pytest.mark.parametrize("seed", range(5))
def test_actions_meant_for_an_earlier_screen_do_no_harm(seed):
    rng = random.Random(seed)
    screen = Screen(WorkbenchSession(rng.choice(SMALL)))
    for _ in range(20):  # while the kernel is busy, the hand goes on with what it sees
        screen.act(*(random_action(rng, screen.session) for _ in range(5)))
        screen.assert_is_complete()


@pytest.mark.parametrize(
    "late", [["step", "W_Q:3,2", 1], ["edit", "W_Q:3,2", "2"], ["select", "X:2,3"], ["set", "query", "2"]]
)
def test_an_action_at_an_entry_that_has_just_gone_gets_an_alert(late):
    session = WorkbenchSession("article")
    small = State(("a", "b"), {name: np.eye(2) for name in ("X", "W_Q", "W_K", "W_V", "W_O")})
    screen = Screen(session)
    update = screen.act(["press", "load", to_json(small)], late)
    assert text_of(session) == to_json(small) and said(update, "alert")
    screen.assert_is_complete()


def test_the_updates_leave_nothing_old_on_the_screen_of_the_papers_size():
    rng = random.Random(7)
    screen = Screen(WorkbenchSession(BIG, "heads"))
    for _ in range(8):
        name, row, column = rng.choice(["X", "W_Q", "W_O"]), rng.choice([0, 9]), rng.choice([0, 9, 511])
        actions = [["edit", f"{name}:{row},{column}", str(rng.randint(-3, 3))], ["press", rng.choice(["undo", "x"])]]
        screen.act(*actions[: rng.choice([1, 1, 2])])
        screen.assert_is_complete()


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("turns", [0, 1])
def test_the_screen_is_complete_when_x_turns_from_an_input_into_a_computed_matrix(stage, turns):
    screen = Screen(WorkbenchSession("article", stage))
    screen.act(["press", "load", to_json(encoded_like_the_article(turns=turns))])
    screen.assert_is_complete()
    screen.act(["press", "undo"])
    screen.assert_is_complete()


def test_a_column_is_written_anew_when_one_entry_makes_it_no_longer_whole():
    session = WorkbenchSession("identity")
    screen = Screen(session)
    assert screen.cells["Q/1:0,0"][0] == "1"
    screen.act(["edit", "X:2,3", "0.5"])
    texts = [screen.cells[f"Q/1:{row},{column}"][0] for row, column in ((0, 0), (0, 3), (2, 3))]
    assert texts == ["1", "0.0", "0.5"]  # other columns, and their width, stay
    screen.act(["press", "undo"])
    assert screen.cells["Q/1:0,0"][0] == "1"


def test_what_does_not_move_keeps_its_colour_when_another_entry_becomes_the_largest():
    screen = Screen(WorkbenchSession("article"))
    before, most = screen.cells["W_Q:0,1"], screen.cells["W_Q:0,0"][1]
    screen.act(["edit", "W_Q:3,2", "100"])
    assert screen.cells["W_Q:0,1"] == before and screen.cells["W_Q:3,2"] == ("100", most)
    screen.act(["edit", "W_Q:0,0", "0.5"])
    assert screen.cells["W_Q:0,0"][1] not in (most, before[1])  # half of what was the largest at first
    screen.assert_is_complete()


def test_heads_share_a_scale_of_colours():
    session = WorkbenchSession("two_heads")
    screen = Screen(session)
    first, second = (session.path[f"V/{head}"].values.max() for head in (1, 2))
    assert first > second
    screen.act(["press", "head/2"])
    assert not any(look == tint("value", 1) for at, (_, look) in screen.cells.items() if at.startswith("V/2"))


def test_a_product_is_written_in_the_colours_of_its_matrices():
    session = WorkbenchSession("article")
    arithmetic = act(session, ["select", "scores/1:1,2"])["parts"]["arithmetic"]
    colours = re.findall(r'<span style="background:(#\w+)', arithmetic)
    assert len(colours) == 6 and len(set(colours[::2])) == len(set(colours[1::2])) == 1 and colours[0] != colours[1]
    assert colours[0].startswith(line_colour("query")) and colours[1].startswith(line_colour("key"))


def test_an_output_that_stands_in_the_concatenation_says_where_it_came_from():
    session = WorkbenchSession("two_heads", "heads")
    update = act(session, ["press", "head/2"], ["select", "concatenation:1,3"])
    assert said(update, "arithmetic").startswith("head 2: output[2,1] = ")
    assert update["marks"]["selected"] == "concatenation:1,3"
    assert {at.partition(":")[0] for at in update["marks"]["sources"]} == {"weights/2", "V/2"}


def test_a_change_sends_only_the_entries_that_look_different():
    update = act(WorkbenchSession("article"), ["edit", "W_V:0,0", "1"])
    assert set(update["cells"]) <= {
        "W_V", "V/1", "contributions/1", "output/1", "concatenation", "result"
    }  # fmt: skip
    assert "html" not in update


# What moved


def value_at(path, at):
    key, _, place = at.partition(":")
    return float(path[key].values[tuple(map(int, place.split(",")))])


def moved_by(text):
    sign, size = text.split()
    return {"▲": 1, "▼": -1}[sign] * (0 if size == "tiny" else float(size)), size == "tiny"


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("seed", range(3))
def test_moved_are_exactly_the_shown_results_that_changed_and_by_how_much(name, seed):
    rng = random.Random(f"{name} {seed}")
    session = WorkbenchSession(name, "all" if name != BIG else "queries_keys_values")
    screen = Screen(session)
    for _ in range(3 if name == BIG else 6):
        before = session.path
        matrix = rng.choice([matrix for matrix in session.state.inputs if matrix != "wavelengths"])
        height, width = (min(size, 10) for size in session.state.inputs[matrix].shape)
        at = f"{matrix}:{rng.randrange(height)},{rng.randrange(width)}"
        screen.act(["edit", at, repr(value_at(before, at) + rng.choice([-2.3, -1e-6, 0.1, 4]))])
        moved = {address(*at): by for at, by in session.moved.items()}
        for cell in screen.cells:
            now, then = (value_at(path, cell) for path in (session.path, before))
            if session.path[cell.partition(":")[0]].is_input or abs(now - then) < 1e-13 * max(1, abs(now)):
                assert cell not in moved
            elif abs(now - then) > 1e-11 * max(1, abs(now)):
                difference, is_tiny = moved_by(moved[cell])
                assert abs(difference - (now - then)) <= 0.5001e-4 and moved[cell][0] == "▼▲"[int(now > then)]
                assert is_tiny == (abs(now - then) < 0.5e-4)
        assert set(moved) <= set(screen.cells)


@pytest.mark.parametrize("name", SMALL)
def test_a_change_of_w_k_never_moves_q_or_v(name):
    session = WorkbenchSession(name)
    act(session, ["edit", "W_K:0,0", "0.123"])
    names = {key.split("/")[0] for key, *_ in session.moved}
    assert "K" in names and not names & {"Q", "V", "X", "W_K"}


def test_only_the_head_whose_columns_changed_moves():
    session = WorkbenchSession("eight_identical_heads")
    update = act(session, ["edit", "W_Q:0,7", "3"])  # columns 7 to 9 belong to head 3
    assert "Moved: Q of head 3, scores of head 3, weights of head 3" in said(update, "status")
    assert {key for key, *_ in session.moved} <= {"concatenation", "result"}  # head 1 is open
    assert {name for name in update["drawings"] if name != "sentence"} == {"sentence/3"}  # in small
    update = act(session, ["press", "head/3"])
    heads = {key.split("/")[1] for key, *_ in session.moved if "/" in key}
    assert heads == {"3"} and "W_Q:0,7" in Screen(session).cells and "W_Q:0,0" not in Screen(session).cells


def test_moved_is_shown_for_the_last_change_also_while_looking_around():
    session = WorkbenchSession("article")
    marks = act(session, ["edit", "W_K:0,2", "5"])["marks"]
    moved = session.moved
    assert moved and act(session, ["select", "Q/1:0,0"])["marks"]["moved"] == marks["moved"] and session.moved == moved
    assert all(key in session.path for key, *_ in moved)
    act(session, ["press", "undo"])
    opposite = session.moved
    assert list(opposite) == list(moved)
    assert all(moved_by(moved[at])[0] == -moved_by(opposite[at])[0] for at in moved)


def test_the_contributions_to_another_query_have_not_moved():
    session = WorkbenchSession("article", "weighted_sums")
    assert act(session, ["edit", "W_V:0,0", "5"])["marks"]["moved"]
    update = act(session, ["set", "query", "1"])
    assert update["marks"]["moved"] == {} and said(update, "status") == ""


def test_the_steps_of_one_drag_count_as_one_movement():
    session = WorkbenchSession("article")
    act(session, *[["step", "W_V:0,0", 1]] * 5)
    assert session.moved["V/1", 0, 0] == "▲ 0.5"
    act(session, ["step", "W_V:0,0", 1])
    assert session.moved["V/1", 0, 0] == "▲ 0.6"


# The status


WARM = to_json(replace(preset("look_at_yourself"), temperature=2))


@pytest.mark.parametrize(
    ("name", "stage", "action", "status"),
    [
        ("article", "scaled_scores", ["edit", "W_K:0,2", "5"], "W_K[1,3]: 1 → 5. Moved: K, scores. Not moved: Q."),
        ("article", "scaled_scores", ["step", "W_Q:0,0", -1], "W_Q[1,1]: 1 → 0.9. Moved: Q, scores. Not moved: K."),
        ("article", "softmax", ["set", "temperature", "2"],
         "temperature: 1 → 2. Moved: weights. Not moved: Q, K, scores."),
        ("article", "softmax", ["set", "mask", "causal"],
         "mask: none → causal. Moved: weights. Not moved: Q, K, scores."),
        ("article", "softmax", ["set", "scale", "none"],
         "scale: √d_k → none. Moved: scores, weights. Not moved: Q, K."),
        ("look_at_yourself", "queries_keys_values", ["press", "load", WARM],
         "temperature: 1 → 2. No shown result moved."),
        ("positions", "inputs", ["edit", "embeddings:0,0", "2"],
         "embeddings[1,1]: 1 → 2. Moved: X. Not moved: positional encoding."),
        ("article", "inputs", ["press", "load", to_json(preset("article").with_tokens(["a", "b", "c"]))],
         "tokens: innovators, create, disrupt → a, b, c. No shown result moved." + NEW),
        ("eight_identical_heads", "queries_keys_values", ["edit", "W_Q:0,7", "3"],
         "W_Q[1,8]: 0 → 3. Moved: Q of head 3. Not moved: K, V."),
        ("article", "all", ["set", "tokens", "a, b"], ANEW + NEW),
        ("article", "softmax", ["hide", "scores/1:1,2"],
         "mask: create may no longer attend to disrupt. Moved: weights. Not moved: Q, K, scores."),
        ("article", "all", ["select", "X:0,0"], ""),
        ("article", "all", ["press", "reset"], ""),
    ],
)  # fmt: skip
def test_the_status_says_what_changed_and_what_moved(name, stage, action, status):
    assert said(act(WorkbenchSession(name, stage), action), "status") == status


def test_the_status_names_the_numbers_when_an_own_scale_changes():
    session = WorkbenchSession("article", "scaled_scores")
    act(session, ["set", "divisor", "2"])
    status = said(act(session, ["set", "divisor", "4"]), "status")
    assert "2 → 4" in status and "Moved: scores." in status


# Goals


def test_a_goal_is_recognised_and_lost_again():
    session = WorkbenchSession(goal="look_at_the_third")
    assert "Goal: Make innovators give more than 70 %" in session.screen()
    update = act(session)
    assert not is_reached(update) and said(update, "goal") == "Not yet: innovators gives 43.19 % to disrupt."
    update = act(session, ["step", "W_K:0,2", 30])
    assert is_reached(update) and said(update, "goal").startswith("Reached: ")
    update = act(session, ["edit", "W_V:0,0", "9"])
    assert not is_reached(update) and "you also changed W_V" in said(update, "goal")
    assert not is_reached(act(session, ["press", "reset"]))
    assert is_reached(act(session, ["press", "undo"], ["press", "undo"]))


@pytest.mark.parametrize(
    ("goal", "stage"),
    [
        ("same_waves", "inputs"), ("same_query", "queries_keys_values"), ("best_match", "scaled_scores"),
        ("undecided", "softmax"), ("borrowed_value", "weighted_sums"), ("two_ways", "heads"),
        ("stop_carrying", "what_a_head_does"),
    ],
)  # fmt: skip
def test_a_goal_opens_on_what_it_is_about_and_marks_what_counts(goal, stage):
    screen = Screen(WorkbenchSession(goal=goal, stage=stage))
    about = [address(*each) for each in GOALS[goal].counts(screen.session.path)]
    assert screen.act()["marks"]["counts"] == about and set(about) <= set(screen.cells)


@pytest.mark.parametrize("goal", GOALS)
def test_a_goal_brings_its_preset_and_no_choice_of_presets(goal):
    session = WorkbenchSession(goal=goal)
    assert session.state is preset(GOALS[goal].preset) and 'name="preset"' not in session.screen()
    assert GOALS[goal].task.split(",")[0] in unescape(session.still().text)


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("name", PRESETS)
def test_a_goal_has_an_answer_whatever_is_loaded(goal, name):
    session = WorkbenchSession(goal=goal)
    update = act(session, ["press", "load", to_json(preset(name))])
    assert text_of(session) == to_json(preset(name))
    assert said(update, "goal").startswith("Not yet: ") or name == GOALS[goal].preset


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("num_heads", [2, 3, 6])
def test_a_goal_has_an_answer_with_any_number_of_heads(goal, num_heads):
    session = WorkbenchSession(goal=goal)
    data = json.loads(text_of(session)) | {"num_heads": num_heads}
    update = act(session, ["press", "load", json.dumps(data)])
    assert said(update, "goal") and not is_reached(update)


@pytest.mark.parametrize(
    ("name", "goal"), [("article", "same_waves"), ("positions", "two_ways"), ("translation", "look_at_the_third")]
)
def test_a_goal_with_any_preset_has_an_answer_or_is_refused(name, goal):
    try:
        session = WorkbenchSession(name, goal=goal)
    except ValueError as error:
        assert goal in str(error) or "preset" in str(error)
    else:
        assert isinstance(is_reached(act(session)), bool)


def test_without_a_goal_nothing_is_reached():
    update = act(WorkbenchSession("article"), ["edit", "W_K:0,2", "5"])
    assert is_reached(update) is False and said(update, "goal") == ""


# Sessions


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", PRESETS)
def test_every_stage_builds_with_every_preset(name, stage):
    session = WorkbenchSession(name, stage)
    screen = Screen(session)
    shown = {at.rpartition(":")[0].split("/")[0] for at in screen.cells}
    assert shown and shown <= set(STAGES[stage].names or shown)
    assert set(screen.controls) <= {"preset", "divisor", "context_tokens", *STAGES[stage].settings}
    update = screen.act()
    assert (
        update["cells"] == {}
        and update["marks"]["moved"] == {}
        and "html" not in update
        and said(update, "alert") == ""
    )
    assert PRESETS[name].hint in session.still().text


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("nonsense",), r"'nonsense', but must be one of \['steals', .*'paper_size'\]"),
        (("article", "nonsense"), r"^stage is 'nonsense', but must be one of \['inputs', .*'all'\]"),
        (("article", "all", "nonsense"), r"^goal is 'nonsense', but must be one of \['same_waves', .*'two_ways'\]"),
    ],
)
def test_an_unknown_name_is_an_error_that_lists_the_names(names, message):
    with pytest.raises(ValueError, match=message):
        WorkbenchSession(*names)


@pytest.mark.parametrize("goal", GOALS)
def test_a_goal_is_refused_where_it_cannot_be_reached_and_nowhere_else(goal):
    for stage in stages_of(GOALS[goal]):
        assert WorkbenchSession(stage=stage, goal=goal).state is preset(GOALS[goal].preset)
    others = STAGES.keys() - stages_of(GOALS[goal])
    assert others
    for stage in others:
        with pytest.raises(ValueError, match=rf"^stage is '{stage}', but the goal '{goal}' needs one of \[.*'all'\]"):
            WorkbenchSession(stage=stage, goal=goal)


def test_two_sessions_do_not_disturb_each_other():
    first, second = WorkbenchSession("article"), WorkbenchSession("article")
    alone, screen = WorkbenchSession("article"), Screen(second)
    mine = [["edit", "W_K:0,2", "5"], ["select", "Q/1:0,0"]]
    theirs = [["edit", "W_Q:0,0", "x"], ["set", "num_heads", "3"], ["open", "code", True], ["select", "X:0,0"]]
    for own, other in zip([*mine, ["press", "undo"], ["press", "undo"]], theirs, strict=True):
        screen.act(other)
        assert act(first, own) == act(alone, own)
    assert first.state is preset("article") and second.state.num_heads == 3
    screen.assert_is_complete()


@pytest.mark.parametrize("name", GOALS)
def test_a_goal_offers_only_the_settings_that_its_task_allows(name):
    screen = WorkbenchSession(goal=name).screen()
    offered = {
        setting
        for setting in ("preset", "tokens", "num_heads", "scale", "temperature", "mask")
        if f'name="{setting}"' in screen
    }
    assert offered == {setting for setting in GOALS[name].may_change if setting in ("temperature", "mask")}


# What the controls do not offer

VALUES = {
    "preset": "translation", "tokens": "a, b, c", "context_tokens": "a, b, c, d, e", "num_heads": "1",
    "scale": "none", "divisor": "2", "temperature": "2", "mask": "causal", "query": "1",
}  # fmt: skip


def assert_refused(session, name):
    before, screen = session.state, Screen(session)
    update = screen.act(["set", name, VALUES[name]])
    assert said(update, "alert").endswith(" cannot be set here.") and update["marks"]["bad"] is None
    assert session.state is before and off(update) == ["undo", "redo"]
    screen.assert_is_complete()


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("goal", GOALS)
def test_a_goal_refuses_every_setting_that_it_does_not_offer_and_goes_on(goal, name):
    session = WorkbenchSession(goal=goal)
    if f'name="{name}"' not in session.screen():
        assert_refused(session, name)
        assert said(act(session, ["edit", "W_Q:0,0", "7"]), "goal")
    assert said(act(session, ["press", "reset"]), "goal")
    assert session.state is preset(GOALS[goal].preset)


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_refuses_every_setting_that_it_does_not_offer(stage, name):
    session = WorkbenchSession("translation", stage)
    if f'name="{name}"' not in session.screen():
        assert_refused(session, name)
    else:
        assert not said(act(session, ["set", name, VALUES[name]]), "alert")


@pytest.mark.parametrize(("name", "stage"), [*product(SMALL, STAGES), (BIG, "all")])
def test_a_changed_number_sends_little(name, stage):
    session = WorkbenchSession(name, stage)
    for matrix in session.state.inputs:
        update = act(session, ["step", f"{matrix}:0,0", 10])
        assert "html" not in update and len(json.dumps(update, ensure_ascii=False).encode()) < 20_000, matrix


@pytest.mark.parametrize(("stage", "end"), [("heads", "result"), ("what_a_head_does", "total"), ("softmax", None)])
def test_what_many_heads_end_with_stands_in_miniature_beside_the_messages(stage, end):
    messages = WorkbenchSession("two_heads", stage).screen().partition('data-part="messages"')[2]
    assert {at.partition(":")[0] for at, _ in SPOT.findall(messages)} == ({end} if end else set())


def test_heads_are_buttons_only_where_a_hand_can_press_them():
    session = WorkbenchSession("two_heads", "heads")
    assert "<button" not in session.still().html and "head 2" in session.still().html
    assert "<button" in session.screen() and 'name="head/2"' in session.screen()


def test_a_word_is_chosen_by_hand_or_by_asking_for_a_number_of_it_and_not_by_changing_one():
    session = WorkbenchSession("steals", "softmax")
    assert act(session)["marks"]["chosen"] == 1 and "<b>steals</b> asks" in act(session)["parts"]["meaning"]
    assert act(session, ["choose", "2"])["marks"]["chosen"] == 2
    assert act(session, ["select", "X:0,1"])["marks"]["chosen"] == 2  # where a change of it leads is to be seen
    update = act(session, ["select", "Q/1:3,0"])
    assert update["marks"]["chosen"] == 3 and update["parts"]["meaning"].startswith("<b>cat</b> asks")
    assert act(session, ["select", "K/1:0,0"])["marks"]["chosen"] == 3
    update = act(session, ["choose", "9"])
    assert (
        "'9' is none of the choices, 0 to 3." in unescape(update["parts"]["alert"]) and update["marks"]["chosen"] == 3
    )
    whole = WorkbenchSession("steals")
    act(whole, ["choose", "3"])
    assert act(whole, ["set", "preset", "translation"])["marks"]["chosen"] == 1  # each example says which

"""Step through a row, and swap before and after: what the screen shows, and that no work is lost."""

import random
import re

import numpy as np
import pytest
from test_session import Screen, act, off, random_action, said, signs, text_of

from mha_course.forward.presets import PRESETS, preset
from mha_course.forward.saving import to_json
from mha_course.forward.stages import STAGES
from mha_course.forward.walkthrough.walkthrough import way
from mha_course.widgets.walkthrough_session import LAST_STEP
from mha_course.widgets.workbench_session import WorkbenchSession

pytestmark = pytest.mark.filterwarnings("error")
NEXT, BACK, BEFORE, PIN = (["press", button] for button in ("next", "back", "before", "pin"))
EDIT = ["edit", "W_K:0,2", "5"]


def title(update):
    """Which stop is on the screen."""
    return said(update, "words").partition(" · ")[2].partition(".")[0]


def walk(session, name):
    """Press next until the stop of that title."""
    for _ in range(12):
        update = act(session, NEXT)
        if title(update) == name:
            return update
    raise AssertionError(f"there is no stop {name}")


# Step through


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", ["article", "two_heads", "positions", "translation"])
def test_next_and_back_walk_every_stop_of_the_row(name, stage):
    session = WorkbenchSession(name, stage)
    word = 0 if "query" in STAGES[stage].settings else PRESETS[name].sense.chosen
    stops = way(session.state, session.path, word, names=STAGES[stage].names)
    if not stops:
        assert "next" in act(session)["off"]
        assert said(act(session, NEXT), "alert") == "Nothing is computed here, so there is no step to show."
        return
    seen = []
    for number, stop in enumerate(stops):
        update = act(session, NEXT)
        seen.append(update)
        assert said(update, "words") == f"Step {number + 1} of {len(stops)} · {stop.title}. {stop.words}"
        assert said(update, "arithmetic") == stop.arithmetic
        assert ("next" in update["off"]) == (stop is stops[-1]) and "back" not in update["off"]
        keys = {key for key, _, _ in stop.sources}
        joined = {"concatenation"} if "output/2" in keys else set()  # where the outputs of several heads stand
        assert {at.split(":")[0] for at in update["marks"]["sources"]} <= keys | joined
    assert act(session, NEXT) == seen[-1]  # there it stays
    for update in reversed(seen[:-1]):
        back = act(session, BACK)
        assert (back["parts"], back["marks"]) == (update["parts"], update["marks"])
    update = act(session, BACK)
    assert update["marks"]["reached"] == [] and "back" in update["off"] and "Step" not in said(update, "words")


@pytest.mark.parametrize("button", ["end", "reset"])
def test_the_last_step_says_how_to_see_everything_again(button):
    session = WorkbenchSession("article", "softmax")
    while "next" not in (update := act(session, NEXT))["off"]:
        assert said(update, "hint") == ""
    assert said(update, "hint") == LAST_STEP
    update = act(session, ["press", button])
    assert update["marks"]["reached"] == [] and "Step" not in said(update, "words") and said(update, "hint") == ""


def test_sources_and_reached_name_cells_of_the_screen():
    for name, stage in (("article", "weighted_sums"), ("paper_size", "heads"), ("translation", "all")):
        screen = Screen(WorkbenchSession(name, stage))
        while "next" not in (update := screen.act(NEXT))["off"]:
            marks = update["marks"]
            assert {*marks["sources"], *marks["reached"]} <= set(screen.cells)
            assert marks["sources"] or title(update) == "other heads"  # which are not on the board


def test_what_is_reached_grows_until_the_row_is_whole():
    session = WorkbenchSession("article", "softmax")
    earlier = set()
    for name in ("query", "keys", "products", "sum", "scale", "exponentials", "sum of the row", "weights"):
        reached = set(walk(session, name)["marks"]["reached"])
        assert earlier <= reached
        assert ({"scores/1:1,0", "scores/1:1,1"} <= reached) == (
            name in ("scale", "exponentials", "sum of the row", "weights")
        )
        assert ("weights/1:1,0" in reached) == (name == "weights")
        assert "weights/1:0,0" not in reached
        earlier = reached


ROWS = [
    ("scores/1:1,2", "The query of create meets the key of disrupt"),
    ("weights/1:2,0", "The query of disrupt meets the key of innovators"),
    ("Q/1:1,0", "The query of create meets the key of create"),  # the one with the largest weight
    ("K/1:2,1", "The query of create meets the key of disrupt"),
    ("W_K:0,0", "The query of create meets the key of create"),  # the chosen word
]


@pytest.mark.parametrize(("at", "words"), ROWS)
def test_the_selected_entry_says_whose_row_is_walked(at, words):
    session = WorkbenchSession("article", "all")
    act(session, ["select", at])
    assert words in said(walk(session, "products"), "words")


def test_the_walk_is_that_of_the_open_head_or_of_the_head_of_the_selected_entry():
    session = WorkbenchSession("two_heads", "heads")
    act(session, ["press", "head/2"])
    assert said(walk(session, "mix"), "arithmetic").startswith("head 2: output[1,1]")
    assert title(act(session, ["press", "head/1"])) == ""  # another head is another walk
    assert said(walk(session, "mix"), "arithmetic").startswith("head 1: output[1,1]")
    act(session, ["select", "Q/2:1,0"])
    assert said(walk(session, "scale"), "arithmetic").startswith("head 2: scores[2,")
    assert session.screen().count('aria-pressed="true"') == 1


def test_the_contributions_on_the_screen_are_those_of_the_walked_row():
    screen = Screen(WorkbenchSession("article", "weighted_sums"))
    screen.act(["select", "scores/1:2,0"])
    update = screen.act(NEXT)
    screen.assert_is_complete()
    assert screen.controls["query"] == "2" and update["marks"]["reached"]
    weights, V = (screen.session.path[key].values for key in ("weights/1", "V/1"))
    np.testing.assert_array_equal(screen.session.path["contributions/1"].values, weights[2][:, None] * V)


def test_the_arrows_that_meet_are_those_of_the_walked_pair():
    session = WorkbenchSession("article", "scaled_scores")
    assert "The query of create meets the key of create" in said(walk(session, "products"), "words")
    assert "For create and create, q·k = " in session.still().html


def test_a_drag_across_the_plane_is_one_change():
    session = WorkbenchSession("article", "weighted_sums")
    before = session.state
    for _ in range(5):
        act(session, ["pull", "V/1:0,1", 0.1], ["pull", "V/1:0,2", -0.1])
    act(session, ["drop"])
    dropped = session.state
    assert dropped.changes_since(before) == [("W_V", 0, 1), ("W_V", 0, 2)]
    act(session, ["pull", "V/1:0,1", 0.5], ["drop"])
    for state in (dropped, before):
        act(session, ["press", "undo"])
        assert session.state is state


def test_while_a_hand_drags_the_axes_rest_and_one_sentence_comes_when_it_lets_go():
    def numbers():
        return re.findall(r">(-?[\d.]+)</text>", session.screen().split("mha-plane")[1])[:6]

    session = WorkbenchSession("article", "weighted_sums")
    before = numbers()
    for _ in range(3):
        assert said(act(session, ["pull", "V/1:0,1", 20]), "status") == "" and numbers() == before
    assert said(act(session, ["drop"]), "status").startswith("W_V[1,2]: 2 → 62. Moved: ")
    assert numbers() != before


def test_another_selection_ends_the_walk_and_the_same_one_does_not():
    session = WorkbenchSession("article", "softmax")
    act(session, ["select", "scores/1:1,2"], NEXT, NEXT)
    assert title(act(session, ["select", "scores/1:1,2"])) == "keys"  # as a redrawn screen does
    update = act(session, ["select", "scores/1:1,1"])
    assert update["marks"]["reached"] == [] and update["marks"]["selected"] == "scores/1:1,1"
    assert said(update, "words") == "How well the query of create matches the key of create."


def test_after_an_edit_the_walk_stands_at_the_same_stop_with_new_numbers():
    session = WorkbenchSession("article", "scaled_scores")
    act(session, ["select", "scores/1:1,0"])
    assert said(walk(session, "products"), "arithmetic") == "2·0 = 0; 2·1 = 2; 2·1 = 2"
    update = act(session, ["edit", "W_K:0,0", "3"])
    assert title(update) == "products" and said(update, "arithmetic") == "2·3 = 6; 2·1 = 2; 2·1 = 2"
    assert update["marks"]["moved"]
    assert title(act(session, ["set", "scale", "none"])) == "products"
    assert said(act(session, NEXT), "arithmetic") == "scores[2,1] = 6 + 2 + 2 = 10"


def test_a_change_that_adds_stops_leaves_the_walk_where_it_is():
    session = WorkbenchSession("article", "softmax")
    assert said(walk(session, "exponentials"), "words").startswith("Step 6 of 8")
    update = act(session, ["set", "mask", "causal"], ["set", "temperature", "2"])
    assert said(update, "words").startswith("Step 8 of 10 · exponentials.")


def test_the_walk_goes_to_the_nearest_stop_if_its_own_is_gone():
    session = WorkbenchSession("article", "scaled_scores")
    walk(session, "scale")
    update = act(session, ["set", "scale", "none"])
    assert said(update, "words").startswith("Step 4 of 4 · sum. ")


def test_the_walk_ends_where_its_row_is_gone():
    screen = Screen(WorkbenchSession("article", "all"))
    screen.act(["select", "weights/1:2,0"], NEXT, NEXT)
    update = screen.act(["set", "tokens", "one, two"])
    assert update["marks"]["reached"] == [] and said(update, "alert") == ""
    screen.assert_is_complete()


def test_a_walk_changes_nothing():
    session = WorkbenchSession("article", "all")
    before = act(session, EDIT)
    update = act(session, *[NEXT] * 5, BACK)
    assert off(update) == off(before) and update["marks"]["moved"] == before["marks"]["moved"]
    assert update["parts"]["status"] == before["parts"]["status"] and update["cells"] == {}


# Before and after


def test_before_shows_the_state_before_the_last_change_and_again_the_present_one():
    screen = Screen(WorkbenchSession("article", "scaled_scores"))
    before = dict(screen.cells)
    assert "before" in screen.act()["off"]
    changed = screen.act(EDIT)
    after = dict(screen.cells)
    swapped = screen.act(BEFORE)
    assert screen.cells == before != after
    assert said(swapped, "status") == "Before: W_K[1,3] = 1. Press again for after."
    assert swapped["on"] == ["before"] and off(swapped) == off(changed)
    assert set(signs(swapped)) == set(signs(changed))
    assert signs(swapped)["K/1:0,2"] == "▼" and signs(changed)["K/1:0,2"] == "▲"
    assert screen.session.state.inputs["W_K"][0, 2] == 5  # what is kept is the present state
    assert screen.session.path["K/1"].values[0, 2] == 5
    again = screen.act(BEFORE)
    assert screen.cells == after and again["on"] == []
    assert (again["parts"], again["marks"]) == (changed["parts"], changed["marks"])


DONE_MEANWHILE = [
    (["edit", "X:0,0", "7"], {"X": 7, "W_K": 5}),
    (["step", "W_K:0,2", 1], {"X": 1, "W_K": 5.1}),
    (["press", "undo"], {"X": 1, "W_K": 1}),
    (["press", "reset"], {"X": 1, "W_K": 1}),
    (["edit", "X:0,0", "seven"], {"X": 1, "W_K": 5}),
    (["set", "temperature", "2"], {"X": 1, "W_K": 5}),
]


@pytest.mark.parametrize(("action", "expected"), DONE_MEANWHILE)
def test_what_is_done_while_before_is_shown_is_done_to_the_present_state(action, expected):
    screen = Screen(WorkbenchSession("article", "all"))
    screen.act(EDIT)
    screen.act(BEFORE)
    update = screen.act(action)
    inputs = screen.session.state.inputs
    assert {"X": inputs["X"][0, 0], "W_K": inputs["W_K"][0, 2]} == expected
    assert update["on"] == []
    screen.assert_is_complete()


@pytest.mark.parametrize(
    "action",
    [["set", "tokens", "one, two"], ["set", "preset", "two_heads"], ["press", "load", to_json(preset("positions"))],
     ["press", "head/2"]],
)  # fmt: skip
def test_the_swap_is_complete_when_the_screen_looks_different_before(action):
    screen = Screen(WorkbenchSession("two_heads", "all"))
    screen.act(EDIT)
    first, _ = text_of(screen.session), screen.act(action)
    text, frame, cells = text_of(screen.session), screen.frame, dict(screen.cells)
    screen.act(BEFORE)
    screen.assert_is_complete()
    assert text_of(screen.session) == text
    screen.act(BEFORE)
    screen.assert_is_complete()
    assert (screen.frame, screen.cells) == (frame, cells) and text_of(screen.session) == text
    screen.act(["press", "undo"])
    assert action[1] == "head/2" or text_of(screen.session) == first


def test_the_open_head_and_the_chosen_row_are_the_same_again_after_a_swap():
    screen = Screen(WorkbenchSession("two_heads", "heads"))
    screen.act(["set", "num_heads", "1"])
    screen.act(["set", "num_heads", "2"])
    screen.act(["press", "head/2"])
    frame = screen.frame
    screen.act(BEFORE)
    assert 'name="head/2"' not in screen.frame
    screen.act(BEFORE)
    assert screen.frame == frame


def test_a_swap_is_no_change_for_the_history():
    session = WorkbenchSession("article", "all")
    act(session, EDIT, ["edit", "X:0,0", "7"])
    act(session, BEFORE, BEFORE, BEFORE)
    act(session, ["press", "undo"])
    assert session.state.inputs["X"][0, 0] == 1 and session.state.inputs["W_K"][0, 2] == 5
    act(session, ["press", "undo"])
    assert session.state is preset("article")


def test_a_row_can_be_walked_before_and_after():
    session = WorkbenchSession("article", "scaled_scores")
    act(session, ["select", "scores/1:0,2"], ["edit", "W_K:2,2", "9"])
    now = said(walk(session, "products"), "arithmetic")
    update = act(session, BEFORE)
    assert title(update) == "products" and said(update, "arithmetic") != now and update["on"] == ["before"]
    assert title(act(session, NEXT)) == "sum"
    update = act(session, BACK, BEFORE)
    assert said(update, "arithmetic") == now and update["on"] == []


def test_a_pinned_state_is_compared_with_until_it_is_let_go():
    session = WorkbenchSession("article", "scaled_scores")
    act(session, EDIT)
    update = act(session, PIN)
    assert update["on"] == ["pin"] and "before" in update["off"] and said(update, "status").startswith("Pinned: ")
    assert act(session, BEFORE)["on"] == ["pin"] and session.alert.startswith("There is nothing to compare with")
    update = act(session, ["edit", "W_K:1,2", "2"])
    assert said(update, "status") == "Since the pin: W_K[2,3]: 0 → 2. Moved: K, scores. Not moved: Q."
    update = act(session, ["edit", "W_K:2,2", "3"])
    assert said(update, "status").startswith("Since the pin: 2 changes at once.")
    update = act(session, BEFORE)
    assert said(update, "status") == "Pinned: W_K[2,3] = 0, W_K[3,3] = 0. Press again for after."
    assert update["on"] == ["before", "pin"]
    update = act(session, PIN)  # lets go, and the present state is back
    assert update["on"] == [] and said(update, "status") == "W_K[3,3]: 0 → 3. Moved: K, scores. Not moved: Q."


def test_what_is_on_the_screen_is_pinned():
    session = WorkbenchSession("article", "all")
    act(session, EDIT, BEFORE, PIN)
    update = act(session, ["edit", "X:0,0", "7"])
    assert said(update, "status").startswith("Since the pin: 2 changes at once.")
    assert said(act(session, BEFORE), "status") == "Pinned: X[1,1] = 1, W_K[1,3] = 1. Press again for after."


SETTINGS = [
    (["set", "scale", "none"], "Before: scale = 1.73205."),
    (["set", "mask", "causal"], "Before: mask = none."),
    (["set", "temperature", "3"], "Before: temperature = 1."),
    (["set", "tokens", "a, b, c"], "Before: tokens = innovators, create, disrupt, 10 other numbers."),
    (["set", "tokens", "a, b"], "Before: other sizes."),
    (["set", "preset", "article_scale_1"], "Before: scale = 1.73205."),
    (["set", "preset", "saturated"], "Before: 12 other numbers."),
]


@pytest.mark.parametrize(("action", "status"), SETTINGS)
def test_the_status_says_what_was_before(action, status):
    session = WorkbenchSession("article", "all")
    assert said(act(session, action, BEFORE), "status") == f"{status} Press again for after."


# Whatever the hand does


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("seed", range(3))
def test_the_updates_leave_nothing_old_on_the_screen(stage, seed):
    rng = random.Random(f"{stage} {seed}")
    screen = Screen(WorkbenchSession(rng.choice(["article", "two_heads", "positions", "translation"]), stage))
    for _ in range(30):
        buttons = [NEXT, NEXT, BACK, BEFORE, BEFORE, PIN, ["press", f"head/{rng.randint(1, 3)}"]]
        action = rng.choice([random_action(rng, screen.session), rng.choice(buttons)])
        kept = text_of(screen.session)
        update = screen.act(action)
        screen.assert_is_complete(action)
        assert action not in buttons or text_of(screen.session) == kept
        assert set(update["marks"]["reached"]) <= set(screen.cells)

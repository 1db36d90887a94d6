"""The workbench under keys and mouse: what it shows is what Python computes, and nothing is lost."""

import contextlib
import io
import json
from dataclasses import replace

import pytest
from driving import (
    cell,
    entry,
    expect_numbers,
    numbers_of,
    numbers_on,
    open_all,
    part,
    replace_text,
    type_into,
    written,
)
from lab import SECONDS, wait_until
from playwright.sync_api import expect

from mha_course import Workbench, preset, steps
from mha_course.forward.origin import origin
from mha_course.pictures.board import BRIEF

ARTICLE = preset("article")
FOCUSED = """() => {
    const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();
    const shape = at.ownerSVGElement && at.querySelector('rect, circle'), ring = shape && getComputedStyle(shape);
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return {
        workbench: [...document.querySelectorAll('.mha-workbench')].findIndex(each => each.contains(at)),
        at: at.closest('td')?.dataset.at, name: at.name, isInput: at.tagName === 'INPUT',
        outline: ring ? ring.stroke : style.outlineStyle,
        width: parseFloat(ring ? ring.strokeWidth : style.outlineWidth),
        isCovered: !(top && (at.contains(top) || top.contains(at))), by: top?.outerHTML.slice(0, 200),
    };
}"""


@pytest.fixture
def tab(plain_tab):
    """A page with two workbenches and a second view of the first, all at their beginning."""
    first = Workbench()
    plain_tab.show(first, Workbench(), first)
    open_all(plain_tab.page)
    yield plain_tab
    assert plain_tab.errors == []


@pytest.fixture
def workbench(tab):
    """The first of the workbenches."""
    return tab.workbenches.nth(0)


@pytest.fixture
def other(tab):
    """The second, which is a workbench of its own."""
    return tab.workbenches.nth(1)


@pytest.fixture
def twin(tab):
    """The second view of the first."""
    return tab.workbenches.nth(2)


@pytest.fixture
def keyboard(tab):
    return tab.page.keyboard


def focused(workbench):
    return workbench.page.evaluate(FOCUSED)


def walk_by_tab(workbench):
    """Press Tab from the first control to the last, and list what had the focus."""
    workbench.locator("select, input, button:enabled").first.focus()
    stops = [focused(workbench)]
    number = stops[0]["workbench"]
    while stops[-1]["workbench"] == number:
        workbench.page.keyboard.press("Tab")
        stops.append(focused(workbench))
        assert len(stops) < 200
    return stops[:-1]


# The keyboard


def test_tab_follows_the_chain_and_the_focus_can_be_seen(workbench):
    stops = walk_by_tab(workbench)
    names = ("X", "W_Q", "W_K", "W_V", "W_O")  # from left to right
    assert [stop["at"] for stop in stops if stop["isInput"] and stop["at"]] == [
        f"{name}:{row},{column}"
        for name in names
        for row in range(ARTICLE.inputs[name].shape[0])
        for column in range(ARTICLE.inputs[name].shape[1])
    ]
    computed = [stop["at"].split(":")[0] for stop in stops if stop["at"] and not stop["isInput"]]
    assert computed == ["Q/1", "K/1", "V/1", "scores/1", "weights/1", "output/1", "result"]
    assert [stop for stop in stops if stop["outline"] == "none" or not stop["width"]] == []


def test_what_has_the_focus_is_never_covered(workbench):
    assert [stop for stop in walk_by_tab(workbench) if stop["isCovered"]] == []


def test_a_typed_number_and_enter_changes_everything_that_follows(workbench):
    expect_numbers(workbench, ARTICLE)
    type_into(workbench, "W_K:0,2", "-2.5")
    state = ARTICLE.with_entry("W_K", 0, 2, -2.5)
    expect_numbers(workbench, state)
    expect(cell(workbench, "scores/1:1,2")).to_have_text(f"{steps(state)['scores/1'].values[1, 2]:.2f}")
    expect(entry(workbench, "W_K:0,2")).to_have_value("-2.5")
    expect(entry(workbench, "W_K:0,2")).to_be_focused()


def test_what_is_being_typed_before_the_first_answer_stays(plain_tab):
    keyboard, shown = plain_tab.page.keyboard, Workbench()
    plain_tab.show(shown)
    with plain_tab.held():
        plain_tab.add(shown)  # a second view, which has no answer yet
        field = entry(plain_tab.workbenches.last, "W_K:0,2")
        field.focus()
        keyboard.press("ControlOrMeta+a")
        keyboard.press("Delete")
    plain_tab.settle()
    keyboard.insert_text("5")
    keyboard.press("Enter")
    expect(field).to_have_value("5")
    expect_numbers(plain_tab.workbenches.last, ARTICLE.with_entry("W_K", 0, 2, 5))


def test_leaving_a_field_by_tab_keeps_what_was_typed(workbench, keyboard):
    entry(workbench, "X:2,2").focus()
    keyboard.press("Tab")  # which selects what the next field says
    keyboard.type("3")
    keyboard.press("Tab")
    expect_numbers(workbench, ARTICLE.with_entry("X", 2, 3, 3))


def test_a_refused_text_does_not_stay_as_if_it_were_the_number(workbench, keyboard):
    type_into(workbench, "W_K:2,0", "x")
    expect(entry(workbench, "W_K:2,0")).to_have_attribute("aria-invalid", "true")
    keyboard.press("Tab")
    expect(entry(workbench, "W_K:2,0")).to_have_value("0")
    type_into(workbench, "W_K:2,0", "y")
    expect(part(workbench, "alert")).to_contain_text("is not a number")
    keyboard.press("ArrowUp")
    expect(entry(workbench, "W_K:2,0")).to_have_value("0.1")
    expect_numbers(workbench, ARTICLE.with_entry("W_K", 2, 0, 0.1))


def test_a_second_number_replaces_the_first(workbench, keyboard):
    entry(workbench, "W_K:0,0").click()
    keyboard.type("2")
    keyboard.press("Enter")
    keyboard.type("4")
    keyboard.press("Enter")
    expect_numbers(workbench, ARTICLE.with_entry("W_K", 0, 0, 4))


def test_a_second_click_keeps_a_number_selected(workbench, keyboard):
    for _ in range(2):
        entry(workbench, "W_K:0,0").click()
    keyboard.type("3")
    keyboard.press("Enter")
    expect_numbers(workbench, ARTICLE.with_entry("W_K", 0, 0, 3))


def test_escape_restores_the_number(workbench, keyboard):
    field = entry(workbench, "W_Q:0,0")
    field.focus()
    keyboard.press("ControlOrMeta+a")
    keyboard.type("77")
    expect(field).to_have_value("77")
    keyboard.press("Escape")
    expect(field).to_have_value("1")
    expect(field).to_be_focused()
    keyboard.press("Tab")
    keyboard.press("ArrowUp")  # its answer comes after that to the field before, had there been a change
    expect_numbers(workbench, ARTICLE.with_entry("W_Q", 0, 1, 0.1))


def test_the_arrow_keys_change_by_a_tenth_and_with_shift_by_1(workbench, keyboard):
    field = entry(workbench, "W_V:0,1")
    field.focus()
    for key, value in (("ArrowUp", 2.1), ("Shift+ArrowUp", 3.1), ("ArrowDown", 3), ("Shift+ArrowDown", 2)):
        keyboard.press(key)
        expect(field).to_have_value(f"{value:g}")
        expect_numbers(workbench, ARTICLE.with_entry("W_V", 0, 1, value))
        expect(field).to_be_focused()


def test_a_change_is_announced(workbench, keyboard):
    expect(part(workbench, "status")).to_have_attribute("role", "status")
    expect(part(workbench, "alert")).to_have_attribute("role", "alert")
    entry(workbench, "W_K:0,2").focus()
    keyboard.press("Shift+ArrowUp")
    expect(part(workbench, "status")).to_contain_text("W_K[1,3]: 1 → 2.")


def test_no_key_is_lost_in_a_burst(workbench, record_property):
    field = entry(workbench, "W_Q:2,2")
    field.focus()
    state = ARTICLE.with_entry("W_Q", 2, 2, 21.0)
    milliseconds = field.evaluate(
        """async (field, [expected, patience]) => {
            const workbench = field.closest('.mha-workbench');
            for (let i = 0; i < 200; i++) {
                field.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowUp', bubbles: true, cancelable: true}));
                await new Promise(done => setTimeout(done, 5));
            }
            const last = performance.now();
            const isShown = () => Object.entries(expected).every(([at, text]) =>
                workbench.querySelector(`td[data-at="${at}"]`).textContent === text);
            while (!isShown() && performance.now() - last < patience) await new Promise(requestAnimationFrame);
            return performance.now() - last;
        }""",
        [numbers_of(state), 1000 * SECONDS],
    )
    record_property("milliseconds from the last key to the right numbers", round(milliseconds))
    print(f"\nThe burst was shown {milliseconds:.0f} ms after its last key.")
    expect(field).to_have_value("21")
    expect_numbers(workbench, state)
    assert milliseconds < 1000 * SECONDS


def test_a_busy_kernel_is_spoken_of_and_no_change_is_lost(tab, workbench):
    with tab.held():
        type_into(workbench, "W_Q:0,0", "3")
        expect(part(workbench, "notice")).to_contain_text("No answer yet.")
        type_into(workbench, "W_Q:0,1", "4")
    expect_numbers(workbench, ARTICLE.with_entry("W_Q", 0, 0, 3).with_entry("W_Q", 0, 1, 4))
    expect(part(workbench, "notice")).to_be_empty()


# The mouse


def test_a_click_a_number_and_a_click_elsewhere_change_the_state(workbench, keyboard):
    entry(workbench, "W_O:0,0").click()
    keyboard.press("ControlOrMeta+a")
    keyboard.type("-4")
    part(workbench, "words").click()
    expect_numbers(workbench, ARTICLE.with_entry("W_O", 0, 0, -4))


@pytest.mark.parametrize(("pixels", "value"), [(30, 0.5), (-72, -1.2), (5, 0)])
def test_dragging_sideways_changes_by_a_tenth_for_every_6_pixels(tab, workbench, pixels, value):
    field = entry(workbench, "W_K:1,2")
    field.hover()
    box = field.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.page.mouse.move(x, y)
    tab.page.mouse.down()
    tab.page.mouse.move(x + pixels, y, steps=10)
    tab.page.mouse.up()
    tab.page.mouse.move(x, y, steps=5)  # without a button: changes nothing any more
    expect(field).to_have_value(f"{value:g}")
    expect_numbers(workbench, ARTICLE.with_entry("W_K", 1, 2, value))
    if value:
        workbench.locator("button[name=undo]").click()  # one drag is one change
        expect_numbers(workbench, ARTICLE)


# Entries that cannot be


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("abc", '"abc" is not a number'),
        ("", "the cell is empty"),
        ("1e999", "larger than any number"),
        ("nan", "not a finite number"),
        ("7," * 200, "(400 characters)"),
        ("1e308", "the largest that the workbench takes"),
    ],
    ids=lambda text: text[:12] or "nothing",
)
def test_a_bad_entry_is_marked_and_explained_and_changes_nothing(workbench, keyboard, text, reason):
    type_into(workbench, "W_K:0,2", text)
    expect(entry(workbench, "W_K:0,2")).to_have_attribute("aria-invalid", "true")
    expect(part(workbench, "alert")).to_contain_text("W_K[1,3]: ")
    expect(part(workbench, "alert")).to_contain_text(reason)
    expect(part(workbench, "alert")).to_contain_text("It stays 1.")
    expect_numbers(workbench, ARTICLE)
    type_into(workbench, "W_K:0,2", "5")
    expect(part(workbench, "alert")).to_be_empty()
    expect(workbench.locator("[aria-invalid=true]")).to_have_count(0)
    expect_numbers(workbench, ARTICLE.with_entry("W_K", 0, 2, 5))


# Where a number came from


@pytest.mark.parametrize("at", ["Q/1:1,2", "scores/1:1,2", "weights/1:0,2", "output/1:2,1", "result:2,0"])
def test_a_selected_number_says_where_it_came_from(workbench, at):
    cell(workbench, at).click()
    key, place = at.split(":")
    expect_origin(workbench, key, *map(int, place.split(",")))


def expect_origin(workbench, key, row, column):
    found = origin(ARTICLE, steps(ARTICLE), key, row, column)
    expect(part(workbench, "arithmetic")).to_have_text(found.arithmetic)
    expect(part(workbench, "words")).to_have_text(found.words)
    marked = workbench.locator("td.mha-source").evaluate_all("all => all.map(td => td.dataset.at)")
    assert set(marked) == {f"{name}:{r},{c}" for name, r, c in found.sources}
    selected = workbench.locator("td.mha-selected, [aria-selected=true]")
    assert set(selected.evaluate_all("all => all.map(td => td.dataset.at)")) == {f"{key}:{row},{column}"}


def test_the_arrow_keys_walk_through_a_computed_matrix(workbench, keyboard):
    cell(workbench, "weights/1:0,0").focus()
    expect_origin(workbench, "weights/1", 0, 0)
    path = (("ArrowRight", 0, 1), ("ArrowDown", 1, 1), ("ArrowDown", 2, 1), ("ArrowDown", 2, 1), ("ArrowLeft", 2, 0))
    for key, row, column in (*path, ("ArrowLeft", 2, 0), ("ArrowUp", 1, 0)):
        keyboard.press(key)
        expect(cell(workbench, f"weights/1:{row},{column}")).to_be_focused()
        expect_origin(workbench, "weights/1", row, column)
    assert workbench.locator('td[data-at^="weights/1:"][tabindex="0"]').count() == 1


# What moved


def test_marks_say_which_numbers_moved_and_which_way(workbench):
    type_into(workbench, "W_K:0,2", "0.25")
    before, after = steps(ARTICLE), steps(ARTICLE.with_entry("W_K", 0, 2, 0.25))
    expected, shown = {}, {at.split(":")[0] for at in numbers_of(ARTICLE)}
    for key, step in after.items():
        difference = step.values - before[key].values
        for row, column in zip(*(abs(difference) > 1e-12).nonzero(), strict=True):
            if not step.is_input and key in shown:
                expected[f"{key}:{row},{column}"] = "▲" if difference[row, column] > 0 else "▼"
    assert {at.split("/")[0] for at in expected} >= {"K", "scores", "weights"}
    assert not any(at.startswith(("V/", "Q/")) for at in expected)
    marks = "all => Object.fromEntries(all.map(td => [td.dataset.at, td.dataset.moved[0]]))"
    wait_until(lambda: workbench.locator("td[data-moved]").evaluate_all(marks) == expected, "the marks")
    expect(part(workbench, "status")).to_contain_text("Not moved: Q, V.")
    shown = cell(workbench, "K/1:0,2").evaluate("td => getComputedStyle(td, '::after').content")
    assert shown == '"▼"'
    cell(workbench, "K/1:0,2").click()
    expect(part(workbench, "hint")).to_have_text("The last change moved it by ▼ 0.75.")


# The controls


def press(workbench, name):
    workbench.locator(f"button[name={name}]").click()


def set_field(workbench, name, text):
    replace_text(workbench.locator(f"input[name={name}]"), text, end="Tab")


def test_undo_redo_and_reset(workbench):
    undo, redo = (workbench.locator(f"button[name={name}]") for name in ("undo", "redo"))
    expect(undo).to_be_disabled()
    expect(redo).to_be_disabled()
    one = ARTICLE.with_entry("X", 0, 0, 9)
    two = one.with_entry("W_V", 1, 1, -1)
    type_into(workbench, "X:0,0", "9")
    expect_numbers(workbench, one)
    type_into(workbench, "W_V:1,1", "-1")
    expect_numbers(workbench, two)
    for name, state in (("undo", one), ("undo", ARTICLE), ("redo", one), ("redo", two), ("reset", ARTICLE)):
        press(workbench, name)
        expect_numbers(workbench, state)
    expect(entry(workbench, "X:0,0")).to_have_value("1")
    press(workbench, "undo")  # of the reset
    expect_numbers(workbench, two)


def test_undoing_all_by_keyboard_keeps_the_focus(workbench, keyboard):
    undo = workbench.locator("button[name=undo]")
    type_into(workbench, "X:0,0", "9")
    expect(undo).to_be_enabled()
    undo.focus()
    keyboard.press("Enter")
    expect(undo).to_be_disabled()
    expect(undo).to_be_focused()
    keyboard.press("Enter")  # does nothing any more
    expect_numbers(workbench, ARTICLE)


@pytest.mark.parametrize("name", ["identity", "translation", "positions", "eight_identical_heads", "causal"])
def test_another_example_shows_its_numbers(workbench, name):
    workbench.locator("select[name=preset]").focus()
    workbench.locator("select[name=preset]").select_option(name)
    expect_numbers(workbench, preset(name))
    expect(workbench.locator("select[name=preset]")).to_have_value(name)
    expect(workbench.locator("select[name=preset]")).to_be_focused()


def test_heads_that_do_not_divide_are_refused(workbench):
    heads = workbench.locator("select[name=num_heads]")
    heads.select_option("2")
    expect(part(workbench, "alert")).to_contain_text("cannot be cut into 2 equal heads")
    expect(heads).to_have_value("1")
    expect_numbers(workbench, ARTICLE)
    heads.select_option("3")
    state = json_state(workbench)
    assert state["num_heads"] == 3


def json_state(workbench):
    """Read the state from the panel "As data"."""
    return json.loads(text_of_panel(workbench, "data"))


def text_of_panel(workbench, name):
    panel = workbench.locator(f"details[data-form={name}]")
    if panel.get_attribute("open") is None:
        panel.locator("summary").click()
    expect(panel.locator("textarea")).not_to_have_value("")
    return panel.locator("textarea").input_value()


def test_scale_and_temperature_change_the_numbers(workbench):
    workbench.locator("select[name=scale]").select_option("the article's 1")
    expect_numbers(workbench, replace(ARTICLE, scale="article"))
    expect(workbench.locator("input[name=divisor]")).to_have_value("1")
    set_field(workbench, "divisor", "2.5")
    expect_numbers(workbench, replace(ARTICLE, scale=2.5))
    expect(workbench.locator("select[name=scale]")).to_have_value("own")
    set_field(workbench, "temperature", "0.5")
    expect_numbers(workbench, replace(ARTICLE, scale=2.5, temperature=0.5))
    for name, text in (("temperature", "0"), ("divisor", "-1"), ("temperature", "hot")):
        set_field(workbench, name, text)
        expect(part(workbench, "alert")).to_contain_text("Temperature" if name == "temperature" else "Divide by")
    expect_numbers(workbench, replace(ARTICLE, scale=2.5, temperature=0.5))


def test_a_mask_chosen_by_keyboard_hides_the_later_keys(workbench, keyboard):
    mask, state = workbench.locator("select[name=mask]"), replace(ARTICLE, mask="causal")
    mask.focus()
    keyboard.press("ArrowDown")
    expect_numbers(workbench, state)
    expect(mask).to_have_value("causal")
    expect(mask).to_be_focused()
    shown = numbers_on(workbench)
    assert [float(shown[f"weights/1:0,{column}"]) for column in range(3)] == [1, 0, 0]
    expect(part(workbench, "status")).to_contain_text("mask: none → causal. Moved: weights, ")
    assert hatched_on(workbench) == {f"{key}/1:{at}" for key in ("scores", "weights") for at in ("0,1", "0,2", "1,2")}
    for at in ("weights/1:0,1", "weights/1:1,1"):
        row, column = map(int, at.split(":")[1].split(","))
        cell(workbench, at).click()
        expect(part(workbench, "arithmetic")).to_have_text(
            origin(state, steps(state), "weights/1", row, column).arithmetic
        )
    expect(part(workbench, "words")).to_contain_text("Masked keys take no part.")
    assert json_state(workbench)["mask"] == "causal"
    type_into(workbench, "W_K:0,2", "5")
    expect_numbers(workbench, state.with_entry("W_K", 0, 2, 5))
    for each in (state, ARTICLE):
        press(workbench, "undo")
        expect_numbers(workbench, each)
    expect(mask).to_have_value("none")
    assert hatched_on(workbench) == set()


def hatched_on(workbench):
    """The addresses of what looks masked; each must say so too."""
    hatched = workbench.locator("td[data-at]").evaluate_all(
        "all => all.filter(td => td.style.background.includes('repeating')).map(td => td.dataset.at)"
    )
    assert hatched == workbench.locator("td[title=masked]").evaluate_all("all => all.map(td => td.dataset.at)")
    return set(hatched)


def test_space_or_a_second_click_hides_a_key_from_a_query(workbench, keyboard):
    score = cell(workbench, "scores/1:1,2")
    score.click()
    expect(part(workbench, "hint")).to_contain_text("Space or a second click hides this key from this query")
    assert hatched_on(workbench) == set()  # the first click only asks
    keyboard.press("Space")
    hidden = ARTICLE.with_toggled(1, 2)
    expect_numbers(workbench, hidden)
    expect(score).to_be_focused()
    assert hatched_on(workbench) == {"scores/1:1,2", "weights/1:1,2"}
    expect(workbench.locator("select[name=mask]")).to_have_value("own")
    score.click()
    expect_numbers(workbench, ARTICLE)
    cell(workbench, "Q/1:0,0").click()
    keyboard.press("Space")
    expect(part(workbench, "alert")).to_contain_text("Q/1[1,1] cannot be hidden")


def test_enter_in_a_setting_is_enough(workbench):
    replace_text(workbench.locator("input[name=temperature]"), "0.5")
    expect_numbers(workbench, replace(ARTICLE, temperature=0.5))
    expect(workbench.locator("input[name=temperature]")).to_be_focused()


def test_tokens_are_texts_and_never_markup(workbench):
    evil = "<img src=x onerror=alert(1)>"
    set_field(workbench, "tokens", f"{evil}, \"><script>alert(2)</script>, it's & <b>")
    tokens = (evil, '"><script>alert(2)</script>', "it's & <b>")
    labels = workbench.locator('table[data-matrix="scores"]').locator("tbody th")
    expect(labels).to_have_text(list(tokens))
    expect_numbers(workbench, ARTICLE.with_tokens(tokens))
    cell(workbench, "weights/1:0,0").click()
    expect(part(workbench, "words")).to_contain_text(evil)
    assert workbench.locator("img, script, b b, th b").count() == 0  # and the fixture saw no dialog


def test_more_tokens_get_rows_and_none_is_refused(workbench):
    set_field(workbench, "tokens", "a, b, c, d")
    expect_numbers(workbench, ARTICLE.with_tokens(("a", "b", "c", "d")))
    expect(workbench.locator("select[name=num_heads]")).to_be_focused()  # though all was drawn anew
    set_field(workbench, "tokens", "")
    expect(part(workbench, "alert")).to_contain_text("token")
    expect_numbers(workbench, ARTICLE.with_tokens(("a", "b", "c", "d")))


# Code and data


def test_the_code_computes_the_shown_result(workbench):
    type_into(workbench, "W_K:0,2", "0.3")
    expect_numbers(workbench, ARTICLE.with_entry("W_K", 0, 2, 0.3))
    names = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(text_of_panel(workbench, "code"), names)
    shown = numbers_on(workbench)
    assert written(names["result"], BRIEF) == [
        [shown[f"result:{row},{column}"] for column in range(4)] for row in range(3)
    ]
    type_into(workbench, "W_K:0,2", "0.7")
    expect(workbench.locator("textarea[name=code]")).to_have_value(  # an open panel follows
        text_with("[0, 0, 0.7]", workbench)
    )


def text_with(line, workbench):
    area = workbench.locator("textarea[name=code]")
    wait_until(lambda: line in area.input_value(), f"{line} in the code")
    return area.input_value()


def test_data_loaded_elsewhere_gives_the_same_numbers(workbench, other):
    state = ARTICLE.with_entry("X", 1, 2, -3.75)
    type_into(workbench, "X:1,2", "-3.75")
    expect_numbers(workbench, state)
    text = text_of_panel(workbench, "data")
    load(other, text)
    expect_numbers(other, state)
    expect(entry(other, "X:1,2")).to_have_value("-3.75")


def load(workbench, text):
    text_of_panel(workbench, "data")
    workbench.locator("textarea[name=data]").fill(text)
    press(workbench, "load")


@pytest.mark.parametrize("text", ["[1, 2", '{"kind": 1}', "", '{"kind": "mha_course state, version 1"}'])
def test_damaged_data_is_refused(workbench, text):
    type_into(workbench, "X:1,2", "8")
    expect_numbers(workbench, ARTICLE.with_entry("X", 1, 2, 8))
    load(workbench, text)
    expect(part(workbench, "alert")).not_to_be_empty()
    expect(part(workbench, "alert")).to_contain_text("This")
    expect_numbers(workbench, ARTICLE.with_entry("X", 1, 2, 8))


# More than one


def test_two_workbenches_leave_each_other_alone(workbench, other):
    untouched = other.inner_html()
    type_into(workbench, "W_Q:1,1", "6")
    cell(workbench, "scores/1:2,2").click()
    expect(cell(workbench, "scores/1:2,2")).to_have_class("mha-selected")
    expect_numbers(workbench, ARTICLE.with_entry("W_Q", 1, 1, 6))
    assert other.inner_html() == untouched
    type_into(other, "W_Q:1,1", "-6")
    expect_numbers(other, ARTICLE.with_entry("W_Q", 1, 1, -6))
    expect_numbers(workbench, ARTICLE.with_entry("W_Q", 1, 1, 6))


def test_two_views_of_one_workbench_follow_each_other(workbench, twin, keyboard):
    state = ARTICLE.with_entry("W_Q", 1, 1, 6)
    type_into(workbench, "W_Q:1,1", "6")
    expect_numbers(workbench, state)
    expect_numbers(twin, state)
    expect(entry(twin, "W_Q:1,1")).to_have_value("6")
    entry(twin, "W_V:0,0").focus()
    keyboard.press("ArrowUp")
    for each in (workbench, twin):
        expect_numbers(each, state.with_entry("W_V", 0, 0, 0.1))
        expect(entry(each, "W_V:0,0")).to_have_value("0.1")
    twin.locator("select[name=preset]").select_option("translation")
    for each in (workbench, twin):
        expect_numbers(each, preset("translation"))
        expect(each.locator("select[name=preset]")).to_have_value("translation")

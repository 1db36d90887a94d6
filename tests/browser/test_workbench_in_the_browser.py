"""The workbench under keys and mouse: what it shows is what Python computes, and nothing is lost."""

import contextlib
import io
import json
from dataclasses import replace

import nbformat
import pytest
from driving import (
    cell,
    entry,
    expect_numbers,
    numbers_of,
    numbers_on,
    part,
    replace_text,
    type_into,
    written,
)
from lab import SECONDS, counts, open_notebook, run_all, wait_until
from playwright.sync_api import expect

from mha_course import preset, steps
from mha_course.pipeline.origin import origin

CELLS = (
    "from mha_course import Workbench",
    "first = Workbench()\nfirst",
    "Workbench()",
    "first  # a second view of the same",
)
METADATA = {"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}}
ARTICLE = preset("article")
FOCUSED = """() => {
    const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return {
        bench: [...document.querySelectorAll('.mha')].findIndex(each => each.contains(at)),
        at: at.closest('td')?.dataset.at, name: at.name, isInput: at.tagName === 'INPUT',
        outline: style.outlineStyle, width: parseFloat(style.outlineWidth),
        isCovered: !(top && (at.contains(top) || top.contains(at))), by: top?.outerHTML.slice(0, 200),
    };
}"""


@pytest.fixture(scope="module")
def open_tabs():
    """The page with the workbenches, once it is open; a test that failed may have spoilt it."""
    return []


@pytest.fixture
def tab(request, open_tabs, new_tab, lab):
    """A notebook with two workbenches and a second view of the first, all at their beginning."""
    if not open_tabs:
        cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
        nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=METADATA), lab.folder / "workbenches.ipynb")
        open_tabs.append(new_tab())
        open_notebook(open_tabs[0], "workbenches.ipynb")
    tab = open_tabs.pop()
    run_all(tab, benches=3)
    tab.errors.clear()
    failed = request.session.testsfailed
    yield tab
    assert tab.errors == []
    if request.session.testsfailed == failed:
        open_tabs.append(tab)


@pytest.fixture
def bench(tab):
    """The first of the workbenches."""
    return tab.benches.nth(0)


@pytest.fixture
def other(tab):
    """The second, which is a workbench of its own."""
    return tab.benches.nth(1)


@pytest.fixture
def twin(tab):
    """The second view of the first."""
    return tab.benches.nth(2)


@pytest.fixture
def keyboard(tab):
    return tab.page.keyboard


def focused(bench):
    return bench.page.evaluate(FOCUSED)


def walk_by_tab(bench):
    """Press Tab from the first control to the last, and list what had the focus."""
    bench.locator("select, input, button:enabled").first.focus()
    stops = [focused(bench)]
    number = stops[0]["bench"]
    while stops[-1]["bench"] == number:
        bench.page.keyboard.press("Tab")
        stops.append(focused(bench))
        assert len(stops) < 200
    return stops[:-1]


# The keyboard


def test_tab_follows_the_chain_and_the_focus_can_be_seen(bench):
    stops = walk_by_tab(bench)
    names = ("X", "W_Q", "W_K", "W_V", "W_O")
    assert [stop["at"] for stop in stops if stop["isInput"] and stop["at"]] == [
        f"{name}:{row},{column}"
        for name in names
        for row in range(ARTICLE.inputs[name].shape[0])
        for column in range(ARTICLE.inputs[name].shape[1])
    ]
    computed = [stop["at"].split(":")[0] for stop in stops if stop["at"] and not stop["isInput"]]
    assert computed == [key for key, step in steps(ARTICLE).items() if not step.is_input]
    assert [stop for stop in stops if stop["outline"] == "none" or not stop["width"]] == []


def test_what_has_the_focus_is_never_covered(bench):
    assert [stop for stop in walk_by_tab(bench) if stop["isCovered"]] == []


def test_a_typed_number_and_enter_changes_everything_that_follows(bench):
    expect_numbers(bench, ARTICLE)
    type_into(bench, "W_K:0,2", "-2.5")
    state = ARTICLE.with_entry("W_K", 0, 2, -2.5)
    expect_numbers(bench, state)
    expect(cell(bench, "scores/1:1,2")).to_have_text(f"{steps(state)['scores/1'].values[1, 2]:.4f}")
    expect(entry(bench, "W_K:0,2")).to_have_value("-2.5")
    expect(entry(bench, "W_K:0,2")).to_be_focused()


def test_leaving_a_field_by_tab_keeps_what_was_typed(bench, keyboard):
    entry(bench, "X:2,2").focus()
    keyboard.press("Tab")  # which selects what the next field says
    keyboard.type("3")
    keyboard.press("Tab")
    expect_numbers(bench, ARTICLE.with_entry("X", 2, 3, 3))


def test_a_refused_text_does_not_stay_as_if_it_were_the_number(bench, keyboard):
    type_into(bench, "W_K:2,0", "x")
    expect(entry(bench, "W_K:2,0")).to_have_attribute("aria-invalid", "true")
    keyboard.press("Tab")
    expect(entry(bench, "W_K:2,0")).to_have_value("0")
    type_into(bench, "W_K:2,0", "y")
    expect(part(bench, "alert")).to_contain_text("is not a number")
    keyboard.press("ArrowUp")
    expect(entry(bench, "W_K:2,0")).to_have_value("0.1")
    expect_numbers(bench, ARTICLE.with_entry("W_K", 2, 0, 0.1))


def test_a_second_number_replaces_the_first(bench, keyboard):
    entry(bench, "W_K:0,0").click()
    keyboard.type("2")
    keyboard.press("Enter")
    keyboard.type("4")
    keyboard.press("Enter")
    expect_numbers(bench, ARTICLE.with_entry("W_K", 0, 0, 4))


def test_escape_restores_the_number(bench, keyboard):
    field = entry(bench, "W_Q:0,0")
    field.focus()
    keyboard.press("ControlOrMeta+a")
    keyboard.type("77")
    expect(field).to_have_value("77")
    keyboard.press("Escape")
    expect(field).to_have_value("1")
    expect(field).to_be_focused()
    keyboard.press("Tab")
    keyboard.press("ArrowUp")  # its answer comes after that to the field before, had there been a change
    expect_numbers(bench, ARTICLE.with_entry("W_Q", 0, 1, 0.1))


def test_the_arrow_keys_change_by_a_tenth_and_with_shift_by_1(bench, keyboard):
    field = entry(bench, "W_V:0,1")
    field.focus()
    for key, value in (("ArrowUp", 2.1), ("Shift+ArrowUp", 3.1), ("ArrowDown", 3), ("Shift+ArrowDown", 2)):
        keyboard.press(key)
        expect(field).to_have_value(f"{value:g}")
        expect_numbers(bench, ARTICLE.with_entry("W_V", 0, 1, value))
        expect(field).to_be_focused()


def test_a_change_is_announced(bench, keyboard):
    expect(part(bench, "status")).to_have_attribute("role", "status")
    expect(part(bench, "alert")).to_have_attribute("role", "alert")
    entry(bench, "W_K:0,2").focus()
    keyboard.press("Shift+ArrowUp")
    expect(part(bench, "status")).to_contain_text("W_K[1,3]: 1 → 2.")


@pytest.mark.parametrize("at", ["W_K:0,2", "scores/1:0,0"])
def test_letters_typed_in_the_workbench_do_nothing_to_the_notebook(tab, bench, keyboard, at):
    before = counts(tab)
    (entry(bench, at) if at.startswith("W") else cell(bench, at)).focus()
    for key in ("a", "b", "d", "d", "x", "z", "c", "v", "m", "y", "0", "0", "Enter"):
        keyboard.press(key)
        assert focused(bench)["at"] == at, key
    if at.startswith("W"):
        keyboard.press("Escape")
        assert focused(bench)["at"] == at
    cell(bench, "weights/1:0,0").click()
    expect(cell(bench, "weights/1:0,0")).to_have_class("mha-selected")
    assert counts(tab) == before
    assert tab.page.locator(".jp-Notebook .jp-Cell").count() == len(CELLS)
    assert tab.page.locator(".jp-Dialog").count() == 0
    expect_numbers(bench, ARTICLE)


@pytest.mark.parametrize("control", ["button[name=reset]", "select[name=preset]", "summary", "textarea[name=code]"])
def test_letters_typed_on_a_control_do_nothing_to_the_notebook(tab, bench, keyboard, control):
    bench.locator("summary").first.click()
    bench.locator(control).first.focus()
    for key in ("a", "b"):  # in JupyterLab: a new cell above, a new cell below
        keyboard.press(key)
    cell(bench, "weights/1:0,0").click()  # JupyterLab has had the time for it
    expect(cell(bench, "weights/1:0,0")).to_have_class("mha-selected")
    assert tab.page.locator(".jp-Notebook .jp-Cell").count() == len(CELLS)


def test_no_key_is_lost_in_a_burst(bench, record_property):
    field = entry(bench, "W_Q:2,2")
    field.focus()
    state = ARTICLE.with_entry("W_Q", 2, 2, 21.0)
    milliseconds = field.evaluate(
        """async (field, [expected, patience]) => {
            const bench = field.closest('.mha');
            for (let i = 0; i < 200; i++) {
                field.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowUp', bubbles: true, cancelable: true}));
                await new Promise(done => setTimeout(done, 5));
            }
            const last = performance.now();
            const isShown = () => Object.entries(expected).every(([at, text]) =>
                bench.querySelector(`td[data-at="${at}"]`).textContent === text);
            while (!isShown() && performance.now() - last < patience) await new Promise(requestAnimationFrame);
            return performance.now() - last;
        }""",
        [numbers_of(state), 1000 * SECONDS],
    )
    record_property("milliseconds from the last key to the right numbers", round(milliseconds))
    print(f"\nThe burst was shown {milliseconds:.0f} ms after its last key.")
    expect(field).to_have_value("21")
    expect_numbers(bench, state)
    assert milliseconds < 1000


# The mouse


def test_a_click_a_number_and_a_click_elsewhere_change_the_state(bench, keyboard):
    entry(bench, "W_O:0,0").click()
    keyboard.press("ControlOrMeta+a")
    keyboard.type("-4")
    part(bench, "words").click()
    expect_numbers(bench, ARTICLE.with_entry("W_O", 0, 0, -4))


@pytest.mark.parametrize(("pixels", "value"), [(30, 0.5), (-72, -1.2), (5, 0)])
def test_dragging_sideways_changes_by_a_tenth_for_every_6_pixels(tab, bench, pixels, value):
    field = entry(bench, "W_K:1,2")
    field.hover()
    box = field.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.page.mouse.move(x, y)
    tab.page.mouse.down()
    tab.page.mouse.move(x + pixels, y, steps=10)
    tab.page.mouse.up()
    tab.page.mouse.move(x, y, steps=5)  # without a button: changes nothing any more
    expect(field).to_have_value(f"{value:g}")
    expect_numbers(bench, ARTICLE.with_entry("W_K", 1, 2, value))
    if value:
        bench.locator("button[name=undo]").click()  # one drag is one change
        expect_numbers(bench, ARTICLE)


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
def test_a_bad_entry_is_marked_and_explained_and_changes_nothing(bench, keyboard, text, reason):
    type_into(bench, "W_K:0,2", text)
    expect(entry(bench, "W_K:0,2")).to_have_attribute("aria-invalid", "true")
    expect(part(bench, "alert")).to_contain_text("W_K[1,3]: ")
    expect(part(bench, "alert")).to_contain_text(reason)
    expect(part(bench, "alert")).to_contain_text("It stays 1.")
    expect_numbers(bench, ARTICLE)
    type_into(bench, "W_K:0,2", "5")
    expect(part(bench, "alert")).to_be_empty()
    expect(bench.locator("[aria-invalid=true]")).to_have_count(0)
    expect_numbers(bench, ARTICLE.with_entry("W_K", 0, 2, 5))


# Where a number came from


@pytest.mark.parametrize("at", ["Q/1:1,2", "scores/1:1,2", "weights/1:0,2", "contributions/1:2,1", "result:2,0"])
def test_a_selected_number_says_where_it_came_from(bench, at):
    cell(bench, at).click()
    key, place = at.split(":")
    expect_origin(bench, key, *map(int, place.split(",")))


def expect_origin(bench, key, row, column):
    found = origin(ARTICLE, steps(ARTICLE), key, row, column)
    expect(part(bench, "arithmetic")).to_have_text(found.arithmetic)
    expect(part(bench, "words")).to_have_text(found.words)
    marked = bench.locator("td.mha-source").evaluate_all("all => all.map(td => td.dataset.at)")
    assert sorted(marked) == sorted(f"{name}:{r},{c}" for name, r, c in found.sources)
    selected = bench.locator("td.mha-selected, [aria-selected=true]")
    assert selected.evaluate_all("all => all.map(td => td.dataset.at)") == [f"{key}:{row},{column}"]


def test_the_arrow_keys_walk_through_a_computed_matrix(bench, keyboard):
    cell(bench, "weights/1:0,0").focus()
    expect_origin(bench, "weights/1", 0, 0)
    path = (("ArrowRight", 0, 1), ("ArrowDown", 1, 1), ("ArrowDown", 2, 1), ("ArrowDown", 2, 1), ("ArrowLeft", 2, 0))
    for key, row, column in (*path, ("ArrowLeft", 2, 0), ("ArrowUp", 1, 0)):
        keyboard.press(key)
        expect(cell(bench, f"weights/1:{row},{column}")).to_be_focused()
        expect_origin(bench, "weights/1", row, column)
    assert bench.locator('td[data-at^="weights/1:"][tabindex="0"]').count() == 1


# What moved


def test_marks_say_which_numbers_moved_and_which_way(bench):
    type_into(bench, "W_K:0,2", "0.25")
    before, after = steps(ARTICLE), steps(ARTICLE.with_entry("W_K", 0, 2, 0.25))
    expected = {}
    for key, step in after.items():
        difference = step.values - before[key].values
        for row, column in zip(*(abs(difference) > 1e-12).nonzero(), strict=True):
            if not step.is_input:
                expected[f"{key}:{row},{column}"] = "▲" if difference[row, column] > 0 else "▼"
    assert {at.split("/")[0] for at in expected} >= {"K", "scores", "weights"}
    assert not any(at.startswith(("V/", "Q/")) for at in expected)
    marks = "all => Object.fromEntries(all.map(td => [td.dataset.at, td.dataset.moved[0]]))"
    wait_until(lambda: bench.locator("td[data-moved]").evaluate_all(marks) == expected, "the marks", SECONDS / 3)
    expect(part(bench, "status")).to_contain_text("Not moved: Q, V.")
    shown = cell(bench, "K/1:0,2").evaluate("td => getComputedStyle(td, '::after').content")
    assert shown == '"▼ 0.75"'


# The controls


def press(bench, name):
    bench.locator(f"button[name={name}]").click()


def set_field(bench, name, text):
    replace_text(bench.locator(f"input[name={name}]"), text, end="Tab")


def test_undo_redo_and_reset(bench):
    undo, redo = (bench.locator(f"button[name={name}]") for name in ("undo", "redo"))
    expect(undo).to_be_disabled()
    expect(redo).to_be_disabled()
    one = ARTICLE.with_entry("X", 0, 0, 9)
    two = one.with_entry("W_V", 1, 1, -1)
    type_into(bench, "X:0,0", "9")
    expect_numbers(bench, one)
    type_into(bench, "W_V:1,1", "-1")
    expect_numbers(bench, two)
    for name, state in (("undo", one), ("undo", ARTICLE), ("redo", one), ("redo", two), ("reset", ARTICLE)):
        press(bench, name)
        expect_numbers(bench, state)
    expect(entry(bench, "X:0,0")).to_have_value("1")
    press(bench, "undo")  # of the reset
    expect_numbers(bench, two)


@pytest.mark.parametrize("name", ["identity", "translation", "positions", "eight_identical_heads", "causal"])
def test_another_example_shows_its_numbers(bench, name):
    bench.locator("select[name=preset]").focus()
    bench.locator("select[name=preset]").select_option(name)
    expect_numbers(bench, preset(name))
    expect(bench.locator("select[name=preset]")).to_have_value(name)
    expect(bench.locator("select[name=preset]")).to_be_focused()


def test_heads_that_do_not_divide_are_refused(bench):
    heads = bench.locator("select[name=num_heads]")
    heads.select_option("2")
    expect(part(bench, "alert")).to_contain_text("cannot be cut into 2 equal heads")
    expect(heads).to_have_value("1")
    expect_numbers(bench, ARTICLE)
    heads.select_option("3")
    state = json_state(bench)
    assert state["num_heads"] == 3


def json_state(bench):
    """Read the state from the panel "As data"."""
    return json.loads(text_of_panel(bench, "data"))


def text_of_panel(bench, name):
    panel = bench.locator(f"details[data-panel={name}]")
    if panel.get_attribute("open") is None:
        panel.locator("summary").click()
    expect(panel.locator("textarea")).not_to_have_value("")
    return panel.locator("textarea").input_value()


def test_scale_and_temperature_change_the_numbers(bench):
    bench.locator("select[name=scale]").select_option("the article's 1")
    expect_numbers(bench, replace(ARTICLE, scale="article"))
    expect(bench.locator("input[name=divisor]")).to_have_value("1")
    set_field(bench, "divisor", "2.5")
    expect_numbers(bench, replace(ARTICLE, scale=2.5))
    expect(bench.locator("select[name=scale]")).to_have_value("own number")
    set_field(bench, "temperature", "0.5")
    expect_numbers(bench, replace(ARTICLE, scale=2.5, temperature=0.5))
    for name, text in (("temperature", "0"), ("divisor", "-1"), ("temperature", "hot")):
        set_field(bench, name, text)
        expect(part(bench, "alert")).to_contain_text("Temperature" if name == "temperature" else "Divide by")
    expect_numbers(bench, replace(ARTICLE, scale=2.5, temperature=0.5))
    bench.locator("select[name=query]").select_option("2")
    expect_numbers(bench, replace(ARTICLE, scale=2.5, temperature=0.5), query=2)


def test_a_mask_chosen_by_keyboard_hides_the_later_keys(bench, keyboard):
    mask, state = bench.locator("select[name=mask]"), replace(ARTICLE, mask="causal")
    mask.focus()
    keyboard.press("ArrowDown")
    expect_numbers(bench, state)
    expect(mask).to_have_value("causal")
    expect(mask).to_be_focused()
    shown = numbers_on(bench)
    assert [float(shown[f"weights/1:0,{column}"]) for column in range(3)] == [1, 0, 0]
    expect(part(bench, "status")).to_contain_text("mask: none → causal. Moved: weights, ")
    expect(part(bench, "picture")).to_contain_text("softmax (later keys masked) of every row")
    hatched = "all => all.filter(td => getComputedStyle(td).backgroundImage !== 'none').map(td => td.dataset.at)"
    assert bench.locator("td[data-at]").evaluate_all(hatched) == ["weights/1:0,1", "weights/1:0,2", "weights/1:1,2"]
    for at in ("weights/1:0,1", "weights/1:1,1"):
        row, column = map(int, at.split(":")[1].split(","))
        cell(bench, at).click()
        expect(part(bench, "arithmetic")).to_have_text(origin(state, steps(state), "weights/1", row, column).arithmetic)
    expect(part(bench, "words")).to_contain_text("Masked keys take no part.")
    assert json_state(bench)["mask"] == "causal"
    type_into(bench, "W_K:0,2", "5")
    expect_numbers(bench, state.with_entry("W_K", 0, 2, 5))
    for each in (state, ARTICLE):
        press(bench, "undo")
        expect_numbers(bench, each)
    expect(mask).to_have_value("none")
    assert bench.locator("td[data-at]").evaluate_all(hatched) == []


def test_enter_in_a_setting_is_enough(bench):
    replace_text(bench.locator("input[name=temperature]"), "0.5")
    expect_numbers(bench, replace(ARTICLE, temperature=0.5))
    expect(bench.locator("input[name=temperature]")).to_be_focused()


def test_tokens_are_texts_and_never_markup(bench):
    evil = "<img src=x onerror=alert(1)>"
    set_field(bench, "tokens", f"{evil}, \"><script>alert(2)</script>, it's & <b>")
    tokens = (evil, '"><script>alert(2)</script>', "it's & <b>")
    labels = bench.locator("table", has_text="scores (3 × 3)").locator("tbody th")
    expect(labels).to_have_text(list(tokens))
    expect_numbers(bench, ARTICLE.with_tokens(tokens))
    cell(bench, "weights/1:0,0").click()
    expect(part(bench, "words")).to_contain_text(evil)
    assert bench.locator("img, script, b b, th b").count() == 0  # and the fixture saw no dialog


def test_more_tokens_get_rows_and_none_is_refused(bench):
    set_field(bench, "tokens", "a, b, c, d")
    expect_numbers(bench, ARTICLE.with_tokens(("a", "b", "c", "d")))
    expect(bench.locator("select[name=num_heads]")).to_be_focused()  # though all was drawn anew
    set_field(bench, "tokens", "")
    expect(part(bench, "alert")).to_contain_text("one of the tokens is empty")
    expect_numbers(bench, ARTICLE.with_tokens(("a", "b", "c", "d")))


# Code and data


def test_the_code_computes_the_shown_result(bench):
    type_into(bench, "W_K:0,2", "0.3")
    expect_numbers(bench, ARTICLE.with_entry("W_K", 0, 2, 0.3))
    names = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(text_of_panel(bench, "code"), names)
    shown = numbers_on(bench)
    assert written(names["result"]) == [[shown[f"result:{row},{column}"] for column in range(4)] for row in range(3)]
    type_into(bench, "W_K:0,2", "0.7")
    expect(bench.locator("textarea[name=code]")).to_have_value(  # an open panel follows
        text_with("[0, 0, 0.7]", bench)
    )


def text_with(line, bench):
    area = bench.locator("textarea[name=code]")
    wait_until(lambda: line in area.input_value(), f"{line} in the code", SECONDS / 3)
    return area.input_value()


def test_data_loaded_elsewhere_gives_the_same_numbers(bench, other):
    state = ARTICLE.with_entry("X", 1, 2, -3.75)
    type_into(bench, "X:1,2", "-3.75")
    expect_numbers(bench, state)
    text = text_of_panel(bench, "data")
    load(other, text)
    expect_numbers(other, state)
    expect(entry(other, "X:1,2")).to_have_value("-3.75")


def load(bench, text):
    text_of_panel(bench, "data")
    bench.locator("textarea[name=data]").fill(text)
    press(bench, "load")


@pytest.mark.parametrize("text", ["[1, 2", '{"kind": 1}', "", '{"kind": "mha_course state, version 1"}'])
def test_damaged_data_is_refused(bench, text):
    type_into(bench, "X:1,2", "8")
    expect_numbers(bench, ARTICLE.with_entry("X", 1, 2, 8))
    load(bench, text)
    expect(part(bench, "alert")).not_to_be_empty()
    expect(part(bench, "alert")).to_contain_text("This")
    expect_numbers(bench, ARTICLE.with_entry("X", 1, 2, 8))


# More than one


def test_two_workbenches_leave_each_other_alone(bench, other):
    untouched = other.inner_html()
    type_into(bench, "W_Q:1,1", "6")
    cell(bench, "scores/1:2,2").click()
    expect(cell(bench, "scores/1:2,2")).to_have_class("mha-selected")
    expect_numbers(bench, ARTICLE.with_entry("W_Q", 1, 1, 6))
    assert other.inner_html() == untouched
    type_into(other, "W_Q:1,1", "-6")
    expect_numbers(other, ARTICLE.with_entry("W_Q", 1, 1, -6))
    expect_numbers(bench, ARTICLE.with_entry("W_Q", 1, 1, 6))


def test_two_views_of_one_workbench_follow_each_other(bench, twin, keyboard):
    state = ARTICLE.with_entry("W_Q", 1, 1, 6)
    type_into(bench, "W_Q:1,1", "6")
    expect_numbers(bench, state)
    expect_numbers(twin, state)
    expect(entry(twin, "W_Q:1,1")).to_have_value("6")
    entry(twin, "W_V:0,0").focus()
    keyboard.press("ArrowUp")
    for each in (bench, twin):
        expect_numbers(each, state.with_entry("W_V", 0, 0, 0.1))
        expect(entry(each, "W_V:0,0")).to_have_value("0.1")
    twin.locator("select[name=preset]").select_option("translation")
    for each in (bench, twin):
        expect_numbers(each, preset("translation"))
        expect(each.locator("select[name=preset]")).to_have_value("translation")


def test_after_a_restart_of_the_kernel_all_works_again(tab, bench):
    type_into(bench, "W_Q:1,1", "6")
    expect_numbers(bench, ARTICLE.with_entry("W_Q", 1, 1, 6))
    run_all(tab, benches=3, command="runmenu:restart-and-run-all")
    expect_numbers(bench, ARTICLE)
    type_into(bench, "W_Q:1,1", "7")
    expect_numbers(bench, ARTICLE.with_entry("W_Q", 1, 1, 7))

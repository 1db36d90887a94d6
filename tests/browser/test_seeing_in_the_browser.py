"""What the board shows beside its numbers: drawings that move, one row step by step, before and after."""

import re
from contextlib import nullcontext

import pytest
from driving import cell, entry, expect_numbers, in_motion, numbers_on, open_all, part, type_into
from lab import wait_until
from playwright.sync_api import expect

from mha_course import Workbench, preset

ARTICLE = preset("article")
# What is seen of drawings and miniatures: the matrix, row or entry that each of their parts is drawn of.
SEEN = """workbench => {
    const parts = [...workbench.querySelectorAll('[data-live-of], [data-look]')];
    const seen = parts.filter(each => getComputedStyle(each).visibility === 'visible').map(({ dataset }) =>
        dataset.liveOf ?? dataset.look);
    return [...new Set(seen)].sort().join(' ');
}"""


@pytest.fixture
def tab(plain_tab):
    """A page with a workbench of lesson 5, one of lesson 3 and one of lesson 6, as they begin."""
    plain_tab.show(
        Workbench(stage="weighted_sums"), Workbench(stage="scaled_scores"), Workbench("two_heads", stage="heads")
    )
    open_all(plain_tab.page)
    yield plain_tab
    assert plain_tab.errors == []


@pytest.fixture
def workbench(tab):
    """The workbench of lesson 5."""
    return tab.workbenches.nth(0)


@pytest.fixture
def keyboard(workbench):
    return workbench.page.keyboard


def test_two_keys_step_through_a_row(workbench, keyboard):
    cell(workbench, "weights/1:1,0").click()
    keyboard.press("n")
    expect(part(workbench, "words")).to_contain_text("Step 1 of ")
    transparent = "td => getComputedStyle(td).color.endsWith(', 0)')"
    assert cell(workbench, "output/1:1,0").evaluate(transparent)
    told = []
    while workbench.locator("button[name=next]").get_attribute("data-off") != "true":
        told.append(part(workbench, "words").text_content())
        keyboard.press("n")
        wait_until(lambda: part(workbench, "words").text_content() != told[-1], "the next step")
    assert 3 <= len(told) <= 11 and all(text.startswith(f"Step {i + 1} of") for i, text in enumerate(told))
    assert not cell(workbench, "output/1:1,0").evaluate(transparent)
    keyboard.press("p")
    expect(part(workbench, "words")).to_have_text(told[-1])
    for _ in told:
        keyboard.press("p")
    is_hidden = f"all => all.some({transparent})"
    wait_until(lambda: not workbench.locator("td[data-at]").evaluate_all(is_hidden), "everything, as before")
    keyboard.press("n")
    wait_until(lambda: workbench.locator("td[data-at]").evaluate_all(is_hidden), "a step")
    keyboard.press("Escape")
    wait_until(lambda: not workbench.locator("td[data-at]").evaluate_all(is_hidden), "everything, after Escape")


def is_step(words):
    return words.text_content().startswith("Step ")


def step_to(workbench, title):
    """Press n until the stop of that title is reached."""
    words = part(workbench, "words")
    for _ in range(12):
        if f" · {title}." in (before := words.text_content()):
            return
        workbench.page.keyboard.press("n")
        wait_until(lambda told=before: words.text_content() != told and is_step(words), "the next step")
    raise AssertionError(f"no stop {title}")


def test_no_drawing_is_ahead_of_the_step(workbench):
    values = "V/1 V/1:0 V/1:1 V/1:2"
    cell(workbench, "weights/1:1,0").focus()
    step_to(workbench, "query, keys, values")
    meaning = part(workbench, "meaning")
    expect(meaning).not_to_be_visible()  # it would say how the way ends
    assert workbench.evaluate(SEEN) == values
    step_to(workbench, "weights")
    expect(meaning).to_have_text("create looks most at create: 91 per cent.")
    assert workbench.evaluate(SEEN) == f"{values} weights/1:1"
    step_to(workbench, "mix")
    assert workbench.evaluate(SEEN) == f"{values} output/1:1 weights/1:1"


def test_no_arrow_and_no_miniature_is_ahead_of_the_step(workbench):
    scores, heads = (workbench.page.locator(".mha-workbench").nth(i) for i in (1, 2))
    every = [len(each.evaluate(SEEN)) for each in (scores, heads)]
    cell(scores, "scores/1:1,2").focus()
    step_to(scores, "query")
    assert scores.evaluate(SEEN) == "Q/1:1"
    step_to(scores, "sum")
    assert scores.evaluate(SEEN) == "K/1:0 K/1:1 K/1:2 Q/1:1"
    step_to(scores, "scale")
    assert scores.evaluate(SEEN) == "K/1:0 K/1:1 K/1:2 Q/1:1 scores/1:1"
    cell(heads, "weights/1:2,0").focus()
    step_to(heads, "scale")
    assert heads.evaluate(SEEN) == ""
    step_to(heads, "weights")
    assert heads.evaluate(SEEN) == "weights/1:2"
    expect(heads.locator(".mha-small svg")).not_to_be_visible()  # the other head
    cell(scores, "Q/1:0,0").focus()  # another entry ends the walk
    cell(heads, "Q/1:0,0").focus()
    wait_until(lambda: len(scores.evaluate(SEEN)) == every[0] and len(heads.evaluate(SEEN)) == every[1], "all again")


def test_the_keys_go_on_where_a_drawing_had_the_focus(workbench, keyboard):
    for token in ("[data-part=sentence] [data-word='0']", "[data-part=mixes] [data-token='key:1']"):
        workbench.locator(token).focus()
        for key in "nn":
            keyboard.press(key)
        expect(part(workbench, "words")).to_contain_text("Step 2 of ")
        for _ in range(2):
            keyboard.press("p")
        wait_until(lambda: not is_step(part(workbench, "words")), "the end of the walk")


# Counts what begins to fly from one entry to another.
FLOWN = """workbench => {
    workbench.flown = 0;
    new MutationObserver((all) => {
        const added = all.flatMap(({ addedNodes }) => [...addedNodes]);
        workbench.flown += added.filter(each => each.className === 'mha-flying').length;
    }).observe(workbench, { childList: true });
}"""


@pytest.mark.parametrize(("motion", "flies"), [(nullcontext, False), (in_motion, True)])
def test_in_a_step_the_operands_move_into_the_entry_that_they_make(workbench, keyboard, motion, flies):
    scores = workbench.page.locator(".mha-workbench").nth(1)
    scores.evaluate(FLOWN)
    with motion(workbench.page):
        cell(scores, "scores/1:1,2").focus()
        step_to(scores, "sum")
    assert (scores.evaluate("each => each.flown") > 0) == flies


def test_a_table_that_moved_says_so(workbench):
    type_into(workbench, "W_V:0,0", "2")
    word = "table => getComputedStyle(table.caption, '::after').content"
    for name, is_moved in (("V", True), ("output", True), ("weights", False)):
        table = workbench.locator(f"table[data-matrix={name}]").first
        wait_until(lambda t=table, m=is_moved: (t.evaluate(word) == '"moved"') == m, f"the word at {name}")


def test_one_key_swaps_before_and_after(workbench, keyboard):
    type_into(workbench, "W_K:0,2", "3")
    changed = ARTICLE.with_entry("W_K", 0, 2, 3)
    expect_numbers(workbench, changed, stage="weighted_sums")
    keyboard.press("s")
    expect_numbers(workbench, ARTICLE, stage="weighted_sums")
    expect(part(workbench, "status")).to_have_text("Before: W_K[1,3] = 1. Press again for after.")
    expect(workbench.locator("button[name=before]")).to_have_attribute("aria-pressed", "true")
    keyboard.press("s")
    expect_numbers(workbench, changed, stage="weighted_sums")


def test_a_drawing_follows_in_place(workbench):
    curve = workbench.locator("[data-part=sentence] path[stroke-opacity='0.95']").nth(2)
    curve.evaluate("curve => (curve.sameNode = true)")
    thin = float(curve.get_attribute("stroke-width"))
    type_into(workbench, "W_V:0,0", "5")  # which moves no weight
    type_into(workbench, "X:2,1", "5")
    wait_until(lambda: float(curve.get_attribute("stroke-width")) > thin + 1, "a thicker curve")
    assert curve.evaluate("curve => curve.sameNode")


def test_arcs_glide_where_they_are_few_and_in_front(tab):
    tab.show(Workbench("two_heads", stage="heads"), Workbench("paper_size"))
    glides = "all => all.map(each => parseFloat(getComputedStyle(each).transitionDuration) > 0)"
    few, many = (tab.workbenches.nth(i).locator(".mha-drawing > .mha-sentence") for i in (0, 1))
    with in_motion(tab.page):
        for drawing, expected in ((few, True), (tab.workbenches.nth(0).locator(".mha-small"), False), (many, False)):
            assert set(drawing.locator("path").evaluate_all(glides)) == {expected}


def test_another_word_is_chosen_and_its_line_stands_out_in_every_matrix(tab):
    heads, lines = tab.workbenches.nth(2), "all => all.map(row => row.cells[0].textContent)"
    words = heads.locator("[data-part=sentence] [data-word]")
    words.nth(1).click()
    tab.page.keyboard.press("ArrowRight")
    expect(part(heads, "meaning")).to_have_text("disrupt looks most at create: 75 per cent.")
    expect(words.nth(2)).to_be_focused()
    expect(words.nth(2)).to_have_attribute("aria-checked", "true")
    rows = heads.locator("tr[data-chosen]")
    assert len(rows.all()) >= 8 and set(rows.evaluate_all(lines)) == {"disrupt"}
    cell(heads, "Q/1:0,1").click()  # whoever asks for a number of a word means that word
    expect(part(heads, "meaning")).to_contain_text("innovators looks most at")


def test_a_corner_of_the_plane_can_be_moved_by_keys_and_by_hand(workbench, keyboard):
    corner = workbench.locator("[data-part=mixes] [data-x='V/1:0,1']")
    corner.focus()
    before = numbers_on(workbench)["V/1:0,1"]
    keyboard.press("Shift+ArrowRight")
    wait_until(lambda: float(numbers_on(workbench)["V/1:0,1"]) == float(before) + 1, "a value that moved by 1")
    expect(part(workbench, "status")).to_contain_text("W_V[")
    box = corner.locator("circle").first.bounding_box()
    mouse = workbench.page.mouse
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move(box["x"] + box["width"] / 2, box["y"] - 20, steps=6)
    mouse.up()
    wait_until(lambda: float(numbers_on(workbench)["V/1:0,2"]) > 3.2, "a value that a hand moved upwards")


def test_an_arrow_of_lesson_3_moves_its_query_and_the_scores(workbench, keyboard):
    scores = workbench.page.locator(".mha-workbench").nth(1)
    before = numbers_on(scores)
    scores.locator("[data-part=arrows] [data-y='Q/1:1,1']").focus()
    keyboard.press("Shift+ArrowUp")
    wait_until(lambda: float(numbers_on(scores)["Q/1:1,1"]) == float(before["Q/1:1,1"]) + 1, "a query that moved")
    assert numbers_on(scores)["scores/1:1,1"] != before["scores/1:1,1"]
    cell(scores, "scores/1:2,1").click()
    expect(scores.locator("[data-part=arrows] svg")).to_have_attribute(
        "aria-label", re.compile("For disrupt and create, q·k = ")
    )


def test_the_back_row_can_read_it(workbench):
    size = "td => parseFloat(getComputedStyle(td).fontSize)"
    small = cell(workbench, "output/1:0,0").evaluate(size)
    larger = workbench.locator("button[data-larger]")
    larger.click()
    assert cell(workbench, "output/1:0,0").evaluate(size) >= 1.4 * small
    assert entry(workbench, "X:0,0").evaluate("field => field.scrollWidth <= field.clientWidth + 1")
    expect(larger).to_have_attribute("aria-pressed", "true")
    larger.click()
    assert cell(workbench, "output/1:0,0").evaluate(size) == small

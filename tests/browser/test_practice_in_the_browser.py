"""Lines to put in order and tasks by hand, under keys and pointer in a real page."""

import json
import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from driving import replace_text
from forms import form, press
from lab import wait_until
from playwright.sync_api import expect

from mha_course import arrange, practise
from mha_course.lessons import CATALOGUE

NUMBER = CATALOGUE.exercises["scaled_scores.batch"].number
ASKED = (
    (arrange, "scaled_scores.batch"),
    (practise, "weighted_sums.by-hand"),
    (practise, "softmax.true-sentences"),
    (practise, "scaled_scores.wrong-entry"),
)
PUZZLE, BY_HAND, SENTENCES, ENTRY = range(4)
FOCUSED = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
SMALL = """[...document.querySelectorAll('.mha-form :is(label, button, select, summary, input[size], [data-line])')]
    .filter(each => { const { width, height } = each.getBoundingClientRect();
    return height > 0 && (width < 24 || height < 24); }).map(each => each.outerHTML)"""
WIDER = """[...document.querySelectorAll('.mha-form')].map(each => each.scrollWidth - each.clientWidth)"""


def show_forms(tab):
    """Show one puzzle and three tasks as they are when their cells are run: with what was done before."""
    tab.show(*(ask(name) for ask, name in ASKED))


@pytest.fixture
def tab(plain_tab):
    """A page with forms in which nothing was done yet."""
    show_forms(plain_tab)
    yield plain_tab
    assert plain_tab.errors == []


def part(form, name):
    return form.locator(f'[data-part="{name}"]')


def line(tab, text):
    """One line of the puzzle, wherever it stands."""
    return tab.page.locator(".mha-arrange [data-line]", has=tab.page.get_by_text(text, exact=True))


def lines(tab, name="function"):
    return form(tab, PUZZLE).locator(f"[data-list={name}] > li > code")


def drag(tab, text, to):
    """Drag a line by its code to a place of the page."""
    box = line(tab, text).bounding_box()
    tab.page.mouse.move(box["x"] + 60, box["y"] + box["height"] / 2)
    tab.page.mouse.down()
    for part_of_way in (0.3, 0.7, 1):
        y = box["y"] + box["height"] / 2
        tab.page.mouse.move(box["x"] + 60, y + (to - y) * part_of_way)
    expect(tab.page.locator("[data-held]")).to_have_count(1)
    tab.page.mouse.up()
    expect(tab.page.locator("[data-held], [data-aim]")).to_have_count(0)


def edge(tab, text, below=False):
    """Where a line's upper edge is, or its lower one."""
    box = line(tab, text).bounding_box()
    return box["y"] + (box["height"] - 3 if below else 3)


# Lines to put in order


def test_lines_are_put_in_order_and_run_by_keys_alone(tab):
    puzzle = form(tab, PUZZLE)
    line(tab, "turned = K.T").get_by_role("button", name="Take in").focus()
    press(tab, "Enter")
    expect(lines(tab)).to_have_text(["turned = K.T"])
    wait_until(lambda: tab.page.evaluate(FOCUSED) == "Put aside: turned = K.T", "the focus on the line that moved")
    for text in ("products = Q @ turned", "return products / np.sqrt(d_k)", "d_k = Q.shape[-1]"):
        line(tab, text).get_by_role("button", name="Take in").focus()
        press(tab, "Enter")
    expect(lines(tab)).to_have_count(4)
    press(tab, "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp")  # once more than it can go
    expect(lines(tab).first).to_have_text("d_k = Q.shape[-1]")
    expect(part(puzzle, "told")).to_have_text("“d_k = Q.shape[-1]” is line 1 of 4. Not run since.")
    assert tab.page.evaluate(FOCUSED) == "Put aside: d_k = Q.shape[-1]"
    puzzle.get_by_role("button", name="Run").focus()
    press(tab, "Enter")
    expect(part(puzzle, "result")).to_contain_text("✗ not right")
    expect(part(puzzle, "result")).to_contain_text(".T turns all axes over, the batch too.")
    line(tab, "turned = K.T").get_by_role("button", name="Put aside").focus()
    press(tab, "Enter")
    line(tab, "turned = K.swapaxes(-1, -2)").get_by_role("button", name="Take in").focus()
    press(tab, "Enter")
    expect(lines(tab).last).to_have_text("turned = K.swapaxes(-1, -2)")
    press(tab, "ArrowUp", "ArrowUp")
    expect(lines(tab).nth(1)).to_have_text("turned = K.swapaxes(-1, -2)")
    puzzle.get_by_role("button", name="Run").press("Enter")
    expect(part(puzzle, "result")).to_contain_text("✓ right")
    expect(part(puzzle, "result")).to_contain_text(f"Now write the same from memory: exercise {NUMBER}.")


def test_lines_are_dragged_into_the_function_and_out_of_it(tab):
    puzzle = form(tab, PUZZLE)
    into = part(puzzle, "function").bounding_box()
    drag(tab, "return products / np.sqrt(d_k)", into["y"] + into["height"] / 2)
    expect(lines(tab)).to_have_text(["return products / np.sqrt(d_k)"])
    for text in ("d_k = Q.shape[1]", "turned = K.swapaxes(-1, -2)", "products = Q @ turned"):
        drag(tab, text, edge(tab, "return products / np.sqrt(d_k)"))
        expect(lines(tab).nth(-2)).to_have_text(text)
    drag(tab, "d_k = Q.shape[1]", edge(tab, "products = Q @ turned", below=True))
    expect(lines(tab)).to_have_text([
        "turned = K.swapaxes(-1, -2)", "products = Q @ turned", "d_k = Q.shape[1]", "return products / np.sqrt(d_k)",
    ])  # fmt: skip
    puzzle.get_by_role("button", name="Run").click()
    expect(part(puzzle, "result")).to_contain_text("The root is that of shape[1].")
    drag(tab, "d_k = Q.shape[1]", edge(tab, "turned = K.T"))
    expect(lines(tab)).to_have_count(3)
    drag(tab, "d_k = Q.shape[-1]", edge(tab, "turned = K.swapaxes(-1, -2)"))
    puzzle.get_by_role("button", name="Run").click()
    expect(part(puzzle, "result")).to_contain_text("✓ right")
    show_forms(tab)
    expect(lines(tab)).to_have_text([
        "d_k = Q.shape[-1]", "turned = K.swapaxes(-1, -2)", "products = Q @ turned", "return products / np.sqrt(d_k)",
    ])  # fmt: skip
    events = [json.loads(each) for each in Path(os.environ["MHA_COURSE_PROGRESS"]).read_text().splitlines()]
    assert [(event["kind"], event["name"]) for event in events] == [
        ("mistake", "scaled_scores.batch.arranged"),
        ("right", "scaled_scores.batch.arranged"),
    ]


def test_the_buttons_move_a_line_without_drag_and_escape_lets_a_held_one_go(tab):
    for text in ("turned = K.T", "d_k = Q.shape[-1]"):
        line(tab, text).get_by_role("button", name="Take in").click()
    expect(lines(tab)).to_have_text(["turned = K.T", "d_k = Q.shape[-1]"])
    line(tab, "turned = K.T").get_by_role("button", name="Move down").click()
    expect(lines(tab)).to_have_text(["d_k = Q.shape[-1]", "turned = K.T"])
    box = line(tab, "turned = K.T").bounding_box()
    tab.page.mouse.move(box["x"] + 60, box["y"] + 10)
    tab.page.mouse.down()
    tab.page.mouse.move(box["x"] + 60, box["y"] - 60)
    expect(tab.page.locator("[data-held]")).to_have_count(1)
    press(tab, "Escape")
    tab.page.mouse.up()
    expect(tab.page.locator("[data-held]")).to_have_count(0)
    expect(lines(tab)).to_have_text(["d_k = Q.shape[-1]", "turned = K.T"])


# Tasks


def fill(tab, step, *numbers):
    """Type the numbers of a step by hand, and submit it by Enter."""
    fields = form(tab, BY_HAND).locator(f'form[data-form="weighted_sums.by-hand.{step}"] input')
    fields.first.focus()
    for number in numbers:
        tab.page.keyboard.insert_text(number)
        press(tab, "Tab")
    press(tab, "Enter")
    return part(form(tab, BY_HAND), f"result weighted_sums.by-hand.{step}")


def test_numbers_are_typed_step_by_step(tab):
    task = form(tab, BY_HAND)
    expect(task.locator("form:visible")).to_have_count(1)
    result = fill(tab, 1, "1", "0", "3", "1")
    expect(result).to_contain_text("What gives this: Queries and keys are swapped.")
    expect(task.locator("form:visible")).to_have_count(1)
    fields = task.locator("form:visible input")
    replace_text(fields.nth(1), "3")
    replace_text(fields.nth(2), "zero")
    expect(task.locator('[data-part^="alert"]').first).to_have_text('products[2,1]: "zero" is not a number.')
    replace_text(fields.nth(2), "0")
    expect(result).to_contain_text("✓ right")
    for step, numbers in enumerate(("0.71 2.12 0 .71", "2.03 8.33 1 2.03", ".2 .8 .33 .67", "1.6 2.4 1.99 2.01"), 2):
        expect(task.locator("form:visible")).to_have_count(step)
        expect(fill(tab, step, *numbers.split())).to_contain_text("✓ right")
    expect(part(task, "stand")).to_have_text("All steps are right.")
    expect(fields.first).to_have_value("1")
    fields.first.focus()
    press(tab, "8")
    expect(fields.first).to_have_value("1")  # it is right, and stays
    show_forms(tab)
    expect(part(form(tab, BY_HAND), "stand")).to_have_text("All steps are right.")


def test_true_sentences_are_chosen_by_keys(tab):
    task = form(tab, SENTENCES)
    boxes = task.locator("input")
    boxes.nth(0).focus()
    press(tab, "Space", "Tab", "Space", "Tab", "Space", "Enter")
    result = task.locator('[data-part^="result"]')
    expect(result).to_contain_text("✗ not right 2 of 5 are judged wrongly.")
    expect(boxes.nth(2)).to_be_checked()
    press(tab, "Space", "Tab", "Space", "Enter")
    expect(result).to_contain_text("✓ right")
    result.locator("summary").click()
    expect(result.locator("li")).to_have_count(5)
    boxes.nth(4).click(force=True)
    expect(boxes.nth(4)).not_to_be_checked()


def test_the_wrong_entry_is_pointed_at(tab):
    task = form(tab, ENTRY)
    entries = task.locator("td label")
    expect(entries).to_have_count(9)
    entries.nth(0).click()
    press(tab, "ArrowRight", "Enter")
    result = task.locator('[data-part^="result"]')
    expect(result).to_contain_text("scores[1,2] is right: (1·1 + 0·2 + 2·2 + 1·1) / √4 = 6 / 2 = 3.")
    task.get_by_role("radio", name="scores[2,3], cold, softly: 2.00").check()
    task.get_by_role("button", name="Check").click()
    expect(result).to_contain_text("✓ right scores[2,3] should be")


# How it looks


def in_every_state(tab):
    """Leave something right and something wrong on every form."""
    for text in ("d_k = Q.shape[1]", "turned = K.T", "products = Q @ turned", "return products / np.sqrt(d_k)"):
        line(tab, text).get_by_role("button", name="Take in").click()
    form(tab, PUZZLE).get_by_role("button", name="Run").click()
    expect(part(form(tab, PUZZLE), "result")).to_contain_text("✗ not right")
    expect(fill(tab, 1, "1", "3", "0", "1")).to_contain_text("✓ right")
    expect(fill(tab, 2, "1", "3", "0", "1")).to_contain_text("The scale is missing.")
    for number in (0, 1, 3):
        form(tab, SENTENCES).locator("input").nth(number).check()
    form(tab, SENTENCES).get_by_role("button", name="Check").click()
    form(tab, SENTENCES).locator("summary").click()
    form(tab, ENTRY).locator("td label").nth(4).click()
    form(tab, ENTRY).get_by_role("button", name="Check").click()
    expect(form(tab, ENTRY).locator("[data-verdict=wrong]")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_practice_is_accessible_large_enough_and_fits_a_phone(tab, theme):
    with tab.wearing(theme):
        in_every_state(tab)
        violations = Axe().run(tab.page, context={"include": [[".mha-form"]]}).response["violations"]
        assert [
            (found["id"], node["html"], node["failureSummary"])
            for found in violations
            if found["impact"] in ("serious", "critical")
            for node in found["nodes"]
        ] == []
        assert tab.page.evaluate(SMALL) == []
        with tab.on_a_phone():
            assert max(tab.page.evaluate(WIDER)) <= 0
            assert tab.page.evaluate(SMALL) == []

"""The code cells of a page to read: changed, run and stopped where they stand, exercises written and checked there."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from driving import BEGINS_PYTHON
from live import PATIENCE, served
from playwright.sync_api import expect
from reading import visits

from mha_course import check

LESSON, STUB, CHECK = "03_scaled_scores", "exercise-keys-stub", "exercise-keys-check"
WRONG = "def my_keys(Q, scores):\n    return np.linalg.solve(Q, scores).T"
RIGHT = "def my_keys(Q, scores):\n    return np.linalg.solve(Q, scores * np.sqrt(Q.shape[1])).T"
FREE, NEXT = "dot-product", "one-cell"  # two cells that nothing needs
ENDLESS = "while True:\n    pass"
HOSTILE = {  # what somebody may run -> what the page says of it
    "def f(n): return f(n + 1)\nf(0)": "RecursionError: maximum recursion depth exceeded",
    "np.ones(10**9)": "ValueError: array is too big",
    "for i in range(300000): print(i)": "more lines, which are not shown",
    "input('How many?')": "input() cannot wait for an answer on this page",
    "exit()": "Nothing ends here",
    "raise SystemExit": "Nothing ends here",
    "import os; os._exit(0)": "Python broke off",
    "np = 3\nnp": "3",
    "del looks_for": "",
    "looks_for": "NameError: name 'looks_for' is not defined",
    "from mha_course import Workbench\nfor _ in range(3): display(Workbench('steals'))": "Step",
    "2 + 2": "4",
}

pytestmark = [pytest.mark.needs("pyodide"), BEGINS_PYTHON]


@pytest.fixture(scope="module")
def reader(browser, site_folder):
    """Lesson 3, opened by a new reader."""
    with served(site_folder) as files, visits(browser, files) as show:
        reader = show()
        opened(reader)
        yield reader


def opened(reader):
    reader.open(LESSON)
    expect(reader.page.locator("html[data-cells=ready]")).to_have_count(1)


def cell(reader, name):
    return reader.page.locator(f".cell[data-cell={name}]")


def write(reader, name, code):
    """Write code in place of a cell's."""
    here = cell(reader, name)
    here.locator(".cell_input").get_by_role("textbox").click()
    expect(here.locator(".cm-content")).to_be_focused()
    reader.page.keyboard.press("Control+a")
    reader.page.keyboard.insert_text(code)


def run(reader, name, code):
    """Write and run it. Return what the cell then says."""
    write(reader, name, code)
    reader.page.keyboard.press("Shift+Enter")
    here = cell(reader, name)
    expect(here.locator(".run-cell")).not_to_have_text("Stop", timeout=1000 * PATIENCE)
    return here.inner_text()


def test_an_exercise_is_written_and_checked_on_the_page_with_the_verdicts_of_any_python(reader):
    import numpy as np

    for code in (WRONG, RIGHT):
        run(reader, STUB, code)
        names = {"np": np}
        exec(code, names)
        here = check("scaled_scores.keys", names["my_keys"]).text.split("\n")
        said = cell(reader, CHECK).locator("[data-output]").inner_text()
        assert all(line.strip(" ✓✗") in said for line in here[:2])


def test_what_was_written_and_said_is_there_again_after_a_reload(reader):
    opened(reader)
    expect(cell(reader, STUB)).to_contain_text("np.sqrt(Q.shape[1])")
    expect(cell(reader, CHECK)).to_contain_text("Exercise 3.4: Right.")
    cell(reader, STUB).get_by_role("button", name="As it was").click()
    expect(cell(reader, STUB)).to_contain_text("products = ...")
    write(reader, STUB, "x = 1")
    cell(reader, STUB).get_by_role("button", name="As I had it").click()
    expect(cell(reader, STUB)).to_contain_text("np.sqrt(Q.shape[1])")
    run(reader, STUB, "def my_keys(Q")
    expect(cell(reader, CHECK)).not_to_contain_text("Right.")  # that is not what stands there now


def test_an_endless_loop_is_stopped_at_once_and_what_was_written_stays(reader):
    write(reader, FREE, ENDLESS)
    reader.page.keyboard.press("Shift+Enter")
    here = cell(reader, FREE)
    expect(here.locator(".run-cell")).to_have_text("Stop")
    here.locator(".run-cell").click()
    expect(here.locator(".run-cell")).to_have_text("Run")
    expect(here).to_contain_text("Stopped. What you wrote stays")
    assert "while True:" in here.inner_text()


def test_of_two_cells_that_run_each_is_stopped_for_itself(reader):
    for name in (FREE, NEXT):
        write(reader, name, ENDLESS)
        reader.page.keyboard.press("Shift+Enter")
        expect(cell(reader, name).locator(".run-cell")).to_have_text("Stop")
    cell(reader, NEXT).locator(".run-cell").click()
    expect(cell(reader, FREE).locator(".run-cell")).to_have_text("Stop")
    cell(reader, FREE).locator(".run-cell").click()
    for name in (FREE, NEXT):
        expect(cell(reader, name)).to_contain_text("Stopped. What you wrote stays")
        expect(cell(reader, name).locator(".run-cell")).to_have_text("Run")
    assert "7" in run(reader, FREE, "3 + 4")


@pytest.mark.parametrize("code", HOSTILE)
def test_nothing_that_is_typed_kills_the_page(code, reader):
    assert HOSTILE[code] in run(reader, FREE, code)


def test_a_cell_needs_no_hand_on_those_above_and_says_which_of_them_is_not_what_ran(reader):
    opened(reader)
    run(reader, FREE, "above = 3")
    assert "9.0" in run(reader, NEXT, "np.square(3.0) + 0 * above")
    write(reader, FREE, "above = 4")
    assert "Changed and not run since: a cell above" in run(reader, NEXT, "above")
    run(reader, FREE, "above = 1 / 0")
    assert "Changed" not in run(reader, NEXT, "above")


def test_it_suits_axe_and_the_keyboard_leaves_an_editor(reader):
    opened(reader)
    cell(reader, NEXT).locator(".cell_input").get_by_role("textbox").focus()
    expect(cell(reader, NEXT).locator(".cm-content")).to_be_focused()
    for _ in range(3):  # whoever goes through the page by keys changes nothing
        reader.page.keyboard.press("Tab")
    assert cell(reader, NEXT).evaluate("cell => !cell.contains(document.activeElement)")
    write(reader, FREE, "1 + 1")
    reader.page.keyboard.press("Tab")
    expect(cell(reader, FREE)).to_contain_text("1 + 1    ")
    reader.page.keyboard.press("Escape")
    reader.page.keyboard.press("Tab")
    expect(cell(reader, FREE).get_by_role("button").first).to_be_focused()
    found = Axe().run(reader.page, context=f".cell[data-cell={FREE}], .cell[data-cell={STUB}]").response["violations"]
    assert found == []

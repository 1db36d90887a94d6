"""The code cells of a page to read: changed, run and stopped where they stand, exercises written and checked there."""

import json
import re
import zipfile

import pytest
from axe_playwright_python.sync_playwright import Axe
from live import PATIENCE, served
from playwright.sync_api import expect
from reading import visits

from mha_course import check

LESSON, STUB, CHECK = "03_scaled_scores", "exercise-keys-stub", "exercise-keys-check"
WRONG = "def my_keys(Q, scores):\n    return np.linalg.solve(Q, scores).T"
RIGHT = "def my_keys(Q, scores):\n    return np.linalg.solve(Q, scores * np.sqrt(Q.shape[1])).T"
FREE, NEXT = "dot-product", "one-cell"  # two cells that nothing needs
ENDLESS = "while True:\n    pass"
OPEN = "cell => cell.closest('details')?.setAttribute('open', '')"  # what is optional
OF_THE_LAYER = "def my_scaled_scores(Q, K):\n    return Q @ K.T * Q.shape[1] ** -0.5"
BREAKS = "def my_keys(Q, scores):\n    products = scores * 2\n    return products @ Q.none"
REFUSES = """
  for (const name of ["indexedDB", "caches"]) {
    Object.defineProperty(window, name, { get() { throw new DOMException("Access is denied", "SecurityError"); } });
  }
  const deny = async () => { throw new Error("denied"); };
  Object.assign(navigator.serviceWorker, { register: deny, getRegistration: deny });
"""  # as Chromium does where all cookies are blocked; there the theme of the pages breaks, too
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

pytestmark = [pytest.mark.needs("pyodide"), pytest.mark.minutes]


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
    here.evaluate(OPEN)
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


def test_a_verdict_leads_to_the_line_that_it_names_and_to_what_taught_it_or_comes_next(reader):
    run(reader, STUB, BREAKS)
    assert cell(reader, STUB).locator(".is-named").inner_text().strip() == "return products @ Q.none"
    said = cell(reader, CHECK)
    reader.page.keyboard.press("Control+Home")
    said.get_by_role("link", name="Line 3: return products @ Q.none").click()
    expect(cell(reader, STUB).locator(".cm-content")).to_be_focused()
    reader.page.keyboard.insert_text(" # again")
    expect(cell(reader, STUB)).to_contain_text("Q.none # again")
    expect(said.get_by_role("link", name="Line 3")).to_have_count(0)  # which is another now
    said.locator(".way-on").get_by_role("link", name="The scores").click()
    expect(reader.page.get_by_role("heading", name="The scores", exact=True)).to_be_in_viewport()
    status = cell(reader, STUB).get_by_role("status")
    expect(status).to_contain_text(re.compile("Exercise 3.4: It stops with an error. With the example .* it raised"))
    run(reader, STUB, RIGHT)
    expect(said.locator(".way-on")).to_have_text("Next: The same in PyTorch")


def test_how_far_an_exercise_is_stands_at_its_title_and_in_the_list_of_sections(reader):
    page = reader.page
    for place in (page.get_by_role("heading", name="Keys for wanted"), page.locator(".sections a", has_text="3.4")):
        expect(place).to_have_attribute("data-done", "")
    run(reader, "exercise-scaled-stub", "def my_scaled_scores(Q, K):\n    return Q @ K.T")
    for place in (page.get_by_role("heading", name="3.2"), page.locator(".sections a", has_text="3.2")):
        expect(place).to_have_attribute("data-tried", "")


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
    run(reader, FREE, code)
    expect(cell(reader, FREE)).to_contain_text(HOSTILE[code], use_inner_text=True)  # a board is drawn a little later


def test_a_cell_needs_no_hand_on_those_above_and_says_which_of_them_is_not_what_ran(reader):
    opened(reader)
    run(reader, FREE, "above = 3")
    assert "9.0" in run(reader, NEXT, "np.square(3.0) + 0 * above")
    write(reader, FREE, "above = 4")
    assert "Changed and not run since: a cell above" in run(reader, NEXT, "above")
    write(reader, FREE, "above = 1 / 0")
    opened(reader)  # in a Python that ran nothing yet
    told = run(reader, NEXT, "above")
    assert "Changed" not in told and "Did not run to its end: a cell above" in told
    expect(cell(reader, FREE)).to_contain_text("ZeroDivisionError: division by zero")


def test_what_a_cell_imports_is_fetched_before_it_runs(reader):
    assert "0.5" in run(reader, FREE, "from scipy.special import softmax\nsoftmax([0.0, 0.0])")


def test_it_suits_axe_and_the_keyboard_leaves_an_editor(reader):
    opened(reader)
    reader.page.locator(f"#{NEXT} a").focus()  # which stands before it
    reader.page.keyboard.press("Tab")
    expect(cell(reader, NEXT).locator(".cm-content")).to_be_focused()
    for _ in range(6):  # whoever goes through the page by keys changes nothing
        reader.page.keyboard.press("Tab")
    assert cell(reader, NEXT).evaluate("cell => !cell.contains(document.activeElement)")
    write(reader, FREE, "")
    reader.page.keyboard.type("1 / 2")  # a key by which other pages begin a search
    reader.page.keyboard.press("Tab")
    expect(cell(reader, FREE)).to_contain_text("1 / 2    ")
    reader.page.keyboard.press("Escape")
    reader.page.keyboard.press("Tab")
    expect(cell(reader, FREE).get_by_role("button").first).to_be_focused()
    found = Axe().run(reader.page, context=f".cell[data-cell={FREE}], .cell[data-cell={STUB}]").response["violations"]
    assert found == []


@pytest.fixture
def visit(browser, site_folder):
    with served(site_folder) as files, visits(browser, files) as show:
        yield show


def kept(reader):
    """Choose to download everything. Return the files by their names."""
    with reader.page.expect_download() as begun:
        reader.page.get_by_role("button", name="Download my work").click()
    with zipfile.ZipFile(begun.value.path()) as work:
        return {name: work.read(name).decode() for name in work.namelist()}


def source_in(files):
    cells = json.loads(files[f"{LESSON}.ipynb"])["cells"]
    return next("".join(each["source"]) for each in cells if each["id"] == STUB)


def test_a_computer_is_left_and_the_work_goes_on_in_another_browser(visit, tmp_path):
    reader = visit()
    opened(reader)
    write(reader, STUB, WRONG)
    assert source_in(kept(reader)) == WRONG
    with reader.page.expect_download() as begun:
        reader.page.get_by_role("button", name="Leave this computer").click()
    expect(reader.page.get_by_role("heading", name="You can leave this computer")).to_be_focused()
    begun.value.save_as(tmp_path / "work.zip")
    opened(reader)
    expect(cell(reader, STUB)).to_contain_text("products = ...")
    page = reader.page
    with page.expect_file_chooser() as asked:
        page.get_by_role("button", name="Bring my work").click()
    with page.expect_event("load"):
        asked.value.set_files(tmp_path / "work.zip")
    expect(cell(reader, STUB)).to_contain_text("np.linalg.solve(Q, scores).T")


def test_a_function_of_the_layer_is_kept_for_every_page_and_can_be_taken_home(visit):
    reader = visit()
    opened(reader)
    run(reader, "exercise-scaled-stub", OF_THE_LAYER)
    expect(cell(reader, "exercise-scaled-check")).to_contain_text("Kept in my_attention.py, line ")
    with reader.page.expect_download() as begun:
        reader.page.get_by_role("button", name="Download my_attention.py").click()
    assert OF_THE_LAYER in begun.value.path().read_text() == kept(reader)["my_attention.py"]
    reader.open("04_softmax")
    here = cell(reader, "steals-weights")
    here.get_by_role("button", name="Run").click()
    expect(here).to_contain_text("scaled_scores: yours.", timeout=1000 * PATIENCE)


def test_a_second_tab_says_so_and_what_either_wrote_is_kept(visit):
    one = visit()
    opened(one)
    other = type(one)(page=one.page.context.new_page(), open=None)
    other.page.goto(one.page.url)
    expect(other.page.locator("#activation")).to_contain_text("open in another tab, too")
    write(other, STUB, "x = 'other'")
    assert source_in(kept(other)) == "x = 'other'"
    write(one, STUB, "x = 'one'")
    assert source_in(kept(one)) == "x = 'one'"
    cell(one, STUB).get_by_role("button", name="As I had it").click()
    expect(cell(one, STUB)).to_contain_text("x = 'other'")


def test_where_nothing_may_be_stored_the_page_works_says_so_and_gives_the_file(visit):
    reader = visit()
    reader.page.add_init_script(REFUSES)
    reader.open(LESSON)
    run(reader, STUB, RIGHT)
    expect(cell(reader, CHECK)).to_contain_text("Exercise 3.4: Right.")
    expect(reader.page.locator("#activation")).to_contain_text("This browser keeps nothing of what you do.")
    files = kept(reader)
    assert source_in(files) == RIGHT and '"kind": "right"' in files["my_progress.jsonl"]


def test_what_somebody_else_put_into_a_brought_notebook_does_nothing_and_what_no_longer_fits_is_shown(visit):
    reader = visit()
    opened(reader)
    write(reader, FREE, "1 + 1")
    files = kept(reader)
    notebook = json.loads(files[f"{LESSON}.ipynb"])
    mine = next(each for each in notebook["cells"] if each["id"] == FREE)
    bad = {"output_type": "display_data", "data": {"text/html": "<b>seen</b><img src=x onerror='document.title=1'>"}}
    mine.update(outputs=[bad | {"metadata": {}}], metadata=mine["metadata"] | {"ran_on_page": True})
    notebook["cells"].append(mine | {"id": "of-long-ago", "source": "long_ago = 1"})
    text = json.dumps(notebook)
    with reader.page.expect_file_chooser() as asked:
        reader.page.get_by_role("button", name="Bring my work").click()
    with reader.page.expect_event("load"):
        asked.value.set_files({"name": f"{LESSON}.ipynb", "mimeType": "application/json", "buffer": text.encode()})
    expect(cell(reader, FREE).locator("[data-output]")).to_contain_text("seen")
    assert cell(reader, FREE).locator("[data-output] img").get_attribute("onerror") is None
    expect(reader.page.get_by_text("long_ago = 1")).to_be_visible()


def test_a_phone_has_a_row_of_the_characters_that_code_needs(visit):
    reader = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    opened(reader)
    row = reader.page.get_by_role("toolbar", name="Characters for code")
    expect(row).to_be_hidden()
    here = cell(reader, STUB)
    here.evaluate(OPEN)
    here.get_by_role("textbox").tap()
    expect(here.locator(".cm-content")).to_be_focused()
    reader.page.keyboard.press("Control+a")
    reader.page.keyboard.insert_text("x")
    for key in ("Equals", "Left bracket"):
        row.get_by_role("button", name=key, exact=True).tap()
    expect(here.locator(".cm-content")).to_have_text("x=[")
    expect(here.locator(".cm-content")).to_be_focused()
    assert reader.page.evaluate("[innerWidth, visualViewport.scale]") == [390, 1]
    assert here.locator(".cm-content").evaluate("text => getComputedStyle(text).fontSize") == "16px"

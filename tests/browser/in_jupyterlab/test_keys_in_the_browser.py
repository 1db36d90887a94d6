"""Widgets inside JupyterLab: the keys are theirs, they end with their cell, and look as on the plain page."""

import re

import pytest
from boards import ROOMS
from driving import cell, entry, open_all, part, show_file_browser
from forms import is_alive, press, store
from lab import counts, run_all, wait_until
from plain import BESIDE
from playwright.sync_api import expect

from mha_course import Workbench

CELLS = (
    "from mha_course import Train, Workbench, arrange, predict",
    'Workbench(stage="weighted_sums")',
    'predict("heads.eight-copies")',
    'arrange("scaled_scores.batch")',
    "train = Train('repeat', seed=0)\ntrain",
)
BOARD, NUMBER, PUZZLE, TRAIN = ".mha-workbench", ".mha-form >> nth=0", ".mha-arrange", ".mha-train"
WITH_FOCUS = (  # what can have the focus: a field, a number, a control of each sort, a drawing; in each sort of widget
    f"{BOARD} >> td[data-at='W_K:0,2'] >> nth=0 >> input",
    f"{BOARD} >> td[data-at='weights/1:0,0'] >> nth=0",
    f"{BOARD} >> button[name=reset]",
    f"{BOARD} >> select[name=preset]",
    f"{BOARD} >> summary >> nth=0",
    f"{BOARD} >> textarea[name=code]",
    f"{BOARD} >> [data-part=sentence] [data-word='1']",
    f"{BOARD} >> [data-part=mixes] [data-token='key:1']",
    f"{NUMBER} >> input[name=answer]",
    f"{NUMBER} >> button >> nth=0",
    f"{PUZZLE} >> button >> nth=0",
    f"{TRAIN} >> input[name=text]",
    f"{TRAIN} >> button[name='head 1 1']",
)
# In JupyterLab each of these does something to the cell or to the notebook; Enter opens the cell for typing.
SHORTCUTS = ("a", "b", "d", "d", "x", "z", "c", "v", "m", "y", "0", "0", "Enter")
TRAINED = re.compile(r"Step (\d+)")


@pytest.fixture
def tab(shared_tab, lab, no_progress):
    """A notebook with a widget of each sort, as it begins."""
    store(lab.folder / "keys.ipynb", CELLS)
    tab = shared_tab("keys.ipynb", anew=True)
    run_all(tab, workbenches=1)
    wait_until(lambda: is_alive(tab, 2), "two forms with an answer")
    expect(part(tab.page.locator(TRAIN), "told")).to_contain_text("Step 0")
    yield tab
    assert tab.errors == []


def test_keys_pressed_in_a_widget_do_nothing_to_the_notebook(tab):
    before, cells = counts(tab), tab.page.locator(".jp-Notebook .jp-Cell")
    open_all(tab.page)
    tab.page.locator(f"{BOARD} >> summary >> nth=0").click()
    for each in WITH_FOCUS:
        tab.page.locator(each).focus()
        for key in SHORTCUTS:
            press(tab, key)
            assert cells.count() == len(CELLS), (each, key)
        press(tab, "Escape")
    cell(tab.workbenches.first, "weights/1:0,1").click()  # JupyterLab has had the time for it
    expect(cell(tab.workbenches.first, "weights/1:0,1")).to_have_class("mha-selected")
    assert (counts(tab), cells.count(), tab.page.locator(".jp-Dialog").count()) == (before, len(CELLS), 0)
    assert tab.page.locator(".jp-Notebook.jp-mod-editMode").count() == 0


def test_a_number_is_typed_without_a_mouse_and_committed_to(tab):
    entry(tab.workbenches.first, "W_V:0,1").focus()
    press(tab, "Shift+ArrowUp")
    expect(part(tab.workbenches.first, "status")).to_contain_text("W_V[1,2]: 2 → 3.")
    number = tab.page.locator(NUMBER)
    number.locator("input[name=answer]").focus()
    tab.page.keyboard.type("8")
    press(tab, "Enter")
    expect(number.locator("[data-part^=result]").first).to_contain_text("✗ not right You said 8.")
    press(tab, "ControlOrMeta+s")
    wait_until(lambda: '"answer": 8' in (tab.lab.folder / "keys.ipynb").read_text(), "the answer, stored for programs")


def test_what_goes_on_by_itself_stops_when_its_cell_is_run_again(tab):
    def step():
        told = TRAINED.search(part(tab.page.locator(TRAIN), "told").inner_text())
        return int(told[1]) if told else 0

    tab.page.locator(f"{TRAIN} >> button[name=play]").click()
    wait_until(lambda: step() > 5, "some steps")
    run_all(tab, workbenches=1)
    expect(part(tab.page.locator(TRAIN), "told")).to_contain_text("Step 0")
    tab.page.locator(f"{TRAIN} >> button[name=step]").click()
    expect(part(tab.page.locator(TRAIN), "told")).to_contain_text("Step 1:")  # and no step beside this one


def test_a_workbench_is_as_large_and_written_as_on_the_plain_page_of_the_other_tests(tab, plain_tab):
    look = "each => [each.clientWidth, ...['font', 'color'].map((name) => getComputedStyle(each)[name])]"
    for width in BESIDE:
        size = {"width": width, "height": 720}
        tab.page.set_viewport_size(size)
        show_file_browser(tab, width >= 1280)
        plain_tab.page.set_viewport_size(size)
        run_all(tab, workbenches=1)
        plain_tab.show(Workbench(stage="weighted_sums"))
        (here,), (there,) = plain_tab.page.evaluate(ROOMS), tab.page.evaluate(ROOMS)
        assert abs(here.pop("height") - there.pop("height")) <= 4 and here == there, width
        assert plain_tab.workbenches.evaluate(look) == tab.workbenches.first.evaluate(look), width

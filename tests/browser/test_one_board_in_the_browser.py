"""One workbench of the lessons at a time: everybody can use it, and what it shows after many edits is drawn right."""

import random

import pytest
from boards import calls
from driving import PHONE, barriers, expect_numbers, numbers_on, open_all, type_into
from playwright.sync_api import expect

from mha_course import Workbench, preset

WIDE = {"width": 1280, "height": 720}


@pytest.fixture
def show(plain_tab):
    """Show a workbench by itself, and return it and its page."""
    plain_tab.page.set_viewport_size(WIDE)

    def show(workbench):
        plain_tab.show(workbench)
        open_all(plain_tab.page)
        return plain_tab, plain_tab.workbenches.first

    yield show
    assert plain_tab.errors == []


# Chooses a number that was computed, and opens a panel; nothing has to be in view.
CHOOSE = """(workbench) => {
    workbench.querySelector('td[data-at]:not(:has(input))').focus();
    workbench.querySelector('details').open = true;
}"""


@pytest.mark.parametrize("call", [call for _, call in calls()])
def test_a_workbench_with_marks_a_choice_and_a_refused_entry_is_accessible(show, call):
    tab, workbench = show(eval(call, {"Workbench": Workbench}))
    field = workbench.locator("td[data-at] input").first
    field.fill("8")
    workbench.evaluate(CHOOSE)
    tab.settle()
    field.fill("x")
    field.blur()
    for state in ("td[data-moved]", ".mha-selected", "[aria-invalid=true]"):
        expect(workbench.locator(state).first).to_be_attached()
    assert barriers(tab.page, "#widgets") == ""
    with tab.wearing("dark"):  # which changes colours alone
        assert barriers(tab.page, "#widgets", runOnly=["color-contrast"]) == ""


@pytest.mark.parametrize(("page", "edits"), [(WIDE, 50), (PHONE, 5)], ids=["wide", "phone"])
def test_after_many_edits_the_screen_is_what_python_would_draw(show, page, edits):
    rng = random.Random(0)
    tab, workbench = show(Workbench("previous_token"))
    tab.page.set_viewport_size(page)
    state = preset("previous_token")
    for _ in range(edits):
        name = rng.choice(["X", "W_Q", "W_K", "W_V"])
        row, column = rng.randrange(4), rng.randrange(4)
        value = rng.choice([0, 1, -1, 2.5, 8, -0.25])
        state = state.with_entry(name, row, column, value)
        if page == PHONE:
            workbench.get_by_role("button", name=f"Show {name}").click()
        type_into(workbench, f"{name}:{row},{column}", f"{value:g}")
    expect_numbers(workbench, state)
    live = workbench.locator(".mha-board").evaluate(LOOKS)
    text = numbers_on(workbench)
    workbench.locator("select[name=preset]").select_option("article")  # and back: Python draws it anew
    expect_numbers(workbench, preset("article"))
    workbench.locator("button[name=undo]").click()
    expect_numbers(workbench, state)
    assert numbers_on(workbench) == text
    assert workbench.locator(".mha-board").evaluate(LOOKS) == live


LOOKS = """board => [
    [...board.querySelectorAll('td[data-at]')].map(td => [td.dataset.at, td.style.background]),
    [...board.querySelectorAll('svg')].map(svg => svg.outerHTML),
]"""

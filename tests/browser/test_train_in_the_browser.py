"""A training under hand and keys in a real page."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from lab import wait_until
from playwright.sync_api import expect

from mha_course import Train


@pytest.fixture
def tab(plain_tab):
    """A page with a training at step 0, and a workbench of what it has become."""
    train = Train("repeat", seed=0)
    plain_tab.show(train, train.workbench(layer=2))
    expect(part(plain_tab, "told")).to_contain_text("Step 0")
    yield plain_tab
    assert plain_tab.errors == []


def part(tab, name):
    return tab.page.locator(f'.mha-train [data-part="{name}"]')


def button(tab, name):
    return tab.page.locator(f'.mha-train button[name="{name}"]')


def step(tab):
    return int(re.search(r"Step (\d+)", part(tab, "told").inner_text())[1])


def train_to(tab, count):
    """Train until so many steps are taken, and pause."""
    button(tab, "play").click()
    wait_until(lambda: step(tab) >= count, f"{count} steps")
    expect(button(tab, "play")).to_have_text("❚❚ Pause")
    button(tab, "play").click()
    expect(button(tab, "play")).to_have_attribute("aria-pressed", "false")
    expect(button(tab, "play")).to_have_text("▶ Train")


def test_it_learns_before_ones_eyes_and_stops_when_told(tab):
    assert step(tab) == 0  # running all cells trained nothing
    train_to(tab, 180)
    expect(part(tab, "writes")).not_to_contain_text("✗")
    stopped = step(tab)
    button(tab, "step").click()
    expect(part(tab, "told")).to_contain_text(f"Step {stopped + 1}:")  # and no step beside this one
    assert tab.page.locator(".mha-train").evaluate("each => each.offsetHeight") <= 599


def test_heads_letters_and_the_way_back_are_reached_by_keys(tab):
    train_to(tab, 20)
    button(tab, "head 1 1").press("Space")
    expect(button(tab, "head 1 1")).to_have_attribute("aria-pressed", "false")
    expect(part(tab, "status")).to_contain_text("Tested without layer 1, head 1")
    button(tab, "letter 9").press("Enter")
    expect(button(tab, "letter 9")).to_be_focused()
    slider = tab.page.locator('.mha-train input[type="range"]')
    slider.press("Home")
    expect(part(tab, "told")).to_contain_text("Step 0")
    slider.press("ArrowRight")
    expect(part(tab, "told")).to_contain_text("Step 1:")
    expect(slider).to_be_focused()


def test_what_is_typed_wrong_is_said_and_stays_to_be_mended(tab):
    field = tab.page.locator('.mha-train input[name="text"]')
    field.fill("hello world")
    field.press("Enter")
    expect(part(tab, "alert")).to_contain_text("its letters must be from a to l")
    field.fill("abcabcab")
    field.press("Enter")
    expect(part(tab, "alert")).to_be_empty()
    expect(button(tab, "letter 7")).to_have_text("b")
    expect(button(tab, "letter 8")).to_have_count(0)


def test_axe_finds_nothing(tab):
    found = Axe().run(tab.page, context=".mha-train")
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found.response["violations"]] == []

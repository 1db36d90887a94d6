"""The real model under hand and keys in a real page: it writes, shows its heads, and does without some."""

import re
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from driving import begin_to_write
from lab import SECONDS, wait_until
from playwright.sync_api import expect

from mha_course import Desk, Gallery, Speak

SPEAK, OWN, GALLERY, DESK = (
    ".mha-speak >> nth=0", ".mha-speak >> nth=1", ".mha-gallery", ".mha-desk",
)  # fmt: skip
OURS = {"include": [[".mha-speak"], [".mha-gallery"], [".mha-desk"]]}
WIDER = """[...document.querySelectorAll('.mha-speak, .mha-gallery, .mha-desk')]
    .map(each => each.scrollWidth - each.clientWidth)"""
VISIBLE = 599  # pixels of a notebook, where the page has 720


@pytest.fixture
def tab(plain_tab):
    """A page on which the model did nothing yet."""

    def slow(Q, K, V, mask):
        time.sleep(10 * SECONDS)

    plain_tab.show(Speak(), Speak(attention=slow), Gallery(), Desk())
    for each in (SPEAK, OWN, GALLERY, DESK):
        expect(part(plain_tab, each, "told")).to_contain_text("Press ")
    yield plain_tab
    assert plain_tab.errors == []


def part(tab, widget, name):
    return tab.page.locator(widget).locator(f'[data-part="{name}"]')


def button(tab, widget, name):
    return tab.page.locator(widget).locator(f'button[name="{name}"]')


def height(tab, widget):
    return tab.page.locator(widget).evaluate("each => each.offsetHeight")


def seen_by_axe(tab):
    found = Axe().run(tab.page, context=OURS)
    return [(each["id"], each["nodes"][0]["html"][:200]) for each in found.response["violations"]]


def test_it_writes_and_each_token_tells_what_was_likely(tab):
    begin_to_write(tab.page.locator(SPEAK))
    expect(button(tab, SPEAK, "token 3")).to_be_visible()
    button(tab, SPEAK, "write").click()
    expect(button(tab, SPEAK, "write")).to_have_text("▶ Write")
    written = tab.page.locator(SPEAK).locator("button[name^=token]").count()
    button(tab, SPEAK, "token 0").press("Enter")
    expect(button(tab, SPEAK, "token 0")).to_be_focused()
    expect(part(tab, SPEAK, "likeliest")).to_contain_text("Likely as token 1")
    expect(part(tab, SPEAK, "likeliest").locator("tr").first).to_contain_text(re.compile("␣Paris.*← written"))
    assert tab.page.locator(SPEAK).locator("button[name^=token]").count() == written  # and none since it was stopped
    button(tab, SPEAK, "more").click()
    expect(button(tab, SPEAK, f"token {written + 1}")).to_be_visible()
    field = tab.page.locator(SPEAK).locator("input[name=text]")
    field.fill("")
    field.press("Enter")
    expect(part(tab, SPEAK, "alert")).to_contain_text("text is empty")
    assert height(tab, SPEAK) <= VISIBLE


def test_an_attention_that_sleeps_is_stopped_and_the_page_lives_on(tab):
    begin_to_write(tab.page.locator(OWN))
    expect(part(tab, OWN, "told")).to_contain_text("layer 1 …")
    button(tab, OWN, "write").click()
    expect(button(tab, OWN, "write")).to_have_text("▶ Write")  # long before it has slept
    tab.page.locator(OWN).locator("select[name=whose]").select_option("model")
    button(tab, OWN, "write").click()
    expect(button(tab, OWN, "token 0")).to_contain_text("Paris")


def test_heads_and_words_are_reached_by_arrows_and_clicks(tab):
    button(tab, GALLERY, "read").click()
    expect(tab.page.locator(GALLERY).locator("[data-maps] button")).to_have_count(270)
    button(tab, GALLERY, "head 1 1").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "Enter"):
        tab.page.keyboard.press(key)
    expect(part(tab, GALLERY, "large")).to_contain_text("2.3: layer 2, head 3 · the previous token")
    expect(button(tab, GALLERY, "head 2 3")).to_be_focused()
    expect(button(tab, GALLERY, "head 2 3")).to_have_attribute("aria-pressed", "true")
    chosen = tab.page.locator(GALLERY).locator("select[name=query]")
    words = tab.page.locator(GALLERY).locator("[data-word]")
    words.nth(4).click()
    for place, key in ((3, "ArrowLeft"), (4, "ArrowRight")):
        tab.page.keyboard.press(key)
        expect(chosen).to_have_value(str(place))
        expect(words.nth(place)).to_be_focused()
    chosen.select_option("7")
    expect(part(tab, GALLERY, "large").locator("[data-shares] tr")).to_have_count(8)
    assert height(tab, GALLERY) <= VISIBLE


def test_switches_change_the_loss_and_the_words_in_one_view(tab):
    button(tab, DESK, "read").click()
    expect(part(tab, DESK, "results")).to_contain_text("Quindle. He")
    button(tab, DESK, "group induction").click()
    expect(button(tab, DESK, "head 19 7")).to_have_attribute("aria-pressed", "true")
    expect(part(tab, DESK, "told")).to_contain_text("Without 18.4, 18.5, 18.6, 19.7: mean loss")
    button(tab, DESK, "head 1 1").focus()
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Space")
    expect(part(tab, DESK, "told")).to_contain_text("Without 2.1, 18.4")
    expect(button(tab, DESK, "head 2 1")).to_be_focused()
    assert height(tab, DESK) <= VISIBLE


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_and_no_widget_is_wider_than_a_phone(tab, theme):
    with tab.wearing(theme):
        begin_to_write(tab.page.locator(SPEAK))
        expect(button(tab, SPEAK, "token 3")).to_be_visible()
        for widget, heads in ((GALLERY, "maps"), (DESK, "switches")):
            button(tab, widget, "read").click()
            expect(tab.page.locator(widget).locator(f"[data-{heads}] button")).to_have_count(270)
        button(tab, DESK, "group induction").click()
        expect(part(tab, DESK, "told")).to_contain_text("Without 18.4")
        assert seen_by_axe(tab) == []
        with tab.on_a_phone():
            wait_until(lambda: max(tab.page.evaluate(WIDER)) <= 0, "widgets no wider than their place")

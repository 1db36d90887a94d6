"""Widgets under a finger, which Chromium only pretends: what a tap does, and how large what is tapped is."""

import pytest
from driving import PHONE, new_readers
from plain import PlainTab
from playwright.sync_api import expect

from mha_course import Desk, Gallery, Speak, Train, Workbench, arrange, practise, predict, quiz

LEAST = 32  # pixels
# What can be tapped, and is smaller than a finger; a query of the gallery can be chosen in its list too.
SMALL = """least => [...document.querySelectorAll('.mha')].flatMap((widget) =>
    [...widget.querySelectorAll('button, select, summary, input, td[tabindex]')]
        .filter((node) => node.checkVisibility())
        .map((node) => node.matches('[type=radio], [type=checkbox]') ? node.closest('label') ?? node : node)
        .filter((node) => {
            const { width, height } = node.getBoundingClientRect();
            return Math.min(Math.round(width), Math.round(height)) < least;
        })
        .map((node) => `${widget.className}: ${node.outerHTML.slice(0, 80)}`))"""


@pytest.fixture(scope="module", params=[PHONE["width"], 1024], ids=lambda width: f"{width} wide")
def tab(request, browser):
    """A page of a phone or of a tablet."""
    with new_readers(browser) as begin:
        page = PlainTab(begin(viewport={"width": request.param, "height": 844}, has_touch=True, is_mobile=True))
        page.page.evaluate("""() => {
            const meta = document.createElement("meta");
            meta.name = "viewport";
            meta.content = "width=device-width";
            document.head.append(meta);
            window.menus = 0;
            addEventListener("contextmenu", () => (menus += 1));
        }""")
        yield page
    assert page.errors == []


def test_all_that_is_tapped_is_as_large_as_a_finger(tab):
    questions = (predict("scaled_scores.largest-key"), quiz("scaled_scores"), arrange("scaled_scores.batch"))
    boards = (Workbench(stage="softmax"), Workbench("two_heads", stage="heads"), Workbench(stage="weighted_sums"))
    tab.show(*boards, *questions, practise("scaled_scores.wrong-entry"), Train(), Speak(), Gallery(), Desk())
    tab.page.locator("button[data-more] >> nth=0").tap()
    assert tab.page.evaluate(SMALL, LEAST) == []


def test_a_tap_takes_a_number_under_the_hand_and_the_stepper_and_the_keys_change_it(tab):
    tab.show(Workbench(stage="softmax"))
    field = tab.page.locator('td[data-at="W_Q:0,1"] > input')
    field.tap()
    expect(field).to_be_focused()
    assert field.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)") == "0"
    tab.page.get_by_role("button", name="One more").tap()
    expect(field).to_have_value("1")
    expect(tab.page.locator(".mha-hand output")).to_have_text("1")
    field.tap()
    tab.page.keyboard.type("3")
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator("[data-part=status]")).to_contain_text("W_Q[1,2]: 1 → 3")
    assert tab.page.evaluate("menus") == 0


def test_a_tap_chooses_a_word_and_asks_a_number(tab):
    tab.show(Workbench(stage="softmax"))
    tab.page.locator('[data-word="0"]').tap()
    expect(tab.page.locator(".mha-percents text")).to_have_text(["14 %", "43 %", "43 %"])
    tab.page.locator('td[data-at="weights/1:0,1"]').tap()
    expect(tab.page.locator("[data-part=arithmetic]")).to_contain_text("0.43")


def test_answers_are_tapped(tab):
    tab.show(predict("scaled_scores.largest-key"))
    tab.page.locator("label:has([type=radio]) >> nth=0").tap()
    expect(tab.page.locator("[type=radio]").first).to_be_checked()
    tab.page.get_by_role("button", name="Commit").tap()
    expect(tab.page.locator("[data-part^=result]").first).not_to_be_empty()


def test_models_are_tapped(tab):
    tab.show(Train())
    tab.page.locator("button[name=step]").tap()
    expect(tab.page.locator("[data-part=told]")).not_to_contain_text("Step 0")


def test_a_finger_draws_a_number_sideways(tab):
    tab.show(Workbench(stage="softmax"))
    field = tab.page.locator('td[data-at="W_Q:0,1"] > input')
    field.tap()  # which scrolls it into view, not below the stepper
    box = field.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    hand = tab.page.context.new_cdp_session(tab.page)
    hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for i in range(1, 11):
        hand.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + 6 * i, "y": y}]})
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(field).not_to_have_value("0")
    assert 0.5 <= float(field.input_value()) <= 1

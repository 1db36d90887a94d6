"""Predictions, quizzes and the page on how far one is, under keys in a real page."""

import json
import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from driving import replace_text
from forms import form, press
from playwright.sync_api import expect

from mha_course import predict, quiz

CHOICE, ORDER, NUMBER, QUIZ, TWIN = range(5)
FOCUSED = """() => {
    const at = document.activeElement, style = getComputedStyle(at);
    return {
        form: [...document.querySelectorAll('.mha-form')].findIndex(each => each.contains(at)),
        text: at.tagName === 'BUTTON' ? at.textContent : `${at.tagName} ${at.name} ${at.value}`,
        hasOutline: style.outlineStyle === 'solid' && parseFloat(style.outlineWidth) >= 2,
    };
}"""


def show_questions(tab):
    """Show the questions as they are when their cells are run: with what was answered before."""
    number = predict("heads.eight-copies")
    choice, order = predict("scaled_scores.largest-key"), predict("scaled_scores.divisors")
    tab.show(choice, order, number, quiz("scaled_scores"), number)


@pytest.fixture
def tab(plain_tab):
    """A page with forms in which nothing was answered yet."""
    show_questions(plain_tab)
    yield plain_tab
    assert plain_tab.errors == []


def part(form, name):
    return form.locator(f'[data-part^="{name}"]').first


def button(form, text):
    return form.get_by_role("button", name=text).first


def focused(tab):
    return tab.page.evaluate(FOCUSED)


def commit_choice(tab, downs=1):
    """Answer the first prediction by keys, from its first option on."""
    form(tab, CHOICE).locator("input").first.focus()
    press(tab, "Space", *["ArrowDown"] * downs, "Enter")
    expect(part(form(tab, CHOICE), "result")).to_contain_text("You said")


def test_a_choice_is_answered_by_keys_alone_and_the_focus_stays(tab):
    commit_choice(tab)
    result = part(form(tab, CHOICE), "result")
    expect(result).to_contain_text("You said “disrupt”. It is “create”: the sums are 10 for innovators")
    assert focused(tab) == {"form": CHOICE, "text": "INPUT answer disrupt", "hasOutline": True}
    press(tab, "Tab")
    assert focused(tab)["text"] == "Commit"
    press(tab, "Enter", "Tab")  # committing again does nothing
    assert focused(tab)["text"] == "INPUT why "
    tab.page.keyboard.type("a b dd x: long keys count")  # letters that JupyterLab has shortcuts for
    press(tab, "Enter")
    expect(part(form(tab, CHOICE), "kept")).to_have_text("Your line is kept.")
    assert focused(tab)["text"] == "INPUT why a b dd x: long keys count"
    press(tab, "Tab", "Tab")
    assert focused(tab)["text"] == "Start over"
    press(tab, "Enter")
    expect(result).to_be_empty()
    expect(form(tab, CHOICE).locator("input[name=why]")).to_be_hidden()
    assert focused(tab)["text"] == "Start over"
    expect(form(tab, CHOICE).locator("input:checked")).to_have_count(0)


SMALL = """[...document.querySelectorAll('.mha-form :is(label, button, select, summary)')].filter(each => {
    const { width, height } = each.getBoundingClientRect();
    return height > 0 && (width < 24 || height < 24); }).map(each => each.outerHTML)"""
BACKGROUNDS = "labels => labels.map(each => getComputedStyle(each).backgroundColor)"


def test_what_is_pressed_is_large_and_the_chosen_answer_stands_out(tab):
    labels = form(tab, CHOICE).locator("fieldset label")
    labels.nth(1).click()
    chosen = labels.evaluate_all(BACKGROUNDS)
    assert chosen[1] != chosen[0] == chosen[2]
    button(form(tab, CHOICE), "Commit").click()
    expect(part(form(tab, CHOICE), "result").locator("[data-verdict]")).to_be_visible()
    judged = labels.evaluate_all(BACKGROUNDS)
    assert judged[1] not in (chosen[1], judged[0]) and judged[0] == judged[2]
    assert tab.page.evaluate(SMALL) == []


def test_an_answer_that_was_committed_to_stays(tab):
    commit_choice(tab)
    press(tab, "ArrowDown", "ArrowDown")
    expect(form(tab, CHOICE).locator("input:checked")).to_have_value("disrupt")
    form(tab, CHOICE).locator("input[value=create]").click(force=True)  # it says of itself that it is off
    expect(form(tab, CHOICE).locator("input:checked")).to_have_value("disrupt")


def test_items_are_put_in_order_by_keys_alone(tab):
    order = form(tab, ORDER)
    order.locator("select").first.focus()
    for key in "3421":
        press(tab, key, "Tab")
    press(tab, "Enter")
    expect(part(order, "result")).to_contain_text("That is right: in this order the weights are 0.9820, 0.9088")
    assert focused(tab) == {"form": ORDER, "text": "Commit", "hasOutline": True}
    order.locator("select").first.focus()
    press(tab, "1")  # it was committed to
    expect(order.locator("select").first).to_have_value("3")


def test_an_order_that_is_none_is_refused_and_nothing_chosen_is_lost(tab):
    order = form(tab, ORDER)
    for number, place in enumerate("1123"):
        order.locator("select").nth(number).select_option(place)
    button(order, "Commit").press("Enter")
    expect(part(order, "alert")).to_have_text("Two items have the same position: use each position once.")
    assert [order.locator("select").nth(i).input_value() for i in range(4)] == list("1123")


def test_a_number_that_is_none_is_refused_in_plain_words_and_can_be_mended(tab):
    number = form(tab, NUMBER)
    field = number.locator("input[name=answer]")
    replace_text(field, "two")
    expect(part(number, "alert")).to_have_text('"two" is not a number.')
    assert focused(tab)["text"] == "INPUT answer two"
    replace_text(field, "8")
    expect(part(number, "alert")).to_be_empty()
    expect(part(number, "result")).to_contain_text("✗ not right You said 8. It is 1: block 1 begins with 0.3666")
    assert focused(tab)["form"] == NUMBER
    press(tab, "9")
    expect(field).to_have_value("8")


def test_a_second_view_follows_the_first(tab):
    replace_text(form(tab, NUMBER).locator("input[name=answer]"), "1")
    expect(part(form(tab, TWIN), "result")).to_contain_text("You said 1. That is right")
    expect(form(tab, TWIN).locator("input[name=answer]")).to_have_value("1")


def test_a_quiz_says_why_and_lets_one_choose_again(tab):
    quiz = form(tab, QUIZ)
    questions = quiz.locator("form")
    questions.nth(3).locator("input").nth(0).check()  # half filled in
    questions.nth(0).locator("input").first.focus()
    press(tab, "Space", "Enter")
    result = quiz.locator('[data-part="result scaled_scores.which-root"]')
    expect(result).to_contain_text("✗ not right Not “√512 ≈ 22.6”")
    expect(quiz.locator('[data-part="score"]')).to_have_text("0 of 5 right.")
    press(tab, "ArrowUp", "Enter")  # goes round to the last option
    expect(result).to_contain_text("✓ right The root of 64")
    expect(quiz.locator('[data-part="score"]')).to_have_text("1 of 5 right.")
    assert focused(tab)["text"] == "INPUT answer 8"
    expect(questions.nth(3).locator("input").nth(0)).to_be_checked()
    press(tab, "Tab", "Tab", "Enter")
    assert focused(tab)["text"].startswith("SUMMARY")
    expect(result.locator("li")).to_have_count(3)
    expect(result.locator("li").first).to_be_visible()


def test_what_was_answered_is_there_again_when_its_cell_is_run_again(tab):
    commit_choice(tab)
    replace_text(form(tab, CHOICE).locator("input[name=why]"), "It is <b>longer</b>.")
    expect(part(form(tab, CHOICE), "kept")).to_have_text("Your line is kept.")
    form(tab, QUIZ).locator("form").nth(1).locator("input").nth(0).check()
    button(form(tab, QUIZ).locator("form").nth(1), "Check").click()
    expect(form(tab, QUIZ).locator('[data-part="score"]')).to_have_text("1 of 5 right.")
    show_questions(tab)
    choice = form(tab, CHOICE)
    expect(part(choice, "result")).to_contain_text("You said “disrupt”. It is “create”")
    expect(choice.locator("input:checked")).to_have_value("disrupt")
    expect(choice.locator("input[name=why]")).to_have_value("It is <b>longer</b>.")
    expect(form(tab, QUIZ).locator('[data-part="score"]')).to_have_text("1 of 5 right.")
    events = [json.loads(line) for line in Path(os.environ["MHA_COURSE_PROGRESS"]).read_text().splitlines()]
    assert [(event["kind"], event["name"]) for event in events] == [
        ("predicted", "scaled_scores.largest-key"),
        ("note", "scaled_scores.largest-key"),
        ("answered", "scaled_scores.forgotten-transpose"),
    ]


def test_a_busy_kernel_is_spoken_of_until_it_answers(tab):
    choice = form(tab, CHOICE)
    with tab.held():
        choice.locator("input").first.check()
        button(choice, "Commit").click()
        expect(choice).to_have_attribute("aria-busy", "true")
        expect(part(choice, "notice")).to_contain_text("No answer yet.")
    expect(part(choice, "result")).to_contain_text("You said")
    expect(choice).not_to_have_attribute("aria-busy", "true")
    expect(part(choice, "notice")).to_be_empty()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_forms_are_accessible_in_every_state(tab, theme):
    with tab.wearing(theme):
        commit_choice(tab)
        button(form(tab, ORDER), "Commit").click()
        expect(part(form(tab, ORDER), "alert")).to_contain_text("Not placed")
        for question, option in ((0, 0), (1, 0)):  # one wrong, one right
            form(tab, QUIZ).locator("form").nth(question).locator("input").nth(option).check()
            button(form(tab, QUIZ).locator("form").nth(question), "Check").click()
        form(tab, QUIZ).locator("summary").click()
        violations = Axe().run(tab.page, context={"include": [[".mha-form"]]}).response["violations"]
        assert [
            (found["id"], node["html"], node["failureSummary"])
            for found in violations
            if found["impact"] in ("serious", "critical")
            for node in found["nodes"]
        ] == []

"""An exercise as a learner meets it: write, run, check, be told, open a hint, unfold the solution."""

import json
import re

import nbformat
import pytest
from driving import open_below
from lab import SECONDS, wait_until
from playwright.sync_api import expect
from stored import ROOT

from mha_course.engine.isolated_call.attempt import SECONDS as PATIENCE

LESSON = ROOT / "notebooks" / "03_scaled_scores.ipynb"
IDS = [cell.id for cell in nbformat.read(LESSON, 4).cells]
RIGHT = "def my_scaled_scores(Q, K):\nreturn Q @ K.T / np.sqrt(Q.shape[-1])"  # the editor indents by itself
UNSCALED = "def my_scaled_scores(Q, K):\nreturn Q @ K.T"
ENDLESS = "def my_scaled_scores(Q, K):\nwhile True:\npass"


@pytest.fixture
def tab(shared_tab, no_progress):
    """Lesson 3 with its imports, and no progress yet."""
    tab = shared_tab(LESSON.name)
    run(tab, "imports")
    open_below(cell(tab, "exercise-scaled"))
    return tab


def cell(tab, name):
    """Find the cell of that id."""
    return tab.page.locator(".jp-Notebook .jp-Cell").nth(IDS.index(name))


def run(tab, name):
    """Run one cell with Shift and Enter, and wait until it has run."""
    prompt = cell(tab, name).locator(".jp-InputPrompt")
    prompt.click()
    prompt.evaluate("each => (each.textContent = '')")
    tab.page.keyboard.press("Shift+Enter")
    has_run = re.compile(r"\[\d+\]:")
    wait_until(lambda: has_run.fullmatch(prompt.text_content()), f"{name} to have run", SECONDS + PATIENCE)


def answer(tab, code):
    """Type an answer to exercise 3.3, and run it and its check; return the card."""
    cell(tab, "exercise-scaled-stub").locator(".cm-content").click()
    tab.page.keyboard.press("ControlOrMeta+a")
    for line in code.splitlines():
        tab.page.keyboard.type(line)
        tab.page.keyboard.press("Enter")
    tab.page.keyboard.press("Escape")
    run(tab, "exercise-scaled-stub")
    run(tab, "exercise-scaled-check")
    return cell(tab, "exercise-scaled-check").locator(".jp-OutputArea-output")


def test_a_wrong_answer_is_understood_and_both_it_and_the_right_one_are_kept(tab, lab):
    card = answer(tab, UNSCALED)
    expect(card).to_contain_text("The scale is missing.")
    expect(card.locator("code").first).to_have_text("scores[1,1] = 1·3 + 0·1 + 0·0 + 2·1 = 5")
    expect(card).to_contain_text("deepjavalibrary/d2l-java #186")
    expect(answer(tab, RIGHT)).to_contain_text("✓ right Exercise 3.2: Right.")
    events = [json.loads(line) for line in lab.progress.read_text().splitlines()]
    assert [(event["attempt"], event["name"], event["kind"]) for event in events] == [
        (1, "scaled_scores.scaled", "mistake"),
        (2, "scaled_scores.scaled", "right"),
    ]
    assert tab.errors == []


def test_an_endless_loop_is_stopped_and_the_kernel_goes_on(tab):
    card = answer(tab, ENDLESS)
    expect(card).to_contain_text("It takes too long.")
    expect(card).not_to_contain_text("KeyboardInterrupt")
    expect(answer(tab, RIGHT)).to_contain_text("Right.")


def test_the_hints_open_one_after_the_other_by_keyboard(tab):
    hints = cell(tab, "exercise-scaled-hints")
    for number in (1, 2, 3):
        summary = hints.get_by_text(f"Hint {number}", exact=True)
        expect(summary).to_be_visible()
        expect(hints.get_by_text(f"Hint {number + 1}", exact=True)).not_to_be_visible()
        summary.focus()
        tab.page.keyboard.press("Enter")
    expect(hints).to_contain_text("np.sqrt(d_k)")


def test_the_solution_is_folded_away_until_it_is_asked_for(tab):
    solution = cell(tab, "exercise-scaled-solution")
    code = solution.locator(".cm-content")
    assert not code.is_visible()
    expect(solution).to_contain_text("# Solution 3.2")
    solution.locator(".jp-Placeholder-content").click()
    expect(code).to_contain_text("def scaled_scores_solution(Q, K):")

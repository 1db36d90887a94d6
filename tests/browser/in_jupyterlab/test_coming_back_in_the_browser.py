"""What a learner meets who comes back: to a saved notebook, after a reload, in a fresh kernel; and on the way there."""

import re
import subprocess
import sys

import nbformat
import pytest
from driving import cell, entry, part, type_into
from lab import open_notebook, run_all, wait_until
from playwright.sync_api import expect
from run_notebooks import METADATA, WIDGET

from mha_course.engine.pictures.placeholder import HOW_TO_ACTIVATE

LEFT = "left.ipynb"
CELLS = {
    "imports": "from mha_course import Workbench, arrange, check, practise, predict, quiz",
    "explore": 'Workbench(stage="scaled_scores")',
    "largest-key": 'predict("scaled_scores.largest-key")',
    "quiz": 'quiz("scaled_scores")',
    "lines": 'arrange("scaled_scores.batch")',
    "entry": 'practise("scaled_scores.wrong-entry")',
}
ASKED = len(CELLS) - 1


def choose(tab, menu, command):
    """Choose from the menu bar."""
    tab.page.locator(".lm-MenuBar-itemLabel", has_text=re.compile(f"^{menu}$")).click()
    tab.page.locator(f'.lm-Menu-item[data-command="{command}"]').click()


def stored(tab, name=LEFT):
    """Return cell id -> its outputs' data, as the file has them once it is whole: the server may be writing it."""
    path = tab.lab.folder / name

    def whole():
        text = path.read_text(encoding="utf-8")
        return text if text.endswith("}\n") else None

    cells = nbformat.reads(wait_until(whole, "a file written to its end"), 4).cells
    return {cell.id: [each.get("data", {}) for each in cell.outputs] for cell in cells if cell.cell_type == "code"}


def board(tab):
    """Find the first workbench, and bring it into view."""
    tab.workbenches.first.scroll_into_view_if_needed()
    return tab.workbenches.first


def run_cell(tab, source):
    """Run the one cell that has this in its source, and return what it printed and showed."""
    code = tab.page.locator(".jp-CodeCell", has=tab.page.locator(".jp-InputArea", has_text=source))
    code.locator(".jp-InputArea-editor").first.click()
    tab.page.keyboard.press("Shift+Enter")
    expect(code.locator(".jp-InputPrompt").first).to_have_text(re.compile(r"\[\d+\]:"))
    return code.locator(".jp-OutputArea").first


def save_until(tab, is_so, what):
    """Save again and again until something is so: what is to be saved follows the page, and rests after a hand."""

    def saved():
        choose(tab, "File", "docmanager:save")
        return is_so()

    wait_until(saved, what)


@pytest.fixture
def lesson(shared_tab, lab, no_progress):
    """A notebook with a widget of each sort in which every cell has run, and nothing else was done."""
    cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in CELLS.items()]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=METADATA)
    tab = shared_tab(LEFT, anew=True, write=lambda: nbformat.write(notebook, lab.folder / LEFT))
    run_all(tab, workbenches=1)
    return tab


def test_after_a_restart_a_board_says_at_once_that_it_is_a_picture_and_comes_back_as_it_was_left(lesson):
    type_into(board(lesson), "W_K:0,2", "5")
    wait_until(lambda: list(lesson.lab.progress.parent.glob("*.workbenches/*.json")), "what was left, kept")
    picture = lesson.page.locator('.mha-placeholder td[data-at="W_K:0,2"]').first  # which follows when the hand rests
    wait_until(lambda: picture.text_content() == "5", "the change in the stored picture")
    choose(lesson, "Kernel", "kernelmenu:restart")
    lesson.page.evaluate("""() => {
        let hasBegun = false;
        new MutationObserver(() => {
            const { status } = document.querySelector('.jp-Notebook-ExecutionIndicator').dataset;
            hasBegun ||= status === 'restarting';
            if (!document.querySelector('.mha-alive')) window.isLate ??= hasBegun && status === 'idle';
        }).observe(document.body, { childList: true, subtree: true, attributes: true });
    }""")
    lesson.page.locator(".jp-Dialog .jp-mod-accept").click()
    lesson.page.wait_for_function("window.isLate !== undefined")
    assert not lesson.page.evaluate("window.isLate")  # it did not wait for the kernel
    expect(lesson.page.get_by_text(HOW_TO_ACTIVATE).first).to_be_visible()
    expect(lesson.page.locator('td[data-at="W_K:0,2"]').first).to_have_text("5")

    run_all(lesson, workbenches=1)
    expect(entry(board(lesson), "W_K:0,2")).to_have_value("5")
    expect(part(board(lesson), "status")).to_contain_text("how you left it")
    board(lesson).get_by_role("button", name="Start afresh").press("Enter")
    expect(entry(board(lesson), "W_K:0,2")).to_have_value("1")
    assert board(lesson).evaluate("board => board.contains(document.activeElement)")
    wait_until(lambda: not list(lesson.lab.progress.parent.glob("*.workbenches/*.json")), "nothing kept any more")
    assert lesson.errors == []


def test_after_a_reload_everything_lives_again_and_is_stored_as_before(lesson):
    save_until(lesson, lambda: 'class="mha-' in str(stored(lesson)["explore"]), "the notebook, saved")
    changed = lesson.page.locator(".lm-DockPanel-tabBar .jp-mod-dirty")
    save_until(lesson, lambda: changed.count() == 0, "nothing that the page would ask to save")
    lesson.page.reload()
    wait_until(lambda: lesson.workbenches.count() == 1, "the workbench, alive")
    expect(board(lesson).locator("[data-part=words]")).not_to_be_empty()  # Python has answered
    type_into(board(lesson), "W_K:0,2", "6")
    expect(cell(board(lesson), "K/1:0,2")).to_contain_text("6")
    change = re.compile(r"0 +0 +6")
    save_until(lesson, lambda: change.search(stored(lesson)["explore"][0]["text/plain"]), "the change, saved")


def test_keys_take_back_what_was_done_unless_something_is_being_typed(lesson):
    workbench = board(lesson)
    type_into(workbench, "W_K:0,2", "5")
    expect(cell(workbench, "K/1:0,2")).to_contain_text("5")
    lesson.page.keyboard.press("ControlOrMeta+z")
    expect(entry(workbench, "W_K:0,2")).to_have_value("1")
    lesson.page.keyboard.press("ControlOrMeta+Shift+z")
    expect(entry(workbench, "W_K:0,2")).to_have_value("5")
    lesson.page.keyboard.press("ControlOrMeta+a")
    lesson.page.keyboard.type("8")
    lesson.page.keyboard.press("ControlOrMeta+z")  # the browser's own: of the typing
    lesson.page.keyboard.press("Escape")
    expect(entry(workbench, "W_K:0,2")).to_have_value("5")
    lesson.page.keyboard.press("ControlOrMeta+z")
    expect(entry(workbench, "W_K:0,2")).to_have_value("1")
    lesson.page.keyboard.press("ControlOrMeta+y")
    expect(entry(workbench, "W_K:0,2")).to_have_value("5")


def test_a_second_view_of_a_workbench_lives_beside_the_first(lesson):
    board(lesson).locator("p").first.click(button="right")
    lesson.page.locator('.lm-Menu-item[data-command="notebook:create-output-view"]').click()
    views = lesson.page.locator(".mha-workbench:has([data-at='W_K:0,2'])")
    wait_until(lambda: lesson.page.locator(".jp-LinkedOutputView .mha-workbench").count() == 1, "a second view")
    second = lesson.page.locator(".jp-LinkedOutputView .mha-workbench")
    expect(second.locator("[data-part=words]")).not_to_be_empty()  # Python has answered
    type_into(second, "W_K:0,2", "5")
    expect(entry(views.first, "W_K:0,2")).to_have_value("5")
    expect(entry(second, "W_K:0,2")).to_have_value("5")


def test_in_a_fresh_kernel_a_cell_runs_from_anywhere_or_says_what_to_run_first(shared_tab, no_progress):
    tab = shared_tab("03_scaled_scores.ipynb", anew=True)
    run_cell(tab, 'Workbench(stage="scaled_scores")')
    expect(tab.workbenches).to_have_count(1)
    said = run_cell(tab, 'check("scaled_scores.scaled"')
    expect(said).to_contain_text("has not run yet")
    expect(said).to_contain_text("def my_scaled_scores")
    expect(said).not_to_contain_text("Traceback")


def test_a_link_of_how_far_you_are_puts_its_heading_into_the_top_third(shared_tab, no_progress):
    tab = shared_tab("00_start_here.ipynb")
    run_cell(tab, "how_far()")
    for number in ("6.1", "3.2"):  # the first on the core path
        tab.page.locator(".lm-TabBar-tabLabel", has_text="00_start_here").click()
        tab.page.locator(".jp-RenderedHTML a", has_text=f"Exercise {number}").first.click()
        heading = tab.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) h3", has_text=f"Exercise {number}")
        heading.wait_for()
        wait_until(lambda: rests_in_the_top_third(heading), "the heading, in the top third")  # noqa: B023


def rests_in_the_top_third(heading):
    """Whether a heading stands in the top third of its notebook, and moves no more."""
    return heading.evaluate("""async (heading) => {
        const panel = heading.closest('.jp-WindowedPanel-outer').getBoundingClientRect();
        const place = () => heading.getBoundingClientRect().top - panel.top;
        const before = place();
        await new Promise((done) => setTimeout(done, 500));
        return before === place() && 0 <= before && before < panel.height / 3;
    }""")


def test_a_saved_notebook_shows_without_its_kernel_how_everything_was_left(lesson, tmp_path):
    workbench = board(lesson)
    type_into(workbench, "W_K:0,2", "5")
    entry(workbench, "W_K:0,1").focus()
    lesson.page.keyboard.press("ControlOrMeta+a")
    lesson.page.keyboard.insert_text("7")  # and no Enter
    lesson.page.keyboard.press("ControlOrMeta+s")
    wait_until(lambda: re.search(r"0 +7 +5", str(stored(lesson)["explore"])), "what is being typed, saved")
    assert entry(workbench, "W_K:0,1").evaluate("node => node === document.activeElement")
    for outputs in list(stored(lesson).values())[1:]:
        (data,) = outputs
        assert set(data) == {"text/plain", "text/html"} and HOW_TO_ACTIVATE in data["text/html"]
    wait_until(lambda: lesson.page.locator(".jp-mod-dirty").count() == 0, "nothing unsaved, which would keep the page")
    lesson.page.goto("about:blank")
    lesson.lab.stop_kernels()
    for at in ("lab/tree", "notebooks"):
        open_notebook(lesson, LEFT, at)
        content = lesson.page.content()
        assert "model not found" not in content and "Error displaying widget" not in content
        assert lesson.page.get_by_text(HOW_TO_ACTIVATE).count() == ASKED and lesson.workbenches.count() == 0
        shown = lesson.page.locator('.jp-Notebook td[data-at="W_K:0,1"]').first
        assert shown.text_content() == "7"
        lesson.page.goto("about:blank")
        lesson.lab.stop_kernels()
    lesson.page.close()
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--output-dir", tmp_path, lesson.lab.folder / LEFT]
    subprocess.run(command, check=True, capture_output=True)
    exported = (tmp_path / LEFT).with_suffix(".html").read_text(encoding="utf-8")
    assert exported.count(HOW_TO_ACTIVATE) == ASKED and WIDGET not in exported

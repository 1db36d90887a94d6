"""What the browser tests expect on the screen, and the hands that change it."""

import re
from contextlib import contextmanager, suppress

from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe
from lab import patient, wait_until
from playwright.sync_api import expect

from mha_course import steps
from mha_course.forward.stages import STAGES
from mha_course.pictures.board import BRIEF
from mha_course.pictures.composition import board
from mha_course.widgets.generation import OPENING

PHONE, SCREEN = {"width": 390, "height": 800}, {"width": 1280, "height": 720}
PAGE = {"width": 1280, "height": 900}  # that of a page which several tests share
# Jupyter's server cannot list its kernels while one of them is just being started; JupyterLab asks again.
KERNEL_BEGINS = re.compile(r"status of 500 .*/api/kernels\?\d+\)$")
# For tests that begin Python in a page, which takes longer than all else.
STILL = {"reduced_motion": "reduce"}  # a change that glides draws ten frames, which take longer than the change


@contextmanager
def new_readers(browser):
    """Make what opens an empty page, each time as a new reader, on which nothing moves; in the end all are closed."""
    contexts = []

    def begin(**options):
        contexts.append(patient(browser.new_context(**(STILL | {"viewport": SCREEN} | options))))
        return contexts[-1].new_page()

    yield begin
    for context in contexts:
        context.close()


@contextmanager
def in_motion(page):
    """Let what moves on a page move."""
    page.emulate_media(reduced_motion="no-preference")
    yield
    page.emulate_media(**STILL)


def watch(tab):
    """Note every error that the page's code throws or writes to the console, and every dialog."""

    def note_console(message):
        text = f"console: {message.text} ({message.location.get('url', '')[:100]})"
        if message.type == "error" and not KERNEL_BEGINS.search(text):
            tab.errors.append(text)

    def note_dialog(dialog):
        tab.errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    tab.page.on("console", note_console)
    tab.page.on("pageerror", lambda error: tab.errors.append(f"page: {error}"))
    tab.page.on("dialog", note_dialog)


def written(values, decimals=4):
    """Write a matrix as a board does: each column with as many decimals as it needs, at most so many."""
    return list(map(list, zip(*(_column(each, decimals) for each in values.T.tolist()), strict=True)))


def _column(values, most):
    """Write the numbers of one column, without a point if all are whole."""
    is_whole = all(each == round(each) for each in values)
    needed = (count for count in range(1, most) if all(round(each, count) == round(each, most) for each in values))
    count = 0 if is_whole else next(needed, most)
    texts = [f"{each:.{count}f}" for each in values]
    return [text.removeprefix("-") if float(text) == 0 else text for text in texts]


def numbers_of(state, query=0, stage="all", head=0):
    """Return address -> text of every computed entry that the board of a state must show."""
    path = steps(state, query)
    return {
        f"{key}:{row},{column}": written(path[key].values, BRIEF)[row][column]
        for key, places in board(path, STAGES[stage].names, head).places(path).items()
        for row, column in places
        if not path[key].is_input and not (key.startswith("weights") and key != f"weights/{head + 1}")
    }


def numbers_on(workbench):
    """Return address -> text of every computed entry that a workbench shows, wherever it stands."""
    return workbench.evaluate("""workbench => {
        const found = {};
        for (const td of workbench.querySelectorAll('td[data-at]')) {
            if (td.querySelector('input')) continue;
            const text = found[td.dataset.at] ?? td.textContent;
            found[td.dataset.at] = text === td.textContent ? text : 'differs';
        }
        return found;
    }""")


def expect_numbers(workbench, state, query=0, stage="all", head=0):
    """Wait until a workbench shows exactly the numbers of a state."""
    expected = numbers_of(state, query, stage, head)
    with suppress(AssertionError):  # which says less than the comparison
        wait_until(lambda: numbers_on(workbench) == expected, "the numbers of the state")
    assert numbers_on(workbench) == expected


def cell(workbench, at):
    """Find the cell of an address, like "W_K:0,2"; the first, where an entry stands in several places."""
    return workbench.locator(f'td[data-at="{at}"]').first


def entry(workbench, at):
    """Find the text field of an input's entry."""
    return cell(workbench, at).locator("input")


def open_all(page, is_open=True):
    """Open or close what the workbenches of a page keep behind *More …*, and their folds. Returns when it is drawn."""
    page.evaluate(
        """async isOpen => {
        for (const each of document.querySelectorAll(`[data-more][aria-expanded=${!isOpen}]`)) each.click();
        for (const each of document.querySelectorAll('.mha-folded')) each.open = isOpen;
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);  // drawings learn their size
    }""",
        is_open,
    )


def open_below(heading):
    """Show what stands below an optional heading, if it is closed."""
    closed = heading.locator(".jp-showHiddenCellsButton")
    if closed.count():
        closed.first.click()


def part(widget, name):
    """Find one of the messages: alert, words, arithmetic, status, goal or what is told."""
    return widget.locator(f"[data-part={name}]")


def begin_to_write(speak):
    """Let a model write, and wait until it is open, which takes long on a machine that has much else to do."""
    speak.locator("button[name=write]").click()
    expect(part(speak, "told")).to_contain_text(re.compile("Writing token| written"), timeout=1000 * OPENING)


def type_into(workbench, at, text):
    """Replace what an entry's field says, and press Enter."""
    replace_text(entry(workbench, at), text)


def replace_text(field, text, end="Enter"):
    """Select what a field says, put a text in its place as by pasting, and press a last key."""
    field.focus()
    for key in ("ControlOrMeta+a", "Delete"):
        field.page.keyboard.press(key)
    field.page.keyboard.insert_text(text)
    field.page.keyboard.press(end)


def show_file_browser(tab, is_shown):
    """Open or close the file browser at the left of the page."""
    if tab.page.locator("#filebrowser").is_visible() != is_shown:
        tab.page.locator('.jp-SideBar .lm-TabBar-tab[data-id="filebrowser"]').first.click()


def barriers(page, inside, **options):
    """Write what axe finds serious or worse inside an element of the page, with the markup. options: axe's own."""
    axe = Axe("" if page.evaluate("'axe' in window") else AXE_SCRIPT)  # half a megabyte, which is not read twice
    found = axe.run(page, context=inside, options={"resultTypes": ["violations"]} | options).response["violations"]
    return "\n".join(
        f"{each['id']} ({each['impact']}): {node['html']}\n    {node['failureSummary']}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    )

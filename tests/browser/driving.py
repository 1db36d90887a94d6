"""What the browser tests expect on the screen, and the hands that change it."""

import time

from lab import SECONDS

from mha_course import steps
from mha_course.pictures.matrix import shown_places


def watch(tab):
    """Note every error that the page's code throws or writes to the console, and every dialog."""

    def note_console(message):
        if message.type == "error":
            tab.errors.append(f"console: {message.text} ({message.location.get('url', '')[:100]})")

    def note_dialog(dialog):
        tab.errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    tab.page.on("console", note_console)
    tab.page.on("pageerror", lambda error: tab.errors.append(f"page: {error}"))
    tab.page.on("dialog", note_dialog)


def written(values):
    """Write a matrix as the screen must: 4 decimals, or none if all its numbers are whole."""
    is_whole = (values == values.round()).all()
    return [[f"{value + 0.0:.{0 if is_whole else 4}f}" for value in row] for row in values.tolist()]


def numbers_of(state, query=0):
    """Return address -> text of every computed entry that a workbench must show for a state."""
    return {
        f"{key}:{row},{column}": written(step.values)[row][column]
        for key, step in steps(state, query).items()
        if not step.is_input
        for row, column in shown_places(step.values.shape)
    }


def numbers_on(bench):
    """Return address -> text of every computed entry that a workbench shows."""
    return bench.evaluate("""bench => Object.fromEntries(
        [...bench.querySelectorAll('td[data-at]')].filter(td => !td.querySelector('input'))
            .map(td => [td.dataset.at, td.textContent]))""")


def expect_numbers(bench, state, query=0):
    """Wait until a workbench shows exactly the numbers of a state."""
    expected = numbers_of(state, query)
    end = time.monotonic() + SECONDS / 3
    while (shown := numbers_on(bench)) != expected and time.monotonic() < end:
        time.sleep(0.05)
    assert shown == expected


def cell(bench, at):
    """Find the cell of an address, like "W_K:0,2"."""
    return bench.locator(f'td[data-at="{at}"]')


def entry(bench, at):
    """Find the text field of an input's entry."""
    return cell(bench, at).locator("input")


def part(bench, name):
    """Find one of the messages: alert, words, arithmetic, status or goal."""
    return bench.locator(f"[data-part={name}]")


def type_into(bench, at, text):
    """Replace what an entry's field says, and press Enter."""
    replace_text(entry(bench, at), text)


def replace_text(field, text, end="Enter"):
    """Select what a field says, put a text in its place as by pasting, and press a last key."""
    field.focus()
    for key in ("ControlOrMeta+a", "Delete"):
        field.page.keyboard.press(key)
    field.page.keyboard.insert_text(text)
    field.page.keyboard.press(end)

"""Pages full of forms: a notebook of calls, run until each form has an answer, and the hands that use it."""

import nbformat

METADATA = {"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}}
ALIVE = "[...document.querySelectorAll('.mha-form')].filter(each => each.querySelector('button[data-off]')).length"


def store(path, sources):
    """Write a notebook with a cell for each source."""
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=METADATA), path)


def is_alive(tab, count):
    """Whether so many forms have heard from Python."""
    return tab.page.evaluate(ALIVE) == count


def form(tab, number):
    """One of the forms, counted from 0."""
    return tab.page.locator(".mha-form").nth(number)


def press(tab, *keys):
    """Press keys, one after the other."""
    for key in keys:
        tab.page.keyboard.press(key)

"""What the lessons say of notebooks, as a page says it: nobody can run a cell there."""

import re

from classroom.copies import STORED, without

INSTEAD = {
    # lesson 0
    "Click into the cell below and press **Shift + Enter**. Then click the number in row 1, column 3 of *W_K*, and "
    "press **↑**.": "Point at any number below, or tap it, to see where it came from. Where the board is live, click "
    "the number in row 1, column 3 of *W_K*, and press **↑**.",
    "You have just changed that.": "Your key press changes that.",
    "Click into the cell below and press **Shift + Enter**. The number in brackets": "On these pages, the result of "
    "each cell stands below it. To run one, open the lesson as a notebook, click into the cell, and press "
    "**Shift + Enter**. The number in brackets",
    "If something looks odd, choose *Kernel → Restart Kernel and Run All Cells…* in the menu.": "If something looks "
    "odd there, choose *Kernel → Restart Kernel and Run All Cells…* in the menu.",
    "Run this cell again whenever you come back. It has a link to your next exercise. (When you follow it, run that "
    "lesson's first code cell, the imports, before you go on.)": "In a notebook, run this cell again whenever you come "
    "back: it has a link to your next exercise.",
    "Run this cell at the beginning of every day of study.": "Come back to it at the beginning of every day of study.",
    "Run the next two cells, choose an answer, and press *Commit*.": "Read them, and choose an answer before you open "
    "the result.",
    # all others
    "Put your code in place of the three dots and run the cell.": "They are solved in a notebook: put your code in "
    "place of the three dots and run the cell.",
}
OF_A_NOTEBOOK = re.compile(r"Shift \+ Enter|Kernel →|Edit →|\bRun (this|the next)\b[^.]*\.")


def on_a_page(text):
    """Return a lesson's text as a page says it."""
    for said, instead in INSTEAD.items():
        text = text.replace(said, instead)
    return text


def check(notebooks):
    """Make sure that the text of all lessons fits a page. Errors: `ValueError` with what does not, or is not said."""
    cells = (cell for each in notebooks for cell in each.cells if cell.cell_type == "markdown")
    left = "\n".join(without(STORED, cell.source) for cell in cells)
    for said in INSTEAD:
        if said not in left:
            raise ValueError(f"no lesson says any more: {said}")
        left = left.replace(said, "")
    if found := OF_A_NOTEBOOK.search(left):
        raise ValueError(f"a page cannot say “{found[0]}”: tools/website/phrases.py has what it says instead.")

"""What the lessons say of notebooks, as a page says it: its cells run at the press of a button."""

import re

INSTEAD = {
    # lesson 0
    "Click into the cell above and press **Shift + Enter**: its picture comes alive. ": "",
    "Now click the 0 in row 1, column 2 of *W_Q*, and press **Shift + ↑** once": "Where the board is live, "
    "click the 0 in row 1, column 2 of *W_Q*, and press **Shift + ↑** once",
    " If something looks odd, choose *Kernel → Restart Kernel and Run All Cells…*": "",
    "Run them at the start of each study session.": "In a notebook, run them at the start of each study session.",
    "Run the next two cells, choose an answer, and press *Commit*.": "Read them, and choose an answer before you open "
    "the result.",
    "In an **exercise**, replace the three dots, or repair the code, and run the cell.": "In an **exercise**, "
    "replace the three dots, or repair the code, and press *Check*; where a page runs no code, a notebook does.",
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
    left = "\n".join(cell.source for cell in cells)
    for said in INSTEAD:
        if said not in left:
            raise ValueError(f"no lesson says any more: {said}")
        left = left.replace(said, "")
    if found := OF_A_NOTEBOOK.search(left):
        raise ValueError(f"a page cannot say “{found[0]}”: tools/website/phrases.py has what it says instead.")

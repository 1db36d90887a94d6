"""One row of a workbench stepped through: a slide for each stop, as its Step button shows them."""

import ast

from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_output

from mha_course.live.session import WorkbenchSession

AHEAD = "color:transparent;background:none"  # an entry that is not reached yet
FRAMES = {"selected": "box-shadow:inset 0 0 0 3px CanvasText", "sources": "box-shadow:inset 0 0 0 2px CanvasText"}


def workbench_of(cell):
    """Return the session of a cell that only opens a workbench without a goal, or None."""
    if cell.cell_type != "code" or "Workbench(" not in cell.source:
        return None
    call = getattr(ast.parse(cell.source).body[-1], "value", None)
    arguments = [ast.literal_eval(each) for each in call.args]
    named = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
    return None if "goal" in named else WorkbenchSession(*arguments, **named)


def stops(cell):
    """Return a cell for each stop of the way of the first row; none if the cell opens no workbench that has one."""
    session, cells = workbench_of(cell), []
    update = session and session.act([])
    while update and "next" not in update["off"]:
        update = session.act([["press", "next"]])
        output = new_output("display_data", {"text/html": _drawn(session, update)})
        cells.append(new_code_cell(cell.source, id=f"{cell.id}-step-{len(cells)}", outputs=[output]))
    return cells


def _drawn(session, update):
    """Draw the board with what is reached by now, and below it the words of this stop."""
    marks = update["marks"]
    page = BeautifulSoup(session.still().html, "html.parser")
    sources = set(marks["sources"])
    for entry in page.select("td[data-at]"):
        at = entry["data-at"]
        if at not in sources and at not in marks["reached"]:
            _add(entry, AHEAD)
        if at == marks["selected"] or at in sources:
            _add(entry, FRAMES["selected" if at == marks["selected"] else "sources"])
    for drawing in page.select("img"):
        drawing.decompose()  # it would show the end of the way
    parts = update["parts"]
    return f"{page.select_one('.mha-board')}<p>{parts['words']}</p><p><code>{parts['arithmetic']}</code></p>"


def _add(entry, style):
    kept = [each for each in entry.get("style", "").split(";") if each and not style.startswith(each.split(":")[0])]
    entry["style"] = ";".join([*kept, style])

"""One row of a workbench stepped through: a slide for each stop, as its Step button shows them."""

import ast

from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_output

from mha_course.widgets.workbench_session import WorkbenchSession

MANY = 9  # tables: of a larger board, a stop shows only the bands in which it happens
AHEAD = "color:transparent;background:none"  # an entry that is not reached yet
FRAMES = {"selected": "box-shadow:inset 0 0 0 3px CanvasText", "sources": "box-shadow:inset 0 0 0 2px CanvasText"}


def _workbench_of(cell):
    """Return the session of a cell that only opens a workbench without a goal, or None."""
    if cell.cell_type != "code" or "Workbench(" not in cell.source:
        return None
    call = getattr(ast.parse(cell.source).body[-1], "value", None)
    arguments = [ast.literal_eval(each) for each in call.args]
    named = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
    return None if "goal" in named else WorkbenchSession(*arguments, **named)


def stops(cell):
    """Return a cell for each stop of the way of the first row; none if the cell opens no workbench that has one."""
    session = _workbench_of(cell)
    updates = list(_updates(session)) if session else []
    pages = [_drawn(session, each["marks"], each["parts"], updates[-1]["marks"]) for each in updates]
    outputs = [new_output("display_data", {"text/html": page}) for page in pages]
    return [new_code_cell(cell.source, id=f"{cell.id}-step-{i}", outputs=[each]) for i, each in enumerate(outputs)]


def _updates(session):
    update = session.act([])
    while "next" not in update["off"]:
        update = session.act([["press", "next"]])
        yield update


def _drawn(session, marks, parts, last):
    """Draw of the board what is reached by now, and the words of this stop. last: the marks of the last stop."""
    board = BeautifulSoup(session.still().html, "html.parser").select_one(".mha-board")
    for each in board.select("img, .mha-head"):
        each.decompose()  # it would show the end of the way
    _keep(board.select("table"), lambda table: _places(table) & _seen(last))
    folds = board.select("details")
    has_many = len(board.select("table")) > MANY or bool(folds)
    for fold in folds:  # a step may lead there: then it shows what the step is about
        groups = fold.div.find_all("div", recursive=False)
        _keep(groups, lambda group: _places(group) & _framed(marks))
        fold.replace_with(fold.div)
    if has_many:
        bands = board.find_all("div", recursive=False)
        needed = _needed(bands, _framed(marks))
        _keep(bands, lambda band: id(band) in needed or not needed)
    _mark(board, marks)
    return f"{board}<div class='stop'><p>{parts['words']}</p><p><code>{parts['arithmetic']}</code></p></div>"


def _needed(bands, framed):
    """Choose as few bands as show all that this stop is about: their ids."""
    best = max(bands, key=lambda band: len(_places(band) & framed))
    found = _places(best) & framed
    return {id(best)} | _needed(bands, framed - found) if found else set()


def _framed(marks):
    return {marks["selected"], *marks["sources"]}


def _seen(marks):
    return {*marks["reached"], *marks["sources"]}


def _places(part):
    return {entry["data-at"] for entry in part.select("td[data-at]")}


def _keep(parts, is_needed):
    for each in parts:
        if not is_needed(each):
            each.decompose()


def _mark(board, marks):
    """Frame what this stop is about, and hide what is not reached yet."""
    for entry in board.select("td[data-at]"):
        at = entry["data-at"]
        if at not in _seen(marks):
            _add(entry, AHEAD)
        if at in _framed(marks):
            _add(entry, FRAMES["selected" if at == marks["selected"] else "sources"])


def _add(entry, style):
    kept = [each for each in entry.get("style", "").split(";") if each and not style.startswith(each.split(":")[0])]
    entry["style"] = ";".join([*kept, style])

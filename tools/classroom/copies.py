"""The copies for students and for teachers."""

from copy import deepcopy
from itertools import dropwhile, islice

from classroom import teaching
from classroom.cells import asks, exercises, has_tag
from nbformat.v4 import new_markdown_cell

PROMISES = (  # what the lessons say of solutions that are folded away, and of a folder that lies beside theirs
    "; the solution is folded away below them",
    "; click the folded line *# Solution* to see one way to do it",
    " The package is part of the course, and its code is short: open the folder `mha_course/maths` beside `notebooks`.",
)


def student(notebook):
    """Return a lesson without solutions and answered predictions. Hints stay: they give away one step at a time."""
    copy = deepcopy(notebook)
    copy.cells = [cell for cell in copy.cells if not has_tag(cell, "solution")]
    _clear_below_the_first_prediction(copy.cells)
    for cell in copy.cells:
        if cell.cell_type == "markdown":
            cell.source = without_promises(cell.source)
    return copy


def _clear_below_the_first_prediction(cells):
    from_the_first_on = dropwhile(lambda cell: not asks(cell), cells)
    for cell in islice(from_the_first_on, 1, None):
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None


def without_promises(text):
    """Return a lesson's text without what does not hold for a copy."""
    for promise in PROMISES:
        text = text.replace(promise, "")
    return text


def instructor(notebook, notes, catalogue):
    """Return a lesson with nothing folded, the mistakes behind each check, and its teaching notes on top."""
    copy = deepcopy(notebook)
    for cell in copy.cells:
        for fold in ("jupyter", "collapsed"):  # of solutions, and of what answers a prediction
            cell.metadata.pop(fold, None)
        cell.source = without_promises(cell.source)
    below = {copy.cells[0].id: _note("teaching", notes)}
    for exercise in exercises(copy):
        text = teaching.mistakes(catalogue[exercise.name])
        below[exercise.check.id] = _note(f"{exercise.check.id}-mistakes", text)
    copy.cells = [each for cell in copy.cells for each in (cell, below.get(cell.id)) if each]
    return copy


def _note(name, text):
    return new_markdown_cell(text, id=name)

"""The copies for students and for teachers."""

from copy import deepcopy

from classroom import teaching
from classroom.cells import exercises, has_tag
from nbformat.v4 import new_markdown_cell


def student(notebook):
    """Return a lesson without its solutions. Hints stay: they give away one step at a time."""
    copy = deepcopy(notebook)
    copy.cells = [cell for cell in copy.cells if not has_tag(cell, "solution")]
    return copy


def instructor(notebook, section, catalogue):
    """Return a lesson with open solutions, the mistakes behind each check, and its teaching notes on top."""
    copy = deepcopy(notebook)
    below = {copy.cells[0].id: _note("teaching", section)}
    for exercise in exercises(copy):
        exercise.solution.metadata.pop("jupyter", None)
        text = teaching.mistakes(catalogue[exercise.name])
        below[exercise.check.id] = _note(f"{exercise.check.id}-mistakes", text)
    copy.cells = [each for cell in copy.cells for each in (cell, below.get(cell.id)) if each]
    return copy


def _note(name, text):
    return new_markdown_cell(text, id=name)

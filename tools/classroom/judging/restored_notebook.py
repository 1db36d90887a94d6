"""Makes a submission's notebook anew from what is the student's: the texts of the cells, and nothing beside them."""

import re
from itertools import pairwise

from nbformat import from_dict
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from . import limits, release_copy

KINDS = {"code": new_code_cell, "markdown": new_markdown_cell}
SHOWN = "errors_shown"  # where a cell's metadata says which errors it showed when it was handed in
TAG = re.compile(r"[\w-]+")
HTML_OR_LINK = re.compile(r"<(?=[A-Za-z/!?])|\](?=[(\[:])")
NEITHER = "\\g<0>\N{WORD JOINER}"  # looks the same, and begins nothing
MOST = {"code": limits.CHARACTERS, "text": limits.TEXT}
CUT = "# The rest is left out: it is too long."
MANY = f"# The rest of this notebook is left out: it has more than {limits.CELLS} cells."


class Restoring(NbGraderPreprocessor):
    """Gives each cell the marks that the course gave it: those that came with a submission may be anything."""

    def preprocess(self, nb, resources):
        """Return a new notebook. Of a cell that came several times, the last is the one that counts."""
        marks = _marks(resources["nbgrader"])
        known = release_copy.texts(self.parent.parent, resources)
        came, room = nb.cells[: limits.CELLS], {"code": limits.CODE, "text": limits.TEXTS}
        marked = _marked(came, marks, release_copy.notebook(self.parent.parent, resources).cells)
        cells = [_anew(number, cell, mark, known, room) for number, (cell, mark) in enumerate(marked, 1)]
        cells += [new_code_cell(MANY, id="cell-many")] if len(nb.cells) > limits.CELLS else []
        return new_notebook(cells=cells), resources


def _marks(where):
    """Return how nbgrader marked the cells when it made the assignment: the name of each, and its marks."""
    with Gradebook(where["db_url"]) as gradebook:
        notebook = gradebook.find_notebook(where["notebook"], where["assignment"])
        points = {cell.name: {"points": cell.max_score} for cell in [*notebook.grade_cells, *notebook.task_cells]}
        graded, solutions, tasks = (
            {cell.name for cell in cells}
            for cells in (notebook.grade_cells, notebook.solution_cells, notebook.task_cells)
        )
        return {
            cell.name: {
                "schema_version": 3, "grade_id": cell.name, "cell_type": cell.cell_type, "locked": cell.locked,
                "grade": cell.name in graded, "solution": cell.name in solutions, "task": cell.name in tasks,
                "checksum": cell.checksum, **points.get(cell.name, {}),
            }
            for cell in notebook.source_cells
        }  # fmt: skip


def _marked(came, marks, handed):
    """Return each cell that came with the mark of the course's cell as which it came, None for a student's own.

    Tools drop what cells are called, or call them anew. Then a cell is known by what it says, and an answer by its
    place. A check is not: in its place may stand a cell of the student's own, which its text would replace.
    """
    names = {}  # place among those that came -> name
    known = [(cell.metadata.get("nbgrader", {}).get("grade_id"), cell) for cell in handed]
    known = [(name, cell) for name, cell in known if name in marks]
    for place in reversed(range(len(came))):
        _find(names, place, _name(came[place], _came_with(came[place]).get("nbgrader"), marks))
    for place in reversed(range(len(came))):
        text = _whole(came[place].get("source")).strip()
        _find(names, place, next((name for name, cell in known if cell.source.strip() == text), None))
    for (name, cell), (later, _) in pairwise(known):  # an answer stands above its check
        below = next((place for place, each in names.items() if each == later), 0)
        if below and marks[name]["solution"] and came[below - 1].get("cell_type") == cell.cell_type:
            _find(names, below - 1, name)
    return [(cell, marks.get(names.get(place))) for place, cell in enumerate(came)]


def _find(names, place, name):
    """Note as which cell one came, unless either has been found."""
    if name is not None and place not in names and name not in names.values():
        names[place] = name


def _came_with(cell):
    return cell.metadata if isinstance(cell.get("metadata"), dict) else {}


def _anew(number, cell, mark, known, room):
    kind = mark["cell_type"] if mark else cell.get("cell_type")
    text = _whole(cell.get("source"))
    if text not in known:
        text = _cut(text, "code" if kind == "code" else "text", room)
        if kind != "code":  # a page would take it as it is, with scripts
            text = HTML_OR_LINK.sub(NEITHER, text)
    marks = {"tags": _tags(_came_with(cell).get("tags")), SHOWN: _errors_shown_by(cell), "nbgrader": mark}
    metadata = from_dict({name: each for name, each in marks.items() if each or name == "tags"})
    return KINDS.get(kind, new_raw_cell)(text, id=f"cell-{number}", metadata=metadata)


def _name(cell, mark, marks):
    """Return as which of the course's cells it came; its own id says so where the mark is damaged."""
    names = [mark.get("grade_id") if isinstance(mark, dict) else None, cell.get("id")]
    return next((name for name in names if isinstance(name, str) and name in marks), None)


def _tags(tags):
    """Return what can be a tag: a page would take anything else as it is."""
    return [tag for tag in tags if isinstance(tag, str) and TAG.fullmatch(tag)] if isinstance(tags, list) else []


def _errors_shown_by(cell):
    """Return the names of the errors that stood below a cell when it was handed in; that of a magic is printed."""
    outputs = cell.get("outputs")
    shown = [each for each in outputs if isinstance(each, dict)] if isinstance(outputs, list) else []
    names = [str(each.get("ename") or each.get("text")).partition(":")[0] for each in shown]
    return [name for name in names if name.isidentifier()]


def _whole(text):
    """Return a text without halves of characters, which no file can hold."""
    return text.encode("utf-8", "replace").decode() if isinstance(text, str) else ""


def _cut(text, kind, room):
    """Return as much of a text as there is room for in a cell of this kind, and in what is left for all of them."""
    most = min(room[kind], MOST[kind])
    room[kind] -= min(len(text), most)
    return text if len(text) <= most else f"{text[:most]}\n{CUT}"

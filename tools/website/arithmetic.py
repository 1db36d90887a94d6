"""Where the numbers of a stored board came from: the very answers of a live one, kept beside its picture."""

import ast
import json
import re
from copy import deepcopy

from IPython.core.formatters import DisplayFormatter

from mha_course import Workbench
from mha_course.pipeline.origin import origin
from mha_course.workbook.notation.labels import address
from mha_course.workbook.pictures import markup

BOARD = 'class="mha-board"'
ENTRY = re.compile(r'data-at="((.+?):(\d+),(\d+))"')
OF_AN_INPUT = "An input. Where the lesson runs, it can be changed."
HOW_TO = "Point at a number, or tap it, to see where it came from."


def told(notebook):
    """Return a lesson whose boards tell where each of their numbers came from, below the picture.

    Errors: `ValueError` if a stored picture is not what its cell draws.
    """
    copy = deepcopy(notebook)
    for cell in copy.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if BOARD in data.get("text/html", ""):
                data["text/html"] = _with_answers(cell, data["text/html"])
    return copy


def _with_answers(cell, picture):
    shown, state, path = _made_by(cell.source)
    if DisplayFormatter().format(shown)[0]["text/html"] != picture:
        raise ValueError(f"the stored picture of the cell {cell.id!r} is not what it draws: run make notebooks.")
    answers = {}
    for at, key, row, column in ENTRY.findall(picture):
        found = origin(state, path, key, int(row), int(column))
        words = OF_AN_INPUT if path[key].is_input else found.words
        answers[at] = words, found.arithmetic, " ".join(address(*source) for source in found.sources)
    data = json.dumps(answers, ensure_ascii=False, separators=(",", ":")).replace("</", r"<\/")
    strip = markup.element("div", HOW_TO, class_="arithmetic", role="status")
    kept = markup.element("script", markup.Markup(data), type="application/json")
    return markup.element("div", markup.Markup(picture), strip, kept)


def _made_by(source):
    """Run a cell that shows a board. Return what it shows, and the state and the path of which that is a picture."""
    names = {}
    *before, last = ast.parse(source).body
    exec(compile(ast.Module(before, []), "cell", "exec"), names)

    def value_of(expression):
        return eval(compile(ast.Expression(expression), "cell", "eval"), names)

    shown = value_of(last.value)
    if isinstance(shown, Workbench):
        return shown, shown.state, shown.path
    (call,) = (each for each in ast.walk(ast.Module(before, [])) if _is_call_of("steps", each))
    return shown, value_of(call.args[0]), value_of(call)


def _is_call_of(name, node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name

"""Where the numbers of a stored board came from: the very answers of a living one, kept beside its picture."""

import json
import re
from copy import deepcopy

from website.cell_output import drawn_by

from mha_course import Workbench, steps
from mha_course.engine.notation.labels import address
from mha_course.engine.pictures import markup
from mha_course.forward.origin import origin
from mha_course.widgets.concatenation import of_output

BOARD = 'class="mha-board"'
ENTRY = re.compile(r'data-at="((.+?):(\d+),(\d+))"')
STEPS = re.compile(r"\bsteps\((.+)\)$", re.MULTILINE)
OF_AN_INPUT = "An input: on a live page, or in the notebook, you can change it."
HOW_TO = "A number that you point at, or tap, says here where it came from."


def told(notebook):
    """Return a lesson whose boards tell where each of their numbers came from, below the picture.

    Errors: `ValueError` if a stored picture is not what its cell draws.
    """
    copy, names = deepcopy(notebook), {}  # answers, as they are written -> where they stand: equal boards share them
    for cell in copy.cells:
        if BOARD in str(cell.get("outputs", "")):
            data, (state, path) = cell.outputs[-1].data, _pictured(cell)
            answers = _answers(data["text/html"], state, path)
            kept = [] if answers in names else [_kept(answers, names.setdefault(answers, f"answers-{cell.id}"))]
            strip = markup.element("div", HOW_TO, class_="arithmetic", role="status", data_answers=names[answers])
            inputs = " ".join(key for key, step in path.items() if step.is_input)
            parts = markup.Markup(data["text/html"]), strip, *kept
            data["text/html"] = markup.element("div", *parts, class_="asked", data_inputs=inputs)
    return copy


def _kept(answers, name):
    return markup.element("script", markup.Markup(answers), type="application/json", id=name)


def _pictured(cell):
    """Return the state that a board shows, and its path."""
    board, names = drawn_by(cell)
    if isinstance(board, Workbench):
        return board.state, board.path
    state = eval(STEPS.search(cell.source)[1], names)
    return state, steps(state)


def _answers(picture, state, path):
    """Write for each entry of a picture in which words it was made, with which arithmetic, and of which entries."""
    answers = {}
    for at, key, row, column in ENTRY.findall(picture):
        found = origin(state, path, *of_output(path, (key, int(row), int(column))))
        words = OF_AN_INPUT if path[key].is_input else found.words
        answers[at] = words, found.arithmetic, " ".join(address(*source) for source in found.sources)
    return json.dumps(answers, ensure_ascii=False, separators=(",", ":")).replace("</", r"<\/")

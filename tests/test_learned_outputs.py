"""What a lesson shows of a training does not hang on the last digits: one parameter is moved by 1e-9, and all stays."""

import ast
import contextlib
import io
import re
from dataclasses import replace

import nbformat
import numpy as np
import pytest
from stored import NOTEBOOKS, code_cells

from mha_course.maths.small_model import SmallModel

pytestmark = pytest.mark.long

TRAINED = [path for path in NOTEBOOKS if "Training(" in path.read_text(encoding="utf-8")]
FORMS = {"predict", "quiz", "stub", "check", "solution", "practise", "arrange"}
WIDGET = re.compile(r"import (?:Train|Workbench)\n")  # stored as a placeholder
DISTURBED, BY = "W_Q/1", 1e-9


@pytest.fixture(autouse=True)
def options_of_the_notebook_alone():
    """How a lesson prints arrays is nobody else's business."""
    with np.printoptions():
        yield


def run(source, scope):
    """Run a cell. Returns what it prints, and its last value."""
    tree, value = ast.parse(source), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), scope)
        if last:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), scope)
    return printed.getvalue(), value


def stored(cell):
    """Return what a cell printed, and its picture."""
    printed = "".join(output.text for output in cell.outputs if output.output_type == "stream")
    return printed, next((output.data["text/html"] for output in cell.outputs if "data" in output), None)


@pytest.mark.parametrize("path", TRAINED, ids=lambda path: path.stem)
def test_a_parameter_disturbed_by_1e_9_changes_nothing_that_is_stored(path, monkeypatch):
    drawn, disturbed = SmallModel.random.__func__, []

    def random(cls, design, rng):
        model = drawn(cls, design, rng)
        values = model.parameters[DISTURBED].copy()
        values[0, 0] += BY
        disturbed.append(model)
        return replace(model, parameters={**model.parameters, DISTURBED: values})

    monkeypatch.setattr(SmallModel, "random", classmethod(random))
    scope = {}
    for cell in code_cells(nbformat.read(path, 4)):
        if not FORMS & set(cell.metadata.get("tags", [])) and not WIDGET.search(cell.source):
            printed, value = run(cell.source, scope)
            assert (printed, getattr(value, "html", None)) == stored(cell), cell.id
    assert disturbed


def test_a_head_that_begins_1e_9_away_shows_the_same():
    (path,) = (path for path in NOTEBOOKS if path.stem == "13_learning")
    scope, disturbed = {}, False
    for cell in code_cells(nbformat.read(path, 4)):
        if not FORMS & set(cell.metadata.get("tags", [])) and "import Workbench\n" not in cell.source:
            printed, value = run(cell.source, scope)
            assert (printed, getattr(value, "html", None)) == stored(cell), cell.id
            if "start" in scope and not disturbed:
                scope["start"][0][5, 2] += BY
                scope["start"][2][1, 1] -= BY
                disturbed = True
    assert disturbed

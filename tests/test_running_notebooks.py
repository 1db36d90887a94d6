"""Running a notebook again changes nothing; nbval sees what changed, and what changes when a cell runs twice."""

import re

import nbformat
import pytest
from nbval.plugin import IPyNbFile, NbCellError
from run_notebooks import execute, run
from stored import NOTEBOOKS, ROOT, code_cells

pytestmark = pytest.mark.slow


def has_errors(path):
    return any(output.output_type == "error" for cell in code_cells(nbformat.read(path, 4)) for output in cell.outputs)


# One with an error, since a traceback names the number of its cell. What the others store is compared below.
@pytest.mark.parametrize("path", list(filter(has_errors, NOTEBOOKS)), ids=lambda path: path.stem)
def test_running_again_leaves_the_same_bytes(path, tmp_path):
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    run(copy)
    assert copy.read_bytes() == path.read_bytes()


@pytest.fixture
def failed(request, tmp_path):
    """Return what runs a notebook as a plain `pytest` does, and lists the tests that fail."""

    def run_by_nbval(notebook):
        nbformat.write(notebook, tmp_path / "changed.ipynb")
        file = IPyNbFile.from_parent(request.session, path=tmp_path / "changed.ipynb")
        cells = list(file.collect())
        request.config.pluginmanager.get_plugin(str(ROOT / "conftest.py")).pytest_collection_modifyitems(cells)
        request.addfinalizer(file.teardown)
        file.setup()
        return [cell.name for cell in cells if has_failed(cell)]

    return run_by_nbval


def has_failed(cell):
    try:
        cell.runtest()
    except NbCellError:
        return True
    return False


def test_nbval_rejects_a_changed_digit_in_a_table_a_curve_and_a_text(failed):
    notebook = nbformat.read(ROOT / "notebooks" / "04_softmax.ipynb", 4)
    cells, changed = code_cells(notebook), []
    for mark, kind, is_wanted in [
        ("<td", "text/html", lambda html: "<table" in html),
        ("%3Cpath", "text/html", lambda html: "data:image/svg+xml" in html),
        ("", "text", lambda text: True),
    ]:
        number, place = next(
            (number, place)
            for number, cell in enumerate(cells)
            if number not in changed
            for output in cell.outputs
            for place in (output, output.get("data", {}))
            if kind in place and is_wanted(place[kind])
        )
        before, after = place[kind][: (at := place[kind].index(mark))], place[kind][at:]
        place[kind] = before + re.sub(r"(?<=[ .>])\d(?=\d)", lambda digit: str(9 - int(digit[0])), after, count=1)
        changed.append(number)
    notebook.cells = cells[: max(changed) + 1]
    assert failed(notebook) == [f"Cell {number}{time}" for number in sorted(changed) for time in ("", " again")]


@pytest.mark.parametrize(
    "source",
    [
        "count = globals().get('count', 0) + 1\nprint(1 // count)",
        "sign = -globals().get('sign', -1)\nfor show in [print, display][::sign]:\n    show('one')",
    ],
    ids=["another text", "another order"],
)
def test_a_cell_that_shows_something_else_the_second_time_is_found(failed, source):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    execute(notebook, ROOT)
    assert failed(notebook) == ["Cell 0 again"]

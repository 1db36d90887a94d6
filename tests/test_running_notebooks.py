"""Running a notebook again changes nothing, a cell can run twice, and nbval sees what changed."""

import re
import subprocess
import sys

import nbformat
import pytest
from run_notebooks import execute, run
from stored import NOTEBOOKS, ROOT, code_cells, every_notebook


def outputs_of(cell):
    """A cell's outputs without what is allowed to change."""
    ignored = {"execution_count", "traceback"}
    return [{key: value for key, value in output.items() if key not in ignored} for output in cell.outputs]


def has_errors(path):
    return any(output.output_type == "error" for cell in code_cells(nbformat.read(path, 4)) for output in cell.outputs)


# One with an error, since a traceback names the number of its cell. What the others store is compared below.
@pytest.mark.parametrize("path", list(filter(has_errors, NOTEBOOKS)), ids=lambda path: path.stem)
def test_running_again_leaves_the_same_bytes(path, tmp_path):
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    run(copy)
    assert copy.read_bytes() == path.read_bytes()


@every_notebook
def test_every_cell_can_run_twice_in_a_row_and_shows_what_is_stored(path):
    stored, notebook = nbformat.read(path, 4), nbformat.read(path, 4)
    doubled = []
    for cell in notebook.cells:
        doubled.append(cell)
        if cell.cell_type == "code":
            doubled.append(nbformat.from_dict({**cell, "id": f"{cell.id}-again"}))
    notebook.cells = doubled
    execute(notebook, path.parent)
    cells = code_cells(notebook)
    for first, second, before in zip(cells[::2], cells[1::2], code_cells(stored), strict=True):
        assert outputs_of(first) == outputs_of(second) == outputs_of(before), first.id


def test_nbval_rejects_a_changed_digit_in_a_table_a_curve_and_a_text(tmp_path):
    notebook = nbformat.read(ROOT / "notebooks" / "04_softmax.ipynb", 4)
    changed = []
    for mark, kind, is_wanted in [
        ("<td", "text/html", lambda html: "<table" in html),
        ("%3Cpath", "text/html", lambda html: "data:image/svg+xml" in html),
        ("", "text", lambda text: True),
    ]:
        cell, place = next(
            (cell, place)
            for cell in code_cells(notebook)
            if cell.id not in changed
            for output in cell.outputs
            for place in (output, output.get("data", {}))
            if kind in place and is_wanted(place[kind])
        )
        before, after = place[kind][: (at := place[kind].index(mark))], place[kind][at:]
        place[kind] = before + re.sub(r"(?<=[ .>])\d(?=\d)", lambda digit: str(9 - int(digit[0])), after, count=1)
        changed.append(cell.id)
    assert len(changed) == 3
    nbformat.write(notebook, tmp_path / "changed.ipynb")

    options = ["--nbval", "--nbval-current-env", "-p", "no:cacheprovider", "--rootdir", tmp_path, "-rf", "-q"]
    report = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", "/dev/null", *options, tmp_path / "changed.ipynb"],
        capture_output=True, text=True, timeout=300,
    ).stdout  # fmt: skip
    numbers = {cell.id: number for number, cell in enumerate(code_cells(notebook))}
    failed = {int(number) for number in re.findall(r"^FAILED .*::Cell (\d+)", report, re.MULTILINE)}
    assert failed == {numbers[cell] for cell in changed}

"""What every notebook promises, besides the outputs that nbval compares."""

import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
TEXT_KINDS = {"text/plain", "text/html", "image/svg+xml"}

sys.path.insert(0, str(ROOT / "tools"))
from run_notebooks import METADATA, execute, run  # noqa: E402

every_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs_of(cell):
    """A cell's outputs without what is allowed to change."""
    ignored = {"execution_count", "traceback"}
    return [{key: value for key, value in output.items() if key not in ignored} for output in cell.outputs]


def test_there_are_ten_lessons():
    assert [path.stem[:2] for path in PATHS] == [f"0{number}" for number in range(10)]


@every_notebook
def test_every_output_is_of_a_kind_that_nbval_compares(path):
    for cell in code_cells(nbformat.read(path, 4)):
        assert not re.search("nbval", cell.source + json.dumps(cell.metadata), re.IGNORECASE)
        for output in cell.outputs:
            assert set(output.get("data", {})) <= TEXT_KINDS


@every_notebook
def test_every_picture_has_a_text_alternative(path):
    for cell in code_cells(nbformat.read(path, 4)):
        for output in cell.outputs:
            html = output.get("data", {}).get("text/html", "")
            assert html.count("<table") == len(re.findall(r"<caption[^>]*>[^<]+</caption>", html))
            assert html.count("<img") == len(re.findall(r'<img [^>]*alt="[^"]{20,}"', html))
            assert "data:image/png" not in html


@every_notebook
def test_a_notebook_is_stored_in_its_normal_form(path):
    notebook = nbformat.read(path, 4)
    cells = code_cells(notebook)
    assert notebook.metadata == METADATA
    for cell in notebook.cells:
        is_folded = "solution" in cell.metadata.get("tags", [])
        assert set(cell.metadata) <= ({"tags", "jupyter"} if is_folded else {"tags"}), cell.id
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert all(re.fullmatch(r"[a-z0-9-]{3,40}", cell.id) for cell in notebook.cells)
    assert not [cell.id for cell in notebook.cells if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f-]*)?", cell.id)]
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


@every_notebook
def test_code_cells_are_short(path):
    for cell in code_cells(nbformat.read(path, 4)):
        assert len([line for line in cell.source.splitlines() if line.strip()]) <= 15, cell.id


def anchors_of(path):
    """Headings and cells of a lesson, written as JupyterLab links to them."""
    cells = nbformat.read(path, 4).cells
    sources = (cell.source for cell in cells if cell.cell_type == "markdown")
    headings = (heading for source in sources for heading in re.findall(r"^#+ +(.+)$", source, re.MULTILINE))
    return {heading.strip().replace(" ", "-") for heading in headings} | {f"cell-id={cell.id}" for cell in cells}


@every_notebook
def test_every_link_to_a_file_resolves(path):
    text = "\n".join(cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    assert links
    for link in links:
        file, _, anchor = link.partition("#")
        target = path.parent / file if file else path
        assert target.exists(), link
        assert not anchor or anchor in anchors_of(target), link


def test_every_link_in_the_readme_resolves():
    links = re.findall(r"\]\(([^):]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(links) > 7
    assert [link for link in links if not (ROOT / link).exists()] == []


@every_notebook
def test_a_lesson_opens_and_closes_as_all_do(path):
    cells = nbformat.read(path, 4).cells
    for promise in ("You will", "You will learn", "You need", "Time:"):
        assert f"**{promise}**" in cells[0].source
    for heading in ("## Summary", "## New words", "## Read on"):
        assert heading in cells[-1].source


@every_notebook
def test_running_again_leaves_the_same_bytes(path, tmp_path):
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    run(copy)
    assert copy.read_bytes() == path.read_bytes()


@every_notebook
def test_every_cell_can_run_twice_in_a_row(path):
    notebook = nbformat.read(path, 4)
    doubled = []
    for cell in notebook.cells:
        doubled.append(cell)
        if cell.cell_type == "code":
            doubled.append(nbformat.from_dict({**cell, "id": f"{cell.id}-again"}))
    notebook.cells = doubled
    execute(notebook, path.parent)
    cells = code_cells(notebook)
    for first, second in zip(cells[::2], cells[1::2], strict=True):
        assert outputs_of(first) == outputs_of(second), first.id


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

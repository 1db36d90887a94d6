"""What the lessons show: as they are stored, on a page that reads them, and as JupyterLab and Notebook 7 run them."""

import re
from dataclasses import dataclass

import driving
import nbformat
import pytest
from forms import press
from lab import open_notebook, run_all
from playwright.sync_api import expect
from run_notebooks import METADATA
from stored import NOTEBOOKS, code_cells, every_notebook

# An error that is meant, boards, and forms: what the others have is tried on a plain page.
RUN = [path for path in NOTEBOOKS if path.stem[:2] in ("02", "03")]
DELIBERATE_ERRORS = {"published-form"}  # the cells whose error is the lesson
BROKEN = ("model not found", "Error displaying widget", "untrusted", "Loading widget", "Error rendering")

# What the page says of every output: whose cell it is, its text, and how much it shows.
OUTPUTS = """() => [...document.querySelectorAll('.jp-Notebook .jp-Cell')].flatMap((cell, number) =>
    [...cell.querySelectorAll('.jp-OutputArea-output')].map(output => ({
        number,
        text: output.textContent,
        isError: output.dataset.mimeType === 'application/vnd.jupyter.stderr' ||
            output.dataset.mimeType === 'application/vnd.jupyter.error',
        tables: [...output.querySelectorAll('table')].filter(each => each.offsetHeight).length,
        images: [...output.querySelectorAll('img')].filter(each => each.naturalWidth && each.offsetHeight).length,
        liveCells: output.querySelectorAll('.mha-workbench td[data-at]').length,
    })))"""


def is_workbench(cell):
    return cell.cell_type == "code" and re.search(r"^(\w+ = )?Workbench\(", cell.source, re.MULTILINE) is not None


def stored_html(cell):
    return "".join(output.get("data", {}).get("text/html", "") for output in cell.get("outputs", []))


# As they are stored


def test_jupyterlab_shows_every_stored_picture_of_every_lesson_before_it_is_run(shared_tab, lab):
    pictures = [[cell for cell in code_cells(nbformat.read(path, 4)) if stored_html(cell)] for path in NOTEBOOKS]
    cells = [
        nbformat.v4.new_code_cell(outputs=[each for cell in lesson for each in cell.outputs]) for lesson in pictures
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=METADATA), lab.folder / "pictures.ipynb")
    shown = shared_tab("pictures.ipynb").page.evaluate(OUTPUTS)
    for kind, tag in (("tables", "<table"), ("images", "<img")):
        for number, (path, cell) in enumerate(zip(NOTEBOOKS, cells, strict=True)):
            seen = [output[kind] for output in shown if output["number"] == number]
            assert seen == [each.get("data", {}).get("text/html", "").count(tag) for each in cell.outputs], path.stem
    assert all("<table" in stored_html(cell) for lesson in pictures for cell in lesson if is_workbench(cell))
    assert [output for output in shown if any(words in output["text"] for words in BROKEN)] == []


@every_notebook
def test_what_a_lesson_shows_is_accessible(plain_tab, path):
    pictures = [stored_html(cell) for cell in code_cells(nbformat.read(path, 4))]
    plain_tab.page.evaluate("(html) => (document.getElementById('widgets').innerHTML = html)", "\n".join(pictures))
    plain_tab.page.evaluate("document.querySelectorAll('details').forEach(each => (each.open = true))")
    with plain_tab.wearing("dark" if path in RUN else "light"):
        assert driving.barriers(plain_tab.page, "#widgets") == ""


# As they run


@dataclass
class Lesson:
    """A lesson in which every cell has run: what is written in its file, and its page."""

    cells: list
    tab: object


@pytest.fixture(scope="module", params=RUN, ids=lambda path: path.stem)
def lesson(request, shared_tab):
    """One of the lessons, run by the menu."""
    cells = nbformat.read(request.param, 4).cells
    tab = shared_tab(request.param.name)
    run_all(tab, workbenches=sum(map(is_workbench, cells)))
    return Lesson(cells, tab)


def test_no_cell_of_a_lesson_fails_but_the_one_that_is_meant_to_and_every_workbench_is_alive(lesson):
    outputs = lesson.tab.page.evaluate(OUTPUTS)
    meant = {cell.id for cell in lesson.cells} & DELIBERATE_ERRORS
    assert {lesson.cells[output["number"]].id for output in outputs if output["isError"]} == meant
    assert [output for output in outputs if any(words in output["text"] for words in BROKEN)] == []
    alive = {lesson.cells[output["number"]].id for output in outputs if output["liveCells"]}
    assert alive == {cell.id for cell in lesson.cells if is_workbench(cell)}
    assert lesson.tab.errors == []


@pytest.mark.minutes
def test_a_lesson_works_in_notebook_7(new_tab, no_progress):
    tab = new_tab()
    open_notebook(tab, "03_scaled_scores.ipynb", at="notebooks")
    tab.errors.clear()  # Notebook 7 itself reports fonts and a schema that it does not find
    run_all(tab, workbenches=2)
    workbench = tab.workbenches.first
    expect(driving.cell(workbench, "scores/1:0,2")).to_have_text("2.31")  # 4 / √3
    driving.type_into(workbench, "W_K:0,2", "5")
    expect(driving.cell(workbench, "scores/1:0,2")).to_have_text("6.93")
    largest = tab.page.locator(".mha-form", has=tab.page.locator('[data-form="scaled_scores.largest-key"]'))
    largest.locator("input").first.focus()
    press(tab, "Space", "Enter")
    expect(largest.locator('[data-part^="result"]').first).to_contain_text("You said")
    assert [output for output in tab.page.evaluate(OUTPUTS) if output["isError"]] == []
    assert [error for error in tab.errors if ".woff" not in error] == []

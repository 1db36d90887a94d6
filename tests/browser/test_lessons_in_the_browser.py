"""Every lesson, opened in JupyterLab and in Notebook 7 as a reader opens it."""

import re
from dataclasses import dataclass

import driving
import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from lab import open_notebook, run_all
from playwright.sync_api import expect
from stored import NOTEBOOKS

WITH_WIDGETS = NOTEBOOKS[3]
DELIBERATE_ERRORS = {"published-form"}  # the cells whose error is the lesson
BROKEN = ("model not found", "Error displaying widget", "untrusted", "Loading widget", "Error rendering")
OURS = [[".jp-OutputArea-output"], [".jp-RenderedMarkdown"]]

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


@dataclass
class Lesson:
    """One lesson: what is written in its file, what its page showed before it was run, and its page since."""

    cells: list
    before: list
    tab: object
    stem: str


def is_workbench(cell):
    return cell.cell_type == "code" and re.search(r"^(\w+ = )?Workbench\(", cell.source, re.MULTILINE) is not None


def stored_html(cell):
    return "".join(output.get("data", {}).get("text/html", "") for output in cell.get("outputs", []))


def with_what_it_needs(path):
    marks = [pytest.mark.needs("model")] if "real_model" in path.stem else []
    return pytest.param(path, id=path.stem, marks=marks)


@pytest.fixture(scope="module", params=map(with_what_it_needs, NOTEBOOKS))
def lesson(request, shared_tab):
    """A lesson that was looked at as it is stored, and was then run."""
    cells = nbformat.read(request.param, 4).cells
    tab = shared_tab(request.param.name)
    before = tab.page.evaluate(OUTPUTS)
    run_all(tab, workbenches=sum(map(is_workbench, cells)))
    return Lesson(cells, before, tab, request.param.stem)


def test_a_lesson_shows_its_stored_pictures_before_it_is_run(lesson):
    for number, cell in enumerate(lesson.cells):
        outputs = [output for output in lesson.before if output["number"] == number]
        html = "" if cell.metadata.get("jupyter", {}).get("outputs_hidden") else stored_html(cell)
        assert sum(output["tables"] for output in outputs) == html.count("<table"), cell.id
        assert sum(output["images"] for output in outputs) == html.count("<img"), cell.id
        if is_workbench(cell):
            assert html.count("<table") > 0, cell.id
    assert [output for output in lesson.before if any(words in output["text"] for words in BROKEN)] == []


def test_no_cell_of_a_lesson_fails_but_the_one_that_is_meant_to(lesson):
    outputs = lesson.tab.page.evaluate(OUTPUTS)
    meant = {cell.id for cell in lesson.cells} & DELIBERATE_ERRORS
    assert {lesson.cells[output["number"]].id for output in outputs if output["isError"]} == meant
    assert [output for output in outputs if any(words in output["text"] for words in BROKEN)] == []


def test_the_page_of_a_lesson_reports_no_error(lesson):
    assert lesson.tab.errors == []


def test_every_workbench_of_a_lesson_is_alive(lesson):
    outputs = lesson.tab.page.evaluate(OUTPUTS)
    alive = {lesson.cells[output["number"]].id for output in outputs if output["liveCells"]}
    assert alive == {cell.id for cell in lesson.cells if is_workbench(cell)}


def test_what_a_lesson_shows_is_accessible(lesson):
    assert barriers(lesson.tab) == ""


def test_what_a_lesson_shows_is_accessible_on_a_dark_page(shared_tab):
    tab = shared_tab(WITH_WIDGETS.name, anew=True)
    with driving.wearing(tab, "Dark"):
        run_all(tab, workbenches=sum(map(is_workbench, nbformat.read(WITH_WIDGETS, 4).cells)))
        assert barriers(tab) == ""


def barriers(tab):
    """Write what axe finds serious or worse in what the course shows, with the markup."""
    tab.page.evaluate("document.querySelectorAll('.mha-workbench details').forEach(each => (each.open = true))")
    for workbench in tab.workbenches.all():  # so that there are marks, a selected cell, and a refused entry
        driving.type_into(workbench, address_of_first(workbench, "input"), "8")
        workbench.locator("td[data-moved]").first.click()
        expect(workbench.locator("td.mha-selected").first).to_be_visible()
        driving.type_into(workbench, address_of_first(workbench, "input"), "x")
        expect(workbench.locator("[aria-invalid=true]")).to_have_count(1)
    violations = Axe().run(tab.page, context={"include": OURS}).response["violations"]
    return "\n".join(
        f"{found['id']} ({found['impact']}): {node['html']}\n    {node['failureSummary']}"
        for found in violations
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"]
    )


def address_of_first(workbench, what):
    return workbench.locator(f"td[data-at]:has({what})").first.get_attribute("data-at")


def test_a_lesson_works_in_notebook_7(new_tab):
    workbenches = sum(map(is_workbench, nbformat.read(WITH_WIDGETS, 4).cells))
    tab = new_tab()
    open_notebook(tab, WITH_WIDGETS.name, at="notebooks")
    tab.errors.clear()  # Notebook 7 itself reports fonts and a schema that it does not find
    run_all(tab, workbenches)
    workbench = tab.workbenches.first
    expect(driving.cell(workbench, "scores/1:0,2")).to_have_text("2.31")  # 4 / √3
    driving.type_into(workbench, "W_K:0,2", "5")
    expect(driving.cell(workbench, "scores/1:0,2")).to_have_text("6.93")
    assert [output for output in tab.page.evaluate(OUTPUTS) if output["isError"]] == []
    assert [error for error in tab.errors if ".woff" not in error] == []

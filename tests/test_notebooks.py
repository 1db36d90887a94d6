"""What every stored notebook promises, besides the outputs that nbval compares."""

import json
import re
from itertools import takewhile

import minutes
import nbformat
from run_notebooks import CLOSED_HEADING, METADATA, lasting
from stored import NOTEBOOKS, ROOT, code_cells, every_notebook

SAY_NOTHING = {"two-examples-shapes"}  # stands below a prediction, and does not answer it
TEXT_KINDS = {"text/plain", "text/html", "image/svg+xml"}


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
            assert html.count("<table") == len(re.findall(r"<caption[^>]*>(?:<b>)?[^<]+<", html))
            assert html.count("<img") == len(re.findall(r'<img [^>]*alt="[^"]{20,}"', html))
            assert "data:image/png" not in html


@every_notebook
def test_a_notebook_is_stored_in_its_normal_form(path):
    notebook = nbformat.read(path, 4)
    cells = code_cells(notebook)
    assert notebook.metadata == METADATA
    for cell in notebook.cells:
        is_folded = {"solution", "answer", "hosted"} & set(cell.metadata.get("tags", []))
        assert cell.metadata == lasting(cell), cell.id
        assert is_folded or set(cell.metadata) <= {"tags", CLOSED_HEADING}, cell.id
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert all(re.fullmatch(r"[a-z0-9-]{3,40}", cell.id) for cell in notebook.cells)
    assert not [cell.id for cell in notebook.cells if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f-]*)?", cell.id)]
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


@every_notebook
def test_what_a_prediction_asks_is_not_answered_below_it(path):
    """Below a form all is folded: the outputs of the cells that answer it, and the text on what came out."""
    cells = nbformat.read(path, 4).cells
    for i, cell in enumerate(cells):
        if "predict" not in cell.metadata.get("tags", []):
            continue
        below = takewhile(lambda each: each.cell_type == "code", cells[i + 1 :])
        shown = [each.id for each in below if each.outputs and "answer" not in each.metadata.get("tags", [])]
        assert set(shown) <= SAY_NOTHING, cell.id
    for cell in code_cells(nbformat.read(path, 4)):
        is_answer = "answer" in cell.metadata.get("tags", [])
        folded = cell.metadata.get("jupyter", {})
        assert is_answer == folded.get("outputs_hidden", False), cell.id
        # JupyterLab shows the first line of a folded output, unless the code is folded too: let it be made for that.
        assert not is_answer or folded.get("source_hidden") or re.match("[a-z0-9(' ]", cell.outputs[0].text), cell.id


@every_notebook
def test_what_a_board_is_to_be_explored_for_is_folded_below_it(path):
    cells = nbformat.read(path, 4).cells
    for text, board, below in zip(cells, cells[1:], cells[2:], strict=False):
        if "**Explore.**" in text.source and "Workbench(" in board.source:
            assert below.source.startswith("<details><summary>Answer</summary>"), below.id


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


def anchors_on_github(path):
    """Headings of a page, written as GitHub links to them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_of_the_readme_and_the_handbooks_resolves():
    pages = [*ROOT.glob("*.md"), ROOT / "hub" / "README.md", *(ROOT / "docs").glob("*.md")]
    found = [(page, link) for page in pages for link in re.findall(r"\]\(([^):]+)\)", page.read_text(encoding="utf-8"))]
    assert len(found) > 50
    for page, link in found:
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        assert target.exists(), (page.name, link)
        assert not anchor or anchor in anchors_on_github(target), (page.name, link)


def test_every_file_that_a_walk_passes_is_there():
    there = {path.name for folder in ("mha_course", "tools") for path in (ROOT / folder).rglob("*.*")}
    passed = set(re.findall(r"[\w-]+\.(?:py|js)\b", (ROOT / "docs" / "walks.md").read_text(encoding="utf-8")))
    assert len(passed) > 100 and passed - there == set()


@every_notebook
def test_a_lesson_opens_and_closes_as_all_do(path):
    cells = nbformat.read(path, 4).cells
    about = minutes.about(nbformat.v4.new_notebook(cells=cells[:5]))
    for promise in ("You will", "You will learn", "You need", "Time:"):
        assert f"**{promise}**" in about.source
    for heading in ("## Summary", "## New words", "## Read on"):
        assert heading in cells[-1].source


def test_the_first_lesson_shows_its_picture_before_it_speaks_of_time():
    title, picture, *_ = nbformat.read(NOTEBOOKS[0], 4).cells
    assert len(title.source.split()) <= 30 and minutes.TIME.search(title.source) is None
    assert picture.metadata["jupyter"]["source_hidden"] and "find_spec" in picture.source  # as on Colab, in one cell
    assert "mha-sentence" in picture.outputs[-1].data["text/html"]

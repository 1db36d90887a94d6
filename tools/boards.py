"""How much room every workbench of the lessons takes on a page, and how far an effect stands from its cause."""

import re
from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[1]
LARGE = ("translation", "eight_identical_heads", "paper_size")  # examples that any workbench can show
CALL = re.compile(r"^(?:\w+ = )?(Workbench\(.*\))", re.MULTILINE)

# Of every workbench: its height, and from the first box to the end of the last result, as rows of the page.
ROOMS = """() => [...document.querySelectorAll('.jp-Notebook .mha-workbench')].map((each) => {
    const box = (node) => node.getBoundingClientRect();
    const computed = [...each.querySelectorAll('table')].filter((table) => !table.querySelector('input'));
    const first = box(each.querySelector('td input')).top;
    const last = Math.max(...computed.map((table) => box(table).bottom));
    return { height: Math.round(box(each).height), distance: Math.round(last - first) };
})"""


def calls():
    """List every workbench that the lessons open, as code, with the lesson: those of the large examples last."""
    found = [
        (path.stem, call)
        for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
        for cell in nbformat.read(path, 4).cells
        if cell.cell_type == "code"
        for call in CALL.findall(cell.source)
    ]
    return found + [("large", f'Workbench("{name}")') for name in LARGE]


def notebook_of(found):
    """Make a notebook with a cell for each workbench."""
    cells = [nbformat.v4.new_code_cell("from mha_course import Workbench")]
    return nbformat.v4.new_notebook(cells=[*cells, *(nbformat.v4.new_code_cell(call) for _, call in found)])

"""Every workbench of the lessons, on one page: for tests and benchmarks."""

import re
from pathlib import Path

import nbformat
from run_notebooks import METADATA

ROOT = Path(__file__).parents[1]
LARGE = ("translation", "eight_identical_heads", "paper_size")  # examples that any workbench can show
CALL = re.compile(r"^(?:\w+ = )?(Workbench\(.*\))", re.MULTILINE)

# Of every workbench on a page, in pixels: its height, how far it reaches beyond its width, and from the first box that
# can be changed to the end of the last result; W_O stands beside what it makes.
ROOMS = """() => [...document.querySelectorAll('.mha-workbench')].map((each) => {
    const box = (node) => node.getBoundingClientRect();
    const seen = (name) => [...each.querySelectorAll(name)].filter((node) => node.checkVisibility());
    const ends = seen('table').filter((table) => !table.querySelector('input'));
    const causes = seen('td input').filter((field) => !field.closest('table[data-matrix=W_O]'));
    const last = Math.max(...ends.map((table) => box(table).bottom));
    return {
        height: Math.round(box(each).height),
        distance: Math.round(last - Math.min(...causes.map((field) => box(field).top))),
        sideways: each.scrollWidth - each.clientWidth,
    };
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
    sources = ["from mha_course import Workbench", *(call for _, call in found)]
    return nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, sources)), metadata=METADATA)

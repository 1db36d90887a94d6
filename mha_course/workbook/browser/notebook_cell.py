"""Where a widget is shown: the cell of a notebook that a learner has open in JupyterLab or Notebook."""

from dataclasses import dataclass

from mha_course.workbook.learner.open_notebook import present_cell, present_notebook


@dataclass(frozen=True)
class NotebookCell:
    """A cell of an open notebook: the file's name without its ending, and the cell's id."""

    notebook: str
    cell: str


def present_place() -> NotebookCell | None:
    """Return the cell that is being run, if a learner runs it in an open notebook.

    >>> present_place() is None
    True
    """
    notebook, cell = present_notebook(), present_cell()
    return NotebookCell(notebook.stem, cell) if notebook and cell else None

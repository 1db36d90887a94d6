"""Where a widget is shown: the cell of a notebook that a learner has open, in Jupyter or as a page to read."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from mha_course.engine.progress.open_notebook import present_cell, present_notebook


@dataclass(frozen=True)
class NotebookCell:
    """A cell of an open notebook: the file's name without its ending, and the cell's id."""

    notebook: str
    cell: str


def present_place() -> NotebookCell | None:
    """Return the cell that is being run, if a learner runs it in a notebook that Jupyter has open.

    >>> present_place() is None
    True
    """
    notebook, cell = present_notebook(), present_cell()
    return NotebookCell(notebook.stem, cell) if notebook and cell else None


_place: ContextVar[NotebookCell | None] = ContextVar("place", default=None)


@contextmanager
def at_place(place: NotebookCell) -> Iterator[None]:
    """Let what is made meanwhile be that of a cell which nobody runs in Jupyter."""
    before = _place.set(place)
    try:
        yield
    finally:
        _place.reset(before)


def place_to_keep() -> NotebookCell | None:
    """Return the cell under which what a learner does is kept: the present one, or that of a page to read."""
    return present_place() or _place.get()

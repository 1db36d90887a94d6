"""What the students got."""

from functools import lru_cache
from pathlib import Path

import nbformat

from .cells_to_run import names


def texts(converter, resources) -> frozenset[str]:
    """Return the texts of all cells of a notebook that was handed out, or will be."""
    return frozenset(cell.source for nb in _notebooks(_paths(converter, resources)) for cell in nb.cells)


def made(converter, resources) -> frozenset[str]:
    """Return the names that its code makes."""
    return _made(_paths(converter, resources))


def notebook(converter, resources):
    """Return the notebook itself. Errors: `FileNotFoundError`."""
    paths = _paths(converter, resources)
    if not _notebooks(paths):
        raise FileNotFoundError(f"There is neither {paths[0]} nor {paths[1]}.")
    return _notebooks(paths)[0]


def _paths(converter, resources):
    course, name = converter.coursedir, f"{resources['nbgrader']['notebook']}.ipynb"
    folders = (course.release_directory, course.source_directory)
    return tuple(Path(course.format_path(each, ".", course.assignment_id)) / name for each in folders)


@lru_cache(maxsize=1)
def _notebooks(paths):
    return [nbformat.read(path, 4) for path in paths if path.exists()]


@lru_cache(maxsize=1)
def _made(paths):
    code = [cell.source for nb in _notebooks(paths) for cell in nb.cells if cell.cell_type == "code"]
    return frozenset(name for source in code for name in names(source)[0] or ())

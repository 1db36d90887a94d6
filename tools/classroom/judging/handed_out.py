"""What the students got."""

from functools import lru_cache
from pathlib import Path

import nbformat


def texts(converter, resources) -> frozenset[str]:
    """Return the texts of all cells of a notebook that was handed out, or will be."""
    course, name = converter.coursedir, f"{resources['nbgrader']['notebook']}.ipynb"
    folders = (course.release_directory, course.source_directory)
    return _texts(tuple(Path(course.format_path(each, ".", course.assignment_id)) / name for each in folders))


@lru_cache(maxsize=1)
def _texts(paths):
    return frozenset(cell.source for path in paths if path.exists() for cell in nbformat.read(path, 4).cells)

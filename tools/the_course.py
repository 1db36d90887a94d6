"""The course that the tools work for: this one, or the one whose folder COURSE_FOLDER names.

A course's folder holds notebooks/, its package, README.md with a table of the lessons, and pyproject.toml, which says
where the `Course` stands, and perhaps which module writes the pages of its site beside the lessons:

    [tool.course]
    course = "signals.lessons.by_name:COURSE"
"""

import os
import sys
import tomllib
from importlib import import_module
from pathlib import Path

HOUSE = Path(__file__).parents[1]  # where the tools and the engine are
ROOT = Path(os.environ.get("COURSE_FOLDER") or HOUSE).resolve()
NOTEBOOKS = ROOT / "notebooks"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PLACE = PROJECT["tool"]["course"]["course"]  # where the `Course` stands
PACKAGE, _, _ = PLACE.partition(".")
LESSONS_FOLDER = ROOT / PACKAGE / "lessons"


def __getattr__(name):
    """Return COURSE, or what it holds: CATALOGUE, and LESSONS by name. It is imported when it is first asked for."""
    if name not in ("COURSE", "CATALOGUE", "LESSONS"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    module, _, called = PLACE.partition(":")
    course = getattr(import_module(module), called)
    return {"COURSE": course, "CATALOGUE": course.catalogue, "LESSONS": course.catalogue.lessons}[name]


def pages():
    """Return the module that writes the pages of its site beside the lessons."""
    return import_module(PROJECT["tool"]["course"].get("pages", "website.plain_pages"))

"""The engine of a workbook: what a course stands on, whatever its subject.

    from mha_course.workbook import Case, Course, Exercise, Lesson, Recipe, Step, choice, slip

docs/another_subject.md begins a course with it.
"""

from importlib import import_module

_WHEN_ASKED = {
    "Case": "checking.exercise",
    "Course": "course.course",
    "Exercise": "checking.exercise",
    "Lesson": "course.lesson",
    "Puzzle": "checking.puzzle",
    "Recipe": "checking.recipe",
    "Step": "checking.recipe",
    "choice": "asking.written",
    "number": "asking.written",
    "order": "asking.written",
    "part": "asking.written",
    "several": "asking.written",
    "slip": "checking.exercise",
    "task": "asking.written",
}
__all__ = [*_WHEN_ASKED]


def __getattr__(name: str) -> object:
    if name not in _WHEN_ASKED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHEN_ASKED[name]}"), name)

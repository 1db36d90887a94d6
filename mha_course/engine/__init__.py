"""The engine of a workbook: what a course stands on, whatever its subject.

    from mha_course.engine import Case, Course, Exercise, Identity, Lesson, Solution, Step, choice, mistake

docs/another_subject.md begins a course with it.
"""

from importlib import import_module

_WHEN_ASKED = {
    "Case": "checking.exercise",
    "Course": "course.course",
    "Exercise": "checking.exercise",
    "Identity": "identity",
    "Lesson": "course.lesson",
    "Puzzle": "checking.puzzle",
    "Solution": "checking.solution",
    "Step": "checking.solution",
    "choice": "asking.question_text",
    "number": "asking.question_text",
    "order": "asking.question_text",
    "part": "asking.question_text",
    "several": "asking.question_text",
    "mistake": "checking.exercise",
    "task": "asking.question_text",
}
__all__ = [*_WHEN_ASKED]


def __getattr__(name: str) -> object:
    if name not in _WHEN_ASKED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHEN_ASKED[name]}"), name)

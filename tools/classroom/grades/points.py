"""The points of one assignment, from the gradebook of a course folder."""

from dataclasses import dataclass

from nbgrader.api import Gradebook, MissingEntry

GRADEBOOK = "gradebook.db"


@dataclass(frozen=True)
class Points:
    """most: what the assignment is worth. of: points by student; None where a person still has to grade.

    ungraded: who handed in, but nothing was graded yet.
    """

    most: float
    of: dict[str, float | None]
    ungraded: list[str]


def points_of(course, lesson):
    """Read the points, late penalties taken off as nbgrader's own export does.

    Errors: `ValueError` if the folder has no gradebook, or the gradebook no such assignment.
    """
    path = course / GRADEBOOK
    if not path.is_file():
        raise ValueError(f"{course} has no {GRADEBOOK}: say COURSE=… with the folder in which nbgrader graded.")
    with Gradebook(f"sqlite:///{path}") as gradebook:
        try:
            assignment = gradebook.find_assignment(lesson)
        except MissingEntry:
            names = ", ".join(sorted(each.name for each in gradebook.assignments)) or "none yet"
            raise ValueError(f"The gradebook has no assignment {lesson!r}. It has: {names}.") from None
        of = {each.student.id: _points(each) for each in gradebook.assignment_submissions(lesson)}
        return Points(assignment.max_score, of, _ungraded(course, lesson, of))


def _points(submission):
    if submission.needs_manual_grade:
        return None
    return max(0.0, submission.score - submission.late_submission_penalty)


def _ungraded(course, lesson, graded):
    return sorted({path.parent.name for path in course.glob(f"submitted/*/{lesson}")} - graded.keys())

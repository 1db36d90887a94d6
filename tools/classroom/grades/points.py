"""The points of one assignment, from the gradebook of a course folder."""

from dataclasses import dataclass

from classroom.judging import for_a_person
from nbgrader.api import Gradebook, MissingEntry

GRADEBOOK = "gradebook.db"


@dataclass(frozen=True)
class Points:
    """most: what the assignment is worth. of: points by student; None where a person still has to decide.

    why: what there is to decide, by student. ungraded: who handed in, but nothing was graded yet.
    """

    most: float
    of: dict[str, float | None]
    why: dict[str, list[str]]
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
        why = {each.student: each.reasons for each in for_a_person.who(course, lesson, gradebook)}
        return Points(assignment.max_score, of, why, for_a_person.ungraded(course, lesson, of.keys()))


def _points(submission):
    if submission.needs_manual_grade:
        return None
    return max(0.0, submission.score - submission.late_submission_penalty)

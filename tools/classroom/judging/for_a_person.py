"""Who waits for a person, and why: kept beside the gradebook, which says whether somebody has decided."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

FOLDER = "waiting"
BY_HAND = "You give points for it by hand."
NOT_GRADED = "It could not be graded: autograde.log says why."
NO_NOTEBOOK = "No notebook of the right name was handed in."
NOBODY = "Nobody waits for you in {}."
TITLE = "{} of {} wait for you in {}:"
WIDEST = 40  # characters of a student's name


@dataclass(frozen=True)
class Reason:
    """Why a person should look. checks: the names of those whose points wait; none: all of them."""

    why: str
    checks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Waiting:
    """A student whose points wait. points: so far, and of how many; "" where there are none."""

    student: str
    points: str
    reasons: list[str]


def keep(course: Path, lesson: str, student: str, reasons: list[Reason]):
    """Keep why a student waits, instead of what was kept before."""
    kept = _kept(course, lesson) | {student: list(map(asdict, reasons))}
    path = _path(course, lesson)
    path.parent.mkdir(exist_ok=True)
    written = path.with_suffix(".new")  # whoever is stopped while it is written loses nothing
    written.write_text(json.dumps({who: why for who, why in kept.items() if why}, indent=1), encoding="utf-8")
    written.replace(path)


def kept(course: Path, lesson: str, student: str) -> list[Reason]:
    """Return what is kept of a student."""
    return [Reason(**each) for each in _kept(course, lesson).get(student, [])]


def who(course: Path, lesson: str, gradebook: Gradebook) -> Iterator[Waiting]:
    """Yield everybody about whom nobody has decided, by name."""
    graded = set()
    for submission in sorted(gradebook.assignment_submissions(lesson), key=lambda each: each.student.id):
        student = submission.student.id
        graded.add(student)
        if submission.needs_manual_grade:
            points = f"{submission.score:g} of {submission.max_score:g}"
            yield Waiting(student, points, _reasons(course, lesson, submission))
    yield from (Waiting(student, "", [NO_NOTEBOOK]) for student in ungraded(course, lesson, graded))


def ungraded(course: Path, lesson: str, graded: set[str]) -> list[str]:
    """Return who handed in, but is not in the gradebook."""
    return sorted({path.parent.name for path in course.glob(f"submitted/*/{lesson}")} - graded)


def table(course: Path, lesson: str) -> list[str]:
    """Return the lines of a table: student, points so far, why a person should look."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        try:
            rows = list(who(course, lesson, gradebook))
            count = len(gradebook.assignment_submissions(lesson))
        except MissingEntry:
            return []
    if not rows:
        return [NOBODY.format(lesson)]
    count += sum(not row.points for row in rows)
    widest = min(max(len(row.student) for row in rows), WIDEST)
    return [
        TITLE.format(len(rows), count, lesson),
        *(
            f"  {row.student if first else '':{widest}}  {row.points if first else '':>10}  {why}"
            for row in rows
            for first, why in ((why is row.reasons[0], why) for why in row.reasons)
        ),
    ]


def _reasons(course, lesson, submission):
    """Return why nobody can do without a person, as far as it is still open."""
    student = submission.student.id
    waiting = {grade.name for each in submission.notebooks for grade in each.grades if grade.needs_manual_grade}
    known = kept(course, lesson, student)
    found = [each.why for each in known if not each.checks or not waiting.isdisjoint(each.checks)]
    is_graded = (course / "autograded" / student / lesson).is_dir()
    return found or [BY_HAND if is_graded else NOT_GRADED]


def _kept(course, lesson):
    path = _path(course, lesson)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _path(course, lesson):
    return course / FOLDER / f"{lesson}.json"

"""How each student stands with each exercise."""

from dataclasses import dataclass
from datetime import date

from classroom.report.tallies import known
from the_course import CATALOGUE

from mha_course.engine.course.review_items import TRIED
from mha_course.engine.progress.spacing import day_of

RIGHT, UNDER_WAY, STUCK, OPEN = "right", "under way", "stuck", "not tried"
MANY = 3  # wrong tries, from which on somebody is called stuck


@dataclass(frozen=True)
class Standing:
    """How one student stands with one exercise.

    tries: up to the first right one; None where nothing tells how many there were, as in a notebook.
    since, last: the days of the first and the last of these tries; None where nothing tells them.
    mistakes: the names of the mistakes in the last wrong try of an exercise that is not right yet.
    """

    state: str = OPEN
    tries: int | None = 0
    since: date | None = None
    last: date | None = None
    mistakes: tuple[str, ...] = ()


def standings(events):
    """Return how one student stands with every exercise of the course: name -> `Standing`. events: in their order."""
    tried = {}
    for event in events:
        if event.kind in TRIED:
            tried.setdefault(event.name, []).append(event)
    return {name: _standing(tried.get(name, [])) for name in CATALOGUE.exercises}


def _standing(events):
    if not events:
        return Standing()
    first_right = next((place for place, event in enumerate(events) if event.kind == "right"), None)
    tries = events if first_right is None else events[: first_right + 1]
    count = len(tries) if all(event.time for event in tries) else None
    wrong = STUCK if count is None or count >= MANY else UNDER_WAY
    state = wrong if first_right is None else RIGHT
    mistakes = () if state == RIGHT else tuple(each for each in tries[-1].mistakes if each in known(tries[-1].name))
    return Standing(state, count, _day(tries[0]), _day(tries[-1]), mistakes)


def _day(event):
    day = day_of(event)
    return None if day == date.min else day

"""When something that was met is asked again.

The rule: what you meet comes back on the next day. Each time you get it right it waits twice as long as before: two
days, then four, eight, and so on, at most 64. What you get wrong comes back on the next day, and begins anew. A day is
a day of the computer's clock, however often the course was open on it. A right answer counts only once the question
was due; a wrong one always does. The rule reads the events of `learner/event.py`, and nothing else.

Where more is due than anybody answers in a sitting, a day counts for more the shorter the wait was: a question that is
known least cannot wait behind many that are known well.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from mha_course.engine.progress.event import Event

RULE = (
    "Exercises that you have tried, and questions that you got wrong, come back the next day. After each right answer "
    "the wait doubles: 2 days, 4, 8, up to 64. After a wrong answer it begins again with one day."
)
FIRST, LONGEST = 1, 64  # days
KIND, RIGHT, WRONG = "reviewed", "right", "wrong"  # of an event, and its answers


@dataclass(frozen=True)
class Wait:
    """How long a question waits: it is due on a day, after so many days."""

    due: date
    days: int

    def lateness(self, today: date) -> float:
        """Return how late it is by now, as a part of its wait; below 0 if it is not due yet.

        >>> Wait(date(2026, 3, 5), days=2).lateness(date(2026, 3, 6))
        0.5
        """
        return (today - self.due).days / self.days


def today() -> date:
    """Return the day that it is."""
    return _local(datetime.now(UTC))


def day_of(event: Event) -> date:
    """Return the day of an event: long ago, where there is none or somebody wrote nonsense.

    >>> day_of(Event("2026-03-02T12:00:00+00:00", "filters.moving", 1, "right")), day_of(Event("", "a", 1, "right"))
    (datetime.date(2026, 3, 2), datetime.date(1, 1, 1))
    """
    try:
        return _local(datetime.fromisoformat(event.time))
    except (ValueError, OverflowError, OSError):
        return date.min


def comes_back(met: date, reviews: Iterable[Event]) -> Wait:
    """Return when something is due. met: on which day. reviews: how it was answered since, in order.

    >>> right = Event("2026-03-03T12:00:00+00:00", "filters.moving", 2, "reviewed", answer="right")
    >>> comes_back(date(2026, 3, 2), [right])
    Wait(due=datetime.date(2026, 3, 5), days=2)
    """
    waits, due = FIRST, _later(met, FIRST)
    for review in reviews:
        day = day_of(review)
        if review.answer == WRONG:
            waits = FIRST
        elif day >= due:
            waits = min(2 * waits, LONGEST)
        else:
            continue
        due = _later(day, waits)
    return Wait(due, waits)


def _local(time: datetime) -> date:
    return time.astimezone().date()


def _later(day: date, days: int) -> date:
    return day if day == date.min else min(day, date.max - timedelta(LONGEST)) + timedelta(days)

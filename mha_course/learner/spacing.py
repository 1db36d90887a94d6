"""When something that was met is asked again.

The rule: what you meet comes back on the next day. Each time you get it right it waits twice as long as before: two
days, then four, eight, and so on, at most 64. What you get wrong comes back on the next day, and begins anew. A day is
a day of the computer's clock, however often the course was open on it. A right answer counts only once the question
was due; a wrong one always does. The rule reads the events of `learner/event.py`, and nothing else.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta

from mha_course.learner.event import Event

RULE = (
    "What you have met comes back the next day. Each time you get it right it waits twice as long: 2 days, 4, 8, up to "
    "64. What you get wrong comes back the next day and begins anew."
)
FIRST, LONGEST = 1, 64  # days
KIND, RIGHT, WRONG = "reviewed", "right", "wrong"  # of an event, and its answers


def today() -> date:
    """Return the day that it is."""
    return _local(datetime.now(UTC))


def day_of(event: Event) -> date:
    """Return the day of an event: long ago, where an older version kept no time or somebody wrote nonsense.

    >>> day_of(Event("2026-03-02T12:00:00+00:00", "softmax.rows", 1, "right")), day_of(Event("", "a", 1, "right"))
    (datetime.date(2026, 3, 2), datetime.date(1, 1, 1))
    """
    try:
        return _local(datetime.fromisoformat(event.time))
    except (ValueError, OverflowError, OSError):
        return date.min


def comes_back(met: date, reviews: Iterable[Event]) -> date:
    """Return the day on which something is due. met: when that was. reviews: how it was answered since, in order.

    >>> right = Event("2026-03-03T12:00:00+00:00", "softmax.rows", 2, "reviewed", answer="right")
    >>> comes_back(date(2026, 3, 2), [right])
    datetime.date(2026, 3, 5)
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
    return due


def _local(time: datetime) -> date:
    return time.astimezone().date()


def _later(day: date, days: int) -> date:
    return day if day == date.min else min(day, date.max - timedelta(LONGEST)) + timedelta(days)

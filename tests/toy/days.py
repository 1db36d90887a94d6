"""What a learner of the toy course did on which day, counted from Monday."""

from datetime import UTC, date, datetime, time, timedelta

from mha_course.engine.progress.event import Event

MONDAY = date(2026, 3, 2)


def day(number):
    return MONDAY + timedelta(number)


def event(name, number, kind="reviewed", answer=None, mistakes=()):
    """Something that was done at noon of a day that counts from 0, which is Monday."""
    noon = datetime.combine(day(number), time(12), UTC)
    return Event(noon.isoformat(timespec="seconds"), name, 1, kind, mistakes, answer)


def tried(*names, number=0):
    return [event(name, number, "right") for name in names]


WRONG_PREDICTION = event("convolution.places", 0, "predicted", 10)
WRONG_ANSWER = event("averages.taps", 0, "answered", "sum")

"""What a learner did, as it is kept: events, and beside them notes for the learner's own eyes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

StoredAnswer = str | float | list[str] | None


@dataclass(frozen=True)
class Event:
    """One thing that the learner did: a try at an exercise, or an answer to a question. Never code, never free text.

    A question of a review is about something that has a name already, and is kept under that name.

    time: when, in UTC as ISO 8601 writes it, to the second; "" where only a notebook tells of it.
    name: of the exercise, the prediction, the quiz question or the task, like "scaled_scores.scaled"; a step of a task
    and the lines of an exercise that are put in order have names of their own, like "filters.moving.arranged".
    attempt: 1, 2, … for this name; clearing an answer counts too, and so does a review. It is 0 until the event
    is written.
    kind: what a check found, also of lines that were run, and what came of a task: "right", "mistake" or
    "difference"; of a prediction "predicted"; of a quiz question or a task's step "answered"; of what came back
    in a review "reviewed".
    mistakes: the names of the mistakes that were recognised; in a review, of the one that gives the learner's
    number.
    answer: to a question or step: the key of an option, a number, or several in a row; of lines their keys in
    order; None if it was cleared. In a review, whose questions are drawn, only "right" or "wrong".
    """

    time: str
    name: str
    attempt: int
    kind: str
    mistakes: tuple[str, ...] = ()
    answer: StoredAnswer = None


@dataclass(frozen=True)
class Note:
    """What the learner wrote to themselves about a prediction; no event. An empty text takes it back."""

    name: str
    text: str


def numbered(kept: Iterable[Event | Note]) -> Iterator[Event | Note]:
    """Give every event that has no attempt number yet the next one of its name.

    >>> [each.attempt for each in numbered([Event("", "a", 3, "right"), Event("", "a", 0, "right")])]
    [3, 4]
    """
    latest: dict[str, int] = defaultdict(int)
    for each in kept:
        if isinstance(each, Event):
            each = each if each.attempt else replace(each, attempt=latest[each.name] + 1)
            latest[each.name] = max(latest[each.name], each.attempt)
        yield each

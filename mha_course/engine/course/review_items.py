"""What the learner has met and can be asked again, and when each of it is due."""

from collections.abc import Iterable
from datetime import date

from mha_course.engine.asking.question import Question
from mha_course.engine.course.catalogue import Catalogue
from mha_course.engine.progress.event import Event, StoredAnswer
from mha_course.engine.progress.spacing import KIND, Wait, comes_back, day_of

TRIED = ("right", "mistake", "difference")  # what a check can find


def due_days(catalogue: Catalogue, events: Iterable[Event]) -> dict[str, date]:
    """Return on which day each thing that was met is due: name -> day."""
    return {name: wait.due for name, wait in waits(catalogue, events).items()}


def waits(catalogue: Catalogue, events: Iterable[Event]) -> dict[str, Wait]:
    """Return how long each thing that was met waits: name -> `Wait`.

    Met are the exercises that were tried, right or wrong, and the predictions and quiz questions that were answered
    wrong at least once.
    """
    met: dict[str, date] = {}
    reviews: dict[str, list[Event]] = {}
    for event in events:
        if event.kind == KIND:
            reviews.setdefault(event.name, []).append(event)
        elif event.name not in met and _is_met(catalogue, event):
            met[event.name] = day_of(event)
    return {name: comes_back(day, reviews.get(name, ())) for name, day in met.items()}


def what_is_due(catalogue: Catalogue, events: Iterable[Event], today: date) -> str:
    """Say how many questions are due, or else when the next ones are; nothing if nothing was met.

    >>> what_is_due(Catalogue([]), [], date(2026, 3, 2))
    ''
    """
    days = due_days(catalogue, events).values()
    count = sum(day <= today for day in days)
    if count:
        return f"{count} questions are due: run review()." if count > 1 else "1 question is due: run review()."
    if not days:
        return ""
    following = min(days)
    count, wait = sum(day == following for day in days), (following - today).days
    when = "tomorrow" if wait == 1 else f"in {wait} days"
    coming = f"{count} come {when}: review() asks them" if count > 1 else f"one comes {when}: review() asks it"
    return f"No question is due. The next {coming}."


def _is_met(catalogue: Catalogue, event: Event) -> bool:
    match event.kind:
        case "predicted":
            return _is_missed(catalogue.predictions.get(event.name), event.answer)
        case "answered":
            return _is_missed(catalogue.questions.get(event.name), event.answer)
    return event.kind in TRIED and event.name in catalogue.exercises


def _is_missed(question: Question | None, answer: StoredAnswer) -> bool:
    """Whether an answer is a wrong one, and no leftover of another version."""
    return question is not None and question.kind.can_be(answer) and not question.kind.is_right(answer)

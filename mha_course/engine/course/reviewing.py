"""Which questions a review asks: a handful of what is due, from many lessons."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from random import Random

from mha_course.engine.asking.question import Question
from mha_course.engine.course.catalogue import Catalogue
from mha_course.engine.course.exercise_questions import exercise_question
from mha_course.engine.course.review_items import waits
from mha_course.engine.progress.event import Event
from mha_course.engine.progress.spacing import KIND, Wait

HANDFUL = 5


def handful(catalogue: Catalogue, events: Iterable[Event], today: date, seed: int) -> list[Question]:
    """Draw at most five questions of those that are due; the same for the same events, day and seed.

    What is most overdue for its wait comes first, but no lesson a second time before every other one that has
    something.
    """
    events = list(events)
    turns = Counter(event.name for event in events if event.kind == KIND)
    return [
        _question(catalogue, name, seed, turns[name]) for name in names_drawn(waits(catalogue, events), today, seed)
    ]


def names_drawn(waiting: Mapping[str, Wait], today: date, seed: int) -> list[str]:
    """Draw at most five names of what waits: of the lessons taken least so far, what is most overdue."""
    late = {name: wait.lateness(today) for name, wait in waiting.items() if wait.due <= today}
    names = sorted(late, key=lambda name: (-late[name], Random(f"{seed} {name}").random()))
    taken: list[str] = []
    while names and len(taken) < HANDFUL:
        asked = Counter(map(_lesson_of, taken))
        taken.append(min(names, key=lambda name: asked[_lesson_of(name)]))
        names.remove(taken[-1])
    return taken


def _question(catalogue: Catalogue, name: str, seed: int, turn: int) -> Question:
    lesson = catalogue.lesson_of(name)
    where = f"lesson {lesson.number}, {lesson.title}"
    if name in catalogue.exercises:
        return exercise_question(catalogue.exercises[name], seed, turn)
    if name in catalogue.predictions:
        return replace(catalogue.predictions[name], source=f"Predicted in {where}")
    return replace(catalogue.questions[name], source=f"Recall of {where}")


def _lesson_of(name: str) -> str:
    return name.partition(".")[0]

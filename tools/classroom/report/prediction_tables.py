"""What the class predicted, and what it should meet again."""

from collections import Counter
from dataclasses import dataclass

from the_course import CATALOGUE, LESSONS

from mha_course.engine.asking.kinds import Choice
from mha_course.engine.course.review_items import TRIED, due_days

MOST_BARS = 7  # of answers that are not given to choose from
OTHERS = "other answers"


@dataclass(frozen=True)
class Bar:
    """One answer, how many students gave it, and whether it is right."""

    text: str
    count: int
    is_right: bool = False


@dataclass(frozen=True)
class Histogram:
    """The first answers of the class to one prediction."""

    name: str
    text: str
    bars: tuple[Bar, ...]

    @property
    def count(self):
        """How many students answered."""
        return sum(bar.count for bar in self.bars)

    @property
    def right(self):
        """How many of them were right."""
        return sum(bar.count for bar in self.bars if bar.is_right)


@dataclass(frozen=True)
class Recall:
    """Something to meet again: how many students tried it, were wrong at first, and are to review it today."""

    name: str
    label: str
    tried: int
    missed: int
    due: int


def histograms(events):
    """Count the first answers to each prediction that anybody answered. events: by student."""
    first = [_first_answers(each) for each in events.values()]
    said = {name: [answers[name] for answers in first if name in answers] for name in CATALOGUE.predictions}
    return [_histogram(name, CATALOGUE.predictions[name], answers) for name, answers in said.items() if answers]


def recalls(events, today):
    """List what was tried and what was asked, beginning with what most had wrong at first. events: by student."""
    tried, missed, due = Counter(), Counter(), Counter()
    for each in events.values():
        first = _first_outcomes(each)
        tried.update(first.keys())
        missed.update(name for name, is_right in first.items() if not is_right)
        due.update(name for name, day in due_days(CATALOGUE, each).items() if day <= today)
    labels = _labels()
    found = [Recall(name, labels[name], tried[name], missed[name], due[name]) for name in labels if missed[name]]
    return sorted(found, key=lambda each: (-each.missed, -each.due))


def _first_answers(events):
    """Return the first answers to predictions and questions: who starts over has read the right one."""
    kinds = {name: each.kind for name, each in _asked().items()}
    first = {}
    for event in events:
        kind = kinds.get(event.name) if event.kind in ("predicted", "answered") else None
        if kind and event.name not in first and kind.can_be(event.answer):
            first[event.name] = event.answer
    return first


def _first_outcomes(events):
    """Return for everything that was tried or answered whether it was right at first."""
    first = {name: _is_right(name, answer) for name, answer in _first_answers(events).items()}
    for event in events:
        if event.kind in TRIED and event.name in CATALOGUE.exercises:
            first.setdefault(event.name, event.kind == "right")
    return first


def _is_right(name, answer):
    return _asked()[name].kind.is_right(answer)


def _asked():
    return CATALOGUE.predictions | CATALOGUE.questions


def _histogram(name, prediction, answers):
    kind, truth = prediction.kind, prediction.truth()
    if isinstance(kind, Choice):
        counts = Counter(answers)
        bars = [Bar(kind.written(key), counts[key], key == truth) for key in kind.options]
        return Histogram(name, prediction.text, tuple(bars))
    right = sum(kind.is_right(answer) for answer in answers)
    wrong = Counter(kind.written(answer) for answer in answers if not kind.is_right(answer))
    bars = [Bar(kind.written(truth), right, True)]
    bars += [Bar(text, count) for text, count in wrong.most_common(MOST_BARS - 1)]
    rest = len(answers) - sum(bar.count for bar in bars)
    return Histogram(name, prediction.text, (*bars, *[Bar(OTHERS, rest)] * bool(rest)))


def _labels():
    """Return for the name of everything that can be tried or asked what a teacher calls it, in the order of lessons."""
    labels = {}
    for lesson in LESSONS.values():
        where = f"Lesson {lesson.number}"
        labels |= {each.name: f"Exercise {each.number} · {each.title}" for each in lesson.exercises}
        labels |= {name: f"{where}, prediction: {each.text}" for name, each in lesson.predictions.items()}
        labels |= {name: f"{where}, recall: {each.text}" for name, each in lesson.quiz.items()}
    return labels

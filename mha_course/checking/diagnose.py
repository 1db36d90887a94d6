"""Finds out what a learner's function does: what is right, a mistake with a name, or the first difference."""

import time
from dataclasses import dataclass

from mha_course.checking.answers import answer, right_answers, wrong_answers
from mha_course.checking.attempt import SECONDS, call
from mha_course.checking.compare import alike
from mha_course.checking.difference import problem, shapes, situation
from mha_course.checking.evidence import lines, telling_places
from mha_course.checking.unfinished import is_unfinished


@dataclass(frozen=True)
class Diagnosis:
    """What a check found, in plain words.

    kind: "right", "mistake", "difference" or "not started". paragraphs: what to read, in order.
    lines: pairs like ("yours", "1·2 = 2") of one entry. where: public threads that had the same.

    >>> Diagnosis("right", "Right.").lines
    ()
    """

    kind: str
    headline: str
    paragraphs: tuple = ()
    lines: tuple = ()
    where: str = ""


def diagnose(exercise, function, seconds=SECONDS):
    """Run the function on every case of the exercise, and say what it does.

    In this order: it runs too long, it is not started, it is right, it makes a known mistake, or the
    most basic thing that differs. seconds: for all cases together.
    """
    attempts, end = [], time.monotonic() + seconds
    for case in exercise.cases:
        left = max(end - time.monotonic(), 0.001)
        attempts.append(call(function, case.arguments, left, quiet=bool(attempts)))
        if attempts[-1].ran_out_of_time:
            return _stopped(exercise, case, seconds)
    if is_unfinished(attempts[0]):
        advice = "Put your code in place of every ... above, and run both cells."
        return Diagnosis("not started", "Not started yet.", (advice,))
    answers = [answer(attempt, exercise.results) for attempt in attempts]
    misses = [i for i, (a, b) in enumerate(zip(answers, right_answers(exercise), strict=True)) if not alike(a, b)]
    if not misses and not any(attempt.changed for attempt in attempts):
        return Diagnosis("right", "Right.", (exercise.notice,))
    for mistake, way, made in wrong_answers(exercise):
        if misses and all(map(alike, answers, made)):
            return _recognised(exercise, mistake, way, answers, misses)
    return _first_difference(exercise, function, attempts, answers, misses)


def _stopped(exercise, case, seconds):
    first = f"{situation(exercise, case)} it still ran when {seconds:g} seconds were over, so it was stopped."
    loop = "Usually a while loop whose condition never becomes false."
    return Diagnosis("difference", "It does not come to an end.", (first, loop))


def _recognised(exercise, mistake, way, answers, misses):
    """Tell a mistake by the first case in which two numbers differ, or else by the first that differs at all."""
    right = right_answers(exercise)
    comparable = [i for i in misses if not isinstance(answers[i], BaseException)]
    places = {i: telling_places(answers[i], right[i]) for i in comparable}
    number = next((i for i in comparable if places[i]), misses[0])
    case, made = exercise.cases[number], answers[number]
    if isinstance(made, BaseException):
        shown, compared = f"it raises {type(made).__name__}: {made}", ()
    else:
        shown = shapes(exercise, made, right[number])
        compared = lines(exercise, case, places[number], way, made, right[number]) if places[number] else ()
    paragraphs = (mistake.why, f"{situation(exercise, case)} {shown}".strip())
    return Diagnosis("mistake", mistake.name, paragraphs, compared, mistake.where)


def _first_difference(exercise, function, attempts, answers, misses):
    first = misses[0] if misses else next(i for i, attempt in enumerate(attempts) if attempt.changed)
    found = problem(
        exercise, exercise.cases[first], function, attempts[first], answers[first], right_answers(exercise)[first]
    )
    headline, paragraphs, compared = found
    if first > 0 and misses:
        headline, paragraphs = "Right for the example, but not in general.", (headline, *paragraphs)
    return Diagnosis("difference", headline, paragraphs, compared)

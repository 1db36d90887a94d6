"""Finds out what a learner's function does: what is right, a mistake with a name, or the first difference."""

from collections.abc import Sequence
from dataclasses import replace

from mha_course.checking.answers import Outcome, answer, outcomes, wrong_answers
from mha_course.checking.attempt import SECONDS, Attempt, call
from mha_course.checking.compare import alike
from mha_course.checking.diagnosis import Diagnosis
from mha_course.checking.difference import beside_the_numbers, difference
from mha_course.checking.evidence import lines, telling_places
from mha_course.checking.exercise import Case, Exercise, Function, Mistake
from mha_course.checking.reading import spelt_out
from mha_course.checking.rehearsal import Why
from mha_course.checking.shapes import situation, wrong_shape
from mha_course.checking.unfinished import is_unfinished

AGAIN = 1  # the case that is tried twice
NOT_STARTED = Diagnosis(
    "not started", "Not started yet.", ("Put your code in place of every ... above, and run both cells.",)
)
STOPPED: dict[Why, tuple[str, str]] = {  # a headline, and what is usually behind it
    "time": ("It does not come to an end.", "Usually a while loop whose condition never becomes false."),
    "memory": ("It needs too much memory.", "Usually a list that grows in a loop which does not come to an end."),
    "death": ("It ends Python itself.", "It was tried in a process of its own, so nothing in your notebook is lost."),
}


def diagnose(exercise: Exercise, function: Function, seconds: float = SECONDS) -> Diagnosis:
    """Run the function on every case of the exercise, and say what it does.

    In this order: it had to be stopped, it is wrong because it is not started, it answers otherwise a second time,
    it is right (or would be, but for its type or what it changed), it makes a known mistake, or the most basic
    thing that differs. seconds: for all cases together.
    """
    attempts = _attempts(exercise, function, seconds)
    if attempts[-1].stopped:
        return _stopped(attempts[-1], situation(exercise, _calls(exercise)[len(attempts) - 1]), seconds)
    *attempts, again = attempts
    found = outcomes(exercise, attempts)
    misses = [outcome for outcome in found if not outcome.is_right]
    if misses and is_unfinished(function, attempts[0]):
        return NOT_STARTED
    if not alike(answer(again, exercise.results), found[AGAIN].answer):
        return _says_otherwise(exercise)
    if not misses:
        spoilt = (beside_the_numbers(exercise, outcome) for outcome in found)
        return next(filter(None, spoilt), Diagnosis("right", "Right.", (exercise.notice,)))
    for mistake, way, made in wrong_answers(exercise):
        if all(alike(outcome.answer, answer) for outcome, answer in zip(found, made, strict=True)):
            return _recognised(exercise, mistake, way, misses)
    return _first_difference(exercise, function, misses[0])


def _attempts(exercise: Exercise, function: Function, seconds: float) -> list[Attempt]:
    """Try the cases in turn, and one of them again, until one has to be stopped."""
    attempts: list[Attempt] = []
    for case in _calls(exercise):
        left = max(seconds - sum(attempt.seconds for attempt in attempts), 0.001)
        attempts.append(call(spelt_out(function), case.arguments, left, quiet=bool(attempts)))
        if attempts[-1].stopped:
            break
    return attempts


def _calls(exercise: Exercise) -> list[Case]:
    """List the cases in the order in which they are tried: all, then one again that is neither the first nor the last.

    Whoever counts calls instead of reading the arguments, and begins anew or stays at the end, is wrong there.
    """
    return [*exercise.cases, exercise.cases[AGAIN]]


def _says_otherwise(exercise: Exercise) -> Diagnosis:
    asked = f"{situation(exercise, exercise.cases[AGAIN])} asked a second time, it did not give what it gave before."
    reason = "Something else than the arguments decides: randomness, the time, or something that it remembers."
    return Diagnosis("difference", "It gives another answer to the same arguments.", (asked, reason))


def _stopped(attempt: Attempt, where: str, seconds: float) -> Diagnosis:
    assert attempt.stopped
    headline, advice = STOPPED[attempt.stopped]
    said = attempt.error or f"it still ran when {seconds:g} seconds were over, so it was stopped."
    return Diagnosis("difference", headline, (f"{where} {said}", advice))


def _recognised(exercise: Exercise, mistake: Mistake, way: Function, misses: Sequence[Outcome]) -> Diagnosis:
    """Tell a mistake by the first case in which two numbers differ, or else by the first that differs at all."""
    told = next((miss for miss in misses if telling_places(miss.answer, miss.right)), misses[0])
    if isinstance(told.answer, BaseException):
        shown = f"it raises {type(told.answer).__name__}: {told.answer}"
    else:
        shown = wrong_shape(exercise, told.answer, told.right)
    paragraphs = (mistake.why, f"{situation(exercise, told.case)} {shown}".strip())
    compared = lines(exercise, told, way)
    return Diagnosis("mistake", mistake.name, paragraphs, compared, mistake.where, mistakes=(mistake.name,))


def _first_difference(exercise: Exercise, function: Function, miss: Outcome) -> Diagnosis:
    found = difference(exercise, miss, function)
    if miss.case is exercise.cases[0]:
        return found
    general = "Right for the example, but not in general."
    return replace(found, headline=general, paragraphs=(found.headline, *found.paragraphs))

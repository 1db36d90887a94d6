"""Finds out what a learner's function does: what is right, a mistake with a name, or the first difference."""

import re
from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np

from mha_course.exercises.attempt import SECONDS, call
from mha_course.exercises.compare import differing, read, same
from mha_course.exercises.reasons import reason
from mha_course.exercises.trace import arithmetic, traced
from mha_course.path.places import label

FEW = 8  # numbers of one row that are listed instead of counted
UNFINISHED = re.compile(r"ellipsis", re.IGNORECASE)  # how errors speak of a ... left in a stub


@dataclass(frozen=True)
class Diagnosis:
    """What a check found, in plain words.

    kind: "right", "mistake", "difference" or "not started". paragraphs: what to read, in order.
    lines: pairs like ("yours", "1·2 = 2") of one entry. where: public threads that had the same.
    notices: on what else happened, such as progress that could not be saved.

    >>> Diagnosis("right", "Right.").lines
    ()
    """

    kind: str
    headline: str
    paragraphs: tuple = ()
    lines: tuple = ()
    where: str = ""
    notices: tuple = ()


def diagnose(exercise, function, seconds=SECONDS):
    """Run the function on every case of the exercise, and say what it does.

    In this order: it ran too long, it is not started, it is right, it makes a known mistake, or the
    most basic thing that differs.

    >>> from mha_course.exercises.catalogue import EXERCISES
    >>> diagnose(EXERCISES["scores.products"], lambda Q, K: Q @ K).headline
    'The transpose is missing.'
    """
    attempts = []
    for case in exercise.cases:
        attempts.append(call(function, case.arguments, seconds, quiet=bool(attempts)))
        if attempts[-1].ran_out_of_time:
            return _stopped(exercise, case, seconds)
    if is_unfinished(attempts[0]):
        return Diagnosis("not started", "Not started yet.", ("Put your code in place of the ... above, and run both.",))
    answers = [_answer(attempt, exercise.results) for attempt in attempts]
    right, *wrong = models(exercise)
    misses = [i for i, (a, b) in enumerate(zip(answers, right, strict=True)) if not _alike(a, b)]
    if not misses and not any(attempt.changed for attempt in attempts):
        return Diagnosis("right", "Right.", (exercise.notice,))
    for mistake, made in zip(exercise.mistakes, wrong, strict=True):
        if all(_alike(a, b) for a, b in zip(answers, made, strict=True)):
            return _recognised(exercise, mistake, made)
    return _first_difference(exercise, function, attempts, answers, misses)


@cache
def models(exercise):
    """Return the answers of the right function and of every mistake, one for each case.

    An answer is a list of arrays, or the error that was raised.

    >>> from mha_course.exercises.catalogue import EXERCISES
    >>> models(EXERCISES["scores.dot"])[0][0]
    [array(3)]
    """
    functions = [exercise.right, *(mistake.wrong for mistake in exercise.mistakes)]
    return [
        [_answer(call(function, case.arguments, quiet=True), exercise.results) for case in exercise.cases]
        for function in functions
    ]


def is_unfinished(attempt):
    """Whether a ... of the stub is still there: returned, or met on the way.

    >>> from mha_course.exercises.attempt import Attempt
    >>> is_unfinished(Attempt(value=...)), is_unfinished(Attempt(value=None))
    (True, False)
    """
    if attempt.error is not None:
        return isinstance(attempt.error, (TypeError, AttributeError)) and bool(UNFINISHED.search(str(attempt.error)))
    parts = attempt.value if isinstance(attempt.value, (tuple, list)) else [attempt.value]
    return any(part is ... for part in parts)


def _answer(attempt, results):
    if attempt.error is not None:
        return attempt.error
    try:
        return read(attempt.value, results)
    except (TypeError, ValueError) as error:
        return error


def _alike(one, other):
    if isinstance(one, BaseException) or isinstance(other, BaseException):
        return type(one) is type(other)
    return same(one, other)


def _stopped(exercise, case, seconds):
    loop = "Usually a while loop whose condition never becomes false."
    first = f"{_with(exercise, case)} your function still ran after {seconds:g} seconds, so it was stopped."
    return Diagnosis("difference", "It does not come to an end.", (first, loop))


def _recognised(exercise, mistake, made):
    number, places = _telling_case(made, models(exercise)[0])
    case = exercise.cases[number]
    if places is None:
        error = f"{_with(exercise, case)} it raises {type(made[number]).__name__}: {made[number]}"
        return Diagnosis("mistake", mistake.name, (mistake.why, error), (), mistake.where)
    lines = _lines(exercise, case, places, mistake.wrong)
    shapes = _shapes(exercise, made[number], models(exercise)[0][number])
    return Diagnosis(
        "mistake", mistake.name, (mistake.why, f"{_with(exercise, case)} {shapes}".strip()), lines, mistake.where
    )


def _telling_case(made, right):
    """Choose the first case in which both have an entry to show, or else the first that differs at all."""
    differing_ones = [i for i, (a, b) in enumerate(zip(made, right, strict=True)) if not _alike(a, b)]
    number = next((i for i in differing_ones if not isinstance(made[i], BaseException)), None)
    if number is None:
        return differing_ones[0], None
    return number, _telling_places(made[number], right[number])


def _telling_places(made, right):
    """Return two (result, place): of the entry that differs most, or the first where no places are shared."""
    for result, (a, b) in enumerate(zip(made, right, strict=True)):
        place = _worst_place(a, b) if a.ndim == b.ndim else None
        if place is not None:
            return (result, place), (result, place)
    result = next(i for i, (a, b) in enumerate(zip(made, right, strict=True)) if a.shape != b.shape)
    return (result, (0,) * made[result].ndim), (result, (0,) * right[result].ndim)


def _worst_place(array, right):
    """Return the place, among those that both have, where the two differ most; None if they do not."""
    common = tuple(slice(min(sizes)) for sizes in zip(array.shape, right.shape, strict=True))
    array, right = array[common].astype(float), right[common].astype(float)
    wrong = differing(array, right)
    if not wrong.any():
        return None
    with np.errstate(invalid="ignore"):
        distance = np.where(wrong, np.nan_to_num(np.abs(array - right), nan=np.inf, posinf=np.inf), -1.0)
    return tuple(int(i) for i in np.unravel_index(distance.argmax(), distance.shape))


def _lines(exercise, case, places, function):
    """Write one entry as the learner's function makes it, and as it should be made."""
    yours, right = places
    return (
        ("yours", _arithmetic(exercise, case, yours, function)),
        ("right", _arithmetic(exercise, case, right, exercise.right)),
    )


def _arithmetic(exercise, case, place, function):
    """Write how the function makes the entry; only its value if it hides that from us."""
    result, position = place
    arguments = [
        value if name in exercise.untraced else _traced(value, name)
        for name, value in zip(exercise.arguments, case.arguments, strict=True)
    ]
    name = exercise.results[result]
    left = label(name, *position) if position else name
    for given in (arguments, case.arguments):
        attempt = call(function, tuple(given), quiet=True)
        if attempt.error is None and not attempt.ran_out_of_time:
            part = attempt.value if len(exercise.results) == 1 else attempt.value[result]
            return f"{left} = {arithmetic(np.asarray(part)[position])}"
    return left


def _traced(value, name):
    if isinstance(value, list):
        return [traced(part, f"{name}[{i + 1}]") for i, part in enumerate(value)]
    return traced(value, name)


def _first_difference(exercise, function, attempts, answers, misses):
    right = models(exercise)[0]
    first = misses[0] if misses else next(i for i, attempt in enumerate(attempts) if attempt.changed)
    headline, paragraphs, lines = _problem(exercise, function, first, attempts[first], answers[first], right[first])
    if first > 0 and misses:
        return Diagnosis("difference", "Right for the example, but not in general.", (headline, *paragraphs), lines)
    return Diagnosis("difference", headline, paragraphs, lines)


def _problem(exercise, function, number, attempt, answer, right):
    """Return headline, paragraphs and lines on the most basic thing that is wrong with one answer."""
    case = exercise.cases[number]
    where = _with(exercise, case)
    if attempt.error is not None:
        line = f"in the line  {attempt.line}" if attempt.line else ""
        said = f"{where} it raised {type(attempt.error).__name__} {line}: {attempt.error}"
        return "It stops with an error.", tuple(filter(None, (re.sub(" +:", ":", said), reason(attempt.error)))), ()
    if attempt.value is None:
        return "It returns None.", ("A function without return gives back None. Is there a return, at the end?",), ()
    if isinstance(answer, BaseException):
        return "It returns something else than numbers.", (str(answer),), ()
    if [a.shape for a in answer] != [b.shape for b in right]:
        return "The shape is not right.", (f"{where} {_shapes(exercise, answer, right)}",), ()
    if attempt.changed and same(answer, right):
        names = ", ".join(exercise.arguments[i] for i in attempt.changed)
        advice = "Whoever calls it may still need them: make a new array. x = x + 1 does, x += 1 does not."
        return f"It changes what it was given: {names}.", (advice,), ()
    numbers = np.concatenate([a.astype(float).ravel() for a in answer])
    lines = _lines(exercise, case, _telling_places(answer, right), function)
    if not np.isfinite(numbers).all():
        bad = "nan" if np.isnan(numbers).any() else "inf"
        advice = "A power was too large, or something was divided by 0."
        return f"It returns {bad}, which is not a number.", (where, advice), lines
    wrong = sum(int(differing(a, b).sum()) for a, b in zip(answer, right, strict=True))
    counted = "The number is" if numbers.size == 1 else f"{wrong} of {numbers.size} numbers are"
    return (
        "The numbers are not right.",
        (f"{where} {counted.lower() if counted[0] == 'T' else counted} not right.",),
        lines,
    )


def _with(exercise, case):
    """Name a case: "With one token: Q 1 × 3, K 1 × 3"."""
    named = zip(exercise.arguments, case.arguments, strict=True)
    given = ", ".join(f"{name} {_size(value)}" for name, value in named)
    return f"With {case.words} ({given}):"


def _size(value):
    if isinstance(value, list):
        return f"{len(value)} arrays of {_size(value[0])}"
    if not isinstance(value, np.ndarray):
        return f"= {value}"
    if value.ndim == 1 and value.size <= FEW:
        return f"= {value.tolist()}"
    return " × ".join(map(str, value.shape))


def _shapes(exercise, answer, right):
    """Say which shapes came and which were needed, with a guess why."""
    for name, a, b in zip(exercise.results, answer, right, strict=True):
        if a.shape != b.shape:
            return f"{name} has shape {a.shape}, but needs {b.shape}. {_guess(a, b)}".strip()
    return ""


def _guess(array, right):
    """Guess why an array has the wrong shape."""
    if array.ndim == right.ndim and sorted(array.shape) == sorted(right.shape):
        for axes in permutations(range(array.ndim)):
            turned = array.transpose(axes)
            if turned.shape == right.shape and not differing(turned, right).any():
                return "It is the transpose." if array.ndim == 2 else "Only the axes stand in another order."
        return "The axes stand in another order."
    if array.size == right.size and not differing(array.reshape(right.shape), right).any():
        return "The numbers are right, only their shape is not."
    if array.ndim < right.ndim:
        return "An axis is gone: perhaps a sum took it, or only one row was computed."
    if array.ndim > right.ndim:
        return "There is an axis too many: perhaps a sum is missing."
    return ""

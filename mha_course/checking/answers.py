"""The answers to an exercise: the learner's, the right one, and that of every known mistake."""

from functools import cache

from mha_course.checking.attempt import call
from mha_course.checking.compare import read


def answer(attempt, results):
    """Return an attempt's answer: a list of arrays, one for each result, or the error that came instead.

    >>> answer(call(lambda: 3, ()), ("score",))
    [array(3)]
    >>> answer(call(lambda: "3", ()), ("score",))
    TypeError('score is of the type str, but numbers are needed.')
    """
    if attempt.error is not None:
        return attempt.error
    try:
        return read(attempt.value, results)
    except (TypeError, ValueError) as error:
        return error


@cache
def right_answers(exercise):
    """Return the right answers, one for each case."""
    return _answers(exercise, exercise.right)


@cache
def wrong_answers(exercise):
    """Return, for every mistake and each way to make it, the mistake, the way, and its answers."""
    return [(mistake, way, _answers(exercise, way)) for mistake in exercise.mistakes for way in mistake.ways]


def _answers(exercise, function):
    return [answer(call(function, case.arguments, quiet=True), exercise.results) for case in exercise.cases]

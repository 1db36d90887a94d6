"""What functions answer to the cases of an exercise."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from mha_course.checking.attempt import Attempt, call
from mha_course.checking.compare import Answer, Arrays, alike
from mha_course.checking.exercise import Case, Exercise, Function, Mistake
from mha_course.checking.reading import read


@dataclass(frozen=True, eq=False)
class Outcome:
    """One case with the learner's attempt at it, what this answers, and what is right."""

    case: Case
    attempt: Attempt
    answer: Answer
    right: Arrays

    @property
    def is_right(self) -> bool:
        """Whether the answer is the right one; the attempt may still have changed its arguments."""
        return alike(self.answer, self.right)


def outcomes(exercise: Exercise, attempts: Sequence[Attempt]) -> list[Outcome]:
    """Set the attempts, one for each case, beside the right answers."""
    return [
        Outcome(case, attempt, answer(attempt, exercise.results), right)
        for case, attempt, right in zip(exercise.cases, attempts, right_answers(exercise), strict=True)
    ]


def answer(attempt: Attempt, results: tuple[str, ...]) -> Answer:
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
def right_answers(exercise: Exercise) -> list[Arrays]:
    """Return the right answers, one for each case."""
    return [read(attempt.value, exercise.results) for attempt in _attempts(exercise, exercise.right)]


@cache
def wrong_answers(exercise: Exercise) -> list[tuple[Mistake, Function, list[Answer]]]:
    """Return, for every mistake and each way to make it, the mistake, the way, and its answers."""
    return [
        (mistake, way, [answer(attempt, exercise.results) for attempt in _attempts(exercise, way)])
        for mistake in exercise.mistakes
        for way in mistake.ways
    ]


def _attempts(exercise: Exercise, function: Function) -> list[Attempt]:
    return [call(function, case.arguments, quiet=True) for case in exercise.cases]

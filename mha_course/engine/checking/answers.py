"""What functions answer to the cases of an exercise."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from mha_course.engine.checking.compare import Answer, Arrays, alike
from mha_course.engine.checking.exercise import Exercise, Function, Inputs
from mha_course.engine.isolated_call.attempt import Attempt
from mha_course.engine.isolated_call.return_value import read


@dataclass(frozen=True, eq=False)
class Outcome:
    """One set of inputs with the learner's attempt at it, what this answers, and what is right."""

    inputs: Inputs
    attempt: Attempt
    answer: Answer
    right: Arrays

    @property
    def is_right(self) -> bool:
        """Whether the answer is the right one; the attempt may still have changed its arguments."""
        return alike(self.answer, self.right)


@contextmanager
def mistakes_stay_quiet() -> Iterator[None]:
    """Keep NumPy from warning of what mistakes do: they divide by 0, too."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def outcomes(exercise: Exercise, inputs: Sequence[Inputs], attempts: Sequence[Attempt]) -> list[Outcome]:
    """Set the attempts, one for each of the inputs, beside the right answers."""
    return [
        Outcome(one, attempt, answer(attempt, exercise.results), right_answer(exercise, one))
        for one, attempt in zip(inputs, attempts, strict=True)
    ]


def answer(attempt: Attempt, results: tuple[str, ...]) -> Answer:
    """Return an attempt's answer: a list of arrays, one for each result, or the error that came instead.

    >>> answer(Attempt(value=3), ("score",))
    [array(3)]
    >>> answer(Attempt(value="3"), ("score",))
    TypeError('score is of the type str, but numbers are needed.')
    """
    return as_answer(attempt.value, results) if attempt.error is None else attempt.error


def as_answer(value: object, results: tuple[str, ...]) -> Answer:
    """Return what a function gave back as an answer."""
    try:
        return read(value, results)
    except (TypeError, ValueError) as error:
        return error


def answer_of(exercise: Exercise, function: Function, inputs: Inputs) -> Answer:
    """Return what a function of the course answers: one that is right, or a known mistake."""
    try:
        value = function(*inputs.arguments)
    except Exception as error:  # as the learner's function would raise it
        return error
    return as_answer(value, exercise.results)


def right_answer(exercise: Exercise, inputs: Inputs) -> Arrays:
    """Return the right answer."""
    with np.errstate(all="ignore"):
        return read(exercise.right(*inputs.arguments), exercise.results)

"""One entry of an answer with its arithmetic, beside the right one."""

from typing import Any

import numpy as np

from mha_course.checking.answers import Outcome
from mha_course.checking.attempt import call
from mha_course.checking.compare import Answer, Arrays, differing
from mha_course.checking.diagnosis import Lines
from mha_course.checking.exercise import Case, Exercise, Function
from mha_course.checking.reading import as_array, spelt_out
from mha_course.notation.arithmetic import arithmetic
from mha_course.notation.labels import label
from mha_course.notation.traced import traced

SECONDS = 1.0  # for computing an answer once more with numbers that remember

Position = tuple[int, ...]
Place = tuple[int, Position]  # which result, and where in it


def lines(exercise: Exercise, outcome: Outcome, function: Function) -> Lines:
    """Write one entry as the learner's function makes it, and as it should be made.

    Nothing if no two numbers differ, or both read the same.
    """
    places = telling_places(outcome.answer, outcome.right)
    if places is None or isinstance(outcome.answer, BaseException):
        return ()
    yours = _line(exercise, outcome.case, places[0], function, outcome.answer)
    rights = _line(exercise, outcome.case, places[1], exercise.right, outcome.right)
    return (("yours", yours), ("right", rights)) if yours != rights else ()


def telling_places(answer: Answer, right: Arrays) -> tuple[Place, Place] | None:
    """Return where to look: at the entry that differs most, in the answer and in the right one.

    Where no place is in both, the two are the first that differ when both are read row by row. None if
    no two numbers differ.

    >>> telling_places([np.array([1, 5])], [np.array([1, 3])])
    ((0, (1,)), (0, (1,)))
    >>> telling_places([np.array([[1, 3]])], [np.array([1, 4])])
    ((0, (0, 1)), (0, (1,)))
    """
    if isinstance(answer, BaseException):
        return None
    pairs = list(enumerate(zip(answer, right, strict=True)))
    for result, (a, b) in pairs:
        place = _worst_place(a, b) if a.ndim == b.ndim else None
        if place is not None:
            return (result, place), (result, place)
    for result, (a, b) in pairs:
        both = min(a.size, b.size)
        wrong = differing(a.ravel()[:both], b.ravel()[:both])
        if wrong.any():
            return (result, _position(a.shape, wrong.argmax())), (result, _position(b.shape, wrong.argmax()))
    return None


def _worst_place(array: np.ndarray, right: np.ndarray) -> Position | None:
    """Return the place, among those that both have, where the two differ most; None if they do not."""
    common = tuple(slice(min(sizes)) for sizes in zip(array.shape, right.shape, strict=True))
    array, right = array[common].astype(float), right[common].astype(float)
    wrong = differing(array, right)
    if not wrong.any():
        return None
    with np.errstate(invalid="ignore"):
        distance = np.where(wrong, np.nan_to_num(np.abs(array - right), nan=np.inf, posinf=np.inf), -1.0)
    return _position(distance.shape, distance.argmax())


def _position(shape: tuple[int, ...], number: np.intp) -> Position:
    return tuple(int(i) for i in np.unravel_index(number, shape))


def _line(exercise: Exercise, case: Case, place: Place, function: Function, answer: Arrays) -> str:
    result, position = place
    name = exercise.results[result]
    number = answer[result][position]
    remembered = _remembered(exercise, case, place, function)
    if remembered is None or differing(np.asarray(float(remembered)), number):
        remembered = number  # the function computes something else with numbers that remember
    shown = str(bool(number)) if answer[result].dtype == bool else arithmetic(remembered)
    return f"{label(name, *position) if position else name} = {shown}"


def _remembered(exercise: Exercise, case: Case, place: Place, function: Function):
    """Return the entry as a number that remembers how it was made; None if the function cannot have such numbers."""
    result, position = place
    arguments = tuple(
        value if name in exercise.untraced else _traced(value, name)
        for name, value in zip(exercise.arguments, case.arguments, strict=True)
    )
    value: Any = call(spelt_out(function), arguments, SECONDS, quiet=True).value
    try:
        part = value if len(exercise.results) == 1 else value[result]
        number = as_array(part)[position]
        float(number)
    except (TypeError, ValueError, IndexError, KeyError):
        return None
    return number


def _traced(value, name: str):
    if isinstance(value, list):
        return [traced(part, f"{name}[{i + 1}]") for i, part in enumerate(value)]
    return traced(value, name)

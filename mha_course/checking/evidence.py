"""One entry of an answer with its arithmetic, as it came and as it should be."""

import numpy as np

from mha_course.checking.attempt import call
from mha_course.checking.compare import differing
from mha_course.notation.arithmetic import arithmetic
from mha_course.notation.labels import label
from mha_course.notation.traced import traced

SECONDS = 1.0  # for computing an answer once more with numbers that remember


def telling_places(answer, right):
    """Return (result, place) twice: of the entry that differs most, in the answer and in the right one.

    Where no place is in both, the two are the first that differ when both are read row by row. None if
    no two numbers differ.

    >>> telling_places([np.array([1, 5])], [np.array([1, 3])])
    ((0, (1,)), (0, (1,)))
    >>> telling_places([np.array([[1, 3]])], [np.array([1, 4])])
    ((0, (0, 1)), (0, (1,)))
    """
    for result, (a, b) in enumerate(zip(answer, right, strict=True)):
        place = _worst_place(a, b) if a.ndim == b.ndim else None
        if place is not None:
            return (result, place), (result, place)
    for result, (a, b) in enumerate(zip(answer, right, strict=True)):
        both = min(a.size, b.size)
        wrong = differing(a.ravel()[:both], b.ravel()[:both])
        if wrong.any():
            return (result, _place(a, wrong.argmax())), (result, _place(b, wrong.argmax()))
    return None


def lines(exercise, case, places, function, answer, right):
    """Write one entry as the learner's function makes it, and as it should be made; nothing if both read the same."""
    yours = _line(exercise, case, places[0], function, answer)
    rights = _line(exercise, case, places[1], exercise.right, right)
    return (("yours", yours), ("right", rights)) if yours != rights else ()


def _place(array, number):
    return tuple(int(i) for i in np.unravel_index(number, array.shape))


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


def _line(exercise, case, place, function, answer):
    result, position = place
    name = exercise.results[result]
    number = answer[result][position]
    remembered = _remembered(exercise, case, place, function)
    if remembered is None or differing(np.asarray(float(remembered)), number):
        remembered = number  # the function computes something else with numbers that remember
    shown = str(bool(number)) if answer[result].dtype == bool else arithmetic(remembered)
    return f"{label(name, *position) if position else name} = {shown}"


def _remembered(exercise, case, place, function):
    """Return the entry as a number that remembers how it was made; None if the function cannot have such numbers."""
    result, position = place
    arguments = tuple(
        value if name in exercise.untraced else _traced(value, name)
        for name, value in zip(exercise.arguments, case.arguments, strict=True)
    )
    attempt = call(function, arguments, SECONDS, quiet=True)
    try:
        part = attempt.value if len(exercise.results) == 1 else attempt.value[result]
        number = np.asarray(part)[position]
        float(number)
    except (TypeError, ValueError, IndexError, KeyError):
        return None
    return number


def _traced(value, name):
    if isinstance(value, list):
        return [traced(part, f"{name}[{i + 1}]") for i, part in enumerate(value)]
    return traced(value, name)

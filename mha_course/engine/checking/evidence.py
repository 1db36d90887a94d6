"""One entry of an answer with its arithmetic, beside the right one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from mha_course.engine.checking.answers import Outcome, right_answer
from mha_course.engine.checking.compare import Answer, Arrays, alike, differing
from mha_course.engine.checking.diagnosis import Lines
from mha_course.engine.checking.exercise import Exercise, Function, Inputs
from mha_course.engine.checking.solution import Solution, StepMistake, Values, asked, asking
from mha_course.engine.isolated_call.attempt import Caller, call
from mha_course.engine.isolated_call.return_value import as_array, read
from mha_course.engine.notation.arithmetic import arithmetic
from mha_course.engine.notation.labels import label
from mha_course.engine.notation.traced_number import traced

SECONDS = 1.0  # for computing an answer once more with numbers that remember
RENAMED = {"right": "right from there"}  # what a step should make of numbers that are wrong already

Position = tuple[int, ...]
Spot = tuple[int, Position]  # which result, and where in it
Recompute = Callable[[], Any]  # computes an answer once more


def lines(exercise: Exercise, outcome: Outcome, *functions: Function | Caller) -> Lines:
    """Write one entry as the learner's function makes it, and as it should be made.

    Nothing if no two numbers differ, or both read the same. functions: that all give the answer; the first
    through which numbers that remember can pass is followed.
    """
    named = dict(zip(exercise.arguments, outcome.inputs.arguments, strict=True))
    given = tuple(_remembering(named, exercise.untraced).values())
    yours = [partial(_called, function, given) for function in functions]
    return _compared(exercise.results, outcome.answer, outcome.right, yours, partial(_called, exercise.right, given))


def lines_of_steps(exercise: Exercise, step_mistakes: Sequence[StepMistake], outcome: Outcome) -> Lines:
    """Write one entry of every changed step, as it was made and as it should have been from the same numbers."""
    solution, shown = exercise.right, list[tuple[str, str]]()
    if not isinstance(solution, Solution) or isinstance(outcome.answer, BaseException):
        return ()
    values, truth = (solution.followed(outcome.inputs.arguments, changes) for changes in (step_mistakes, ()))
    for step_mistake in step_mistakes:
        number, variant, given, rightly_given = _seen_at(solution, step_mistake, values)
        step, results = solution.steps[number], tuple(solution.steps[number].makes.split())
        try:
            made = read(asking(variant, given), results)
            right, true = (read(asking(step.does, each), results) for each in (rightly_given, truth[number]))
        except Exception:  # one of them fails here, or makes no numbers
            continue
        yours = partial(asking, variant, _remembering(given, exercise.untraced))
        rights = partial(asking, step.does, _remembering(rightly_given, exercise.untraced))
        compared = _compared(results, made, right, [yours], rights)
        shown += compared if alike(right, true) else [(RENAMED.get(who, who), line) for who, line in compared]
    return tuple(shown)


def _seen_at(
    solution: Solution, mistake: StepMistake, values: Sequence[Values]
) -> tuple[int, Function, Values, Values]:
    """Return the step in whose numbers a mistake is seen, what it does there, what is given to it, and what should be.

    A step that gives a function makes no numbers. The first that calls the function does.
    """
    step, given = solution.steps[mistake.step], values[mistake.step]
    made = values[mistake.step + 1][step.makes] if " " not in step.makes else None
    if not callable(made):
        return mistake.step, mistake.variant, given, given
    calls = (n for n, later in enumerate(solution.steps) if n > mistake.step and step.makes in asked(later.does))
    number = next(calls)
    rightly = values[number] | {step.makes: asking(step.does, given)}
    return number, solution.steps[number].does, values[number], rightly


def worked(exercise: Exercise, inputs: Inputs, place: Spot) -> str:
    """Write one entry of the right answer with its arithmetic."""
    named = dict(zip(exercise.arguments, inputs.arguments, strict=True))
    given = tuple(_remembering(named, exercise.untraced).values())
    right = right_answer(exercise, inputs)
    return _line(exercise.results, place, [partial(_called, exercise.right, given)], right)


def _compared(
    results: tuple[str, ...], answer: Answer, right: Arrays, yours: Iterable[Recompute], rights: Recompute
) -> Lines:
    places = telling_places(answer, right)
    if places is None or isinstance(answer, BaseException):
        return ()
    your_line = _line(results, places[0], yours, answer)
    right_line = _line(results, places[1], [rights], right)
    return (("yours", your_line), ("right", right_line)) if your_line != right_line else ()


def telling_places(answer: Answer, right: Arrays) -> tuple[Spot, Spot] | None:
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


def _line(results: tuple[str, ...], where: Spot, variants: Iterable[Recompute], answer: Arrays) -> str:
    result, position = where
    number = answer[result][position]
    told = (_entry(made, len(results), where) for made in variants)
    same = (each for each in told if each is not None and not differing(np.asarray(float(each)), number))
    remembered = next(same, number)  # where all compute something else with numbers that remember
    shown = str(bool(number)) if answer[result].dtype == bool else arithmetic(remembered)
    place = label(results[result], *position)
    return shown if shown.startswith(f"{place} = ") else f"{place} = {shown}"


def _entry(made: Recompute, of: int, place: Spot):
    """Return the entry as a number that remembers how it was made; None if the function cannot have such numbers."""
    result, position = place
    try:
        value = made()
        number = as_array(value if of == 1 else value[result])[position]
        float(number)
    except Exception:  # whatever a function raises that meets numbers of another kind
        return None
    return number


def _called(function: Function | Caller, given: tuple[object, ...]):
    return call(function, given, SECONDS, quiet=True).value


def _remembering(values: Mapping[str, object], untraced: Iterable[str]) -> dict[str, Any]:
    """Return the values, their numbers as numbers that remember, where these are no mere counts and places."""
    return {
        name: value if name in untraced or not _holds_numbers(value) else _traced(value, name)
        for name, value in values.items()
    }


def _holds_numbers(value: object) -> bool:
    is_count = isinstance(value, int) and not isinstance(value, bool)
    return is_count or isinstance(value, list) or (isinstance(value, np.ndarray) and value.dtype.kind in "iuf")


def _traced(value, name: str):
    if isinstance(value, list):
        return [traced(part, f"{name}[{i + 1}]") for i, part in enumerate(value)]
    return traced(value, name)

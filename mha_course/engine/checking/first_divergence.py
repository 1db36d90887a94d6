"""Says how far a function does what a solution does, where no known mistake explains what it gives."""

from collections.abc import Sequence

import numpy as np

from mha_course.engine.checking.answers import Outcome
from mha_course.engine.checking.array_trace import SeenArray, watched
from mha_course.engine.checking.compare import alike
from mha_course.engine.checking.exercise import Exercise, Function
from mha_course.engine.checking.solution import Solution, Step, Values, asked
from mha_course.engine.isolated_call.attempt import Caller

GIVEN = -1  # the place of what needs no work, since it was there already
TRIED = 2  # inputs on which the same must be seen: on one alone numbers can be equal by accident


def where_they_part(exercise: Exercise, misses: Sequence[Outcome], function: Function | Caller) -> str:
    """Say up to which of its lines a function does what is right, and what it makes next.

    Steps go without their names: a learner's own have others. Empty if it does nothing right before it goes wrong, if
    that is not the same on other inputs, or if it cannot be watched.
    """
    parted = [_parted(exercise, miss, function) for miss in misses[:TRIED]]
    if None in parted or len({(last.line, came.line) for last, came in filter(None, parted)}) != 1:
        return ""
    (last, came), *_ = filter(None, parted)
    shape = came.array.shape
    if came.line == last.line:
        return f"Right as far as a part of this line. The next result in it has shape {shape}:  {last.line}"
    return f"Right as far as the line  {last.line}. The next result has shape {shape}, in the line  {came.line}"


def _parted(exercise: Exercise, miss: Outcome, function: Function | Caller) -> tuple[SeenArray, SeenArray] | None:
    """Return the last array that was right, and the one that came next; None if there are no such two."""
    if not isinstance(exercise.right, Solution):
        return None
    steps, values = exercise.right.steps, exercise.right.followed(miss.inputs.arguments)
    seen_arrays = watched(function, miss.inputs.arguments)
    pairs = zip(steps, values[:-1], values[1:], strict=True)
    places = [_place(step, before, after, seen_arrays) for step, before, after in pairs]
    missed = _first_missed(steps, places)
    done = [place for place in places[: missed or 0] if place is not None and place != GIVEN]
    if not done:
        return None
    came = next((seen for seen in seen_arrays[done[-1] + 1 :] if seen.array.ndim and seen.line), None)
    return (seen_arrays[done[-1]], came) if came and seen_arrays[done[-1]].line else None


def _place(step: Step, before: Values, after: Values, seen_arrays: Sequence[SeenArray]) -> int | None:
    """Return the number of the array at which every array that a step makes has been met; None if it never was."""
    arrays = [after[name] for name in step.makes.split() if isinstance(after[name], np.ndarray | np.number)]
    made = [value for value in arrays if not any(_same(value, other) for other in before.values())]
    if not made:
        return GIVEN
    met = [next((i for i, seen in enumerate(seen_arrays) if _same(value, seen.array)), None) for value in made]
    return None if None in met else max(place for place in met if place is not None)


def _first_missed(steps: Sequence[Step], places: Sequence[int | None]) -> int | None:
    """Return the first step that was neither met nor needed by a later one that was; None if there is none."""
    reached = {number for number, place in enumerate(places) if place not in (None, GIVEN)}
    for number in reversed(range(len(steps))):
        if number in reached:
            needs = set(asked(steps[number].does))
            reached |= {i for i in range(number) if needs & set(steps[i].makes.split())}
    return next((number for number in range(len(steps)) if number not in reached and places[number] != GIVEN), None)


def _same(one: object, other: object) -> bool:
    if not (isinstance(one, np.ndarray | np.number) and isinstance(other, np.ndarray | np.number)):
        return one is other
    return "O" not in (one.dtype.kind, other.dtype.kind) and alike([np.asarray(one)], [np.asarray(other)])

"""Tasks made from solutions: what a known mistake makes of a table, and a worked table in which one entry is wrong."""

from collections.abc import Collection, Sequence

import numpy as np

from mha_course.engine.asking.numbers import WrongNumbers
from mha_course.engine.asking.wrong_entry import WrongEntry
from mha_course.engine.checking.solution import Solution, StepMistake, Values
from mha_course.engine.notation.arithmetic import arithmetic
from mha_course.engine.notation.labels import address, label
from mha_course.engine.notation.traced_number import traced
from mha_course.engine.pictures.number_table import Place
from mha_course.engine.pictures.practice import Table


def mistakes_of(
    solution: Solution, arguments: Sequence[object], value: str, steps: Sequence[str]
) -> tuple[WrongNumbers, ...]:
    """Return what each known mistake makes of a value, as far as it makes another table of the same shape.

    value: the name of what a step of the solution makes. steps: what the steps make in which mistakes are sought, the
    likeliest first.
    """
    right = np.asarray(solution.followed(arguments)[-1][value], dtype=float)
    found = []
    for step_mistake in sorted(solution.step_mistakes, key=lambda each: _rank(solution, each, steps)):
        table = _mistaken(_until(solution, value), step_mistake, arguments, value)
        is_sought = solution.steps[step_mistake.step].makes in steps
        if is_sought and table is not None and _is_another(table, right):
            found.append(
                WrongNumbers(step_mistake.mistake.name, step_mistake.mistake.why, Table(value, table).numbers())
            )
    return tuple(found)


def with_one_wrong(
    solution: Solution,
    arguments: Sequence[np.ndarray],
    tables: Sequence[Table],
    wrong: str,
    place: Place,
    mistake: str,
) -> WrongEntry:
    """Return the task to find the one entry of some tables that a mistake has made; all others are right.

    tables: of values of the solution, with their labels; their numbers are put in here. wrong: the name of the table
    with the wrong entry, at this place. mistake: the name of one that a step of the solution knows, where it changes
    this entry.
    """
    names = {table.name for table in tables}
    right = _followed(solution, arguments, names)
    step_mistake = next(each for each in solution.step_mistakes if each.mistake.name == mistake)
    mistaken = _followed(solution, arguments, names, step_mistake)[wrong][place]
    made = {
        address(name, *at): arithmetic(number)
        for name in names
        for at, number in np.ndenumerate(right[name])
        if (name, at) != (wrong, place)
    }
    told = (
        f"{label(wrong, *place)} should be {arithmetic(right[wrong][place])}. The table has "
        f"{arithmetic(mistaken)}. {step_mistake.mistake.name} {step_mistake.mistake.why}"
    )
    shown = tuple(_shown(table, right[table.name], wrong, place, mistaken) for table in tables)
    return WrongEntry(shown, address(wrong, *place), told, made)


def _followed(
    solution: Solution, arguments: Sequence[np.ndarray], names: Collection[str], step_mistake: StepMistake | None = None
) -> Values:
    """Return the named values as numbers that remember how they were made, of what stands in the tables before."""
    values = {name: traced(array, name) for array, name in zip(arguments, solution.takes.split(), strict=True)}
    made: Values = {}
    for number, step in enumerate(solution.steps):
        values = step.done(values, step_mistake.variant if step_mistake and step_mistake.step == number else None)
        if step.makes in names:
            made[step.makes] = values[step.makes]
            values[step.makes] = traced(np.array(values[step.makes], dtype=float), step.makes)
    return made


def _shown(table: Table, right: np.ndarray, wrong: str, place: Place, mistaken: object) -> Table:
    """Return a table with its numbers, the wrong one among them if it is this table's."""
    values = np.array(right, dtype=float)
    if table.name == wrong:
        values[place] = float(mistaken)  # type: ignore[arg-type]
    return Table(table.name, values, table.rows, table.columns, table.axes, table.decimals)


def _is_another(table: np.ndarray, right: np.ndarray) -> bool:
    """Whether a table can be typed in place of the right one, and is not it."""
    return table.shape == right.shape and bool(np.isfinite(table).all()) and not np.allclose(table, right)


def _rank(solution: Solution, step_mistake: StepMistake, steps: Sequence[str]) -> int:
    makes = solution.steps[step_mistake.step].makes
    return steps.index(makes) if makes in steps else len(steps)


def _mistaken(
    solution: Solution, step_mistake: StepMistake, arguments: Sequence[object], value: str
) -> np.ndarray | None:
    try:
        with np.errstate(all="ignore"):
            return np.asarray(solution.followed(arguments, [step_mistake])[-1][value], dtype=float)
    except (TypeError, ValueError, IndexError):
        return None


def _until(solution: Solution, value: str) -> Solution:
    """Return the solution up to the last step that makes a value: later ones may not bear a mistake."""
    last = max(number for number, step in enumerate(solution.steps) if value in step.makes.split())
    return Solution(solution.takes, solution.steps[: last + 1], value)

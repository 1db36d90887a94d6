"""Tasks made from recipes: what a known slip makes of a table, and a worked table in which one entry is wrong."""

from collections.abc import Collection, Sequence

import numpy as np

from mha_course.engine.asking.numbers import WrongNumbers
from mha_course.engine.asking.wrong_entry import WrongEntry
from mha_course.engine.checking.exercise import Slip
from mha_course.engine.checking.solution import Misstep, Recipe, Values
from mha_course.engine.notation.arithmetic import arithmetic
from mha_course.engine.notation.labels import address, label
from mha_course.engine.notation.traced_number import traced
from mha_course.engine.pictures.number_table import Place
from mha_course.engine.pictures.practice import Table


def slips_of(recipe: Recipe, arguments: Sequence[object], value: str, steps: Sequence[str]) -> tuple[WrongNumbers, ...]:
    """Return what each known slip makes of a value, as far as it makes another table of the same shape.

    value: the name of what a step of the recipe makes. steps: what the steps make in which slips are sought, the
    likeliest first.
    """
    right = np.asarray(recipe.followed(arguments)[-1][value], dtype=float)
    found = []
    for misstep in sorted(recipe.missteps, key=lambda each: _rank(recipe, each, steps)):
        table = _slipped(_until(recipe, value), misstep, arguments, value)
        is_sought = recipe.steps[misstep.step].makes in steps
        if is_sought and table is not None and _is_another(table, right):
            found.append(WrongNumbers(misstep.slip.name, misstep.slip.why, Table(value, table).numbers()))
    return tuple(found)


def with_one_wrong(
    recipe: Recipe, arguments: Sequence[np.ndarray], tables: Sequence[Table], wrong: str, place: Place, slip: Slip
) -> WrongEntry:
    """Return the task to find the one entry of some tables that a slip has made; all others are right.

    tables: of values of the recipe, with their labels; their numbers are put in here. wrong: the name of the table
    with the wrong entry, at this place. slip: known to a step of the recipe, where it changes this entry.
    """
    names = {table.name for table in tables}
    right = _followed(recipe, arguments, names)
    misstep = next(each for each in recipe.missteps if each.slip.name == slip.name)
    slipped = _followed(recipe, arguments, names, misstep)[wrong][place]
    made = {
        address(name, *at): arithmetic(number)
        for name in names
        for at, number in np.ndenumerate(right[name])
        if (name, at) != (wrong, place)
    }
    told = (
        f"{label(wrong, *place)} should be {arithmetic(right[wrong][place])}. The table has "
        f"{arithmetic(slipped)}. {slip.name} {slip.why}"
    )
    shown = tuple(_shown(table, right[table.name], wrong, place, slipped) for table in tables)
    return WrongEntry(shown, address(wrong, *place), told, made)


def _followed(
    recipe: Recipe, arguments: Sequence[np.ndarray], names: Collection[str], misstep: Misstep | None = None
) -> Values:
    """Return the named values as numbers that remember how they were made, of what stands in the tables before."""
    values = {name: traced(array, name) for array, name in zip(arguments, recipe.takes.split(), strict=True)}
    made: Values = {}
    for number, step in enumerate(recipe.steps):
        values = step.done(values, misstep.way if misstep and misstep.step == number else None)
        if step.makes in names:
            made[step.makes] = values[step.makes]
            values[step.makes] = traced(np.array(values[step.makes], dtype=float), step.makes)
    return made


def _shown(table: Table, right: np.ndarray, wrong: str, place: Place, slipped: object) -> Table:
    """Return a table with its numbers, the wrong one among them if it is this table's."""
    values = np.array(right, dtype=float)
    if table.name == wrong:
        values[place] = float(slipped)  # type: ignore[arg-type]
    return Table(table.name, values, table.rows, table.columns, table.axes, table.decimals)


def _is_another(table: np.ndarray, right: np.ndarray) -> bool:
    """Whether a table can be typed in place of the right one, and is not it."""
    return table.shape == right.shape and bool(np.isfinite(table).all()) and not np.allclose(table, right)


def _rank(recipe: Recipe, misstep: Misstep, steps: Sequence[str]) -> int:
    makes = recipe.steps[misstep.step].makes
    return steps.index(makes) if makes in steps else len(steps)


def _slipped(recipe: Recipe, misstep: Misstep, arguments: Sequence[object], value: str) -> np.ndarray | None:
    try:
        with np.errstate(all="ignore"):
            return np.asarray(recipe.followed(arguments, [misstep])[-1][value], dtype=float)
    except (TypeError, ValueError, IndexError):
        return None


def _until(recipe: Recipe, value: str) -> Recipe:
    """Return the recipe up to the last step that makes a value: later ones may not bear a slip."""
    last = max(number for number, step in enumerate(recipe.steps) if value in step.makes.split())
    return Recipe(recipe.takes, recipe.steps[: last + 1], value)

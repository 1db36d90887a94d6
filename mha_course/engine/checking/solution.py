"""A right answer as a chain of named steps, each of which knows the wrong ways to do it."""

import inspect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from mha_course.engine.checking.exercise import Exercise, Function, Slip

Values = dict[str, Any]


class Step:
    """One operation on values that have names, which its functions ask for by their parameters.

    makes: the name of what it makes, or several names with spaces between. slips: the wrong ways to do it, as `slip`
    makes them. Their functions may ask for other values than the right one; a slip is known only where all of them
    are there.
    """

    def __init__(self, makes: str, does: Function, *slips: Slip):
        """Keep what the step makes and does."""
        self.makes, self.does, self.slips = makes, does, slips
        self._names = makes.split()

    def knowing(self, *slips: Slip) -> "Step":
        """Return this step with more wrong ways to do it."""
        return Step(self.makes, self.does, *self.slips, *slips)

    def knowing_only(self, *slips: Slip) -> "Step":
        """Return this step with these wrong ways to do it."""
        return Step(self.makes, self.does, *slips)

    def without(self, *slips: Slip) -> "Step":
        """Return this step without wrong ways to do it that an exercise's task does not tell from the right one."""
        names = {each.name for each in slips}
        return self.knowing_only(*(each for each in self.slips if each.name not in names))

    def making(self, name: str) -> "Step":
        """Return this step with another name for what it makes."""
        return Step(name, self.does, *self.slips)

    def done(self, values: Values, way: Function | None = None) -> Values:
        """Return all values after this step, which may be done in another way.

        >>> Step("low high", lambda x: (x - 1, x + 1)).done({"x": 5})
        {'x': 5, 'low': 4, 'high': 6}
        """
        made = asking(self.does if way is None else way, values)
        if len(self._names) == 1:
            return values | {self._names[0]: made}
        return values | dict(zip(self._names, made, strict=True))


@dataclass(frozen=True, eq=False)
class Misstep:
    """One wrong way to do one step of a recipe, which counts from 0.

    rank: its place among the wrong ways to do this step, the likeliest of which is 0.
    """

    step: int
    rank: int
    slip: Slip
    way: Function


@dataclass(frozen=True, eq=False)
class Recipe:
    """A function as a chain of steps. takes: the names of its arguments, in a row.

    gives: those of its results, in a row; what the last step makes, unless said otherwise.

    >>> from mha_course.engine import slip
    >>> double = Step("twice", lambda x: 2 * x)
    >>> more = Step("more", lambda twice: twice + 1, slip("It stops early.", "Add 1.", lambda x: x + 1))
    >>> recipe = Recipe("x", [double, more])
    >>> recipe(3), [recipe.with_missteps(misstep)(3) for misstep in recipe.missteps]
    (7, [4])
    """

    takes: str
    steps: Sequence[Step]
    gives: str = ""

    def __post_init__(self) -> None:
        """Take the results from the last step, where nothing else is said."""
        object.__setattr__(self, "gives", self.gives or self.steps[-1].makes)

    def __call__(self, *arguments: object) -> object:
        """Return what the right steps give."""
        return self.given(self.followed(arguments)[-1])

    @property
    def __signature__(self) -> inspect.Signature:
        """What `inspect` says of its arguments."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature([inspect.Parameter(name, kind) for name in self.takes.split()])

    @property
    def missteps(self) -> tuple[Misstep, ...]:
        """Every wrong way to do one of the steps, where all that it asks for is there."""
        return _missteps(self)

    def with_missteps(self, *missteps: Misstep) -> Function:
        """Return the function whose steps are done in these wrong ways."""

        def misstepping(*arguments: object) -> object:
            return self.given(self.followed(arguments, missteps)[-1])

        return misstepping

    def followed(self, arguments: Sequence[object], missteps: Iterable[Misstep] = ()) -> list[Values]:
        """Return all values by name: before the first step, and after each."""
        ways = {misstep.step: misstep.way for misstep in missteps}
        values = [dict(zip(self.takes.split(), arguments, strict=True))]
        for number, step in enumerate(self.steps):
            values.append(step.done(values[-1], ways.get(number)))
        return values

    def given(self, values: Values) -> object:
        """Take the results out of all values."""
        made = tuple(values[name] for name in self.gives.split())
        return made[0] if len(made) == 1 else made


def known_to(exercise: Exercise) -> tuple[Slip, ...]:
    """Return every slip that an exercise knows, each name once, in the order of its steps."""
    missteps = exercise.right.missteps if isinstance(exercise.right, Recipe) else ()
    slips = [*exercise.slips, *(misstep.slip for misstep in missteps)]
    return tuple({slip.name: slip for slip in reversed(slips)}.values())[::-1]


def asking(function: Function, values: Values) -> Any:
    """Call a function with the values that it asks for."""
    return function(*map(values.__getitem__, asked(function)))


@cache
def asked(function: Function) -> tuple[str, ...]:
    """Return the names of the values that a function asks for: those of its parameters that have no default."""
    parameters = inspect.signature(function).parameters.values()
    return tuple(each.name for each in parameters if each.default is each.empty)


@cache
def _missteps(recipe: Recipe) -> tuple[Misstep, ...]:
    return tuple(_applicable(recipe))


def _applicable(recipe: Recipe) -> Iterator[Misstep]:
    there = set(recipe.takes.split())
    for number, step in enumerate(recipe.steps):
        ways = [(slip, way) for slip in step.slips for way in slip.ways if there.issuperset(asked(way))]
        yield from (Misstep(number, rank, slip, way) for rank, (slip, way) in enumerate(ways))
        there.update(step.makes.split())

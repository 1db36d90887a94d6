"""A right answer as a chain of named steps, each of which knows the mistakes that it invites."""

import inspect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from mha_course.engine.checking.exercise import Exercise, Function, Mistake

Values = dict[str, Any]


class Step:
    """One operation on values that have names, which its functions ask for by their parameters.

    makes: the name of what it makes, or several names with spaces between. mistakes: those that it invites, as
    `mistake` makes them. Their functions may ask for other values than the right one; a mistake is known only where
    all of them are there. expression: what it does, as a learner writes it; "" where that is more than an expression.
    """

    def __init__(self, makes: str, does: Function, *mistakes: Mistake, expression: str = ""):
        """Keep what the step makes and does."""
        self.makes, self.does, self.mistakes, self.expression = makes, does, mistakes, expression
        self._names = makes.split()

    def done(self, values: Values, variant: Function | None = None) -> Values:
        """Return all values after this step, which may be done in another way.

        >>> Step("low high", lambda x: (x - 1, x + 1)).done({"x": 5})
        {'x': 5, 'low': 4, 'high': 6}
        """
        made = asking(self.does if variant is None else variant, values)
        if len(self._names) == 1:
            return values | {self._names[0]: made}
        return values | dict(zip(self._names, made, strict=True))


@dataclass(frozen=True, eq=False)
class StepMistake:
    """One wrong way to do one step of a solution, which counts from 0.

    rank: its place among the wrong ways to do this step, the likeliest of which is 0.
    """

    step: int
    rank: int
    mistake: Mistake
    variant: Function


@dataclass(frozen=True, eq=False)
class Solution:
    """A function as a chain of steps. takes: the names of its arguments, in a row.

    gives: those of its results, in a row; what the last step makes, unless said otherwise.

    >>> from mha_course.engine import mistake
    >>> double = Step("twice", lambda x: 2 * x)
    >>> more = Step("more", lambda twice: twice + 1, mistake("It stops early.", "Add 1.", lambda x: x + 1))
    >>> solution = Solution("x", [double, more])
    >>> solution(3), [solution.with_mistakes(each)(3) for each in solution.step_mistakes]
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
    def step_mistakes(self) -> tuple[StepMistake, ...]:
        """Every wrong way to do one of the steps, where all that it asks for is there."""
        return _step_mistakes(self)

    def with_mistakes(self, *step_mistakes: StepMistake) -> Function:
        """Return the function whose steps are done in these wrong ways."""

        def with_them(*arguments: object) -> object:
            return self.given(self.followed(arguments, step_mistakes)[-1])

        return with_them

    def followed(self, arguments: Sequence[object], step_mistakes: Iterable[StepMistake] = ()) -> list[Values]:
        """Return all values by name: before the first step, and after each."""
        variants = {each.step: each.variant for each in step_mistakes}
        values = [dict(zip(self.takes.split(), arguments, strict=True))]
        for number, step in enumerate(self.steps):
            values.append(step.done(values[-1], variants.get(number)))
        return values

    def given(self, values: Values) -> object:
        """Take the results out of all values."""
        made = tuple(values[name] for name in self.gives.split())
        return made[0] if len(made) == 1 else made


def known_to(exercise: Exercise) -> tuple[Mistake, ...]:
    """Return every mistake that an exercise knows, each name once, in the order of its steps."""
    step_mistakes = exercise.right.step_mistakes if isinstance(exercise.right, Solution) else ()
    mistakes = [*exercise.mistakes, *(each.mistake for each in step_mistakes)]
    return tuple({mistake.name: mistake for mistake in reversed(mistakes)}.values())[::-1]


def asking(function: Function, values: Values) -> Any:
    """Call a function with the values that it asks for."""
    return function(*map(values.__getitem__, asked(function)))


@cache
def asked(function: Function) -> tuple[str, ...]:
    """Return the names of the values that a function asks for: those of its parameters that have no default."""
    parameters = inspect.signature(function).parameters.values()
    return tuple(each.name for each in parameters if each.default is each.empty)


@cache
def _step_mistakes(solution: Solution) -> tuple[StepMistake, ...]:
    return tuple(_applicable(solution))


def _applicable(solution: Solution) -> Iterator[StepMistake]:
    there = set(solution.takes.split())
    for number, step in enumerate(solution.steps):
        variants = [
            (mistake, variant)
            for mistake in step.mistakes
            for variant in mistake.variants
            if there.issuperset(asked(variant))
        ]
        yield from (StepMistake(number, rank, mistake, variant) for rank, (mistake, variant) in enumerate(variants))
        there.update(step.makes.split())

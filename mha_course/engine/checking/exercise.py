"""What an exercise is made of."""

import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace

from mha_course.engine.checking.function_to_repair import ToRepair
from mha_course.engine.checking.sampler import Sampler

Function = Callable[..., object]
Arguments = tuple[object, ...]


@dataclass(frozen=True, eq=False)
class Mistake:
    """A mistake that checks know: wrong functions with one name, what they do in plain words, and where it was made.

    where: public threads about code that made it, "owner/repo #number", separated by commas; empty if none is known.
    variants: the functions that make it, each another way to the same mistake.
    asked: threads about code that was right, whose readers asked about the wrong form, or proposed it.
    """

    name: str
    why: str
    where: str = ""
    variants: tuple[Function, ...] = ()
    asked: str = ""

    def by(self, *variants: Function) -> "Mistake":
        """Return this mistake as one step's or one exercise's function makes it.

        >>> missing = mistake("The sum is missing.", "Each product stays alone.").by(lambda q, k: q * k)
        >>> missing.variants[0](2, 3)
        6
        """
        return replace(self, variants=variants)


def mistake(name: str, why: str, *variants: Function, where: str = "", asked: str = "") -> Mistake:
    """Return a mistake in one call: its name, what it does in plain words, and the functions that make it.

    >>> mistake("The sum is missing.", "Each product stays alone.", lambda q, k: q * k).variants[0](2, 3)
    6
    """
    return Mistake(name, why, where, variants, asked)


@dataclass(frozen=True, eq=False)
class Inputs:
    """One set of arguments with a few words on what it tries."""

    words: str
    arguments: Arguments


@dataclass(frozen=True, eq=False)
class Case:
    """A kind of inputs: a few words on what it tries, and the arguments themselves or how to draw them."""

    words: str
    arguments: Arguments | Callable[[Sampler], Arguments]

    @property
    def is_random(self) -> bool:
        """Whether the arguments are others for every seed."""
        return callable(self.arguments)

    def inputs(self, *seed: int) -> Inputs:
        """Return the arguments that this seed gives.

        >>> Case("width 2", lambda sample: sample((2,))).inputs(1, 2).arguments
        (array([ 1.6, -0.4]),)
        """
        return Inputs(self.words, self.arguments(Sampler(*seed)) if callable(self.arguments) else self.arguments)


@dataclass(frozen=True, eq=False)
class ResultType:
    """The type that is the point of a result: the kinds of dtype that are right, and what to say of another."""

    kinds: str
    headline: str
    why: str


@dataclass(frozen=True, eq=False)
class Exercise:
    """One exercise: what is right, what may go wrong, and what to notice once it is right.

    name: "lesson.idea". right: a `Solution`, or else plain NumPy, so that `traced` arguments pass through it.
    cases: the first is the task's own example. results: the names of what it returns; a solution's own, unless said
    otherwise. mistakes: those that change no step of a solution. untraced: the arguments that only say which or how
    many. number: as in its heading; the lesson gives it. given: the wrong function, where one is to be repaired. types:
    of the results whose type matters, by name. off_limits: the functions whose call would be the answer; the task names
    them, too.
    """

    name: str
    title: str
    right: Function
    _: KW_ONLY
    cases: Sequence[Case]
    notice: str
    results: tuple[str, ...] = ()
    mistakes: Sequence[Mistake] = ()
    untraced: tuple[str, ...] = ()
    number: str = ""
    given: ToRepair | None = None
    types: Mapping[str, ResultType] = field(default_factory=dict)
    off_limits: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Take the results from the solution, where nothing else is said."""
        object.__setattr__(self, "results", self.results or tuple(getattr(self.right, "gives", "").split()))

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the function's arguments."""
        return tuple(inspect.signature(self.right).parameters)

    def inputs(self, seed: int) -> list[Inputs]:
        """Return the inputs of every case as this seed draws them."""
        return [case.inputs(seed, number) for number, case in enumerate(self.cases)]

    def further_inputs(self, seed: int, count: int) -> list[Inputs]:
        """Return so many more inputs of the cases that are drawn; none if no case is."""
        drawn = [(number, case) for number, case in enumerate(self.cases) if case.is_random]
        endless = (case.inputs(seed, turn, number) for turn in itertools.count() for number, case in drawn)
        return list(itertools.islice(endless, count)) if drawn else []

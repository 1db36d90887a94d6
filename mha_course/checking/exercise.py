"""What an exercise is made of."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace

Function = Callable[..., object]


@dataclass(frozen=True, eq=False)
class Mistake:
    """Wrong functions with one name, what they do in plain words, and where it has happened.

    where: public threads, "owner/repo #number", separated by commas; empty if none is known.
    ways: the functions that make it, each another way to the same mistake.
    """

    name: str
    why: str
    where: str = ""
    ways: tuple[Function, ...] = ()

    def by(self, *ways: Function) -> "Mistake":
        """Return this mistake as one exercise's function makes it.

        >>> missing = Mistake("The sum is missing.", "Each product stays alone.").by(lambda q, k: q * k)
        >>> missing.ways[0](2, 3)
        6
        """
        return replace(self, ways=ways)


@dataclass(frozen=True, eq=False)
class Case:
    """One set of arguments with a few words on what it tries."""

    words: str
    arguments: tuple[object, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Exercise:
    """One exercise: what is right, what may go wrong, and what to notice once it is right.

    name: "lesson.idea". number: as in its heading. right: plain NumPy, so that `traced` arguments
    pass through it. results: the names of what it returns. cases: the first is the task's own
    example. untraced: the arguments that only say which or how many.
    """

    name: str
    number: str
    title: str
    right: Function
    results: tuple[str, ...]
    cases: tuple[Case, ...]
    mistakes: tuple[Mistake, ...]
    notice: str
    untraced: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the function's arguments."""
        return tuple(inspect.signature(self.right).parameters)

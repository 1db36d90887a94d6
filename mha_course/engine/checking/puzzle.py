"""A right answer in its lines, with wrong ones among them, to be put in order."""

import linecache
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np

from mha_course.engine.checking.exercise import Function

INDENT = "    "


@dataclass(frozen=True)
class Puzzle:
    """The lines of a function. makes: what it is to make, in a sentence or two. head: its first line.

    lines: a right answer, in one right order. wrong: other lines, each of which makes what one of the right lines
    makes. A line is known by its key: its number, as a text. names: what the lines may use besides np.

    >>> double = Puzzle("Twice x.", "def double(x):", ("twice = 2 * x", "return twice"), wrong=("twice = x * x",))
    >>> double.function(["0", "1"])(5), double.function(["2", "1"])(5)
    (10, 25)
    """

    makes: str
    head: str
    lines: tuple[str, ...]
    wrong: tuple[str, ...]
    names: Mapping[str, object] = field(default_factory=dict)

    @property
    def texts(self) -> dict[str, str]:
        """Every line by its key, the right ones first."""
        return {str(number): line for number, line in enumerate((*self.lines, *self.wrong))}

    def shuffled(self) -> list[str]:
        """Return the keys of all lines in an order that is always the same, and not the right one.

        >>> sorted(Puzzle("One more.", "def f(x):", ("x = x + 1", "return x"), wrong=()).shuffled())
        ['0', '1']
        """
        keys = list(self.texts)
        Random(self.head).shuffle(keys)
        return keys

    def can_be(self, taken: object) -> bool:
        """Whether these can be keys of lines in the function; those saved by another version may not."""
        return isinstance(taken, list) and len(set(map(str, taken))) == len(taken) and {*taken} <= {*self.texts}

    def function(self, taken: Sequence[str]) -> Function:
        """Return the function of these lines in this order."""
        name = f"<{self.head}>"
        source = self._source(taken)
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)  # for errors, to quote it
        made: dict[str, Function] = {}
        exec(compile(source, name, "exec"), {"__name__": "__main__", "np": np, **self.names}, made)
        (function,) = made.values()
        return function

    def _source(self, taken: Sequence[str]) -> str:
        """Write the function. What is not taken stands where it never runs, so that its names are known as its own."""
        texts = self.texts
        aside = (texts[key] for key in texts if key not in taken)
        return _indented(self.head, [*(texts[key] for key in taken), "return None", *aside])


def _indented(head: str, lines: Iterable[str]) -> str:
    return "\n".join([head, *(INDENT + line for line in lines)]) + "\n"

"""A wrong function that is handed out whole, to be repaired by few changes."""

import ast
import difflib
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType


@dataclass(frozen=True)
class ToRepair:
    """What a learner repairs. source: of the stub. fewest: how many of its lines a repair must change."""

    source: str
    fewest: int

    def is_untouched(self, function: object) -> bool:
        """Whether a function does word by word what was handed out, whatever its comments say.

        >>> ToRepair("def my_half(x):\\n    return x / 3", fewest=1).is_untouched(lambda x: x / 3)
        True
        """
        if not isinstance(function, FunctionType):
            return False
        return _words(function.__code__) == _words(next(_functions_in(compile(self.source, "given", "exec"))))

    def changed_lines(self, function: object) -> int | None:
        """Count the lines that were changed, added or taken away; None if the source cannot be read."""
        try:
            now = _lines(inspect.getsource(function))  # type: ignore[arg-type]
        except (OSError, TypeError, SyntaxError):
            return None
        return changes(_lines(self.source), now)

    def comment(self, function: object) -> str:
        """Say how many lines a repair has changed, and how many are enough; empty if it cannot be counted."""
        count = self.changed_lines(function)
        if count is None:
            return ""
        if count <= self.fewest:
            return f"You changed {_counted(count)}: no repair needs fewer."
        return f"You changed {_counted(count)}. {_counted(self.fewest).capitalize()} would do: which?"


def changes(before: list[str], after: list[str]) -> int:
    """Count the lines by which two texts differ, a line that took another's place once.

    >>> changes(["a", "b", "c"], ["a", "B", "c"]), changes(["a", "b"], ["a", "b", "c", "d"])
    (1, 2)
    """
    blocks = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return sum(max(i2 - i1, j2 - j1) for kind, i1, i2, j1, j2 in blocks if kind != "equal")


def _lines(source: str) -> list[str]:
    """Return the lines of a source as Python would write them: no comments, no empty lines, one kind of spaces."""
    return ast.unparse(ast.parse(textwrap.dedent(source))).splitlines()


def _functions_in(code: CodeType) -> Iterator[CodeType]:
    return (each for each in code.co_consts if isinstance(each, CodeType))


def _words(code: CodeType) -> tuple[object, ...]:
    """Return what a function's code does: its steps, and the names and numbers in them; not where it stands."""
    constants = tuple(each for each in code.co_consts if not isinstance(each, CodeType))
    return code.co_code, constants, code.co_names, code.co_varnames, tuple(map(_words, _functions_in(code)))


def _counted(lines: int) -> str:
    return f"{({1: 'one', 2: 'two', 3: 'three'}).get(lines, lines)} line{'s' if lines != 1 else ''}"

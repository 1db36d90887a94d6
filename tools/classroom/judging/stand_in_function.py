"""What a check gets of a learner's function, which never comes out of the sandbox: its text, and its errors."""

import ast
import linecache
import secrets
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from types import CodeType, FunctionType

from mha_course.engine.checking.exercise import Exercise

from .reading import read


def text_of(name: str, sources: Sequence[str]) -> FunctionType | None:
    """Return the last function of this name that stands in the cells, to be read and not to be run; None without one.

    Another name for a function reads as a call of it.

    >>> text_of("my_half", ["def my_half(x):\\n    return twice(x) / 4", "def twice(x): ..."]).__code__.co_varnames
    ('x',)
    >>> text_of("mine", ["mine = softmax"]).__code__.co_names
    ('softmax',)
    """
    named: dict[str, object] = {}
    for number, source in enumerate(sources):
        for code in _functions_in(source, f"<cell {number} of the submission>"):
            named[code.co_name] = FunctionType(code, named, code.co_name)
    text = named.get(name)
    return text if isinstance(text, FunctionType) else None


def in_another_order(exercise: Exercise) -> Exercise:
    """Return the exercise with its cases in an order that nobody can know; the example stays the first."""
    example, *others = exercise.cases
    return replace(exercise, cases=(example, *secrets.SystemRandom().sample(others, len(others))))


def raise_at(line: str, error: BaseException) -> None:
    """Raise an error as if this line had done so, which is all that a check wants to know of the place."""
    name = "<a line of the submission>"
    linecache.cache[name] = (len(line), None, [line], name)
    exec(compile("raise error", name, "exec"), {"error": error})


def _functions_in(source: str, file: str) -> list[CodeType]:
    tree = read(ast.parse, source)
    if tree is None:
        return []
    tree.body = [_as_a_call(each) for each in tree.body]
    code = read(partial(compile, filename=file, mode="exec"), tree)
    if code is None:
        return []
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    return [each for each in code.co_consts if isinstance(each, CodeType) and not each.co_freevars]


def _as_a_call(statement: ast.stmt) -> ast.stmt:
    match statement:
        case ast.Assign(targets=[ast.Name(id=new)], value=ast.Name(id=old)):
            return ast.parse(f"def {new}(*given): return {old}(*given)").body[0]
    return statement

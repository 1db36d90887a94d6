"""The source of a learner's function, as it can stand in a file: with all that it takes from the notebook."""

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Collection, Iterator
from types import FunctionType, ModuleType

from mha_course.engine.isolated_call.own_code import is_own_function
from mha_course.engine.progress.missing_names import asked_for, made_by


class CannotBeKept(ValueError):
    """A function can stand in no file; says why in a sentence."""


def own_source(
    function: Callable[..., object], name: str, in_the_file: Collection[str] = (), words: object = None
) -> str:
    """Return what has to stand in a file so that a function has its name there: imports, helpers, and itself.

    in_the_file: names that the file has by itself. words: the object whose attributes are called there by their
    names with "my_" before them.
    Errors: `CannotBeKept`.
    """
    source = _Source({*in_the_file, "np"} - {name}, words)
    source.add(function)
    alias = [] if function.__name__ == name else [f"{name} = {function.__name__}"]
    return "\n\n\n".join(["\n".join(source.imports)] * bool(source.imports) + source.functions + alias)


class _Source:
    """What has to stand in the file so far."""

    def __init__(self, there: Collection[str], words: object) -> None:
        self.imports, self.functions = list[str](), list[str]()
        self._there, self._words, self._met = there, words, set[FunctionType]()

    def add(self, function: object) -> None:
        """Add a function below all that it takes from the notebook."""
        if not is_own_function(function):
            raise CannotBeKept("It is not written with def: put it into a function of yours.")
        if function in self._met:
            return
        self._met.add(function)
        text, tree = _read(function)
        for name in dict.fromkeys(_names(function, tree)):
            if name in function.__globals__ and name not in self._there:
                text = self._with(name, function.__globals__[name], text)
        self.functions.append(text)

    def _with(self, name: str, value: object, text: str) -> str:
        """Make sure that a name is there. Return the text that names it, as it has to stand in the file."""
        if value is self._words and value is not None:
            return re.sub(rf"\b{name}\.(?=\w)", "my_", text)
        if is_own_function(value) and value.__name__ == name:
            self.add(value)
        elif (line := _import(name, value)) is not None:
            self.imports += [line] * (line not in self.imports)
        else:
            raise CannotBeKept(f"`{name}` is not in the function: make it a parameter.")
        return text


def _read(function: FunctionType) -> tuple[str, ast.FunctionDef]:
    if function.__code__.co_freevars:
        name = function.__code__.co_freevars[0]
        raise CannotBeKept(f"`{name}` is in the function around it: make it a parameter.")
    try:
        text = textwrap.dedent(inspect.getsource(function)).strip()
        (tree,) = ast.parse(text).body
    except (OSError, TypeError, SyntaxError, ValueError):  # typed into a terminal, or a lambda in the midst of a line
        tree = None
    if not isinstance(tree, ast.FunctionDef):
        is_lambda = not function.__name__.isidentifier()
        raise CannotBeKept(
            "It is a lambda: write it with def." if is_lambda else "Its source cannot be read: run its cell again."
        )
    return text, tree


def _names(function: FunctionType, tree: ast.FunctionDef) -> Iterator[str]:
    """Yield the names that a function takes from outside, in its defaults and above its head, too."""
    yield from asked_for(function.__code__)
    head = [*tree.decorator_list, tree.args, *([tree.returns] if tree.returns else [])]
    yield from (each.id for part in head for each in ast.walk(part) if isinstance(each, ast.Name))


def _import(name: str, value: object) -> str | None:
    """Return the line that imports a value under a name; None if there is none."""
    if isinstance(value, ModuleType):
        return f"import {value.__name__}" + ("" if name == value.__name__ else f" as {name}")
    called = getattr(value, "__name__", None)
    for place in _places(value):
        if called and getattr(place, called, None) is value:
            return f"from {place.__name__} import {called}" + ("" if name == called else f" as {name}")
    return None


def _places(value: object) -> Iterator[ModuleType]:
    """Yield the modules that may have a value, the course's front door first."""
    home = getattr(value, "__module__", None) or "numpy"
    for each in (home.partition(".")[0], home):
        if each in sys.modules and each not in ("__main__", "builtins"):
            yield sys.modules[each]


def made_in(text: str) -> dict[str, str]:
    """Return what the lines of a text make, by name, each as it would be written without comments.

    >>> made_in("def twice(x):  # a number\\n    return 2 * x")
    {'twice': 'def twice(x):\\n    return 2 * x'}
    """
    return {name: ast.unparse(node) for node in ast.parse(text).body for name in made_by(ast.Module([node], []))}


def libraries(text: str) -> list[str]:
    """Return what a text needs besides NumPy and what Python itself has.

    >>> libraries("import math, scipy.special as special\\nfrom numpy import exp")
    ['scipy']
    """
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    named = [
        each
        for node in imports
        for each in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
    ]
    tops = dict.fromkeys(each.partition(".")[0] for each in named)
    return [each for each in tops if each != "numpy" and each not in sys.stdlib_module_names]

"""An expression of an exercise's text as a function of the values that it names."""

import ast
import builtins
from collections.abc import Collection
from typing import Any

from mha_course.engine.checking.exercise import Function


def function_of(
    text: str, outside: dict[str, Any], values: Collection[str] | None = None, place: str = "text", line: int = 1
) -> Function:
    """Return the function that computes an expression. Its parameters are the values that the expression names.

    outside: what other names mean, beside Python's own. values: the names of all values there are; None if any other
    name may be one. place, line: where the text stands, for errors.
    Errors: `SyntaxError` for what is no expression, `NameError` for a name that nothing has.

    >>> function_of("scores / width**0.5", {}, ["scores", "width"])(6, 4)
    3.0
    """
    body = ast.parse(text.strip(), mode="eval").body
    parameters = []
    for name in names_in(body):
        if name in (values or ()):
            parameters.append(name)
        elif name in outside or hasattr(builtins, name):
            continue
        elif values is None:
            parameters.append(name)
        else:
            raise NameError(f"{name} is no argument and no earlier step: there are {', '.join(values)}.")
    head = ast.arguments(
        posonlyargs=[], args=list(map(ast.arg, parameters)), kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    whole = ast.fix_missing_locations(ast.Expression(ast.Lambda(head, body)))
    ast.increment_lineno(whole, line - 1)
    made: Function = eval(compile(whole, place, "eval"), outside)
    return made


def names_in(tree: ast.AST) -> list[str]:
    """Return the names that an expression takes from outside, in their order.

    >>> names_in(ast.parse("[2 * row for row in rows @ W]", mode="eval"))
    ['rows', 'W']
    """
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names.sort(key=lambda node: (node.lineno, node.col_offset))
    return list(dict.fromkeys(node.id for node in names if node.id not in bound))

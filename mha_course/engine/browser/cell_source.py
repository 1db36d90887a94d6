"""The source of a cell whose last line is what it shows, run outside Jupyter."""

import ast
from typing import Any


def run(source: str) -> tuple[Any, dict[str, Any]]:
    """Run a cell that needs no other. Return what its last line gives, and all that it has named.

    >>> run("two = 2\\ntwo + 1")[0]
    3
    """
    names = dict[str, Any]()
    *before, last = ast.parse(source).body
    assert isinstance(last, ast.Expr), f"The last line shows nothing: {source}"
    exec(compile(ast.Module(before, []), "a cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "a cell", "eval"), names), names

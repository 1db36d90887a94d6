"""Reads the code of a cell, which is never run here and may be anything."""

import ast
from collections.abc import Callable
from typing import TypeVar

Read = TypeVar("Read")
Source = TypeVar("Source", str, ast.Module)


def read(how: Callable[[Source], Read], source: Source) -> Read | None:
    """Return what a way of reading code finds in it; None for a magic, or code that is not finished.

    >>> read(ast.parse, "%matplotlib inline") is None
    True
    """
    try:
        return how(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def root(node: ast.AST) -> str | None:
    """Return the name at the beginning of `name.part[0].part`.

    >>> root(ast.parse("a.b[0].c", mode="eval").body)
    'a'
    """
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None

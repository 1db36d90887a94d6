"""Which of the cells above a cell needs: those that make what it names, and what they name in turn."""

import ast
from collections.abc import Iterator, Sequence

from mha_course.engine.progress.missing_names import made_by, parsed

MODULES = {"np", "numpy", "scipy", "torch", "plt"}  # as lessons call them


def needed(source: str, above: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return those of the cells above that a cell needs, each as its name and its source, in order.

    Code that is no Python is needed, so that somebody is told of it.

    >>> above = [("one", "a = 1"), ("seen", "print(a)"), ("two", "b = a + 1"), ("three", "c = 3")]
    >>> [name for name, _ in needed("b", above)]
    ['one', 'two']
    """
    wanted, found = _named(parsed(source)), list[tuple[str, str]]()
    for name, text in reversed(above):
        tree = parsed(text)
        if tree is None or wanted & {*made_by(tree), *_changed(tree)}:
            found.insert(0, (name, text))
            wanted |= _named(tree)
    return found


def _named(tree: ast.Module | None) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} if tree else set()


def _changed(tree: ast.Module) -> Iterator[str]:
    """Yield the names whose things a cell may change: an entry, an attribute, or by one of their own methods.

    What a module's functions do in the midst of a line changes nothing; what stands for itself, like a setting, does.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                yield from _root(node.value)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner))):
                yield from _root(owner)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if name not in MODULES:
                yield name


def _root(node: ast.expr) -> Iterator[str]:
    """Yield the name with which something like `a.b[0]` begins."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id

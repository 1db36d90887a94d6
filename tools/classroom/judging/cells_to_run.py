"""Which cells have to run: a student's own, and of those handed out the ones that make what is used later."""

import ast
import symtable
from collections.abc import Iterator
from functools import partial

from . import limits
from .reading import read, root


def needed(cells: list[dict]) -> list[bool]:
    """Say of each cell whether it has to run. A picture that is as it was handed out tells nobody anything new.

    >>> sources = "a = 1", "b = 2", "print(a)", "a = 3", "print(4)"
    >>> needed([{"source": each, "handed_out": each != "print(a)"} for each in sources])
    [True, False, True, False, False]
    """
    wanted: set[str] = set()
    runs = []
    for cell in reversed(cells):
        makes, uses = names(cell["source"])
        runs.append(not cell["handed_out"] or makes is None or not wanted.isdisjoint(makes))
        wanted |= {cell["function"]} if cell.get("exercise") else uses if runs[-1] else set()
    return runs[::-1]


def names(source: str) -> tuple[set[str] | None, set[str]]:
    """Return the names that a cell makes or changes, and those that it uses; None where nobody can tell.

    >>> makes, uses = names("x.sort()\\ndef f(a):\\n    b = a + c\\n    return b\\ny[0] = f(2)")
    >>> sorted(makes), sorted(uses)
    (['b', 'f', 'x', 'y'], ['c', 'f', 'x', 'y'])
    """
    if len(source) > limits.CHARACTERS:  # to read it would take more memory than there may be; it will not run
        return None, set()
    tree = read(ast.parse, source)
    table = read(partial(symtable.symtable, filename="<cell>", compile_type="exec"), source)
    if tree is None or table is None:
        return None, set()
    makes = {name for node in ast.walk(tree) for name in _made(node) if name}
    return (None if "*" in makes else makes), set(_used(table))


def _used(table: symtable.SymbolTable) -> Iterator[str]:
    """Yield the names that a cell takes from other cells; those of a function's own are none."""
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module"):
            yield symbol.get_name()
    for part in table.get_children():
        yield from _used(part)


def _made(node: ast.AST) -> Iterator[str | None]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.alias(name=name, asname=given):
            yield given or name.partition(".")[0]
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
            yield root(node)
        case ast.Expr(value=ast.Call(func=ast.Attribute() as method)):  # perhaps it changes what it belongs to
            yield root(method)

"""Says which cell to run first, where one uses a name that this kernel does not know yet."""

import ast
import builtins
import dis
import json
import re
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from mha_course.engine.progress.open_notebook import notebook_of_the_present_cell, present_cell

MAGIC = re.compile(r"^([ \t]*|[^#\n]*=[ \t]*)[%!].*$", re.MULTILINE)  # what Jupyter reads before Python does


class NotRunYet(NameError):
    """A name comes from a cell that has not run; a notebook shows the sentence alone."""

    def _render_traceback_(self) -> list[str]:  # IPython asks for it
        return [str(self)]


def explain_missing_names() -> None:
    """From now on, let every cell that stops at such a name say so alone; outside a notebook this does nothing."""
    shell = getattr(builtins, "get_ipython", lambda: None)()
    if shell is not None:
        shell.set_custom_exc((NameError,), _show)


def require_names(function: Callable) -> None:
    """Ask whether a function's names are there. Errors: `NotRunYet` for one that a cell makes, which has not run."""
    known = getattr(function, "__globals__", {}).keys() | vars(builtins).keys()
    for name in asked_for(getattr(function, "__code__", None)):
        if name not in known and (sentence := _what_to_run(name)):
            raise NotRunYet(sentence, name=name)


def first_line_that_makes(name: str, sources: list[str]) -> str | None:
    """Return how the first cell begins that gives a name its value, comments left out.

    >>> first_line_that_makes("K", ["Q = 1", "# keys\\nfrom numpy import e\\n\\nK, V = e, 3"])
    'from numpy import e'
    >>> first_line_that_makes("files", ["%matplotlib inline\\nfiles = !ls"])
    '%matplotlib inline'
    """
    for source in sources:
        tree = parsed(source) or parsed(MAGIC.sub(r"\1None", source))
        if tree and name in made_by(tree):
            return source.splitlines()[tree.body[0].lineno - 1]
    return None


def parsed(source: str) -> ast.Module | None:
    """Read a cell's code; None where it is no Python, or not yet."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):  # code that is not finished
        return None


def made_by(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a cell makes, outside its functions."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef(name=str(name)) | ast.ClassDef(name=str(name)):
                yield name
                continue
            case ast.Name(id=str(name), ctx=ast.Store()):
                yield name
            case ast.alias(name=str(name), asname=given):
                yield given or name.partition(".")[0]
        waiting += ast.iter_child_nodes(node)


def asked_for(code: CodeType | None) -> Iterator[str]:
    """Yield the names that code takes from outside, with the functions inside it."""
    if code is None:
        return
    yield from (str(each.argval) for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL")
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from asked_for(constant)


def _show(shell: Any, kind: type, error: NameError, traceback: Any, tb_offset: int | None = None) -> None:
    """Show an error as IPython does, or the sentence in its place; IPython calls this."""
    sentence = _what_to_run(error.name) if error.name and not isinstance(error, NotRunYet) else None
    shown = NotRunYet(sentence, name=error.name) if sentence else error
    shell.showtraceback((type(shown), shown, traceback), tb_offset=tb_offset, running_compiled_code=True)


def _what_to_run(name: str) -> str | None:
    line = first_line_that_makes(name, _sources())
    return line and (
        f"{name} comes from a cell that has not run yet, the one that begins with\n\n    {line}\n\n"
        "Run that one first; or all cells above this one: menu Run, Run All Above Selected Cell."
    )


def _sources() -> list[str]:
    """Return the code cells of the open notebook, as they were last saved, but for the one that is being run."""
    try:
        path, present = notebook_of_the_present_cell(), present_cell()
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"] if path else []
        others = [cell for cell in cells if cell["cell_type"] == "code" and not (present and cell.get("id") == present)]
        return ["".join(cell["source"]) for cell in others]
    except (OSError, ValueError, LookupError, TypeError):  # no notebook that anybody can read
        return []

"""Says where a name still has its former value: the cell that was to change it ended in a SyntaxError."""

import ast
import builtins
import re
from collections.abc import Callable, Iterator
from typing import Any

from mha_course.engine.progress.missing_names import asked_for, made_by

FORMER = (
    "{0} is still what it was before: the cell that was to change it ended in a SyntaxError. Mend that cell and run "
    "it, then check again."
)


def former_values(function: Callable) -> Iterator[str]:
    """Say of a function, and of all that it takes from other cells, what its newest cell could not change."""
    known = getattr(function, "__globals__", {})
    its_own = {name for name, value in known.items() if value is function}
    cells = _cells_that_ran()
    for name in sorted(its_own.union(asked_for(getattr(function, "__code__", None)))):
        if was_not_changed(name, cells):
            yield FORMER.format(name)


def was_not_changed(name: str, cells: list[str]) -> bool:
    """Whether the last of the cells that gives a name its value ended in a SyntaxError before it could.

    >>> was_not_changed("keys", ["def keys(X):\\n    return X", "def keys(X)\\n    return 2 * X", "keys = {}"])
    False
    >>> was_not_changed("keys", ["def keys(X):\\n    return X", "def keys(X)\\n    return 2 * X", "1 + 1"])
    True
    """
    changes = (_changes(name, cell) for cell in reversed(cells))
    return next((not has_changed for has_changed in changes if has_changed is not None), False)


def _changes(name: str, cell: str) -> bool | None:
    """Whether a cell has given a name its value when it ran; None if it does not name it so."""
    try:
        statements = ast.parse(cell).body
    except SyntaxError:
        return False if re.search(rf"^\s*(def|class)\s+{name}\b|^{name}\s*=(?!=)", cell, re.MULTILINE) else None
    can_run = True
    for statement in statements:
        module = ast.Module([statement], [])
        can_run = can_run and _compiles(module)  # IPython runs one statement after the other
        if name in made_by(module):
            return can_run
    return None


def _compiles(module: ast.Module) -> bool:
    try:
        compile(module, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        return False
    return True


def _cells_that_ran() -> list[str]:
    """Return the source of every cell that this kernel was given, the present one last."""
    shell: Any = getattr(builtins, "get_ipython", lambda: None)()
    history = getattr(shell, "history_manager", None)
    return list(getattr(history, "input_hist_parsed", []))

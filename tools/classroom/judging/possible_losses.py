"""Finds points that a student may have lost without a word: what ran otherwise here, and names that nothing had made.

A wrong answer is no such case, nor is one that was not begun: the verdict says why. Each reason has a function, which
says it in a sentence, or "" where it does not hold.
"""

import re
from collections.abc import Callable, Set
from dataclasses import dataclass

from .cells_to_run import names
from .judge import STOPPED

OUT_OF_TIME = "TimeoutError", "CellTimeoutError"
NO_NAME = re.compile(r"name '(\w+)' is not defined")
TIME_WAS_UP = "time was up while it was checked."


@dataclass(frozen=True)
class Notebook:
    """A submission that was judged.

    cells: as `judge` reads them. outputs: of each. shown: the errors that stood below each when it was handed in.
    handed: the original's names.
    """

    cells: list[dict]
    outputs: list[list[dict]]
    shown: list[list[str]]
    handed: Set[str]


def reasons(notebook: Notebook) -> list[tuple[int, str]]:
    """Return the number of each check whose points may be lost in silence, and why."""
    without = [
        number
        for number, cell in enumerate(notebook.cells)
        if cell.get("exercise") and _error(notebook.outputs[number])
    ]
    found = ((number, next(filter(None, (why(notebook, number) for why in WHY)), "")) for number in without)
    return [(number, sentence) for number, sentence in found if sentence]


def did_not_run(notebook: Notebook, check: int) -> str:
    """Say that the check itself did not run."""
    error = _error(notebook.outputs[check])
    return f"it was not checked. {error['evalue']}" if error["ename"] == "NotRun" else ""


def had_no_time(notebook: Notebook, check: int) -> str:
    """Say that the time of the whole notebook ran out in the check."""
    return TIME_WAS_UP if STOPPED in _said(notebook.outputs[check]) else ""


def lacks_a_name(notebook: Notebook, check: int) -> str:
    """Say why a name is missing that stands elsewhere in the notebook, or that the notebook had when handed out."""
    found = NO_NAME.search(_said(notebook.outputs[check]))
    return _why_missing(notebook, check, found[1], check) if found else ""


def ended_otherwise(notebook: Notebook, check: int) -> str:
    """Say that the answer's own cell ended with an error here, but not where it was written."""
    above = [number for number in _makers(notebook, notebook.cells[check]["function"]) if number < check]
    return _unseen(notebook, above[-1]) if above else ""


WHY: tuple[Callable[[Notebook, int], str], ...] = (did_not_run, had_no_time, lacks_a_name, ended_otherwise)


def _why_missing(notebook: Notebook, check: int, name: str, before: int) -> str:
    """Follow a missing name to the cell that should have made it, and that cell's error to the next."""
    makers = _makers(notebook, name)
    above = [number for number in makers if number < before]
    if not above and makers:
        return f"“{name}” is defined only below, in code cell {makers[0] + 1}."
    if not above:
        return f"“{name}” is defined nowhere: a cell of the notebook is missing or changed." * (name in notebook.handed)
    error = _error(notebook.outputs[above[-1]])
    if not error:
        return ""
    if error["ename"] in ("NotRun", *OUT_OF_TIME):
        return f"“{name}” is defined in code cell {above[-1] + 1}. {error['evalue']}"
    found = NO_NAME.search(error["evalue"])
    if found and (why := _why_missing(notebook, check, found[1], above[-1])):
        return why
    is_answer = name == notebook.cells[check]["function"]
    if name in notebook.handed and not is_answer and not found:
        return f"“{name}” is defined in code cell {above[-1] + 1}, which ended with {error['ename']}."
    return _unseen(notebook, above[-1])


def _unseen(notebook: Notebook, number: int) -> str:
    """Say that a cell ended with an error that did not stand below it when it was handed in."""
    error = _error(notebook.outputs[number])
    if not error or error["ename"] in notebook.shown[number]:
        return ""
    return f"code cell {number + 1} ended with {error['ename']} here, which its stored output does not show."


def _makers(notebook: Notebook, name: str) -> list[int]:
    return [number for number, cell in enumerate(notebook.cells) if _makes(cell, name)]


def _makes(cell: dict, name: str) -> bool:
    """Whether a cell makes a name, or may do so: nobody can tell of code that is not finished."""
    if cell.get("exercise"):
        return False
    made, _ = names(cell["source"])
    return name in made if made is not None else bool(re.search(rf"\b{name}\b", cell["source"]))


def _error(outputs: list[dict]) -> dict | None:
    return next((each for each in reversed(outputs) if each["output_type"] == "error"), None)


def _said(outputs: list[dict]) -> str:
    parts = [each.get("evalue") or each.get("data", {}).get("text/plain") for each in outputs]
    return "\n".join(part for part in parts if isinstance(part, str))

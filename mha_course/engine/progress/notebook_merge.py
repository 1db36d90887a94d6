"""Merges a teacher's notebook into a learner's, cell by cell, by their ids; nothing of the learner's is lost."""

import secrets
from collections.abc import Iterable
from typing import Any

from mha_course.engine.progress import teachers_version
from mha_course.engine.progress.teachers_version import Cell

Notebook = dict[str, Any]
MISSING = object()


def merged(base: Notebook, mine: Notebook, theirs: Notebook) -> Notebook:
    """Return the learner's notebook with what the teacher changed since both had the same one, the base.

    Where both changed one cell, the learner's stays, and the teacher's version stands below in a cell of its own.
    """
    old, new = _by_id(base["cells"]), _by_id(theirs["cells"])
    own = _by_id(cell for cell in mine["cells"] if not _is_outdated(cell, old, new))
    names = _order(old, own, new)
    cells = [cell for name in names for cell in _merged_cell(old.get(name), own.get(name), new.get(name))]
    return theirs | {
        "cells": list(_by_id(cells).values()),
        "metadata": _chosen(base["metadata"], mine["metadata"], theirs["metadata"]),
        "nbformat_minor": max(5, mine["nbformat_minor"], theirs["nbformat_minor"]),  # from 5 on, cells have ids
    }


def _by_id(cells: Iterable[Cell]) -> dict[str, Cell]:
    """Return the cells by their ids; a cell that has none, or another's, gets a new one."""
    named: dict[str, Cell] = {}
    for cell in cells:
        name = cell.get("id")
        if not name or name in named:
            name = secrets.token_hex(4)
        named[name] = cell | {"id": name}
    return named


def _order(old: dict[str, Cell], own: dict[str, Cell], new: dict[str, Cell]) -> list[str]:
    """List all ids in the teacher's order, or in the learner's if they moved cells; what one added stays in place."""
    learner_moved = [name for name in own if name in old] != [name for name in old if name in own]
    first, second = (own, new) if learner_moved else (new, own)
    order, place = list(first), 0
    for name in second:
        if name not in first:
            order.insert(place, name)
        place = order.index(name) + 1
    return order


def _merged_cell(old: Cell | None, own: Cell | None, new: Cell | None) -> list[Cell]:
    """Return what becomes of one cell, None where it is not there: no cell, one, or one and another below."""
    was, mine, theirs = _content(old), _content(own), _content(new)
    if mine not in (was, theirs) and theirs != was:
        return [*filter(None, [own]), teachers_version.put_below(own, new)]
    kept = own if theirs == was else new
    if not (kept and own and new):
        return [kept] if kept else []
    before = old or {"metadata": {}}
    if mine == theirs:
        kept = new if _results(own) == _results(before) else own
    return [kept | {"metadata": _chosen(before["metadata"], own["metadata"], new["metadata"])}]


def _content(cell: Cell | None) -> tuple[Any, ...] | None:
    return None if cell is None else (cell["cell_type"], cell["source"], cell.get("attachments"))


def _results(cell: Cell) -> tuple[Any, ...]:
    return cell.get("outputs"), cell.get("execution_count")


def _is_outdated(cell: Cell, old: dict[str, Cell], new: dict[str, Cell]) -> bool:
    """Whether an earlier update put it there, below a cell that the teacher has changed again."""
    name = teachers_version.about(cell)
    return name is not None and _content(old.get(name)) != _content(new.get(name))


def _chosen(old: Any, own: Any, new: Any) -> Any:
    """Return the teacher's value where the learner changed nothing; dicts are merged key by key."""
    if isinstance(own, dict) and isinstance(new, dict):
        before = old if isinstance(old, dict) else {}
        chosen = {key: _chosen(*(each.get(key, MISSING) for each in (before, own, new))) for key in own | new}
        return {key: value for key, value in chosen.items() if value is not MISSING}
    return new if own == old else own

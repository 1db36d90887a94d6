"""What did the last change do? Which way an entry moved and by how much, and a sentence that says what moved."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from mha_course.engine.notation.digits import written
from mha_course.engine.notation.labels import Address, label
from mha_course.forward import mask_choices, scales
from mha_course.forward.mask_choices import table_of
from mha_course.forward.new_rows import HOW, new_row
from mha_course.forward.path_matrix import PathMatrix
from mha_course.forward.state import HAS_ROWS_OF, Change, State
from mha_course.pictures.workbench_frame import OWN_SCALE, settings

CHOICES = {"scale": scales.LABELS, "mask": mask_choices.LABELS}  # what is shown of a setting with an id


def directions(moved: Mapping[Address, str]) -> dict[str, dict[str, str]]:
    """Say which entries went up and which down, in few letters: matrix -> direction -> places.

    moved: address -> by how much.

    >>> directions({("K/1", 0, 2): "▲ 4", ("K/1", 1, 2): "▲ 2", ("scores/1", 0, 0): "▼ 1"})
    {'K/1': {'▲': '0,2 1,2'}, 'scores/1': {'▼': '0,0'}}
    """
    found: dict[str, dict[str, str]] = {}
    for (key, row, column), by in moved.items():
        places = found.setdefault(key, {})
        places[by[0]] = f"{places.get(by[0], '')} {row},{column}".lstrip()
    return found


def by_how_much(difference: float) -> str:
    """Write a difference with the direction that it went.

    >>> by_how_much(0.25), by_how_much(-1e-9)
    ('▲ 0.25', '▼ tiny')
    """
    sign = "▲" if difference > 0 else "▼"
    size = written(abs(difference), whole=False)
    if "." in size and "e" not in size:
        size = size.rstrip("0").rstrip(".")
    return f"{sign} {size}" if size != "0" else f"{sign} tiny"


def moved_keys(shown: Iterable[PathMatrix], before: Mapping[str, PathMatrix]) -> set[str]:
    """Return the keys of the results that a change moved by more than rounding, be they in sight or not.

    >>> moved_keys([], before={})
    set()
    """
    return {
        step.key
        for step in shown
        if step.key in before and step.query == before[step.key].query and not _is_alike(step, before[step.key])
    }


def _is_alike(step: PathMatrix, earlier: PathMatrix) -> bool:
    if step.values is earlier.values or step.values.shape != earlier.values.shape:
        return True
    return bool((np.abs(step.values - earlier.values) <= 1e-12 * np.maximum(1.0, np.abs(step.values))).all())


def sentence(state: State, before: State, shown: Sequence[PathMatrix], moved: Collection[str]) -> str:
    """Say what was changed from the state before, which of the shown results moved, and which did not.

    shown: the `PathMatrix` of every computed matrix of the stage. moved: the keys of those that moved.

    >>> from mha_course.forward.presets import preset
    >>> article = preset("article")
    >>> sentence(article.with_entry("W_K", 0, 2, 5.0), article, [], {})
    'W_K[1,3]: 1 → 5. No shown result moved.'
    """
    try:
        changed = _what_changed(state.changes_since(before), state, before)
    except ValueError:  # nothing to compare one by one
        return "The sizes changed, and everything was computed anew." + _of_new_words(state, before)
    if state.num_heads != before.num_heads:
        return f"{changed} The same parameters are cut into other heads."
    names = list(dict.fromkeys(step.name for step in shown))
    described = {name: _with_heads([step for step in shown if step.name == name], moved) for name in names}
    if not any(described.values()):
        return f"{changed} No shown result moved.{_of_new_words(state, before)}"
    found = f"Moved: {', '.join(filter(None, described.values()))}."
    quiet = [name for name, text in described.items() if not text]
    rest = [f"Not moved: {', '.join(quiet)}."] if quiet else []
    return " ".join([changed, found, *rest]) + _of_new_words(state, before)


def _what_changed(changes: Sequence[Change], state: State, before: State) -> str:
    if any(name in HAS_ROWS_OF.values() for name, *_ in changes):  # other words bring their rows with them
        changes = [change for change in changes if change[0] not in HAS_ROWS_OF]
    if len(changes) != 1:
        return f"{len(changes)} changes at once."
    (change,) = changes
    if len(change) == 1:
        own = _of_own_mask(state, before) if change == ("mask",) else ""
        return own or f"{change[0]}: {_setting(before, *change)} → {_setting(state, *change)}."
    name, *place = change
    then, now = (each.inputs[name][*place] for each in (before, state))
    return f"{label(*change)}: {then:.6g} → {now:.6g}."


def _of_own_mask(state: State, before: State) -> str:
    """Say which key was hidden from which query, or is shown again; nothing if a mask was chosen from the list."""
    then, now = (table_of(each.mask, state.shape_of_scores) for each in (before, state))
    places = np.argwhere(then != now)
    if len(places) != 1 or all(isinstance(each.mask, str) for each in (before, state)):
        return ""
    ((row, column),) = places
    query, key = state.tokens[row], (state.context_tokens or state.tokens)[column]
    return f"mask: {query} may {'attend to ' + key + ' again' if now[row, column] else 'no longer attend to ' + key}."


def _of_new_words(state: State, before: State) -> str:
    """Say where the rows of new words come from, if there are any."""
    for own in HAS_ROWS_OF.keys() & state.inputs.keys():
        name = HAS_ROWS_OF[own]
        words = zip(getattr(state, name), state.inputs[own], strict=True)
        new = [(word, row) for word, row in words if word not in (getattr(before, name) or ())]
        if any(np.array_equal(row, new_row(word, len(row))) for word, row in new):
            return f" {HOW}"
    return ""


def _setting(state: State, name: str) -> str:
    shown = settings(state)
    value = shown["divisor" if name == "scale" and shown[name] == OWN_SCALE else name]
    return CHOICES.get(name, {}).get(value, value)


def _with_heads(steps: Sequence[PathMatrix], moved: Collection[str]) -> str:
    """Write the name of a matrix if it moved, with its heads if not all did; else nothing."""
    found = [step for step in steps if step.key in moved]
    if not found or len(found) == len(steps):
        return found[0].name if found else ""
    return f"{found[0].name} of head {', '.join(str((step.head or 0) + 1) for step in found)}"

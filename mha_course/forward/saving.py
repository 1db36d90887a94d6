"""A state as text: to save, to share, and to load again."""

import json
from typing import Any

import numpy as np

from mha_course.engine.validation import read_positive
from mha_course.forward.state import LARGEST_ENTRY, SETTINGS, RandomInit, State

KIND = "mha_course state, version 1"
LATER = {"mask": "none", "group_size": 1}  # came after the first texts: what a text means that leaves it out
FIELDS = {"kind", "inputs", *SETTINGS} - set(LATER)
LARGEST_DRAW = 1024  # rows or columns, so that a foreign file cannot ask for more than a machine has


def to_json(state: State) -> str:
    """Write the state as JSON.

    >>> from mha_course.forward.presets import preset
    >>> to_json(preset("article"))[:40]
    '{"kind": "mha_course state, version 1", '
    """
    settings = {name: getattr(state, name) for name in SETTINGS}
    settings = {name: value for name, value in settings.items() if name not in LATER or value != LATER[name]}
    inputs = {name: _write(state, name) for name in state.inputs}
    return json.dumps({"kind": KIND, **settings, "inputs": inputs}, ensure_ascii=False)


def from_json(text: str) -> State:
    """Read a state that `to_json` wrote.

    Errors: `ValueError` in plain words for text that is no JSON, not ours, or does not fit together.

    >>> from mha_course.forward.presets import preset
    >>> from_json(to_json(preset("article"))).tokens
    ('innovators', 'create', 'disrupt')
    >>> from_json("[1, 2")
    Traceback (most recent call last):
    ValueError: This is not complete JSON: Expecting ',' delimiter: line 1 column 6 (char 5).
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"This is not complete JSON: {error}.") from None
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise ValueError(f'This is JSON, but not a state of this course: it does not begin with "kind": "{KIND}".')
    try:
        return _read(data)
    except (TypeError, ValueError) as error:
        raise ValueError(f"This state is damaged: {error}") from None


def _read(data: dict[str, Any]) -> State:
    if set(data) - set(LATER) != FIELDS or not isinstance(data["inputs"], dict):
        raise ValueError(f"it has {sorted(data)}, but needs {sorted(FIELDS)}.")
    settings = {name: data.get(name, LATER.get(name)) for name in SETTINGS}
    draws: dict[str, RandomInit] = {}
    arrays: dict[str, Any] = {}  # lists of rows as they came: the state checks them
    for name, written in data["inputs"].items():
        arrays[name] = written if isinstance(written, list) else _drawn(name, written, draws)
    return State(inputs=arrays, draws=draws, **settings)


def _write(state: State, name: str) -> object:
    if name not in state.draws:
        return state.inputs[name].tolist()
    draw = state.draws[name]
    changes = state.changes_since_draw(name)
    return {"seed": draw.seed, "shape": draw.shape, "divisor": draw.divisor, "changes": changes}


def _drawn(name: str, written: object, draws: dict[str, RandomInit]) -> np.ndarray:
    """Draw an input again, and change the entries that were changed."""
    if not isinstance(written, dict) or set(written) != {"seed", "shape", "divisor", "changes"}:
        raise ValueError(f"{name} is neither a list of rows, nor random numbers of a seed, shape, divisor and changes.")
    shape, changes = written["shape"], written["changes"]
    if not isinstance(shape, list) or len(shape) != 2 or not all(_is_whole(size, 1, LARGEST_DRAW) for size in shape):
        raise ValueError(f"the shape of {name} is {shape}, but must be two whole numbers up to {LARGEST_DRAW}.")
    if not _is_whole(written["seed"], 0, 2**64 - 1):
        raise ValueError(f"the seed of {name} is {written['seed']!r}, but must be a whole number from 0.")
    draws[name] = RandomInit(written["seed"], tuple(shape), read_positive(f"the divisor of {name}", written["divisor"]))
    array = draws[name].array().copy()
    for change in changes if isinstance(changes, list) else [changes]:
        if not isinstance(change, list) or len(change) != 3 or not all(map(_is_number, change)):
            raise ValueError(f"a change of {name} is {change!r}, but must be a row, a column and a number.")
        row, column, value = change
        if not (_is_whole(row, 0, shape[0] - 1) and _is_whole(column, 0, shape[1] - 1)):
            raise ValueError(f"a change of {name} is {change}, but {name} has only {shape[0]} × {shape[1]} entries.")
        array[row, column] = value
    return array


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= LARGEST_ENTRY


def _is_whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

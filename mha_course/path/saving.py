"""A state as text: to save, to share, and to load again."""

import json

import numpy as np

from mha_course.path.code import changed_entries
from mha_course.path.state import Draw, State

KIND = "mha_course state, version 1"
FIELDS = {"kind", "tokens", "context_tokens", "num_heads", "scale", "temperature", "inputs"}
LARGEST_DRAW = 1024  # rows or columns, so that a foreign file cannot ask for more than a machine has


def to_json(state):
    """Write the state as JSON.

    >>> from mha_course.path.presets import preset
    >>> to_json(preset("the article"))[:40]
    '{"kind": "mha_course state, version 1", '
    """
    return json.dumps({
        "kind": KIND,
        "tokens": state.tokens,
        "context_tokens": state.context_tokens,
        "num_heads": state.num_heads,
        "scale": state.scale,
        "temperature": state.temperature,
        "inputs": {name: _write(state, name) for name in state.inputs},
    }, ensure_ascii=False)  # fmt: skip


def from_json(text):
    """Read a state that `to_json` wrote.

    Errors: `ValueError` in plain words for text that is no JSON, not ours, or does not fit together.

    >>> from mha_course.path.presets import preset
    >>> from_json(to_json(preset("the article"))).tokens
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
    if set(data) != FIELDS or not isinstance(data["inputs"], dict):
        raise ValueError(f"This state is damaged: it has {sorted(data)}, but needs {sorted(FIELDS)}.")
    try:
        arrays, draws = {}, {}
        for name, written in data["inputs"].items():
            arrays[name] = _read(name, written, draws)
        tokens, others = data["tokens"], data["context_tokens"]
        return State(
            tokens=_listed("tokens", tokens),
            inputs=arrays,
            num_heads=data["num_heads"],
            scale=data["scale"],
            temperature=data["temperature"],
            context_tokens=others if others is None else _listed("context_tokens", others),
            draws=draws,
        )
    except (TypeError, ValueError, KeyError, IndexError, OverflowError) as error:
        raise ValueError(f"This state is damaged: {error}") from None


def _write(state, name):
    if name not in state.draws:
        return state.inputs[name].tolist()
    draw = state.draws[name]
    changes = changed_entries(state, name)
    return {"seed": draw.seed, "shape": draw.shape, "divisor": draw.divisor, "changes": changes}


def _read(name, written, draws):
    if isinstance(written, list):
        return np.array(written)
    rows, columns = (int(size) for size in written["shape"])
    if not (1 <= rows <= LARGEST_DRAW and 1 <= columns <= LARGEST_DRAW):
        raise ValueError(f"{name} is drawn as {rows} × {columns}, but {LARGEST_DRAW} × {LARGEST_DRAW} is the most.")
    draws[name] = Draw(int(written["seed"]), (rows, columns), float(written["divisor"]))
    array = draws[name].array().copy()
    for row, column, value in written["changes"]:
        array[int(row), int(column)] = value
    return array


def _listed(name, tokens):
    if not isinstance(tokens, list):
        raise ValueError(f"{name} is {tokens!r}, but must be a list of texts.")
    return tuple(tokens)

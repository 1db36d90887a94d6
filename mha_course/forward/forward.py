"""Every matrix on the path from the inputs to the result, with its labels."""

from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np

from mha_course.forward.matrices import MATRICES, Tokens
from mha_course.forward.path_matrix import Path, PathMatrix
from mha_course.forward.state import State


def forward(state: State, query: int = 0) -> Path:
    """Return every matrix of the path as key -> `PathMatrix`, in the order in which they are computed.

    query: the token, counted from 0, whose contributions are shown.
    Errors: `ValueError` if a number grows too large for a float.

    >>> from mha_course.forward.presets import preset
    >>> list(forward(preset("article")))[4:8]
    ['W_O', 'Q/1', 'K/1', 'V/1']
    """
    arrays = _arrays(state)
    of_heads = [name for name in arrays if MATRICES[name].heads]
    path: Path = {}
    for name in arrays:
        if name not in of_heads:
            _add(path, _matrix(state, name, arrays[name]))
        elif name == of_heads[0]:
            for head in range(state.num_heads):
                for each in of_heads:
                    _add(path, _matrix_of_head(state, each, arrays[each], head, query))
    return path


Maker = Callable[[], np.ndarray]  # gives a matrix, or the stack of all heads' matrices, made only once


def _add(path: Path, step: PathMatrix) -> None:
    path.setdefault(step.key, step)  # a key/value head that several query heads share stands there once


def computed(state: State) -> list[str]:
    """List the matrices that the inputs of a state allow to make, each after those it is made of.

    >>> from mha_course.forward.presets import preset
    >>> computed(preset("positions"))[:3]
    ['positional encoding', 'X', 'Q']
    """
    names: list[str] = []
    known = set(state.inputs)
    while makeable := [name for name in MATRICES if name not in known and _can_be_made(state, name, known)]:
        names.append(makeable[0])
        known.add(makeable[0])
    return names


def _can_be_made(state: State, name: str, known: set[str]) -> bool:
    matrix = MATRICES[name]
    return matrix.make is not None and all(_source(state, part) in known for part in matrix.of)


def _source(state: State, name: str) -> str:
    return "X" if name == "context" and name not in state.inputs else name  # the tokens look at each other


def _arrays(state: State) -> dict[str, Maker]:
    """Return name -> what gives it, of inputs and of all that is made of them; what is aside is not made yet."""
    arrays: dict[str, Maker] = {name: partial(np.asarray, array) for name, array in state.inputs.items()}
    for name in computed(state):
        arrays[name] = cache(partial(_made, state, name, [arrays[_source(state, part)] for part in MATRICES[name].of]))
        if not MATRICES[name].is_aside:
            arrays[name]()  # raises if a number grows too large
    return arrays


def _made(state: State, name: str, sources: Sequence[Maker]) -> np.ndarray:
    matrix = MATRICES[name]
    assert matrix.make is not None  # else it was not computed
    with np.errstate(over="ignore" if matrix.is_aside else "warn", invalid="ignore" if matrix.is_aside else "warn"):
        return matrix.make(state, *(source() for source in sources))


def _labels(state: State, tokens: Tokens) -> tuple[str, ...] | None:
    return {"": None, "asking": state.tokens, "answering": state.context_tokens or state.tokens}[tokens]


def _matrix(state: State, name: str, make: Maker) -> PathMatrix:
    rows, columns = (_labels(state, tokens) for tokens in MATRICES[name].labels)
    return PathMatrix(name, name, make, rows, columns, is_input=name in state.inputs)


def _matrix_of_head(state: State, name: str, heads: Maker, head: int, query: int) -> PathMatrix:
    """Take the part of a query head, or of the key/value head that it looks with."""
    matrix, key_head = MATRICES[name], state.key_head(head)
    is_shared = matrix.heads == "key/value"
    own = key_head if is_shared else head
    place = (own, query) if matrix.one_query else (own,)
    rows, columns = (_labels(state, tokens) for tokens in matrix.labels)
    return PathMatrix(
        name,
        f"{name}/{own + 1}",
        lambda: heads()[place],
        rows,
        columns,
        query_head=None if is_shared else head,
        key_head=key_head,
        query=query if matrix.one_query else None,
        mask=state.mask if name in ("scores", "weights") else "none",
    )

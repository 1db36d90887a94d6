"""What passes between a judge and a sandbox: the engine's plain values, of which nothing is ever run."""

import base64
import builtins
import io
import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from mha_course.engine.isolated_call.attempt import STOPS
from mha_course.engine.isolated_call.return_value import Unreadable

MOST = 50_000_000  # bytes of one message
DEPTH = 40  # of lists in lists
MOST_SAID = 1000  # characters of an error
PLAIN = "biufcSU"
KINDS: dict[str, Callable[[str], object]] = {
    "decimal": Decimal, "complex": complex,
    "fraction": lambda text: Fraction(*map(int, text.split("/"))),  # `Fraction` would read 1e999999999 and never end
}  # fmt: skip
STOPS_BY_NAME = {kind.__name__: kind for kind in STOPS}
SIZE = 8  # bytes that say how long a message is


def packed(message: dict) -> bytes:
    """Return a message as bytes, its length first. Errors: `ValueError` if it is too long."""
    content = json.dumps(message).encode()
    if len(content) > MOST:
        raise ValueError(f"It is larger than {MOST // 10**6} MB.")
    return len(content).to_bytes(SIZE, "big") + content


def encoded(value: object, functions: list | None = None, depth: int = DEPTH) -> object:
    """Return a value as what JSON can hold. functions: collects those in it, which are called through the wire.

    What neither JSON nor NumPy knows is only described; among arguments, where functions may be, it has no place.
    Errors: `ValueError` for that, and for lists that hold themselves.

    >>> encoded([1, (True, None)])
    {'list': [1, {'tuple': [True, None]}]}
    """
    if depth == 0:
        raise ValueError("It is nested too deeply.")
    match value:
        case np.ndarray() | np.generic():
            return _array(value, functions, depth)
        case None | bool() | str() | int() | float():
            return value
        case list():
            return {"list": [encoded(part, functions, depth - 1) for part in value]}
        case tuple():
            return {"tuple": [encoded(part, functions, depth - 1) for part in value]}
        case Decimal() | Fraction() | complex():
            return {type(value).__name__.lower(): str(value)}
        case Unreadable(TypeError() | ValueError() as why):
            return {"unreadable": str(why)[:MOST_SAID], "is_type": isinstance(why, TypeError)}
        case _ if value is ...:
            return {"dots": True}
    if functions is not None and callable(value):
        functions.append(value)
        return {"function": len(functions) - 1}
    if functions is not None:
        raise ValueError(f"{type(value).__name__} is no argument.")
    return _described(value)


def decoded(sent: Any, function: Callable[[int], object] | None = None) -> Any:
    """Return the value. function: makes one that asks through the wire. Errors: `ValueError` for what is no value."""
    if not isinstance(sent, dict):
        return sent
    match list(sent.items()):
        case [("list", list(parts))]:
            return [decoded(part, function) for part in parts]
        case [("tuple", list(parts))]:
            return tuple(decoded(part, function) for part in parts)
        case [("array" | "number" as kind, str(content))]:
            array = np.load(io.BytesIO(base64.b64decode(content)), allow_pickle=False)
            if array.dtype.kind in PLAIN:
                return array[()] if kind == "number" else array
        case [("objects", list(parts)), ("shape", list(shape))]:
            array = np.empty(len(parts), dtype=object)
            array[:] = [decoded(part, function) for part in parts]
            return array.reshape(shape)
        case [("decimal" | "fraction" | "complex" as kind, str(text))]:
            return KINDS[kind](text)
        case [("dots", True)]:
            return ...
        case [("function", int(number))] if function:
            return function(number)
        case [("unreadable", str(why)), ("is_type", bool(is_type))]:
            return Unreadable((TypeError if is_type else ValueError)(why[:MOST_SAID]))
        case [("thing", str(name)), ("callable", bool(is_callable)), ("output", bool(has_output))]:
            return _thing(name, is_callable, has_output)
    raise ValueError("This is no value.")


@cache
def error_kind(name: str) -> type[BaseException]:
    """Return a kind of error: Python's own if a text is all that it needs, or one for which the engine stops a call."""
    if name in STOPS_BY_NAME:
        return STOPS_BY_NAME[name]
    known = getattr(builtins, name, None)
    is_plain = (
        isinstance(known, type) and issubclass(known, Exception) and not issubclass(known, (OSError, UnicodeError))
    )
    return known if is_plain else type(name[:80] or "Exception", (Exception,), {})


def _array(array: Any, functions: list | None, depth: int) -> object:
    if array.dtype.kind in PLAIN:
        file = io.BytesIO()
        np.save(file, np.asarray(array), allow_pickle=False)
        kind = "array" if isinstance(array, np.ndarray) else "number"
        return {kind: base64.b64encode(file.getvalue()).decode()}
    if array.dtype.kind == "O":
        parts = [encoded(part, functions, depth - 1) for part in array.ravel()]
        return {"objects": parts, "shape": list(array.shape)}
    return _described(array)


def _described(value: object) -> object:
    return {"thing": type(value).__name__, "callable": callable(value), "output": hasattr(value, "output")}


def _thing(name: str, is_callable: bool, has_output: bool) -> object:
    """Return something of which a check can only see what it is not: numbers."""
    contents: dict[str, object] = {"__call__": lambda self: None} if is_callable else {}
    return type(name[:80], (), contents | ({"output": None} if has_output else {}))()

"""What the controls of a workbench set: a state, or the options of its drawings, as it is after one was set."""

from collections.abc import Sequence
from dataclasses import replace

from mha_course.engine.notation.typed_numbers import read_positive_entry
from mha_course.forward.mask_choices import OWN
from mha_course.forward.state import MOST_HEADS, State
from mha_course.forward.typed_tokens import typed_tokens
from mha_course.pictures.drawing_options import DrawingOptions
from mha_course.pictures.workbench_frame import LABELS, OWN_SCALE

HOW_TO_HIDE = "Space or a second click hides this key from this query, or shows it again."
OPTIONS_OF_A_DRAWING = ("query", "columns")


def with_setting(state: State, name: str, text: str, earlier: Sequence[State] = ()) -> State:
    """Return the state after one of its settings was set. earlier: states in which more words have a row.

    Errors: `ValueError` in plain words if the text is no such setting.

    >>> from mha_course.forward.presets import preset
    >>> with_setting(preset("article"), "temperature", "2").temperature
    2.0
    """
    match name:
        case "tokens" | "context_tokens":
            return state.with_tokens(typed_tokens(text), name, list(earlier))
        case "num_heads":
            return replace(state, num_heads=_choice(text, range(1, MOST_HEADS + 1)))
        case "scale":
            return replace(state, scale=state.divisor if text == OWN_SCALE else text)
        case "divisor":
            return replace(state, scale=_number("scale", text, state.divisor))
        case "temperature":
            return replace(state, temperature=_number("temperature", text, state.temperature))
        case "mask" if text == OWN:
            if isinstance(state.mask, str):
                raise ValueError(f"Select a score first. {HOW_TO_HIDE}")
            return state
        case "mask":
            return replace(state, mask=text)
    raise ValueError(f"{name} cannot be set here.")


def with_background(options: DrawingOptions, state: State, name: str, text: str) -> DrawingOptions:
    """Return the options after their query or columns were set. Errors: `ValueError` if the state has them not.

    >>> from mha_course.forward.presets import preset
    >>> with_background(DrawingOptions(), preset("article"), "columns", "0,2").columns
    (0, 2)
    """
    if name == "query":
        return replace(options, query=_choice(text, range(len(state.tokens))))
    width = min(state.d_k, state.d_v)
    first, second = (_choice(each, range(width)) for each in [*text.split(","), "", ""][:2])
    return replace(options, columns=(first, second))


def _number(name: str, text: str, present: float) -> float:
    try:
        return read_positive_entry(LABELS[name], text)
    except ValueError as error:
        raise ValueError(f"{error} It stays {present:.6g}.") from None


def _choice(text: str, choices: range) -> int:
    if not text.isdecimal() or int(text) not in choices:
        raise ValueError(f"{text!r} is none of the choices, {choices[0]} to {choices[-1]}.")
    return int(text)

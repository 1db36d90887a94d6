"""Somebody else's attention inside the decoder: called as in exercise 7.5, and watched."""

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from mha_course.maths.formulas import repeat_heads

CustomAttention = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], Any]  # anything: that is looked at


class AttentionStopped(ValueError):
    """An attention from outside cannot go on; a notebook shows the sentence alone."""

    def _render_traceback_(self) -> list[str]:  # IPython asks for it
        return [f"{type(self).__name__}: {self}"]


def in_layer(
    number: int, attention: CustomAttention
) -> Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
    """Return the attention as the decoder calls it in one layer, counted from 1: whatever goes wrong names the layer.

    It gets copies, with keys and values repeated for their query heads: Q, K, V (1, 9, n, 64), mask (1, n, n).
    Errors: what is returned raises `AttentionStopped`.
    """

    def attend(Q: np.ndarray, K: np.ndarray, V: np.ndarray, mask: np.ndarray) -> np.ndarray:
        num_heads = Q.shape[1]
        given = {"Q": Q.copy(), "K": repeat_heads(K, num_heads), "V": repeat_heads(V, num_heads), "mask": mask.copy()}
        if not np.isfinite(Q).all():
            raise AttentionStopped(f"What the layers before layer {number} returned is too large to go on with.")
        try:
            result = attention(*given.values())
        except Exception as error:
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise AttentionStopped(
                f"Layer {number}: your attention raised {what}{_line(error, attention)}. {_needed(given)}"
            ) from error
        return _read(number, getattr(result, "output", result), given)

    return attend


def _read(number: int, result: Any, given: dict[str, np.ndarray]) -> np.ndarray:
    shape = (*given["Q"].shape[:-1], given["V"].shape[-1])  # (1, 9, n, 64)
    try:
        array = np.asarray(result)
    except (TypeError, ValueError):  # rows of different lengths
        array = np.empty(0, object)
    if array.dtype.kind not in "biuf":
        what = "nothing: is its return missing?" if result is None else f"{type(result).__name__}, no array of numbers."
        raise AttentionStopped(f"Layer {number}: your attention returned {what} {_needed(given)}")
    output = array.astype(np.float32)
    if output.shape != shape:
        raise AttentionStopped(f"Layer {number}: your attention returned shape {output.shape}. {_needed(given)}")
    if not np.isfinite(output).all():
        _, head, query, column = np.argwhere(~np.isfinite(output))[0]
        raise AttentionStopped(
            f"Layer {number}, head {head + 1}: your attention returned {output[0, head, query, column]}, for query "
            f"{query + 1} in column {column + 1}; every number must be finite. {_needed(given)}"
        )
    return output


def _needed(given: dict[str, np.ndarray]) -> str:
    *most, last = (f"{name} {array.shape}" for name, array in given.items())
    return f"It got {', '.join(most)} and {last}, and must return {(*given['Q'].shape[:-1], given['V'].shape[-1])}."


def _line(error: Exception, attention: CustomAttention) -> str:
    """Say in which line of the attention's own code the error arose, if that is known."""
    code = getattr(attention, "__code__", None)
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if code is not None and frame.filename == code.co_filename]
    return f", in the line `{own[-1].line}`" if own and own[-1].line else ""

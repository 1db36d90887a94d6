"""What the dot products can be divided by: each a root, by its id."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mha_course.pipeline.state import State


@dataclass(frozen=True)
class Scale:
    """A scale that depends on a state's sizes. squared: what it is the root of. code: the same as NumPy code."""

    label: str
    squared: "Callable[[State], int]"
    code: str


SCALES = {
    "sqrt_d_k": Scale("√d_k", lambda state: state.d_k, "np.sqrt(d_k)"),
    "none": Scale("none", lambda state: 1, "1"),
    "article": Scale("the article's 1", lambda state: 1, "1"),
    "sqrt_d_model": Scale("√d_model", lambda state: state.d_model, "np.sqrt(d_model)"),
}
LABELS = {each: scale.label for each, scale in SCALES.items()}

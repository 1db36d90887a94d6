"""What the dot products can be divided by: each a root, by its id."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """A scale by name. squared: what it is the root of, from d_k and d_model. code: the scale as NumPy code."""

    label: str
    squared: Callable[[int, int], int]
    code: str


SCALES = {
    "sqrt_d_k": Scale("√d_k", lambda d_k, d_model: d_k, "np.sqrt(d_k)"),
    "none": Scale("none", lambda d_k, d_model: 1, "1"),
    "article": Scale("the article's 1", lambda d_k, d_model: 1, "1"),
    "sqrt_d_model": Scale("√d_model", lambda d_k, d_model: d_model, "np.sqrt(d_model)"),
}
LABELS = {each: scale.label for each, scale in SCALES.items()}

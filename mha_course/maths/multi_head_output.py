"""What multi-head attention computed, with the tables that are built only when somebody looks at them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mha_course.maths import formulas
from mha_course.maths.array_arguments import finite, overflow_is_reported


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadOutput:
    """What multi-head attention computed. For long inputs, weights and scores are built when they are asked for.

    Shapes: output (..., n_q, d_model), concatenation (..., n_q, num_heads · d_v),
    heads (..., num_heads, n_q, d_v), weights and scores (..., num_heads, n_q, n_k).

    >>> from mha_course import multi_head_attention
    >>> identity = np.eye(2)
    >>> multi_head_attention([[1, 0], [0, 1], [1, 1]], identity, identity, identity, identity, num_heads=2)
    MultiHeadOutput(output (3, 2), weights (2, 3, 3), scores (2, 3, 3), heads (2, 3, 1), concatenation (3, 2))
    """

    output: np.ndarray
    heads: np.ndarray
    concatenation: np.ndarray
    _Q: np.ndarray  # each head's
    _K: np.ndarray
    _mask: np.ndarray | None
    _scores: np.ndarray | None  # None where no table was built
    _weights: np.ndarray | None

    @cached_property
    @overflow_is_reported
    def weights(self) -> np.ndarray:
        """How much each query takes from each key, in every head, after dropout if there was any."""
        return formulas.masked_softmax(self.scores, self._mask) if self._weights is None else self._weights

    @cached_property
    @overflow_is_reported
    def scores(self) -> np.ndarray:
        """How well each query matches each key, in every head."""
        return finite("scores", formulas.scaled_scores(self._Q, self._K)) if self._scores is None else self._scores

    def __repr__(self) -> str:
        leading = np.broadcast_shapes(self._Q.shape[:-2], self._K.shape[:-2])
        table = (*leading, self._Q.shape[-2], self._K.shape[-2])  # of weights that may not be built yet
        shapes = {"output": self.output.shape, "weights": table, "scores": table}
        shapes |= {"heads": self.heads.shape, "concatenation": self.concatenation.shape}
        return f"{type(self).__name__}({', '.join(f'{name} {shape}' for name, shape in shapes.items())})"

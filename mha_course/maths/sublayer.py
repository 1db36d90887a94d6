"""Multi-head attention with what stands around it, a residual connection and a layer norm."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from mha_course.maths.array_arguments import finite, overflow_is_reported, read_arrays
from mha_course.maths.multi_head import MultiHeadAttention
from mha_course.maths.norms import EPS, layer_norm


@dataclass(frozen=True, eq=False)
class AttentionSublayer:
    """The sublayer of a transformer: attention, added to its input, and normalised after or before.

    norm "post", as in 2017: layer_norm(x + attention(x)). norm "pre": x + attention(layer_norm(x)).
    gain, bias and eps belong to the layer norm. Keys and values, if they come from elsewhere, are not normalised.

    Shapes: x (..., n_q, d_model) -> the same shape.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, section 3.1; Xiong et al. 2020 for the pre-norm.

    One token attends to itself alone. With these parameters attention moves its entries one place on:

    >>> mha = MultiHeadAttention(*[np.eye(3)] * 3, np.roll(np.eye(3), 1, axis=1), num_heads=1)
    >>> AttentionSublayer(mha, norm="post")([[0, 0, 3]]).round(3).tolist()  # [0, 0, 3] + [3, 0, 0], normalised
    [[0.707, -1.414, 0.707]]
    >>> AttentionSublayer(mha, norm="pre")([[0, 0, 3]]).round(3).tolist()  # [0, 0, 3] + [1.414, -0.707, -0.707]
    [[1.414, -0.707, 2.293]]
    """

    mha: MultiHeadAttention
    norm: Literal["post", "pre"] = "post"
    gain: ArrayLike | None = None
    bias: ArrayLike | None = None
    eps: float = EPS

    def __post_init__(self) -> None:
        """Check the choice of the norm."""
        if self.norm not in ("post", "pre"):
            raise ValueError(f'norm is {self.norm!r}, but must be "post" or "pre".')

    @overflow_is_reported
    def __call__(
        self,
        x: ArrayLike,
        key: ArrayLike | None = None,
        value: ArrayLike | None = None,
        mask: ArrayLike | None = None,
        rng: "np.random.Generator | None" = None,
    ) -> np.ndarray:
        """Return the input with what attention adds to it; the other arguments are those of `MultiHeadAttention`.

        >>> mha = MultiHeadAttention.random(4, 2, np.random.default_rng(0))
        >>> AttentionSublayer(mha)([[1.0, 2.0, 3.0, 6.0]], key=np.ones((5, 4))).shape
        (1, 4)
        """
        (rows,) = read_arrays(x=(x, "n_q d_model"))
        before = rows if self.norm == "post" else self._normalised(rows)
        added = finite("x + attention", rows + self.mha(before, key, value, mask, rng).output)
        return self._normalised(added) if self.norm == "post" else added

    def _normalised(self, x: np.ndarray) -> np.ndarray:
        return layer_norm(x, self.gain, self.bias, self.eps)

"""Lesson 8: multi-head attention with what stands around it, a residual connection and a layer norm."""

from dataclasses import dataclass

import numpy as np

from mha_course.maths.arguments import read_arrays
from mha_course.maths.layer_norm import EPS, layer_norm
from mha_course.maths.multi_head import MultiHeadAttention


@dataclass(frozen=True, eq=False)
class AttentionSublayer:
    """The sublayer of a transformer: attention, added to its input, and normalised after or before.

    norm "post", as in 2017: layer_norm(x + attention(x)). norm "pre": x + attention(layer_norm(x)).
    gain, bias and eps belong to the layer norm. Keys and values, if they come from elsewhere, are not normalised.

    Shapes: x (..., n_q, d_model) -> the same shape.
    Dtypes: float32 stays float32, integers become float64.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, section 3.1; Xiong et al. 2020 for the pre-norm.

    >>> mha = MultiHeadAttention.random(4, 2, np.random.default_rng(0))
    >>> AttentionSublayer(mha, norm="pre")(np.ones((3, 4))).round(3).tolist()
    [[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]
    """

    mha: MultiHeadAttention
    norm: str = "post"
    gain: np.ndarray | None = None
    bias: np.ndarray | None = None
    eps: float = EPS

    def __post_init__(self):
        """Check the choice of the norm."""
        if self.norm not in ("post", "pre"):
            raise ValueError(f'norm is {self.norm!r}, but must be "post" or "pre".')

    def __call__(self, x, key=None, value=None, mask=None, rng=None):
        """Return the input with what attention adds to it.

        >>> mha = MultiHeadAttention.random(4, 2, np.random.default_rng(0))
        >>> AttentionSublayer(mha)([[1.0, 2.0, 3.0, 6.0]]).shape
        (1, 4)
        """
        (x,) = read_arrays(x=(x, "n_q d_model"))
        if self.norm == "post":
            return self._normalised(x + self.mha(x, key, value, mask, rng).output)
        return x + self.mha(self._normalised(x), key, value, mask, rng).output

    def _normalised(self, x):
        return layer_norm(x, self.gain, self.bias, self.eps)

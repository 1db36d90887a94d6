"""What is given before any matrix is made: all that making one has to know."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from mha_course.forward.mask_choices import OwnMask


class AttentionInputs(Protocol):
    """The given matrices and the settings of one attention."""

    @property
    def inputs(self) -> Mapping[str, np.ndarray]:
        """The matrices that are given."""

    @property
    def num_heads(self) -> int:
        """How many heads the queries have."""

    @property
    def num_kv_heads(self) -> int:
        """How many heads the keys and values have."""

    @property
    def squared_scale(self) -> int | None:
        """What the divisor is the square root of, if it is one by name."""

    @property
    def divisor(self) -> float:
        """What the dot products are divided by."""

    @property
    def temperature(self) -> float:
        """What the scores are divided by in the softmax."""

    @property
    def mask(self) -> str | OwnMask:
        """The id of the mask, or an own one."""

    def for_query_heads(self, heads: np.ndarray) -> np.ndarray:
        """Repeat what each key/value head has for the query heads that share it."""

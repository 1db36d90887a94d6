"""The model's trained numbers by name, each layer's together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np


@dataclass(frozen=True, eq=False, repr=False)
class LayerParameters:
    """One layer's parameters. d_k = 64; 9 query heads, 3 key/value heads; no biases."""

    attention_gain: np.ndarray  # (576,)
    W_Q: np.ndarray  # (576, 9 · 64)
    W_K: np.ndarray  # (576, 3 · 64)
    W_V: np.ndarray  # (576, 3 · 64)
    W_O: np.ndarray  # (9 · 64, 576)
    feed_forward_gain: np.ndarray  # (576,)
    W_gate: np.ndarray  # (576, 1536)
    W_up: np.ndarray  # (576, 1536)
    W_down: np.ndarray  # (1536, 576)


@dataclass(frozen=True, eq=False, repr=False)
class Parameters:
    """All parameters, and the few numbers that say how to use them."""

    embedding: np.ndarray  # (49152, 576)
    layers: tuple[LayerParameters, ...]  # 30
    last_gain: np.ndarray  # (576,)
    num_heads: int
    num_kv_heads: int
    eps: float  # of RMS norm
    base: float  # of the rotary positions

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray], sizes: Mapping[str, float]) -> Parameters:
        """Sort stored arrays into layers; each holds one parameter of all layers: (layers, …)."""
        names = LayerParameters.__dataclass_fields__
        layers = zip(*(arrays[name] for name in names), strict=True)
        return cls(
            arrays["embedding"],
            tuple(LayerParameters(*each) for each in layers),
            arrays["last_gain"],
            int(sizes["num_heads"]),
            int(sizes["num_kv_heads"]),
            sizes["eps"],
            sizes["base"],
        )

    @property
    def d_k(self) -> int:
        """How wide a query and a key is: 64."""
        return self.layers[0].W_Q.shape[1] // self.num_heads

"""What the model made of a text: its tokens, the weights of all heads, and what might follow each token."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mha_course.language_model.decoder import Attention, Trace, logits, shares
from mha_course.language_model.parameters import Parameters
from mha_course.maths.formulas import softmax
from mha_course.maths.masks import causal_mask


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """A text as the model read it. What is large is computed when it is asked for."""

    ids: list[int]
    tokens: list[str]  # each token's text
    trace: Trace  # what each layer did: Q, K, V, heads and rows
    _parameters: Parameters
    _foreign: list[Attention] | None  # one for each layer, if it is not the course's own

    @cached_property
    def logits(self) -> np.ndarray:
        """How well each token of the vocabulary would follow each token of the text: (n, vocabulary)."""
        return logits(self._parameters, self.trace.last[0])

    @cached_property
    def weights(self) -> np.ndarray:
        """How much each query takes from each key, in every head of every layer: (layers, heads, n, n).

        A foreign attention says only what it returns. With the identity as values that is its weights.
        """
        n = len(self.ids)
        mask = causal_mask(n)[None]
        if self._foreign is None:
            return np.concatenate([shares(layer.Q, layer.K, mask).reshape(1, -1, n, n) for layer in self.trace.layers])
        identity = np.broadcast_to(np.eye(n, dtype=np.float32), (1, self._parameters.num_kv_heads, n, n))
        layers = zip(self._foreign, self.trace.layers, strict=True)
        return np.concatenate([attention(layer.Q, layer.K, identity, mask) for attention, layer in layers])

    @cached_property
    def rows(self) -> np.ndarray:
        """Each token's row before the first layer and after every layer: (layers + 1, n, 576)."""
        return np.concatenate([self.trace.X, *(layer.X for layer in self.trace.layers)])

    @cached_property
    def losses(self) -> np.ndarray:
        """-log of the probability that the model gave to each token after the first: (n - 1,)."""
        probabilities = softmax(self.logits[:-1].astype(np.float64))
        return -np.log(probabilities[np.arange(len(self.ids) - 1), self.ids[1:]])

    @property
    def loss(self) -> float:
        """The mean of the losses: how surprised the model was by the text."""
        return float(self.losses.mean())

    def __repr__(self) -> str:
        n, layers, heads = len(self.ids), len(self.trace.layers), self._parameters.num_heads
        shapes = f"weights {(layers, heads, n, n)}, logits {(n, len(self._parameters.embedding))}"
        return f"{type(self).__name__}({n} tokens, {shapes})"

"""What the model made of a text: its tokens, the weights of all heads, and what might follow each token."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mha_course.language_model.decoder import TUNING, Attention, LayerTrace, logits, weights
from mha_course.language_model.parameters import Parameters
from mha_course.maths.masks import causal_mask


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """A text as the model read it. What is large is computed when it is asked for."""

    ids: list[int]
    tokens: list[str]  # each token's text
    layers: list[LayerTrace]  # what each layer did: Q, K, V, heads, and the rows after it
    _first: np.ndarray  # the rows before the first layer
    _parameters: Parameters
    _custom: list[Attention] | None  # one for each layer, if it is not the course's own

    @cached_property
    def logits(self) -> np.ndarray:
        """How well each token of the vocabulary would follow each token of the text: (n, vocabulary)."""
        with TUNING.chosen():
            return logits(self._parameters, self.layers[-1].X[0])

    @cached_property
    def weights(self) -> np.ndarray:
        """The attention weight of each query for each key, in every head of every layer: (layers, heads, n, n).

        A foreign attention says only what it returns. With the identity as values that is its weights.
        """
        n = len(self.ids)
        mask = causal_mask(n)[None]
        tables = np.empty((len(self.layers), self._parameters.num_heads, n, n), np.float32)
        identity = np.broadcast_to(np.eye(n, dtype=np.float32), (1, self._parameters.num_kv_heads, n, n))
        for number, (Q, K, *_) in enumerate(self.layers):
            tables[number] = weights(Q, K, mask) if self._custom is None else self._custom[number](Q, K, identity, mask)
        return tables

    @cached_property
    def rows(self) -> np.ndarray:
        """Each token's row before the first layer and after every layer: (layers + 1, n, 576)."""
        return np.concatenate([self._first, *(layer.X for layer in self.layers)])

    @cached_property
    def losses(self) -> np.ndarray:
        """-log of the probability that the model gave to each token after the first: (n - 1,)."""
        return np.array([_loss(row.astype(np.float64), id) for row, id in zip(self.logits, self.ids[1:], strict=False)])

    @property
    def loss(self) -> float:
        """The mean of the losses: how surprised the model was by the text. Errors: `ValueError` for a single token."""
        if len(self.ids) == 1:
            raise ValueError("text has 1 token, but a loss needs at least 2: one that follows another.")
        return float(self.losses.mean())

    def __repr__(self) -> str:
        n, layers, heads = len(self.ids), len(self.layers), self._parameters.num_heads
        shapes = f"weights {(layers, heads, n, n)}, logits {(n, len(self._parameters.embedding))}"
        return f"{type(self).__name__}({n} tokens, {shapes})"


def _loss(row: np.ndarray, id: int) -> float:
    """Return -log softmax(row)[id], also where that probability is too small for a float."""
    return np.log(np.exp(row - row.max()).sum()) + row.max() - row[id]

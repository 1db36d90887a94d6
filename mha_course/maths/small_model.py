"""A small model of attention layers alone, forwards and backwards: small enough to be trained while you watch."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from mha_course.maths import formulas, gradients
from mha_course.maths.inputs import positional_encoding
from mha_course.maths.which_head import Head

NOTHING = np.zeros(())

Parameters = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Design:
    """What a small model is built of. d_k: of each head, and its d_v.

    crosses: its queries come from positions alone, and its keys and values from the letters. base: of the waves'
    lengths, 10000 in the paper: smaller for short sentences. loudness: of the letters beside the waves, at the start.

    >>> Design(vocabulary=12).shapes()["W_Q/2"]
    (48, 24)
    """

    vocabulary: int
    num_layers: int = 2
    num_heads: int = 1
    d_model: int = 48
    d_k: int = 24
    residual: bool = True
    norm: bool = False
    crosses: bool = False
    base: float = 100
    loudness: float = 1

    def shapes(self) -> dict[str, tuple[int, int]]:
        """Return parameter -> its shape, in the order of the forward pass; "W_Q/2" belongs to layer 2."""
        wide = self.num_heads * self.d_k
        shapes = {"embeddings": (self.vocabulary, self.d_model)}
        for layer in range(1, self.num_layers + 1):
            shapes |= {f"{name}/{layer}": (self.d_model, wide) for name in ("W_Q", "W_K", "W_V")}
            shapes[f"W_O/{layer}"] = wide, self.d_model
        return shapes | {"W_out": (self.d_model, self.vocabulary)}


@dataclass(frozen=True, eq=False)
class LayerValues:
    """What one layer computed. The backward pass needs it.

    Shapes: rows and after (batch, n, d_model), normed the same and source (batch, n_k, d_model), Q, K, V and heads
    (batch, h, n, d_k), weights (batch, h, n, n_k).
    """

    rows: np.ndarray  # as they come in
    normed: np.ndarray  # as the queries read them
    source: np.ndarray  # what keys and values are made of
    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    weights: np.ndarray
    heads: np.ndarray  # 0 where a head is off
    after: np.ndarray


@dataclass(frozen=True, eq=False)
class Reading:
    """What a model computed for some sentences: its layers, and the logits (batch, n, vocabulary) they end in."""

    ids: np.ndarray
    layers: tuple[LayerValues, ...]
    logits: np.ndarray

    @property
    def predictions(self) -> np.ndarray:
        """The letter that the model thinks likeliest at each position: (batch, n)."""
        return self.logits.argmax(axis=-1)


@dataclass(frozen=True, eq=False)
class SmallModel:
    """Attention layers one after the other, between a table of embeddings and a matrix that predicts a letter.

    rows = embeddings + waves; each layer: rows + heads W_O, as the design says; logits = rows W_out.

    Shapes: parameters as `Design.shapes` lists them, in float64.
    Errors: none is checked here: what lessons and pictures train is made by `Training`.
    Source: Elhage et al. 2021, A Mathematical Framework for Transformer Circuits: attention-only models.

    >>> model = SmallModel.random(Design(vocabulary=12), np.random.default_rng(0))
    >>> reading = model.read(np.array([[3, 1, 2, 3]]), mask=np.tri(4, dtype=bool))
    >>> reading.logits.shape, reading.layers[1].weights.shape
    ((1, 4, 12), (1, 1, 4, 4))
    """

    design: Design
    parameters: Parameters

    @classmethod
    def random(cls, design: Design, rng: "np.random.Generator") -> Self:
        """Initialise the parameters at random: embeddings as large as the loudness, matrices of variance 1 / rows."""
        drawn = {name: rng.normal(size=shape) / shape[0] ** 0.5 for name, shape in design.shapes().items()}
        drawn["embeddings"] = drawn["embeddings"] * design.vocabulary**0.5 * design.loudness
        return cls(design, drawn)

    def read(self, ids: np.ndarray, mask: np.ndarray | None, off: Collection[Head] = ()) -> Reading:
        """Go forwards. off: heads that add nothing.

        Shapes: ids (batch, n), mask (n, n).
        """
        positions = positional_encoding(ids.shape[-1], self.design.d_model, base=self.design.base)
        letters = self.parameters["embeddings"][ids] + positions  # (batch, n, d_model)
        rows = np.broadcast_to(positions, letters.shape) if self.design.crosses else letters
        layers: list[LayerValues] = []
        for number in range(1, self.design.num_layers + 1):
            layers.append(self._layer(number, rows, letters, mask, off))
            rows = layers[-1].after
        return Reading(ids, tuple(layers), formulas.project(rows, self.parameters["W_out"]))

    def _layer(
        self, number: int, rows: np.ndarray, letters: np.ndarray, mask: np.ndarray | None, off: Collection[Head]
    ) -> LayerValues:
        design, h = self.design, self.design.num_heads
        W_Q, W_K, W_V, W_O = (self.parameters[f"{name}/{number}"] for name in ("W_Q", "W_K", "W_V", "W_O"))
        normed = formulas.layer_norm(rows) if design.norm else rows
        source = letters if design.crosses else normed
        Q = formulas.split_heads(formulas.project(normed, W_Q), h)  # (batch, h, n, d_k)
        K, V = (formulas.split_heads(formulas.project(source, W), h) for W in (W_K, W_V))
        weights = formulas.masked_softmax(formulas.scaled_scores(Q, K), mask)
        is_on = np.array([(number, head) not in off for head in range(1, h + 1)])
        heads = weights @ V * is_on[:, None, None]
        added = formulas.project(formulas.merge_heads(heads), W_O)
        after = rows + added if design.residual else added
        return LayerValues(rows, normed, source, Q, K, V, weights, heads, after)

    def gradients(self, reading: Reading, of_logits: np.ndarray) -> dict[str, np.ndarray]:
        """Go backwards: parameter -> the gradient of a loss for it, from that for the logits. No head may be off.

        Shapes: of_logits (batch, n, vocabulary) -> as the parameters.
        """
        last = reading.layers[-1].after
        of_rows, of_W_out = gradients.of_product(last, self.parameters["W_out"], of_logits)
        found, of_letters = {"W_out": of_W_out}, NOTHING
        for number in range(self.design.num_layers, 0, -1):
            of_rows, asked = self._back(number, reading.layers[number - 1], of_rows, found)
            of_letters = of_letters + asked
        if not self.design.crosses:  # the first layer's rows are the letters
            of_letters = of_rows
        return found | {"embeddings": gradients.of_rows(reading.ids, of_letters, self.design.vocabulary)}

    def _back(
        self, number: int, layer: LayerValues, of_after: np.ndarray, found: dict[str, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Go back through one layer, and add what is found for its parameters.

        Returned are the gradients of its rows, and of the letters, which only a layer that crosses asks for itself.
        """

        def through(name: str, rows: np.ndarray, of_result: np.ndarray) -> np.ndarray:
            of_these, found[f"{name}/{number}"] = gradients.of_product(
                rows, self.parameters[f"{name}/{number}"], of_result
            )
            return of_these

        of_heads = formulas.split_heads(through("W_O", formulas.merge_heads(layer.heads), of_after), layer.Q.shape[1])
        made = gradients.of_attention(layer.Q, layer.K, layer.V, layer.weights, of_heads)
        of_normed = through("W_Q", layer.normed, formulas.merge_heads(made.Q))
        of_source = through("W_K", layer.source, formulas.merge_heads(made.K))
        of_source = of_source + through("W_V", layer.source, formulas.merge_heads(made.V))
        of_letters = of_source if self.design.crosses else NOTHING
        of_rows = of_normed if self.design.crosses else of_normed + of_source
        if self.design.norm:
            of_rows, *_ = gradients.of_layer_norm(layer.rows, np.ones(self.design.d_model), of_rows, formulas.EPS)
        return (of_after + of_rows if self.design.residual else of_rows), of_letters

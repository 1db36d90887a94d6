"""The decoder: everything between the ids of tokens and the logits of the next one.

It reads from top to bottom. What stands in `formulas` was met in the lessons; `attention` is the one part that can be
exchanged. Shapes have a batch of 1 in front, as in lesson 7; n tokens are new, n_k are the new ones and those before.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from mha_course.language_model.parameters import Layer, Parameters
from mha_course.maths.arguments import overflow_is_reported
from mha_course.maths.formulas import (
    masked_softmax,
    merge_heads,
    rms_norm,
    rotary_angles,
    rotate,
    scaled_scores,
    split_heads,
)
from mha_course.maths.masks import causal_mask

# Q (1, 9, n, 64), K and V (1, 3, n_k, 64), mask (1, n, n_k) -> (1, 9, n, 64)
Attention = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def attend(Q: np.ndarray, K: np.ndarray, V: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return softmax(Q Kᵀ / √d_k) V for heads of which three neighbours share their keys and values."""
    return (shares(Q, K, mask) @ V[:, :, None]).reshape(*Q.shape[:-1], V.shape[-1])


def shares(Q: np.ndarray, K: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the weights of the heads in groups: (1, 3, 3, n, n_k)."""
    batch, kv_heads, n_k, d_k = K.shape
    groups = Q.reshape(batch, kv_heads, -1, Q.shape[-2], d_k)  # (1, 3, 3, n, 64)
    scores = scaled_scores(groups, K[:, :, None])  # K (1, 3, 1, n_k, 64) serves its group, without a copy
    return masked_softmax(scores, mask if Q.shape[-2] > 1 else None)  # the newest token alone sees all


class KeyValueCache:
    """The keys and values of all tokens so far, in every layer: a new token then needs only its own rows computed."""

    def __init__(self, parameters: Parameters, most: int) -> None:
        """Make room for so many tokens."""
        sizes = (len(parameters.layers), 1, parameters.num_kv_heads, most, parameters.d_k)
        self.keys, self.values = np.zeros(sizes, np.float32), np.zeros(sizes, np.float32)
        self.length = 0

    def extend(self, layer: int, K: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Put new keys and values of a layer behind those before, and return all: (1, 3, n_k, 64) each."""
        end = self.length + K.shape[-2]
        self.keys[layer, ..., self.length : end, :], self.values[layer, ..., self.length : end, :] = K, V
        return self.keys[layer, ..., :end, :], self.values[layer, ..., :end, :]


@dataclass
class LayerTrace:
    """What one layer computed on the way."""

    Q: np.ndarray  # (1, 9, n, 64), turned to their positions, as K
    K: np.ndarray  # (1, 3, n_k, 64)
    V: np.ndarray  # (1, 3, n_k, 64)
    heads: np.ndarray  # (1, 9, n, 64)
    X: np.ndarray  # (1, n, 576): the tokens' rows after this layer


@dataclass
class Trace:
    """The tokens' rows before the first layer, what each layer did, and the rows at the end: (1, n, 576) each."""

    X: np.ndarray
    layers: list[LayerTrace] = field(default_factory=list)
    last: np.ndarray = field(init=False)


@overflow_is_reported
def decode(
    parameters: Parameters,
    ids: Sequence[int],
    attention: Sequence[Attention],
    kept: np.ndarray,
    cache: KeyValueCache | None = None,
) -> Trace:
    """Send the new tokens through all layers.

    attention: one for each layer. kept: 1 for a head that takes part, 0 for one that is switched off,
    (layers, 9, 1, 1). cache: what it holds comes before the new tokens, which are added to it.
    """
    cache = cache or KeyValueCache(parameters, len(ids))
    n, start = len(ids), cache.length
    mask = causal_mask(start + n)[None, start:]  # (1, n, n_k)
    angles = rotary_angles(np.arange(start, start + n), parameters.d_k, parameters.base)  # (n, 32)
    turns = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)

    X = parameters.embedding[list(ids)][None]  # (1, n, 576)
    trace = Trace(X)
    for number, layer in enumerate(parameters.layers):
        rows = rms_norm(X, layer.attention_gain, parameters.eps)
        Q = rotate(split_heads(rows @ layer.W_Q, parameters.num_heads), *turns)
        K = rotate(split_heads(rows @ layer.W_K, parameters.num_kv_heads), *turns)
        V = split_heads(rows @ layer.W_V, parameters.num_kv_heads)
        K, V = cache.extend(number, K, V)
        heads = attention[number](Q, K, V, mask) * kept[number]  # (1, 9, n, 64)
        X = X + merge_heads(heads) @ layer.W_O
        X = X + feed_forward(rms_norm(X, layer.feed_forward_gain, parameters.eps), layer)
        trace.layers.append(LayerTrace(Q, K, V, heads, X))
    cache.length += n
    trace.last = rms_norm(X, parameters.last_gain, parameters.eps)
    return trace


def feed_forward(rows: np.ndarray, layer: Layer) -> np.ndarray:
    """Work on each token by itself (SwiGLU): some of the 1,536 columns open the gate for others."""
    gate = rows @ layer.W_gate  # (1, n, 1536)
    return (gate / (1 + np.exp(-gate)) * (rows @ layer.W_up)) @ layer.W_down


def logits(parameters: Parameters, rows: np.ndarray) -> np.ndarray:
    """Say how well each token of the vocabulary would follow: (n, 576) -> (n, 49152)."""
    return rows @ parameters.embedding.T

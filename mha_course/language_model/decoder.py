"""The decoder: everything between the ids of tokens and the logits of the next one, from top to bottom.

What comes from `formulas` was met in the lessons. `attention` is the one part that can be exchanged. Arrays have a
batch of 1 in front, as in lesson 7. n tokens are new; n_k counts those before as well.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from mha_course.language_model.parameters import LayerParameters, Parameters
from mha_course.language_model.thread_tuning import ThreadTuning
from mha_course.maths.array_arguments import overflow_is_reported
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

TUNING = ThreadTuning()


def attend(Q: np.ndarray, K: np.ndarray, V: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return softmax(Q Kᵀ / √d_k) V in every head; neighbouring heads share their keys and values."""
    return (in_groups(weights(Q, K, mask), V) @ V).reshape(Q.shape)


def weights(Q: np.ndarray, K: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return how much each query takes from each key: (1, 9, n, n_k)."""
    scores = scaled_scores(in_groups(Q, K), K).reshape(*Q.shape[:-1], K.shape[-2])
    return masked_softmax(scores, mask[:, None] if mask.shape[1] > 1 else None)  # the newest token alone sees all


def in_groups(heads: np.ndarray, shared: np.ndarray) -> np.ndarray:
    """Set the heads that share keys below each other, as more queries of one head: (1, 9, n, …) -> (1, 3, 3·n, …)."""
    return heads.reshape(1, shared.shape[1], -1, heads.shape[-1])


class KeyValueCache:
    """The keys and values of all tokens so far, in every layer: of a new token only its own rows are computed."""

    def __init__(self, parameters: Parameters, room: int) -> None:
        """Make room for so many tokens."""
        sizes = (len(parameters.layers), 1, parameters.num_kv_heads, room, parameters.d_k)
        self.keys, self.values = np.zeros(sizes, np.float32), np.zeros(sizes, np.float32)
        self.length = 0

    def extend(self, number: int, K: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Put a layer's new keys and values behind those before, and return all: (1, 3, n_k, 64) each."""
        end = self.length + K.shape[-2]
        self.keys[number, :, :, self.length : end], self.values[number, :, :, self.length : end] = K, V
        return self.keys[number, :, :, :end], self.values[number, :, :, :end]


class LayerTrace(NamedTuple):
    """What one layer computed on the way."""

    Q: np.ndarray  # (1, 9, n, 64), turned to their positions, as K
    K: np.ndarray  # (1, 3, n_k, 64)
    V: np.ndarray  # (1, 3, n_k, 64)
    heads: np.ndarray  # (1, 9, n, 64)
    X: np.ndarray  # (1, n, 576): the tokens' rows after this layer


@overflow_is_reported
def decode(
    parameters: Parameters, ids: Sequence[int], attention: Sequence[Attention], kept: np.ndarray, cache: KeyValueCache
) -> tuple[np.ndarray, list[LayerTrace]]:
    """Send new tokens through all layers, behind those in the cache; return their first rows and what each layer did.

    attention: one for each layer. kept: 1 for each head that takes part, 0 for one switched off: (layers, 9, 1, 1).
    """
    n, start, h, kv = len(ids), cache.length, parameters.num_heads, parameters.num_kv_heads
    mask = causal_mask(start + n)[None, start:]  # (1, n, n_k)
    angles = rotary_angles(np.arange(start, start + n), parameters.d_k, parameters.base)  # (n, 32)
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    first = X = parameters.embedding[ids][None]  # (1, n, 576)
    trace = []
    for number, layer in enumerate(TUNING.each(parameters.layers, n)):
        rows = rms_norm(X, layer.attention_gain, parameters.eps)
        Q = rotate(split_heads(rows @ layer.W_Q, h), cos, sin)  # (1, 9, n, 64)
        new_K = rotate(split_heads(rows @ layer.W_K, kv), cos, sin)  # (1, 3, n, 64)
        K, V = cache.extend(number, new_K, split_heads(rows @ layer.W_V, kv))  # (1, 3, n_k, 64) each
        heads = attention[number](Q, K, V, mask) * kept[number]  # (1, 9, n, 64)
        X = X + merge_heads(heads) @ layer.W_O
        X = X + feed_forward(rms_norm(X, layer.feed_forward_gain, parameters.eps), layer)
        trace.append(LayerTrace(Q, K, V, heads, X))
    cache.length += n
    return first, trace


def feed_forward(rows: np.ndarray, layer: LayerParameters) -> np.ndarray:
    """Work on each token's row by itself (SwiGLU): (1, n, 576) -> the same."""
    gate = rows @ layer.W_gate  # (1, n, 1536)
    return (gate / (1 + np.exp(-gate)) * (rows @ layer.W_up)) @ layer.W_down


def logits(parameters: Parameters, X: np.ndarray) -> np.ndarray:
    """Say how well each token of the vocabulary would follow each row after the last layer: (n, 576) -> (n, 49152)."""
    return rms_norm(X, parameters.last_gain, parameters.eps) @ parameters.embedding.T

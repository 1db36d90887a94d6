"""Every matrix of one attention, a row each: its role and axes, whose head it is, how it is made and of what.

All that is said or done about a matrix starts from its row.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mha_course.forward import entries
from mha_course.forward.entries import Made
from mha_course.forward.mask_choices import mask_of, may_attend
from mha_course.forward.parameters_and_inputs import AttentionInputs
from mha_course.maths.attention import contributions, project, scaled_scores, softmax, weighted_sum
from mha_course.maths.heads import merge_heads, split_heads
from mha_course.maths.inputs import sinusoids

Heads = Literal["", "query", "key/value"]
Tokens = Literal["", "asking", "answering"]


@dataclass(frozen=True)
class Kind:
    """What a picture has to know of a matrix: the role whose colour it wears, and what its axes count.

    >>> Kind(role="weights", rows="queries", columns="keys").columns
    'keys'
    """

    role: str
    rows: str
    columns: str


@dataclass(frozen=True, kw_only=True)
class Matrix(Kind):
    """One matrix of the path.

    labels: whose tokens name its rows and columns. heads: whether there is one for each query head, or
    for each key/value head, or one in all. group: the matrices that are drawn side by side with it.
    axes: their sizes, for one that can be given. of: what it is made of; each must be there, or it is not
    made. make: computes it for all heads from these. one_query: whether one query's part of it is shown.
    formula: how it is made, as a heading says. code: the same as a line of NumPy. entry: how one entry
    was made. is_aside: whether nothing on the way to the result is made of it, so that it is made only for who looks.
    """

    group: str = ""
    labels: tuple[Tokens, Tokens] = ("", "")
    heads: Heads = ""
    axes: str = ""
    of: tuple[str, ...] = ()
    make: Callable[..., np.ndarray] | None = None
    one_query: bool = False
    formula: str = ""
    code: Callable[[AttentionInputs], str] | None = None
    entry: Callable[..., Made] | None = None
    is_aside: bool = False


def _who(state: AttentionInputs, W_Q: np.ndarray, W_K: np.ndarray) -> np.ndarray:
    return split_heads(W_Q, state.num_heads) @ state.for_query_heads(split_heads(W_K, state.num_kv_heads)).mT


def _carried(state: AttentionInputs, W_V: np.ndarray, W_O: np.ndarray) -> np.ndarray:
    blocks = W_O.reshape(state.num_heads, -1, W_O.shape[1])  # a head's rows lie together
    return state.for_query_heads(split_heads(W_V, state.num_kv_heads)) @ blocks


def _encoding(state: AttentionInputs, embeddings: np.ndarray, positions: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    return sinusoids(positions[:, 0], lengths[0], embeddings.shape[1])


def _weights(state: AttentionInputs, scores: np.ndarray) -> np.ndarray:
    return softmax(scores, state.temperature, may_attend(state.mask, scores.shape[-2:]))


def _softmax_code(state: AttentionInputs) -> str:
    mask = mask_of(state.mask)
    if mask.make is None:
        return (
            "exponentials = np.exp((scores - scores.max(axis=-1, keepdims=True)) / temperature)\n"
            "weights = exponentials / exponentials.sum(axis=-1, keepdims=True)  # (h, n_q, n_k)"
        )
    sizes = "n_q, n_k = scores.shape[1:]\n" if "n_k" in mask.code else ""
    return (
        f"{sizes}may_attend = {mask.code}\n"
        "masked = np.where(may_attend, scores, -np.inf)  # e to the power of -inf is 0\n"
        "largest = np.maximum(masked.max(axis=-1, keepdims=True), np.finfo(float).min)  # -inf - -inf would be nan\n"
        "exponentials = np.exp((masked - largest) / temperature)\n"
        "sums = exponentials.sum(axis=-1, keepdims=True)\n"
        "weights = exponentials / np.where(sums == 0, 1, sums)  # (h, n_q, n_k)"
    )


def _heads_code(name: str, width: str, state: AttentionInputs) -> str:
    """Write the projection of keys or values; where query heads share them, each is repeated for its query heads."""
    source = "context" if "context" in state.inputs else "X"
    if state.num_kv_heads == state.num_heads:
        cut = f".reshape(-1, num_heads, {width}).swapaxes(0, 1)"
        return f"{name} = ({source} @ W_{name}){cut}  # (h, n_k, {width})"
    cut = f".reshape(-1, {state.num_kv_heads}, {width}).swapaxes(0, 1)"
    repeated = f"{name} = {name}.repeat({state.num_heads // state.num_kv_heads}, axis=0)  # (h, n_k, {width})"
    return f"{name} = ({source} @ W_{name}){cut}  # (num_kv_heads, n_k, {width})\n{repeated}"


MATRICES = {
    # What can be given
    "X": Matrix(
        role="input", rows="tokens", columns="d_model", labels=("asking", ""), group="inputs",
        axes="n_q d_model",
        of=("embeddings", "positional encoding"),
        make=lambda state, embeddings, encoding: embeddings + encoding,
        code=lambda state: "X = embeddings + encoding",
        entry=entries.of_encoded_input,
    ),
    "context": Matrix(
        role="input", rows="tokens", columns="d_model", labels=("answering", ""), group="inputs",
        axes="n_k d_model",
    ),
    "embeddings": Matrix(
        role="input", rows="tokens", columns="d_model", labels=("asking", ""), group="encoding",
        axes="n_q d_model",
    ),
    "positions": Matrix(
        role="input", rows="tokens", columns="one number", labels=("asking", ""), group="encoding",
        axes="n_q one",
    ),
    "wavelengths": Matrix(
        role="input", rows="one row", columns="pairs of columns", group="encoding",
        axes="one pairs",
    ),
    "W_Q": Matrix(role="query", rows="d_model", columns="d_k", group="parameters", axes="d_model h·d_k"),
    "W_K": Matrix(role="key", rows="d_model", columns="d_k", group="parameters", axes="d_model h_kv·d_k"),
    "W_V": Matrix(role="value", rows="d_model", columns="d_v", group="parameters", axes="d_model h_kv·d_v"),
    "W_O": Matrix(role="output", rows="h·d_v", columns="d_model", group="result", axes="h·d_v d_model"),

    # What is computed
    "positional encoding": Matrix(
        role="input", rows="tokens", columns="d_model", labels=("asking", ""), group="encoding",
        of=("embeddings", "positions", "wavelengths"),
        make=_encoding,
        code=lambda state: (
            "column = np.arange(d_model)\n"
            "angle = 2 * np.pi * positions / wavelengths[0, column // 2]\n"
            "encoding = np.where(column % 2 == 0, np.sin(angle), np.cos(angle))"
        ),
        entry=entries.of_sinusoid,
    ),
    "Q": Matrix(
        role="query", rows="queries", columns="d_k", labels=("asking", ""), heads="query", group="projections",
        of=("X", "W_Q"),
        make=lambda state, X, W_Q: split_heads(project(X, W_Q), state.num_heads),  # (h, n_q, d_k)
        formula="Q = X · W_Q",
        code=lambda state: "Q = (X @ W_Q).reshape(-1, num_heads, d_k).swapaxes(0, 1)  # (h, n_q, d_k)",
        entry=entries.of_projection,
    ),
    "K": Matrix(
        role="key", rows="keys", columns="d_k", labels=("answering", ""), heads="key/value", group="projections",
        of=("context", "W_K"),
        make=lambda state, context, W_K: split_heads(project(context, W_K), state.num_kv_heads),  # (h_kv, n_k, d_k)
        formula="K = {context} · W_K",
        code=lambda state: _heads_code("K", "d_k", state),
        entry=entries.of_projection,
    ),
    "V": Matrix(
        role="value", rows="keys", columns="d_v", labels=("answering", ""), heads="key/value", group="projections",
        of=("context", "W_V"),
        make=lambda state, context, W_V: split_heads(project(context, W_V), state.num_kv_heads),  # (h_kv, n_k, d_v)
        formula="V = {context} · W_V",
        code=lambda state: _heads_code("V", "d_v", state),
        entry=entries.of_projection,
    ),
    "scores": Matrix(
        role="scores", rows="queries", columns="keys", labels=("asking", "answering"), heads="query", group="weights",
        of=("Q", "K"),
        make=lambda state, Q, K: scaled_scores(Q, state.for_query_heads(K), state.divisor),  # (h, n_q, n_k)
        formula="scores = Q · Kᵀ / scale",
        code=lambda state: "scores = Q @ K.swapaxes(1, 2) / scale  # (h, n_q, n_k)",
        entry=entries.of_score,
    ),
    "weights": Matrix(
        role="weights", rows="queries", columns="keys", labels=("asking", "answering"), heads="query", group="weights",
        of=("scores",),
        make=_weights,  # (h, n_q, n_k)
        formula="weights = {softmax} of every row of the scores",
        code=_softmax_code,
        entry=entries.of_weight,
    ),
    "contributions": Matrix(
        role="output", rows="keys", columns="d_v", labels=("answering", ""), heads="query", group="outputs",
        of=("weights", "V"),
        make=lambda state, weights, V: contributions(weights, state.for_query_heads(V)),  # (h, n_q, n_k, d_v)
        one_query=True,
        code=lambda state: "contributions = weights[:, :, :, None] * V[:, None, :, :]  # (h, n_q, n_k, d_v)",
        entry=entries.of_contribution,
    ),
    "output": Matrix(
        role="output", rows="queries", columns="d_v", labels=("asking", ""), heads="query", group="outputs",
        of=("weights", "V"),
        make=lambda state, weights, V: weighted_sum(weights, state.for_query_heads(V)),  # (h, n_q, d_v)
        formula="output = weights · V",
        code=lambda state: "output = weights @ V  # (h, n_q, d_v)",
        entry=entries.of_output,
    ),
    "concatenation": Matrix(
        role="output", rows="queries", columns="h·d_v", labels=("asking", ""), group="result",
        of=("output",),
        make=lambda state, output: merge_heads(output),  # (n_q, h·d_v)
        code=lambda state: "concatenation = output.swapaxes(0, 1).reshape(len(X), -1)  # (n_q, h·d_v)",
        entry=entries.of_concatenation,
    ),
    "result": Matrix(
        role="output", rows="queries", columns="d_model", labels=("asking", ""), group="result",
        of=("concatenation", "W_O"),
        make=lambda state, concatenation, W_O: project(concatenation, W_O),  # (n_q, d_model)
        code=lambda state: "result = concatenation @ W_O  # (n_q, d_model)",
        entry=entries.of_result,
    ),

    # A head as two matrices, and what it adds
    "M": Matrix(
        role="scores", rows="columns of the query's token", columns="columns of the key's token", heads="query",
        group="two matrices",
        of=("W_Q", "W_K"),
        make=_who,  # (h, d_model, d_model)
        entry=entries.of_who,
        is_aside=True,
    ),
    "queries": Matrix(
        role="query", rows="queries", columns="d_model", labels=("asking", ""), heads="query", group="two matrices",
        of=("X", "M"),
        make=lambda state, X, M: X @ M,  # (h, n_q, d_model)
        entry=entries.of_wide_query,
        is_aside=True,
    ),
    "matches": Matrix(
        role="scores", rows="queries", columns="keys", labels=("asking", "answering"), heads="query", group="weights",
        of=("queries", "context"),
        make=lambda state, queries, context: queries @ context.T,  # (h, n_q, n_k)
        entry=entries.of_match,
        is_aside=True,
    ),
    "carried": Matrix(
        role="value", rows="columns read", columns="columns written", heads="query", group="two matrices",
        of=("W_V", "W_O"),
        make=_carried,  # (h, d_model, d_model)
        entry=entries.of_carried,
        is_aside=True,
    ),
    "values": Matrix(
        role="value", rows="keys", columns="d_model", labels=("answering", ""), heads="query", group="two matrices",
        of=("context", "carried"),
        make=lambda state, context, carried: context @ carried,  # (h, n_k, d_model)
        entry=entries.of_wide_value,
        is_aside=True,
    ),
    "part": Matrix(
        role="output", rows="queries", columns="d_model", labels=("asking", ""), heads="query", group="result",
        of=("weights", "values"),
        make=lambda state, weights, values: weights @ values,  # (h, n_q, d_model)
        entry=entries.of_part,
        is_aside=True,
    ),
    "total": Matrix(
        role="output", rows="queries", columns="d_model", labels=("asking", ""), group="result",
        of=("part",),
        make=lambda state, part: part.sum(axis=0),  # (n_q, d_model)
        entry=entries.of_total,
        is_aside=True,
    ),

    # What lessons draw, and no path has
    "Kᵀ": Matrix(role="key", rows="d_k", columns="keys"),
    "mask": Matrix(role="scores", rows="queries", columns="keys"),
}  # fmt: skip

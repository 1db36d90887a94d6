"""Lesson 6: several attentions side by side, each with weights of its own."""

from dataclasses import dataclass

import numpy as np

from mha_course.maths.arguments import read_arrays, read_count
from mha_course.maths.attention import Attention, attention
from mha_course.maths.projections import project


def split_heads(wide, num_heads):
    """Cut every token's row into num_heads pieces and put the heads before the tokens.

    Shapes: wide (..., n, num_heads · d_k) -> (..., num_heads, n, d_k).
    Dtypes: float32 stays float32, integers become float64.
    Errors: `ValueError` if the width cannot be cut into num_heads equal pieces.
    Source: Vaswani et al. 2017, section 3.2.2.

    >>> split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], num_heads=2).tolist()
    [[[1.0, 2.0], [5.0, 6.0]], [[3.0, 4.0], [7.0, 8.0]]]
    """
    (wide,) = read_arrays(wide=(wide, "n width"))
    num_heads = read_count("num_heads", num_heads)
    _check_divisible("wide", wide.shape, num_heads)
    *leading, n, width = wide.shape
    per_token = wide.reshape(*leading, n, num_heads, width // num_heads)
    return per_token.swapaxes(-3, -2)


def merge_heads(heads):
    """Put each token's pieces from all heads next to each other: the reverse of `split_heads`.

    Shapes: heads (..., num_heads, n, d_v) -> (..., n, num_heads · d_v).
    Dtypes: float32 stays float32, integers become float64.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, section 3.2.2, Concat(head_1, ..., head_h).

    >>> merge_heads([[[1, 2], [5, 6]], [[3, 4], [7, 8]]]).tolist()
    [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]
    """
    (heads,) = read_arrays(heads=(heads, "num_heads n d_v"))
    *leading, num_heads, n, d_v = heads.shape
    return heads.swapaxes(-3, -2).reshape(*leading, n, num_heads * d_v)


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadAttention(Attention):
    """What multi-head attention computed, every head's part included.

    Shapes: output (..., n_q, d_model), weights and scores (..., num_heads, n_q, n_k),
    heads (..., num_heads, n_q, d_v), concatenation (..., n_q, num_heads · d_v).

    >>> wide = np.ones((2, 6))
    >>> MultiHeadAttention(wide, wide, wide, heads=wide, concatenation=wide).heads.shape
    (2, 6)
    """

    heads: np.ndarray
    concatenation: np.ndarray


def multi_head_attention(X, W_Q, W_K, W_V, W_O, num_heads, context=None):
    """Run num_heads attentions at once and mix their concatenated outputs with W_O.

    Queries come from X; keys and values come from the context, or from X too if there is none.
    The columns of W_Q, W_K and W_V belong to head 1, then to head 2, and so on.

    Shapes: X (..., n_q, d_model), context (..., n_k, d_model), W_Q and W_K (d_model, num_heads · d_k),
    W_V (d_model, num_heads · d_v), W_O (num_heads · d_v, d_model) -> `MultiHeadAttention`.
    Dtypes: float32 stays float32, integers become float64.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, section 3.2.2.

    >>> identity = [[1, 0], [0, 1]]
    >>> result = multi_head_attention([[1, 0], [0, 1]], identity, identity, identity, identity, num_heads=2)
    >>> result.output.round(4).tolist()
    [[0.7311, 0.5], [0.5, 0.7311]]
    """
    num_heads = read_count("num_heads", num_heads)
    context = X if context is None else context
    X, context, W_Q, W_K, W_V, W_O = read_arrays(
        X=(X, "n_q d_model"),
        context=(context, "n_k d_model"),
        W_Q=(W_Q, "d_model h·d_k"),
        W_K=(W_K, "d_model h·d_k"),
        W_V=(W_V, "d_model h·d_v"),
        W_O=(W_O, "h·d_v d_model"),
    )
    _check_divisible("W_Q", W_Q.shape, num_heads)
    _check_divisible("W_V", W_V.shape, num_heads)
    Q = split_heads(project(X, W_Q), num_heads)  # (..., h, n_q, d_k)
    K = split_heads(project(context, W_K), num_heads)  # (..., h, n_k, d_k)
    V = split_heads(project(context, W_V), num_heads)  # (..., h, n_k, d_v)
    heads = attention(Q, K, V)
    concatenation = merge_heads(heads.output)  # (..., n_q, h·d_v)
    output = project(concatenation, W_O)  # (..., n_q, d_model)
    return MultiHeadAttention(output, heads.weights, heads.scores, heads.output, concatenation)


def _check_divisible(name, shape, num_heads):
    if shape[-1] % num_heads:
        raise ValueError(
            f"{name} has shape {shape}, but needs a width divisible by num_heads = {num_heads}: "
            f"{shape[-1]} / {num_heads} is not a whole number."
        )

"""The same attention in less memory: blocks of queries, so that the table of all weights never exists whole.

A row of weights needs one query and all keys, but no other query. So the queries can take turns, a block
at a time, and the result is the same.
"""

import math

import numpy as np

from mha_course.maths import formulas
from mha_course.maths.array_arguments import finite, overflow_is_reported, promoted
from mha_course.maths.threads import share

ROWS = 256  # queries of one head that take their turn together
FEW = 2**19  # scores of all heads that are not worth taking turns
SMALL = 40  # scores up to here need no subtraction: e^40 and e^-40 are far from the ends of float32


def is_long(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> bool:
    """Whether the table of all scores is so large that it is better not built; shapes as for `attention_in_blocks`."""
    return math.prod(_leading(Q, K, V)) * Q.shape[-2] * K.shape[-2] > FEW


@overflow_is_reported
def attention_in_blocks(Q: np.ndarray, K: np.ndarray, V: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
    """Return the output of `attention`, and nothing else, in memory that grows with n and not with n².

    Shapes: Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v), a mask that broadcasts to the scores
    -> (..., n_q, d_v). The arrays must fit; that is not checked.
    Errors: `ValueError` for scores that are too large for their dtype.
    Source: Rabe and Staats 2021, Self-attention Does Not Need O(n²) Memory; here without blocks of keys, so that the
    softmax of a row need not be an online softmax (Milakov and Gimelshein 2018), as it is in FlashAttention.

    >>> Q, K, V = np.random.default_rng(0).normal(size=(3, 2, 700, 4))
    >>> np.allclose(attention_in_blocks(Q, K, V), formulas.attention(Q, K, V))
    True
    """
    Q, K, V = promoted(Q, K, V)
    leading, n_q, n_k = _leading(Q, K, V), Q.shape[-2], K.shape[-2]
    is_moderate, is_small = (np.broadcast_to(each, leading) for each in _sizes(Q, K, V))
    Q, K, V = (np.broadcast_to(array, (*leading, *array.shape[-2:])) for array in (Q, K, V))
    may_attend = None if mask is None else np.broadcast_to(mask, (*leading, n_q, n_k))
    output = np.empty((*leading, n_q, V.shape[-1]), V.dtype)

    def fill(place: tuple[int, ...]) -> None:
        head, start = place[:-1], place[-1] * ROWS
        block: tuple[int | slice, ...] = (*head, slice(start, start + ROWS))
        seen = None if may_attend is None else may_attend[block]
        if is_moderate[head]:
            output[block] = _in_place(Q[block], K[head], V[head], seen, is_small[head])
        else:
            scores = finite("scores", formulas.scaled_scores(Q[block], K[head]))
            output[block] = formulas.masked_softmax(scores, seen) @ V[head]

    share(fill, np.ndindex(*leading, -(-n_q // ROWS)))
    return output


def _in_place(Q: np.ndarray, K: np.ndarray, V: np.ndarray, may_attend: np.ndarray | None, is_small: bool) -> np.ndarray:
    """Attend for some queries of one head, in as few arrays as possible: Q (rows, d_k) -> (rows, d_v)."""
    exponentials = (Q / math.sqrt(Q.shape[-1])) @ K.T  # scaling Q first is less work
    if may_attend is not None:
        np.copyto(exponentials, -np.inf, where=~may_attend)
    if not is_small:
        largest = exponentials.max(axis=-1, keepdims=True)
        exponentials -= np.maximum(largest, np.finfo(exponentials.dtype).min)  # finite where nothing may be attended to
    np.exp(exponentials, out=exponentials)
    sums = exponentials.sum(axis=-1, keepdims=True)
    return (exponentials @ V) / np.where(sums == 0, 1, sums)  # dividing last is less work


def _sizes(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Say of each head whether its sums stay below the end of their dtype, and whether they do without a subtraction.

    A dot product is never larger than the two lengths multiplied.
    """
    products = _longest(Q) * _longest(K)
    sums = K.shape[-2] * np.maximum(1, np.abs(V).max(axis=(-2, -1)))  # as long as no exponential is larger than 1
    is_moderate = np.isfinite(products) & np.isfinite(sums)
    is_small = (products <= SMALL * math.sqrt(Q.shape[-1])) & np.isfinite(sums * math.exp(SMALL))
    return is_moderate, is_small


def _leading(*arrays: np.ndarray) -> tuple[int, ...]:
    return np.broadcast_shapes(*(array.shape[:-2] for array in arrays))


def _longest(rows: np.ndarray) -> np.ndarray:
    """Return the length of each head's longest row: (..., n, d) -> (...,)."""
    return np.sqrt(np.einsum("...nd,...nd->...n", rows, rows).max(axis=-1))

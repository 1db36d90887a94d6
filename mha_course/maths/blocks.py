"""The same attention in less memory: blocks of queries, so that the table of all weights never exists whole.

A row of weights needs one query and all keys, but no other query. So the queries can take turns, a block
at a time, and the sum is the same.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

from mha_course.maths import formulas

LARGEST_BLOCK = 2**18  # scores that exist at once in each thread: 1 MB as float32, which a core's cache can hold
THREADS = 2


def attention_output(Q, K, V, may_attend=None):
    """Return the output of `attention`, and nothing else, in memory that grows with n and not with n².

    Shapes: Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v), a mask that broadcasts to the scores
    -> (..., n_q, d_v). The arrays must fit; nothing is checked.
    Dtypes: as the arguments.
    Source: Rabe and Staats 2021, Self-attention Does Not Need O(n²) Memory; here without blocks of keys.

    >>> Q, K, V = np.random.default_rng(0).normal(size=(3, 2, 700, 4))
    >>> np.allclose(attention_output(Q, K, V), formulas.attention(Q, K, V))
    True
    """
    leading = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    n_q, n_k, d_v = Q.shape[-2], K.shape[-2], V.shape[-1]
    if math.prod(leading) * n_q * n_k <= LARGEST_BLOCK:
        return _weights(formulas.scaled_scores(Q, K), may_attend) @ V
    output = np.empty((*leading, n_q, d_v), np.result_type(Q, K, V))
    Q, K, V = (np.broadcast_to(array, (*leading, *array.shape[-2:])) for array in (Q, K, V))
    if may_attend is not None:
        may_attend = np.broadcast_to(may_attend, (*leading, n_q, n_k))
    rows = max(LARGEST_BLOCK // n_k, 1)

    def fill(place):
        *head, first = place
        block = (*head, slice(first * rows, (first + 1) * rows))
        mask = None if may_attend is None else may_attend[block]
        scores = formulas.scaled_scores(Q[block], K[tuple(head)])
        output[block] = _weights(scores, mask) @ V[tuple(head)]

    list(_threads().map(fill, np.ndindex(*leading, -(-n_q // rows))))
    return output


def _weights(scores, may_attend):
    return formulas.softmax(scores) if may_attend is None else formulas.masked_softmax(scores, may_attend)


@cache
def _threads():
    return ThreadPoolExecutor(THREADS)

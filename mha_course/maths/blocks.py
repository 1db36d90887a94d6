"""The same attention in less memory: blocks of queries, so that the table of all weights never exists whole.

A row of weights needs one query and all keys, but no other query. So the queries can take turns, a block
at a time, and the result is the same.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

from mha_course.maths import formulas

ROWS = 256  # queries of one head that take their turn together
SAFE = 60  # scores up to here need no subtraction: e^60 and its sums are far from float32's end
FEW = 2**19  # scores of all heads that are not worth taking turns


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
    if math.prod(leading) * n_q * n_k <= FEW:
        scores = formulas.scaled_scores(Q, K)
        weights = formulas.softmax(scores) if may_attend is None else formulas.masked_softmax(scores, may_attend)
        return weights @ V
    Q, K, V = (np.broadcast_to(array, (*leading, *array.shape[-2:])) for array in (Q, K, V))
    if may_attend is not None:
        may_attend = np.broadcast_to(may_attend, (*leading, n_q, n_k))
    output = np.empty((*leading, n_q, d_v), V.dtype)

    def fill(place):
        *head, number = place
        block = (*head, slice(number * ROWS, (number + 1) * ROWS))
        mask = None if may_attend is None else may_attend[block]
        output[block] = _block_output(Q[block], K[tuple(head)], V[tuple(head)], mask)

    pool, products = _threads()
    with products.limit(limits=1, user_api="blas"):  # the blocks share the threads; a product needs no more
        list(pool.map(fill, np.ndindex(*leading, -(-n_q // ROWS))))
    return output


def _block_output(Q, K, V, may_attend):
    """Attend for some queries of one head, in as few arrays as possible: Q (rows, d_k) -> (rows, d_v)."""
    Q = Q / Q.dtype.type(math.sqrt(Q.shape[-1]))  # scaling Q first is less work
    powers = Q @ K.T
    if may_attend is not None:
        np.copyto(powers, -np.inf, where=~may_attend)
    if _length(Q) * _length(K) > SAFE:
        largest = powers.max(axis=-1, keepdims=True)
        powers -= np.maximum(largest, np.finfo(powers.dtype).min)  # finite where nothing may be attended to
    np.exp(powers, out=powers)
    sums = powers.sum(axis=-1, keepdims=True)
    return (powers @ V) / np.where(sums == 0, 1, sums).astype(powers.dtype)


def _length(rows):
    """Return the length of the longest row; a dot product is never larger than the two lengths multiplied."""
    return math.sqrt(np.einsum("nd,nd->n", rows, rows).max())


@cache
def _threads():
    """Return a pool of as many threads as NumPy's products use, and a handle on the threads of these."""
    from threadpoolctl import ThreadpoolController  # here, because only large inputs need it

    products = ThreadpoolController().select(user_api="blas")
    count = max((library["num_threads"] for library in products.info()), default=1)
    return ThreadPoolExecutor(count), products

"""Multi-head attention as a layer: parameters that stay, inputs that come and go."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import read_count
from mha_course.maths import formulas
from mha_course.maths.array_arguments import finite, overflow_is_reported, promoted, read_arrays
from mha_course.maths.blocks import attention_in_blocks, is_long
from mha_course.maths.dropout import read_rng
from mha_course.maths.layer_parameters import read_parameters
from mha_course.maths.masks import read_mask
from mha_course.maths.multi_head_output import MultiHeadOutput


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadAttention:
    """Multi-head attention with its parameters: call it with queries, and keys and values if they come from elsewhere.

    The columns of W_Q, W_K and W_V belong to head 1, then to head 2, and so on. num_kv_heads: how many heads W_K and
    W_V have, where neighbouring query heads share the keys and values of one (`repeat_heads`); num_heads unless given.

    Shapes: W_Q (d_model, num_heads · d_k), W_K (d_model, num_kv_heads · d_k), W_V (d_model, num_kv_heads · d_v),
    W_O (num_heads · d_v, d_model), each b as wide as its W. dropout: the chance of each weight to be left out, where
    an rng is given.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, section 3.2.2; for num_kv_heads Ainslie et al. 2023, GQA, section 2.2.

    >>> mha = MultiHeadAttention.random(d_model=8, num_heads=2, rng=np.random.default_rng(0))
    >>> mha
    MultiHeadAttention(d_model=8, num_heads=2, d_k=4, d_v=4)
    >>> mha(np.ones((3, 8)), key=np.ones((5, 8))).weights.shape
    (2, 3, 5)
    >>> MultiHeadAttention(np.eye(6), np.ones((6, 2)), np.ones((6, 2)), np.eye(6), num_heads=6, num_kv_heads=2)
    MultiHeadAttention(d_model=6, num_heads=6, num_kv_heads=2, d_k=1, d_v=1)
    """

    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    W_O: np.ndarray
    num_heads: int
    b_Q: np.ndarray | None = None
    b_K: np.ndarray | None = None
    b_V: np.ndarray | None = None
    b_O: np.ndarray | None = None
    dropout: float = 0.0
    num_kv_heads: int | None = None

    def __post_init__(self) -> None:
        """Check the parameters, and keep copies that nobody changes."""
        for name, value in read_parameters(**vars(self)).items():
            object.__setattr__(self, name, value)

    @overflow_is_reported
    def __call__(
        self,
        query: ArrayLike,
        key: ArrayLike | None = None,
        value: ArrayLike | None = None,
        mask: ArrayLike | None = None,
        rng: "np.random.Generator | None" = None,
    ) -> MultiHeadOutput:
        """Attend from every query to the keys, in all heads, and mix the heads.

        key: the query unless given; value: the key unless given. mask: True where a query may attend.
        rng: a random generator switches dropout on.

        Shapes: query (..., n_q, d_model), key and value (..., n_k, d_model), mask as `read_mask` takes it for
        scores (..., num_heads, n_q, n_k) -> `MultiHeadOutput`. Leading axes broadcast.
        Errors: `ValueError` or `TypeError` naming the argument that does not fit.

        >>> identity = np.eye(2)
        >>> mha = MultiHeadAttention(identity, identity, identity, identity, num_heads=2)
        >>> mha([[1, 0], [0, 1]], mask=[[True, False], [True, True]]).output.round(4).tolist()
        [[1.0, 0.0], [0.5, 0.7311]]
        """
        query, key, value, mask, rng = self._read(query, key, value, mask, rng)
        Q = formulas.split_heads(_project(query, self.W_Q, self.b_Q), self.num_heads)  # (..., h, n_q, d_k)
        K = self._split_shared_heads(_project(key, self.W_K, self.b_K))  # (..., h, n_k, d_k)
        V = self._split_shared_heads(_project(value, self.W_V, self.b_V))  # (..., h, n_k, d_v)
        Q, K, V = promoted(Q, K, V)
        scores = weights = None
        if rng is None and is_long(Q, K, V):
            heads = attention_in_blocks(Q, K, V, mask)
        else:
            scores = finite("scores", formulas.scaled_scores(Q, K))  # (..., h, n_q, n_k)
            weights = formulas.masked_softmax(scores, mask)
            if rng is not None:
                weights = formulas.dropout(weights, self.dropout, rng)
            heads = weights @ V  # (..., h, n_q, d_v)
        concatenation = formulas.merge_heads(heads)  # (..., n_q, h·d_v)
        output = finite("output", _project(concatenation, self.W_O, self.b_O))  # (..., n_q, d_model)
        return MultiHeadOutput(output, heads, concatenation, Q, K, mask, scores, weights)

    @classmethod
    def random(cls, d_model: int, num_heads: int, rng: "np.random.Generator", dropout: float = 0.0) -> Self:
        """Draw the parameters: d_k = d_v = d_model / num_heads, no biases.

        Each entry has mean 0 and variance 1 / d_model. A projection adds d_model products, so a row whose
        entries have variance 1 keeps it; the scores then have a size of about 1, and no softmax is saturated.

        Errors: `ValueError` if d_model is not a multiple of num_heads.

        >>> drawn = MultiHeadAttention.random(400, 8, np.random.default_rng(0))
        >>> float((drawn.W_Q.std() * np.sqrt(400)).round(2))
        1.0
        """
        d_model, num_heads = read_count("d_model", d_model), read_count("num_heads", num_heads)
        if d_model % num_heads:
            raise ValueError(
                f"d_model is {d_model}, but must be divisible by num_heads = {num_heads}: "
                f"{d_model} / {num_heads} is not a whole number."
            )
        W_Q, W_K, W_V, W_O = rng.normal(size=(4, d_model, d_model)) / np.sqrt(d_model)
        return cls(W_Q, W_K, W_V, W_O, num_heads, dropout=dropout)

    def __repr__(self) -> str:
        sizes = f"d_model={len(self.W_Q)}, num_heads={self.num_heads}"
        if self.num_kv_heads != self.num_heads:
            sizes += f", num_kv_heads={self.num_kv_heads}"
        d_k, d_v = self.W_Q.shape[1] // self.num_heads, len(self.W_O) // self.num_heads
        return f"{type(self).__name__}({sizes}, d_k={d_k}, d_v={d_v})"

    def _read(
        self, query: ArrayLike, key: ArrayLike | None, value: ArrayLike | None, mask: ArrayLike | None, rng: object
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None, "np.random.Generator | None"]:
        """Return the arguments of a call as they are computed with; rng is None where no weight is dropped."""
        key = query if key is None else key
        value = key if value is None else value
        queries, keys, values = read_arrays(
            query=(query, "n_q d_model"), key=(key, "n_k d_key"), value=(value, "n_k d_value")
        )
        for name, rows, W in (("query", queries, self.W_Q), ("key", keys, self.W_K), ("value", values, self.W_V)):
            if rows.shape[-1] != len(W):
                raise ValueError(f"{name} has shape {rows.shape}, but needs rows of width {len(W)}, as its W has rows.")
        leading = np.broadcast_shapes(queries.shape[:-2], keys.shape[:-2])
        scores = (*leading, self.num_heads, queries.shape[-2], keys.shape[-2])  # their shape
        may_attend = None if mask is None else read_mask(mask, scores)
        generator = None if rng is None else read_rng(rng)
        return queries, keys, values, may_attend, generator if self.dropout else None

    def _split_shared_heads(self, rows: np.ndarray) -> np.ndarray:
        """Cut keys or values into heads, and give each query head its own: (..., n, h_kv·d) -> (..., h, n, d)."""
        heads = formulas.split_heads(rows, self.num_kv_heads or self.num_heads)
        return heads if self.num_kv_heads == self.num_heads else formulas.repeat_heads(heads, self.num_heads)


@overflow_is_reported
def multi_head_attention(
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    W_O: ArrayLike,
    num_heads: int,
    context: ArrayLike | None = None,
) -> MultiHeadOutput:
    """Run num_heads attentions at once and mix their concatenated outputs with W_O.

    Queries come from X; keys and values come from the context, or from X too if there is none. The columns of
    W_Q, W_K and W_V belong to head 1, then to head 2, and so on.

    Shapes: X (..., n_q, d_model), context (..., n_k, d_model), W_Q and W_K (d_model, num_heads · d_k),
    W_V (d_model, num_heads · d_v), W_O (num_heads · d_v, d_model) -> `MultiHeadOutput`.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.
    Source: Vaswani et al. 2017, section 3.2.2.

    >>> identity = [[1, 0], [0, 1]]
    >>> result = multi_head_attention([[1, 0], [0, 2]], identity, identity, identity, identity, num_heads=2)
    >>> result.output.round(4).tolist()
    [[0.7311, 1.0], [0.5, 1.964]]
    """
    num_heads = read_count("num_heads", num_heads)
    X, context, W_Q, W_K, W_V, W_O = read_arrays(
        X=(X, "n_q d_model"),
        context=(X if context is None else context, "n_k d_model"),
        W_Q=(W_Q, "d_model h·d_k"),
        W_K=(W_K, "d_model h·d_k"),
        W_V=(W_V, "d_model h·d_v"),
        W_O=(W_O, "h·d_v d_model"),
    )
    return MultiHeadAttention(W_Q, W_K, W_V, W_O, num_heads)(X, context)


def _project(rows: np.ndarray, W: np.ndarray, b: np.ndarray | None) -> np.ndarray:
    """Project all sentences of a batch in one product."""
    made = formulas.project(rows.reshape(-1, rows.shape[-1]), W, b)
    return made.reshape(*rows.shape[:-1], W.shape[-1])

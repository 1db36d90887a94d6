"""Multi-head attention as a layer: parameters that stay, inputs that come and go."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.validation import read_count
from mha_course.maths import formulas
from mha_course.maths.array_arguments import finite, overflow_is_reported, read_arrays
from mha_course.maths.blocks import attention_output
from mha_course.maths.dropout import read_rate, read_rng
from mha_course.maths.heads import check_divisible, check_groups
from mha_course.maths.masks import read_mask


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadOutput:
    """What multi-head attention computed. Weights and scores are built when they are asked for.

    Shapes: output (..., n_q, d_model), concatenation (..., n_q, num_heads · d_v),
    heads (..., num_heads, n_q, d_v), weights and scores (..., num_heads, n_q, n_k).

    >>> identity = np.eye(2)
    >>> multi_head_attention([[1, 0], [0, 1], [1, 1]], identity, identity, identity, identity, num_heads=2)
    MultiHeadOutput(output (3, 2), weights (2, 3, 3), scores (2, 3, 3), heads (2, 3, 1), concatenation (3, 2))
    """

    output: np.ndarray
    heads: np.ndarray
    concatenation: np.ndarray
    _queries: np.ndarray  # each head's
    _keys: np.ndarray
    _mask: np.ndarray | None
    _dropped_weights: np.ndarray | None = None

    @cached_property
    @overflow_is_reported
    def weights(self) -> np.ndarray:
        """How much each query takes from each key, in every head, after dropout if there was any."""
        if self._dropped_weights is not None:
            return self._dropped_weights
        return formulas.masked_softmax(self.scores, self._mask)

    @cached_property
    @overflow_is_reported
    def scores(self) -> np.ndarray:
        """How well each query matches each key, in every head."""
        return finite("scores", formulas.scaled_scores(self._queries, self._keys))

    def __repr__(self) -> str:
        leading = np.broadcast_shapes(self._queries.shape[:-2], self._keys.shape[:-2])
        table = (*leading, self._queries.shape[-2], self._keys.shape[-2])  # of weights that are not built yet
        shapes = {"output": self.output.shape, "weights": table, "scores": table}
        shapes |= {"heads": self.heads.shape, "concatenation": self.concatenation.shape}
        return f"{type(self).__name__}({', '.join(f'{name} {shape}' for name, shape in shapes.items())})"


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
        kv = "h" if self.num_kv_heads is None else "kv"
        axes = {
            "W_Q": "d_model h·d_k", "W_K": f"d_key {kv}·d_k", "W_V": f"d_value {kv}·d_v", "W_O": "h·d_v d_out",
            "b_Q": "h·d_k", "b_K": f"{kv}·d_k", "b_V": f"{kv}·d_v", "b_O": "d_out",
        }  # fmt: skip
        values = {name: getattr(self, name) for name in axes}
        given = {name: (value, axes[name]) for name, value in values.items() if value is not None or name[0] == "W"}
        for name, array in zip(given, read_arrays(**given), strict=True):
            if array.ndim != len(axes[name].split()):
                raise ValueError(f"{name} has shape {array.shape}, but needs ({', '.join(axes[name].split())}).")
            array = array.copy()
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        object.__setattr__(self, "num_heads", read_count("num_heads", self.num_heads))
        object.__setattr__(self, "dropout", read_rate("dropout", self.dropout))
        check_divisible("W_Q", self.W_Q.shape, self.num_heads)
        if self.num_kv_heads is None:
            object.__setattr__(self, "num_kv_heads", self.num_heads)
            check_divisible("W_V", self.W_V.shape, self.num_heads)
        else:
            self._check_groups(read_count("num_kv_heads", self.num_kv_heads))

    def _check_groups(self, num_kv_heads: int) -> None:
        """Check the widths of W_K, W_V and W_O where several query heads share one key/value head."""
        check_groups(self.num_heads, num_kv_heads)
        check_divisible("W_V", self.W_V.shape, num_kv_heads, called="num_kv_heads")
        d_k, d_v = self.W_Q.shape[1] // self.num_heads, self.W_V.shape[1] // num_kv_heads
        if self.W_K.shape[1] != num_kv_heads * d_k:
            raise ValueError(
                f"W_K has shape {self.W_K.shape}, but needs ({len(self.W_K)}, {num_kv_heads * d_k}): num_kv_heads = "
                f"{num_kv_heads} times d_k = {d_k}, because W_Q has shape {self.W_Q.shape} and num_heads is "
                f"{self.num_heads}."
            )
        if len(self.W_O) != self.num_heads * d_v:
            raise ValueError(
                f"W_O has shape {self.W_O.shape}, but needs ({self.num_heads * d_v}, {self.W_O.shape[1]}): num_heads = "
                f"{self.num_heads} times d_v = {d_v}, because W_V has shape {self.W_V.shape} and num_kv_heads is "
                f"{num_kv_heads}."
            )

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
        key = query if key is None else key
        value = key if value is None else value
        queries, keys, values = read_arrays(
            query=(query, "n_q d_model"), key=(key, "n_k d_key"), value=(value, "n_k d_value")
        )
        for name, rows, W in (("query", queries, self.W_Q), ("key", keys, self.W_K), ("value", values, self.W_V)):
            if rows.shape[-1] != len(W):
                raise ValueError(f"{name} has shape {rows.shape}, but needs rows of width {len(W)}, as its W has rows.")
        may_attend = None
        if mask is not None:
            leading = np.broadcast_shapes(queries.shape[:-2], keys.shape[:-2])
            may_attend = read_mask(mask, (*leading, self.num_heads, queries.shape[-2], keys.shape[-2]))
        return self._attend(queries, keys, values, may_attend, None if rng is None else read_rng(rng))

    def __repr__(self) -> str:
        sizes = f"d_model={len(self.W_Q)}, num_heads={self.num_heads}"
        if self.num_kv_heads != self.num_heads:
            sizes += f", num_kv_heads={self.num_kv_heads}"
        d_k, d_v = self.W_Q.shape[1] // self.num_heads, len(self.W_O) // self.num_heads
        return f"{type(self).__name__}({sizes}, d_k={d_k}, d_v={d_v})"

    def _attend(
        self,
        query: np.ndarray,
        key: np.ndarray,
        value: np.ndarray,
        may_attend: np.ndarray | None = None,
        rng: "np.random.Generator | None" = None,
    ) -> MultiHeadOutput:
        """Do what a call does, with arrays that were read and fit."""
        Q = formulas.split_heads(_project(query, self.W_Q, self.b_Q), self.num_heads)  # (..., h, n_q, d_k)
        K = self._shared(_project(key, self.W_K, self.b_K))  # (..., h, n_k, d_k)
        V = self._shared(_project(value, self.W_V, self.b_V))  # (..., h, n_k, d_v)
        dropped = None
        if rng is None or not self.dropout:
            heads = attention_output(Q, K, V, may_attend)  # (..., h, n_q, d_v)
        else:
            scores = finite("scores", formulas.scaled_scores(Q, K))
            dropped = formulas.dropout(formulas.masked_softmax(scores, may_attend), self.dropout, rng)
            heads = dropped @ V
        concatenation = formulas.merge_heads(heads)  # (..., n_q, h·d_v)
        output = finite("output", _project(concatenation, self.W_O, self.b_O))  # (..., n_q, d_model)
        return MultiHeadOutput(output, heads, concatenation, Q, K, may_attend, dropped)

    def _shared(self, rows: np.ndarray) -> np.ndarray:
        """Cut rows of keys or values into heads, and give each query head its own: (..., n, kv·d) -> (..., h, n, d)."""
        num_kv_heads = self.num_kv_heads or self.num_heads
        heads = formulas.split_heads(rows, num_kv_heads)
        return heads if num_kv_heads == self.num_heads else formulas.repeat_heads(heads, self.num_heads)


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
    return MultiHeadAttention(W_Q, W_K, W_V, W_O, num_heads)._attend(X, context, context)


def _project(rows: np.ndarray, W: np.ndarray, b: np.ndarray | None) -> np.ndarray:
    """Project all sentences of a batch in one product."""
    made = formulas.project(rows.reshape(-1, rows.shape[-1]), W, b)
    return made.reshape(*rows.shape[:-1], W.shape[-1])

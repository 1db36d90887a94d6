"""Everything about one multi-head attention that a hand can change."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from mha_course.engine.validation import read_choice, read_count, read_positive
from mha_course.forward import scales
from mha_course.forward.mask_choices import OwnMask, read_mask, resized, toggled
from mha_course.forward.matrices import MATRICES
from mha_course.forward.new_rows import rows_of
from mha_course.maths.array_arguments import overflow_is_reported, read_arrays

SETTINGS = ("tokens", "context_tokens", "num_heads", "group_size", "scale", "temperature", "mask")
HAS_ROWS_OF = {"X": "tokens", "embeddings": "tokens", "context": "context_tokens"}  # matrix -> whose rows it has
Change = tuple[str, int, int] | tuple[str]  # an entry, or a setting
MOST_TOKENS = 12
LONGEST_TOKEN = 40  # characters
MOST_HEADS = 32  # each adds up to 60 KB of tables to the workbench
LARGEST_ENTRY = 1e100  # products of two still fit a float

PARAMETERS = {"W_Q", "W_K", "W_V", "W_O"}
KNOWN = [PARAMETERS | others for others in ({"X"}, {"X", "context"}, {"embeddings", "positions", "wavelengths"})]


@dataclass(frozen=True)
class RandomInit:
    """How a matrix too large to write down was drawn at random.

    >>> RandomInit(seed=0, shape=(2, 3), divisor=2.0).array().shape
    (2, 3)
    """

    seed: int
    shape: tuple[int, int]
    divisor: float

    @lru_cache(maxsize=8)  # noqa: B019  (it is asked for at every change, and the same draw is the same array)
    @overflow_is_reported
    def array(self) -> np.ndarray:
        """Draw the matrix: normal numbers of mean 0, divided by the divisor."""
        return _fixed(np.random.default_rng(self.seed).normal(size=self.shape) / self.divisor)


@dataclass(frozen=True, eq=False)
class State:
    """Tokens, input matrices and settings of one multi-head attention; never changed in place.

    inputs: name -> matrix. Either X, or a context beside it from which keys and values come, or
    embeddings, positions and wavelengths, whose sum X then is; and always W_Q, W_K, W_V and W_O.
    group_size: how many query heads share one key/value head (grouped-query attention). scale: the id of
    one of `SCALES`, or the number that the dot products are divided by. mask: the id of one of `MASKS`,
    or an own one for all heads: a row for each query, with True where it may attend to a key.
    draws: how those inputs were drawn that are too large to write down.
    Errors: `ValueError` or `TypeError` naming what does not fit.

    >>> state = State(("a", "b"), {name: np.eye(2) for name in ("X", "W_Q", "W_K", "W_V", "W_O")})
    >>> state.with_entry("W_Q", 0, 1, 5.0).inputs["W_Q"].tolist()
    [[1.0, 5.0], [0.0, 1.0]]
    """

    tokens: tuple[str, ...]
    inputs: dict[str, np.ndarray]
    num_heads: int = 1
    scale: str | float = "sqrt_d_k"
    temperature: float = 1.0
    context_tokens: tuple[str, ...] | None = None
    mask: str | OwnMask = "none"
    draws: dict[str, RandomInit] = field(default_factory=dict)
    group_size: int = 1

    def __post_init__(self) -> None:
        """Check that everything fits together, and freeze the arrays."""
        if set(self.inputs) not in KNOWN:
            raise ValueError(f"inputs has {sorted(self.inputs)}, but needs X, W_Q, W_K, W_V and W_O.")
        if (self.context_tokens is None) != ("context" not in self.inputs):
            raise ValueError("context and context_tokens must come together.")
        self._set("group_size", read_count("group_size", self.group_size))
        self._set("inputs", self._read_inputs())
        rows = self.inputs["X"] if "X" in self.inputs else self.inputs["embeddings"]
        self._set("tokens", _read_tokens("tokens", self.tokens, len(rows)))
        if self.context_tokens is not None:
            others = _read_tokens("context_tokens", self.context_tokens, len(self.inputs["context"]))
            self._set("context_tokens", others)
        self._check_encoding()
        self._check_heads()
        self._check_settings()

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)  # only while the state is being made

    def _read_inputs(self) -> dict[str, np.ndarray]:
        names = [name for name in MATRICES if name in self.inputs]
        axes = {name: MATRICES[name].axes for name in names}
        if self.group_size == 1:  # then there is one number of heads
            axes = {name: words.replace("h_kv", "h") for name, words in axes.items()}
        arrays = read_arrays(**{name: (self.inputs[name], axes[name]) for name in names})
        inputs = dict(zip(names, map(_fixed, arrays), strict=True))
        _check_entries(inputs)
        return inputs

    @property
    def num_kv_heads(self) -> int:
        """How many heads the keys and values have."""
        return self.num_heads // self.group_size

    def key_head(self, query_head: int) -> int:
        """Return the key/value head with which a query head looks; both count from 0."""
        return query_head // self.group_size

    def for_query_heads(self, heads: np.ndarray) -> np.ndarray:
        """Repeat what each key/value head has for the query heads that share it: (h_kv, n, d) -> (h, n, d)."""
        return heads if self.group_size == 1 else heads.repeat(self.group_size, axis=0)

    @property
    def d_model(self) -> int:
        """The width of a token's row."""
        return self.inputs["W_Q"].shape[0]

    @property
    def d_k(self) -> int:
        """The width of one head's queries and keys."""
        return self.inputs["W_Q"].shape[1] // self.num_heads

    @property
    def d_v(self) -> int:
        """The width of one head's values."""
        return self.inputs["W_V"].shape[1] // self.num_kv_heads

    @property
    def squared_scale(self) -> int | None:
        """What a scale with a name is the square root of; None for a number of one's own."""
        return scales.SCALES[self.scale].squared(self.d_k, self.d_model) if isinstance(self.scale, str) else None

    @property
    def divisor(self) -> float:
        """The number that the dot products are divided by."""
        if isinstance(self.scale, str):
            return math.sqrt(scales.SCALES[self.scale].squared(self.d_k, self.d_model))
        return self.scale

    @property
    def shape_of_scores(self) -> tuple[int, int]:
        """How many queries there are, and how many keys."""
        return _shape_of_scores(self.tokens, self.context_tokens)

    def with_entry(self, name: str, row: int, column: int, value: float) -> "State":
        """Return the state with one entry changed."""
        array = self.inputs[name].copy()
        array[row, column] = value
        return replace(self, inputs=self.inputs | {name: array})

    def with_toggled(self, query: int, key: int) -> "State":
        """Return the state in which a key is hidden from a query, or shown again if it is hidden now.

        What was hidden by then stays so. A mask that equals one of `MASKS` is that one.

        >>> from mha_course.forward.presets import preset
        >>> state = preset("causal").with_toggled(0, 3)
        >>> state.mask[0], state.with_toggled(0, 3).mask
        ((True, False, False, True), 'causal')
        """
        return replace(self, mask=toggled(self.mask, self.shape_of_scores, query, key))

    def with_tokens(self, tokens: Sequence[str], name: str = "tokens", earlier: Iterable["State"] = ()) -> "State":
        """Return the state with other tokens: a word keeps its row, a new one gets `new_row`.

        Where rows were drawn at random they belong to places, and the draw goes on. Positions go on too,
        and what is new in an own mask may attend. name: "tokens", or "context_tokens". earlier: states
        that know the rows of more words.
        """
        tokens = _read_tokens(name, tokens, None)
        if getattr(self, name) is None:
            raise ValueError("This example has no context: its tokens look at each other.")
        inputs, draws = dict(self.inputs), dict(self.draws)
        for own in [each for each in inputs if HAS_ROWS_OF.get(each) == name]:
            if own in draws:
                draws[own] = replace(draws[own], shape=(len(tokens), inputs[own].shape[1]))
                inputs[own] = _lengthened(inputs[own], draws[own].array())
            else:
                known = [(getattr(each, name), each.inputs[own]) for each in (self, *earlier) if own in each.inputs]
                inputs[own] = rows_of(tokens, inputs[own].shape[1], known)
        if name == "tokens" and "positions" in inputs:
            inputs["positions"] = _continued(inputs["positions"], len(tokens))
        changes: dict[str, Any] = {"inputs": inputs, "draws": draws, name: tokens}
        shape = _shape_of_scores(*(changes.get(each, getattr(self, each)) for each in ("tokens", "context_tokens")))
        return replace(self, mask=resized(self.mask, shape), **changes)

    def changes_since(self, earlier: "State") -> list[Change]:
        """List the changed entries as (name, row, column); settings by name alone.

        Errors: `ValueError` if the two states have matrices of different shapes.

        >>> from mha_course.forward.presets import preset
        >>> article = preset("article")
        >>> article.with_entry("W_K", 0, 2, 5.0).changes_since(article)
        [('W_K', 0, 2)]
        """
        if {k: v.shape for k, v in self.inputs.items()} != {k: v.shape for k, v in earlier.inputs.items()}:
            raise ValueError("earlier has matrices of other shapes: its entries cannot be compared one by one.")
        entries = [
            (name, int(row), int(column))
            for name, array in self.inputs.items()
            if array is not earlier.inputs[name]
            for row, column in np.argwhere(array != earlier.inputs[name])
        ]
        return entries + [(name,) for name in SETTINGS if getattr(self, name) != getattr(earlier, name)]

    def changes_since_draw(self, name: str) -> list[tuple[int, int, float]]:
        """List (row, column, value) of the entries of a drawn input that were changed since the draw."""
        array = self.inputs[name]
        return [(int(r), int(c), float(array[r, c])) for r, c in np.argwhere(array != self.draws[name].array())]

    def _check_encoding(self) -> None:
        if "wavelengths" not in self.inputs:
            return
        pairs, d_model = self.inputs["wavelengths"].shape[1], self.d_model
        if len(self.inputs["wavelengths"]) != 1 or self.inputs["positions"].shape[1] != 1:
            raise ValueError("positions must be one column, and wavelengths one row.")
        if pairs != (d_model + 1) // 2:
            raise ValueError(f"wavelengths needs {(d_model + 1) // 2} numbers, one for each pair of columns.")
        if (self.inputs["wavelengths"] <= 0).any():
            raise ValueError("a wavelength must be above 0.")

    def _check_heads(self) -> None:
        self._set("num_heads", read_count("num_heads", self.num_heads))
        if self.num_heads > MOST_HEADS:
            raise ValueError(f"num_heads is {self.num_heads}, but must be at most {MOST_HEADS}.")
        if self.num_heads % self.group_size:
            raise ValueError(f"num_heads is {self.num_heads}: these cannot be cut into groups of {self.group_size}.")
        for name, count in (("W_Q", self.num_heads), ("W_V", self.num_kv_heads)):
            width = self.inputs[name].shape[1]
            if width % count:
                raise ValueError(f"{name} has {width} columns: they cannot be cut into {count} equal heads.")
        W_K, W_O = self.inputs["W_K"].shape[1], self.inputs["W_O"].shape[0]
        if self.num_kv_heads * self.d_k != W_K:
            raise ValueError(f"W_K has {W_K} columns, but needs {self.num_kv_heads} heads of d_k = {self.d_k}.")
        if self.num_heads * self.d_v != W_O:
            raise ValueError(f"W_O has {W_O} rows, but needs {self.num_heads} heads of d_v = {self.d_v}.")

    def _check_settings(self) -> None:
        has_name = isinstance(self.scale, str)
        scale = read_choice("scale", self.scale, scales.LABELS) if has_name else read_positive("scale", self.scale)
        self._set("scale", scale)
        self._set("temperature", read_positive("temperature", self.temperature))
        self._set("mask", read_mask(self.mask, self.shape_of_scores))


def _check_entries(inputs: dict[str, np.ndarray]) -> None:
    for name, array in inputs.items():
        if array.ndim != 2:
            raise ValueError(f"{name} has shape {array.shape}, but must be a matrix, without a batch axis.")
        if max(array.max(), -array.min()) > LARGEST_ENTRY:
            raise ValueError(f"{name} has an entry beyond {LARGEST_ENTRY:g}, the largest that the workbench takes.")


def _read_tokens(name: str, tokens: object, size: int | None) -> tuple[str, ...]:
    if not isinstance(tokens, (list, tuple)):
        raise ValueError(f"{name} is {tokens!r}, but must be a list of texts.")
    if not all(isinstance(token, str) and 0 < len(token) <= LONGEST_TOKEN for token in tokens):
        raise ValueError(f"{name} has {list(tokens)}, but each must be a text of 1 to {LONGEST_TOKEN} characters.")
    if not 1 <= len(tokens) <= MOST_TOKENS:
        raise ValueError(f"{name} has {len(tokens)} tokens, but there must be 1 to {MOST_TOKENS}.")
    if size not in (None, len(tokens)):
        raise ValueError(f"{name} has {len(tokens)} tokens, but there are {size} rows for them.")
    return tuple(tokens)


def _shape_of_scores(tokens: Sequence[str], context_tokens: Sequence[str] | None) -> tuple[int, int]:
    return len(tokens), len(context_tokens or tokens)


def _continued(positions: np.ndarray, count: int) -> np.ndarray:
    """Return so many positions; new ones count on from the last."""
    return _lengthened(positions, positions[-1] + 1 - len(positions) + np.arange(count)[:, None])


def _lengthened(rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return as many rows as the second matrix has: those of the first, as far as they go, then those of the second."""
    return np.vstack([rows[: len(others)], others[len(rows) :]])


def _fixed(array: np.ndarray) -> np.ndarray:
    if array.flags.writeable or array.dtype != np.float64:
        array = np.array(array, dtype=np.float64)
        array.setflags(write=False)
    return array

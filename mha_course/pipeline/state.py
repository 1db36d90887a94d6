"""Everything about one multi-head attention that a hand can change."""

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from mha_course.maths.arguments import overflow_is_reported, read_arrays, read_count, read_positive
from mha_course.pipeline.mask_choices import MASKS

SETTINGS = ("tokens", "context_tokens", "num_heads", "scale", "temperature", "mask")
SCALES = ("√d_k", "none", "the article's 1", "√d_model")
MOST_TOKENS = 12
LONGEST_TOKEN = 40  # characters
LARGEST_ENTRY = 1e100  # products of two still fit a float

WEIGHTS = {"W_Q": "d_model h·d_k", "W_K": "d_model h·d_k", "W_V": "d_model h·d_v", "W_O": "h·d_v d_model"}
ROWS = {"X": "n_q d_model", "context": "n_k d_model"}
ENCODED = {"embeddings": "n_q d_model", "positions": "n_q one", "wavelengths": "one pairs"}
KNOWN = (set(ROWS) - {"context"} | set(WEIGHTS), set(ROWS) | set(WEIGHTS), set(ENCODED) | set(WEIGHTS))


@dataclass(frozen=True)
class Draw:
    """How a matrix too large to write down was drawn at random.

    >>> Draw(seed=0, shape=(2, 3), divisor=2.0).array().shape
    (2, 3)
    """

    seed: int
    shape: tuple
    divisor: float

    @lru_cache(maxsize=8)  # noqa: B019  (it is asked for at every change, and the same draw is the same array)
    @overflow_is_reported
    def array(self):
        """Draw the matrix: normal numbers of mean 0, divided by the divisor."""
        return _fixed(np.random.default_rng(self.seed).normal(size=self.shape) / self.divisor)


@dataclass(frozen=True, eq=False)
class State:
    """Tokens, input matrices and settings of one multi-head attention; never changed in place.

    inputs: name -> matrix. Either X, or a context beside it from which keys and values come, or
    embeddings, positions and wavelengths, whose sum X then is; and always W_Q, W_K, W_V and W_O.
    scale: one of `SCALES`, or the number that the dot products are divided by. mask: one of `MASKS`.
    draws: how those inputs were drawn that are too large to write down.
    Errors: `ValueError` or `TypeError` naming what does not fit.

    >>> state = State(("a", "b"), {name: np.eye(2) for name in ("X", "W_Q", "W_K", "W_V", "W_O")})
    >>> state.with_entry("W_Q", 0, 1, 5.0).inputs["W_Q"].tolist()
    [[1.0, 5.0], [0.0, 1.0]]
    """

    tokens: tuple
    inputs: dict
    num_heads: int = 1
    scale: str | float = SCALES[0]
    temperature: float = 1.0
    context_tokens: tuple | None = None
    mask: str = "none"
    draws: dict = field(default_factory=dict)

    def __post_init__(self):
        """Check that everything fits together, and freeze the arrays."""
        if set(self.inputs) not in KNOWN:
            raise ValueError(f"inputs has {sorted(self.inputs)}, but needs X, W_Q, W_K, W_V and W_O.")
        if (self.context_tokens is None) != ("context" not in self.inputs):
            raise ValueError("context and context_tokens must come together.")
        axes = ROWS | ENCODED | WEIGHTS
        arrays = read_arrays(**{name: (self.inputs[name], axes[name]) for name in axes if name in self.inputs})
        inputs = dict(zip((name for name in axes if name in self.inputs), map(_fixed, arrays), strict=True))
        _check_entries(inputs)
        object.__setattr__(self, "inputs", inputs)
        rows = inputs["X"] if "X" in inputs else inputs["embeddings"]
        object.__setattr__(self, "tokens", _read_tokens("tokens", self.tokens, len(rows)))
        if self.context_tokens is not None:
            others = _read_tokens("context_tokens", self.context_tokens, len(inputs["context"]))
            object.__setattr__(self, "context_tokens", others)
        self._check_encoding()
        self._check_settings()

    @property
    def d_model(self):
        """The width of a token's row."""
        return self.inputs["W_Q"].shape[0]

    @property
    def d_k(self):
        """The width of one head's queries and keys."""
        return self.inputs["W_Q"].shape[1] // self.num_heads

    @property
    def d_v(self):
        """The width of one head's values."""
        return self.inputs["W_V"].shape[1] // self.num_heads

    @property
    def squared_scale(self):
        """What a scale with a name is the square root of; None for a number of one's own."""
        return {"√d_k": self.d_k, "none": 1, "the article's 1": 1, "√d_model": self.d_model}.get(self.scale)

    @property
    def divisor(self):
        """The number that the dot products are divided by."""
        return self.scale if self.squared_scale is None else math.sqrt(self.squared_scale)

    def with_entry(self, name, row, column, value):
        """Return the state with one entry changed."""
        array = self.inputs[name].copy()
        array[row, column] = value
        return replace(self, inputs=self.inputs | {name: array})

    def with_tokens(self, tokens, name="tokens"):
        """Return the state with other tokens; new ones get rows of zeros, at the positions that follow.

        name: "tokens", or "context_tokens".
        """
        tokens, known = _read_tokens(name, tokens, None), getattr(self, name)
        if known is None:
            raise ValueError("This example has no context: its tokens look at each other.")
        inputs = dict(self.inputs)
        for own in ("X", "embeddings", "positions") if name == "tokens" else ("context",):
            if own in inputs and len(tokens) != len(known):
                if own in self.draws:
                    raise ValueError("The number of tokens is fixed in this example, because its rows were drawn.")
                more = np.zeros((max(0, len(tokens) - len(known)), inputs[own].shape[1]))
                if own == "positions":
                    more += inputs[own][-1] + 1 + np.arange(len(more))[:, None]
                inputs[own] = np.vstack([inputs[own][: len(tokens)], more])
        return replace(self, inputs=inputs, **{name: tokens})

    def changes_since(self, earlier):
        """List the changed entries as (name, row, column); settings by name alone.

        Errors: `ValueError` if the two states have matrices of different shapes.

        >>> from mha_course.pipeline.presets import preset
        >>> article = preset("the article")
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

    def changes_since_draw(self, name):
        """List (row, column, value) of the entries of a drawn input that were changed since the draw."""
        array = self.inputs[name]
        return [(int(r), int(c), float(array[r, c])) for r, c in np.argwhere(array != self.draws[name].array())]

    def _check_encoding(self):
        if "wavelengths" not in self.inputs:
            return
        pairs, d_model = self.inputs["wavelengths"].shape[1], self.d_model
        if len(self.inputs["wavelengths"]) != 1 or self.inputs["positions"].shape[1] != 1:
            raise ValueError("positions must be one column, and wavelengths one row.")
        if pairs != (d_model + 1) // 2:
            raise ValueError(f"wavelengths needs {(d_model + 1) // 2} numbers, one for each pair of columns.")
        if (self.inputs["wavelengths"] <= 0).any():
            raise ValueError("a wavelength must be above 0.")

    def _check_settings(self):
        object.__setattr__(self, "num_heads", read_count("num_heads", self.num_heads))
        for name in ("W_Q", "W_V"):
            width = self.inputs[name].shape[1]
            if width % self.num_heads:
                raise ValueError(f"{name} has {width} columns: they cannot be cut into {self.num_heads} equal heads.")
        if not (isinstance(self.scale, str) and self.scale in SCALES):
            object.__setattr__(self, "scale", read_positive("scale", self.scale))
        object.__setattr__(self, "temperature", read_positive("temperature", self.temperature))
        if not (isinstance(self.mask, str) and self.mask in MASKS):
            raise ValueError(f"mask is {self.mask!r}, but must be one of {list(MASKS)}.")


def _check_entries(inputs):
    for name, array in inputs.items():
        if array.ndim != 2:
            raise ValueError(f"{name} has shape {array.shape}, but must be a matrix, without a batch axis.")
        if max(array.max(), -array.min()) > LARGEST_ENTRY:
            raise ValueError(f"{name} has an entry beyond {LARGEST_ENTRY:g}, the largest that the workbench takes.")


def _read_tokens(name, tokens, size):
    if not isinstance(tokens, (list, tuple)):
        raise ValueError(f"{name} is {tokens!r}, but must be a list of texts.")
    if not all(isinstance(token, str) and 0 < len(token) <= LONGEST_TOKEN for token in tokens):
        raise ValueError(f"{name} has {list(tokens)}, but each must be a text of 1 to {LONGEST_TOKEN} characters.")
    if not 1 <= len(tokens) <= MOST_TOKENS:
        raise ValueError(f"{name} has {len(tokens)} tokens, but there must be 1 to {MOST_TOKENS}.")
    if size not in (None, len(tokens)):
        raise ValueError(f"{name} has {len(tokens)} tokens, but there are {size} rows for them.")
    return tuple(tokens)


def _fixed(array):
    if array.flags.writeable or array.dtype != np.float64:
        array = np.array(array, dtype=np.float64)
        array.setflags(write=False)
    return array

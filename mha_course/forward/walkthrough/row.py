"""One query's row of one head, as somebody who follows its way needs it."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mha_course.engine.notation.arithmetic import arithmetic
from mha_course.engine.notation.digits import is_whole, written
from mha_course.engine.notation.labels import Address, label
from mha_course.engine.notation.traced_number import Traced
from mha_course.forward.entries import HeadMatrices, exponentials
from mha_course.forward.mask_choices import may_attend
from mha_course.forward.origin import origin
from mha_course.forward.path_matrix import Path, PathMatrix
from mha_course.forward.state import State

DIGITS = 5  # of a number between two entries, like an exponential


@dataclass(frozen=True)
class Row:
    """Which row: of which query and head; and the key that is shown in full, all counted from 0.

    names: the matrices that are shown.
    """

    state: State
    path: Path
    query: int
    head: int
    key: int
    names: frozenset[str]

    @property
    def token(self) -> str:
        """Whose row it is."""
        return self.state.tokens[self.query]

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """Whose keys there are."""
        return self.state.context_tokens or self.state.tokens

    @property
    def others(self) -> str:
        """What the keys belong to: X, or the context beside it."""
        return "X" if self.state.context_tokens is None else "context"

    @property
    def seen(self) -> list[int]:
        """The keys that the mask lets it see."""
        shape = (len(self.state.tokens), len(self.key_tokens))
        allowed = may_attend(self.state.mask, shape)
        return [i for i in range(shape[1]) if allowed is None or allowed[self.query, i]]

    def matrix(self, name: str) -> PathMatrix:
        """Return the matrix of that name, of this head if heads have their own."""
        own = self.state.key_head(self.head) if name in ("K", "V") else self.head
        return self.path[name] if name in self.path else self.path[f"{name}/{own + 1}"]

    def around(self, name: str) -> HeadMatrices:
        """Return what stands around that matrix."""
        return HeadMatrices(self.state, self.path, self.matrix(name))

    def exponentials(self) -> tuple[dict[int, Traced], bool]:
        """Return e to the power of each score that counts, and whether the largest was subtracted first."""
        around = self.around("weights")
        scores = {i: around.entry("scores", self.query, i) for i in self.seen}
        return exponentials(scores, self.state.temperature) if scores else ({}, False)

    # What is written of it

    def shown(self, name: str, row: int, column: int) -> str:
        """Write an entry as its table does."""
        values = self.matrix(name).values
        return written(float(values[row, column]), is_whole(values))

    def equation(self, name: str, row: int, column: int, number: Traced) -> str:
        """Write where an entry stands and how it was made."""
        made = arithmetic(number, self.shown(name, row, column), significant=DIGITS)
        return f"{label(name, row, column)} = {made}"

    def of_head(self, name: str, equations: Iterable[str]) -> str:
        """Write equations one after the other, and to which head they belong if there are several."""
        head = self.matrix(name).head
        return ("" if head is None or self.state.num_heads == 1 else f"head {head + 1}: ") + "; ".join(equations)

    def origin(self, name: str, row: int, column: int) -> str:
        """Write where an entry came from."""
        return origin(self.state, self.path, self.matrix(name).key, row, column).arithmetic

    # Its entries

    def row_of(self, name: str, row: int | None = None) -> list[Address]:
        """List the entries of a row of that matrix, its own if no other is named."""
        matrix = self.matrix(name)
        return [(matrix.key, self.query if row is None else row, i) for i in range(matrix.values.shape[1])]

    def all_of(self, name: str) -> list[Address]:
        """List all entries of that matrix."""
        matrix = self.matrix(name)
        return [(matrix.key, row, column) for row, column in np.ndindex(matrix.values.shape)]

    def columns_of(self, name: str) -> list[Address]:
        """List the entries of W_Q, W_K or W_V that make this head's queries, keys or values."""
        made = self.matrix(name.removeprefix("W_"))
        width = made.values.shape[1]
        first = (made.head or 0) * width
        return [(name, i, j) for i in range(self.state.d_model) for j in range(first, first + width)]

    def column_of(self, name: str, column: int) -> list[Address]:
        """List the entries of one column."""
        return [(name, i, column) for i in range(self.path[name].values.shape[0])]

"""How one entry of each computed matrix was made: in words, and as a number that remembers its arithmetic."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mha_course.engine.notation.traced_number import Traced, total
from mha_course.forward.mask_choices import may_attend
from mha_course.forward.parameters_and_inputs import AttentionInputs
from mha_course.forward.path_matrix import Path, PathMatrix

LARGEST_EXPONENT = 20  # beyond it, the exponentials are written as softmax computes them


@dataclass(frozen=True)
class Made:
    """How one entry was made."""

    words: str
    number: Traced


@dataclass(frozen=True)
class HeadMatrices:
    """What stands around one matrix of a path: the matrices of the same head, and those that have no heads."""

    state: AttentionInputs
    path: Path
    matrix: PathMatrix

    def other(self, name: str) -> PathMatrix:
        """Return the matrix of that name that this one was made with."""
        if name == "context" and name not in self.path:
            name = "X"  # the tokens look at each other
        return next(each for each in self.path.values() if each.name == name and self._is_near(each))

    def _is_near(self, other: PathMatrix) -> bool:
        """Whether it belongs to the same heads, or to all."""
        matrix = self.matrix
        return other.query_head in (None, matrix.query_head) and other.key_head in (None, matrix.key_head)

    def entry(self, name: str, row: int, column: int) -> Traced:
        """Return an entry, named by where it stands: (key, row, column)."""
        return _named(self.other(name), row, column)

    def row(self, name: str, row: int) -> list[Traced]:
        """Return all entries of a row."""
        return _named_row(self.other(name), row)

    def column(self, name: str, column: int) -> list[Traced]:
        """Return all entries of a column."""
        return _named_column(self.other(name), column)

    def part_of_row(self, name: str, row: int) -> list[Traced]:
        """Return the entries of a row of W_Q, W_K or W_V that belong to this head."""
        heads = self.state.num_heads if name == "W_Q" else self.state.num_kv_heads
        head = (self.matrix.query_head if name == "W_Q" else self.matrix.key_head) or 0
        entries = self.row(name, row)
        width = len(entries) // heads
        return entries[head * width : (head + 1) * width]

    def token(self, name: str, row: int) -> str:
        """Return whose row it is."""
        labels = self.other(name).rows
        return f"row {row + 1}" if labels is None else labels[row]


def _named(matrix: PathMatrix, row: int, column: int) -> Traced:
    return Traced(float(matrix.values[row, column]), name=(matrix.key, row, column))


def _named_column(matrix: PathMatrix, column: int) -> list[Traced]:
    return [_named(matrix, row, column) for row in range(matrix.values.shape[0])]


def _named_row(matrix: PathMatrix, row: int) -> list[Traced]:
    return [_named(matrix, row, column) for column in range(matrix.values.shape[1])]


def of_encoded_input(matrices: HeadMatrices, row: int, column: int) -> Made:
    """X where it is a sum: the embedding and the encoding of the position."""
    number = matrices.entry("embeddings", row, column) + matrices.entry("positional encoding", row, column)
    return Made(f"The embedding of {matrices.token('X', row)}, plus the encoding of its position.", number)


def of_sinusoid(matrices: HeadMatrices, row: int, column: int) -> Made:
    """The positional encoding: the sine or cosine of so many turns."""
    position, length = matrices.entry("positions", row, 0), matrices.entry("wavelengths", 0, column // 2)
    angle = Traced(2 * math.pi, symbol="2π") * position / length
    number, name = (angle.sin(), "sine") if column % 2 == 0 else (angle.cos(), "cosine")
    return Made(f"Position / wavelength counts the turns; this is their {name}.", number)


def of_projection(matrices: HeadMatrices, row: int, column: int) -> Made:
    """Q, K and V: a token's row, times a column of the parameters."""
    name, head, width = matrices.matrix.name, matrices.matrix.head or 0, matrices.matrix.values.shape[1]
    source = matrices.other("X" if name == "Q" else "context").key
    wide_column = head * width + column
    number = _dot(matrices.row(source, row), matrices.column(f"W_{name}", wide_column))
    words = f"Row {matrices.token(source, row)} of {source}, times column {wide_column + 1} of W_{name}."
    return Made(words, number)


def of_score(matrices: HeadMatrices, row: int, column: int) -> Made:
    """The scores: a query times a key, divided by the scale."""
    number, state = _dot(matrices.row("Q", row), matrices.row("K", column)), matrices.state
    if state.divisor != 1:
        root = state.squared_scale
        number = number / (Traced(float(root)).sqrt() if root else state.divisor)
    query, key = matrices.token("Q", row), matrices.token("K", column)
    return Made(f"How well the query of {query} matches the key of {key}.", number)


def of_weight(matrices: HeadMatrices, row: int, column: int) -> Made:
    """The weights: one exponential, divided by the sum of its row."""
    query, key = matrices.token("scores", row), (matrices.matrix.columns or ())[column]
    allowed = may_attend(matrices.state.mask, matrices.matrix.values.shape)
    seen = [i for i in range(matrices.matrix.values.shape[1]) if allowed is None or allowed[row, i]]
    if not seen:
        return Made(f"Masked: {query} may not attend to any key, so all its weights are 0.", Traced(0.0))
    scores = {i: matrices.entry("scores", row, i) for i in seen}
    numerators, is_shifted = exponentials(scores, matrices.state.temperature)
    number = numerators.get(column, Traced(0.0)) / total(numerators.values())
    words = f"The attention weight that {query} gives to {key}."
    if column not in seen:
        words = f"Masked: {query} may not attend to {key}. Its score counts as −∞, and e^(−∞) is 0."
    elif len(seen) < matrices.matrix.values.shape[1]:
        words += " Masked keys take no part."
    return Made(words + " The largest score is subtracted first; that changes no weight." * is_shifted, number)


def exponentials(scores: dict[int, Traced], temperature: float) -> tuple[dict[int, Traced], bool]:
    """Return e to the power of each score, and whether the largest was subtracted first.

    >>> found, is_shifted = exponentials({0: Traced(30.0), 2: Traced(25.0)}, temperature=2.5)
    >>> [power.parts[0] for power in found.values()], is_shifted
    ([Traced(value=12.0), Traced(value=10.0)], False)
    """
    largest = max(scores.values(), key=float)
    is_shifted = max(abs(float(score)) for score in scores.values()) / temperature > LARGEST_EXPONENT
    exponents = {i: score - largest if is_shifted else score for i, score in scores.items()}
    if temperature != 1:
        exponents = {i: exponent / temperature for i, exponent in exponents.items()}
    return {i: exponent.exp() for i, exponent in exponents.items()}, is_shifted


def of_contribution(matrices: HeadMatrices, row: int, column: int) -> Made:
    """The contributions to one query: the weight of a key, times its value."""
    query = matrices.matrix.query or 0
    number = matrices.entry("weights", query, row) * matrices.entry("V", row, column)
    words = f"What {matrices.token('V', row)} adds to {matrices.token('weights', query)}: its weight, times its value."
    return Made(words, number)


def of_output(matrices: HeadMatrices, row: int, column: int) -> Made:
    """The output of one head: the values, each times its weight, added up."""
    number = _dot(matrices.row("weights", row), matrices.column("V", column))
    return Made(
        f"The values of column {column + 1}, mixed with the weights of {matrices.token('weights', row)}.",
        number,
    )


def of_concatenation(matrices: HeadMatrices, row: int, column: int) -> Made:
    """The concatenation: copied from a head's output."""
    head, own = divmod(column, matrices.path["output/1"].values.shape[1])
    output = matrices.path[f"output/{head + 1}"]
    return Made(f"Copied from the output of head {head + 1}, column {own + 1}.", _named(output, row, own))


def of_result(matrices: HeadMatrices, row: int, column: int) -> Made:
    """The result: a row of the concatenation, which with one head is its output, times a column of W_O."""
    source, of_it = ("concatenation",) * 2 if matrices.state.num_heads > 1 else ("output/1", "output")
    number = _dot(_named_row(matrices.path[source], row), matrices.column("W_O", column))
    token = matrices.token("X", row)
    return Made(f"Row {token} of the {of_it}, times column {column + 1} of W_O.", number)


def of_who(matrices: HeadMatrices, row: int, column: int) -> Made:
    """M, who looks at whom: a row of W_Q times a row of W_K, within one head."""
    number = _dot(matrices.part_of_row("W_Q", row), matrices.part_of_row("W_K", column))
    words = f"How column {row + 1} of the query's token matches column {column + 1} of the key's token: "
    return Made(f"{words}row {row + 1} of W_Q, times row {column + 1} of W_K, within this head.", number)


def of_wide_query(matrices: HeadMatrices, row: int, column: int) -> Made:
    """X times M: a token's query, as wide as its row."""
    token = matrices.token("X", row)
    number = _dot(matrices.row("X", row), matrices.column("M", column))
    return Made(f"The query of {token}, as wide as its row: row {token} of X, times column {column + 1} of M.", number)


def of_match(matrices: HeadMatrices, row: int, column: int) -> Made:
    """X times M times X as columns: the scores before they are divided."""
    source = matrices.other("context").name
    query, key = matrices.token("X", row), matrices.token("context", column)
    number = _dot(matrices.row("queries", row), matrices.row("context", column))
    return Made(f"The query of {query}, times the row of {key} in {source}: the score before the scale.", number)


def of_carried(matrices: HeadMatrices, row: int, column: int) -> Made:
    """W_V times a head's rows of W_O: what is carried from column to column."""
    first = (matrices.matrix.query_head or 0) * matrices.state.inputs["W_O"].shape[0] // matrices.state.num_heads
    values = matrices.part_of_row("W_V", row)
    number = _dot(values, matrices.column("W_O", column)[first : first + len(values)])
    words = f"How much of column {row + 1} of a token goes to column {column + 1} of the result: "
    return Made(f"{words}row {row + 1} of W_V, times column {column + 1} of W_O, within this head.", number)


def of_wide_value(matrices: HeadMatrices, row: int, column: int) -> Made:
    """X times what is carried: a token's value, as wide as the result."""
    token = matrices.token("context", row)
    number = _dot(matrices.row("context", row), matrices.column("carried", column))
    return Made(f"The value of {token}, as wide as the result: its row, times column {column + 1} of carried.", number)


def of_part(matrices: HeadMatrices, row: int, column: int) -> Made:
    """What a head adds to the result."""
    number = _dot(matrices.row("weights", row), matrices.column("values", column))
    words = f"What this head adds to {matrices.token('weights', row)}: the values, mixed with its weights."
    return Made(words, number)


def of_total(matrices: HeadMatrices, row: int, column: int) -> Made:
    """The result as the sum of what its heads add."""
    parts = [_named(each, row, column) for each in matrices.path.values() if each.name == "part"]
    token = matrices.token("X", row)
    if len(parts) > 1:
        return Made(f"What all heads add to {token}, added up.", total(parts))
    weights, values = matrices.path["weights/1"], matrices.path["values/1"]
    number = _dot(_named_row(weights, row), _named_column(values, column))
    return Made(f"There is one head: what it adds to {token} is all.", number)


def _dot(left: Sequence[Traced], right: Sequence[Traced]) -> Traced:
    return total(a * b for a, b in zip(left, right, strict=True))

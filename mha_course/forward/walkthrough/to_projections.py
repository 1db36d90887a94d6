"""The stops on the way to X, and to queries, keys and values."""

import math
from collections.abc import Sequence

from mha_course.engine.notation.arithmetic import arithmetic
from mha_course.engine.notation.digits import with_digits
from mha_course.engine.notation.traced_number import Traced
from mha_course.forward.walkthrough.row import DIGITS, Row
from mha_course.forward.walkthrough.stop import Stop, added, first, likewise, products_of, stop, subject, written


def turns(row: Row) -> Stop:
    """Position / wavelength, of the first wave."""
    position, length = _wave(row)
    words = (
        f"{row.token} stands at position {with_digits(position.value, DIGITS)}, and the first wave turns once in "
        f"{with_digits(length.value, DIGITS)} positions: position / wavelength counts its turns."
    )
    return _encoding(row, "turns", words, f"turns = {arithmetic(position / length)}", [0, 1])


def angle(row: Row) -> Stop:
    """The turns as an angle."""
    words = "One whole turn is an angle of 2π, so the angle is 2π times the turns."
    return _encoding(row, "angle", words, f"angle = {arithmetic(_angle(row))}", [0, 1])


def sine(row: Row) -> Stop:
    """The first column of the encoding, and with it every second."""
    number = row.equation("positional encoding", row.query, 0, _angle(row).sin())
    words = "The sine of the angle is column 1 of the positional encoding"
    return _encoding(row, "sine", words + likewise("odd columns", (row.state.d_model + 1) // 2) + ".", number, [0])


def cosine(row: Row) -> Stop | None:
    """The second column of the encoding, and with it every second."""
    if row.state.d_model == 1:
        return None
    number = row.equation("positional encoding", row.query, 1, _angle(row).cos())
    words = "The cosine of the same angle is column 2"
    return _encoding(row, "cosine", words + likewise("even columns", row.state.d_model // 2) + ".", number, [1])


def embedding_and_encoding(row: Row) -> Stop:
    """X where it is a sum."""
    words = f"The embedding says what {row.token} is, the encoding where it stands: X is their sum, column by column."
    sources = [*row.row_of("embeddings"), *row.row_of("positional encoding")]
    return stop("embedding + encoding", words, row.origin("X", row.query, 0), row.row_of("X"), sources)


def _wave(row: Row) -> tuple[Traced, Traced]:
    around = row.around("positional encoding")
    return around.entry("positions", row.query, 0), around.entry("wavelengths", 0, 0)


def _angle(row: Row) -> Traced:
    position, length = _wave(row)
    return Traced(2 * math.pi, symbol="2π") * position / length


def _encoding(row: Row, title: str, words: str, text: str, columns: Sequence[int]) -> Stop:
    entries = [each for each in row.row_of("positional encoding") if each[2] % 2 in columns]
    sources = [("positions", row.query, 0), *row.row_of("wavelengths", 0)]
    return stop(title, words, text, entries, sources)


def projections(row: Row) -> Stop:
    """Query, keys and values in one."""
    words = (
        f"The row of {row.token} in X, times W_Q, is its query; every row of {_where(row)}, times W_K and W_V, "
        "gives a key and a value."
    )
    text = [row.origin("Q", row.query, 0), row.origin("K", row.key, 0), row.origin("V", row.key, 0)]
    sources = [*row.row_of("X"), *row.all_of(row.others)]
    sources += [each for name in ("W_Q", "W_K", "W_V") for each in row.columns_of(name)]
    entries = [*row.row_of("Q"), *row.all_of("K"), *row.all_of("V")]
    return stop("query, keys, values", words, "; ".join(text), entries, sources)


def query(row: Row) -> Stop:
    """The query in one."""
    words = f"The row of {row.token} in X, times the columns of W_Q, is its query: what {row.token} looks for."
    sources = [*row.row_of("X"), *row.columns_of("W_Q")]
    return stop("query", words, row.origin("Q", row.query, 0), row.row_of("Q"), sources)


def keys(row: Row) -> Stop:
    """All keys in one."""
    words = f"Every row of {_where(row)}, times the columns of W_K, is a key: what a token can be found by."
    entries = first((row.matrix("K").key, row.key, 0), row.all_of("K"))
    sources = [*row.all_of(row.others), *row.columns_of("W_K")]
    return stop("keys", words, row.origin("K", row.key, 0), entries, sources)


def _where(row: Row) -> str:
    return "X" if row.others == "X" else "the context"


def query_products(row: Row) -> Stop:
    """The products in the first entry of the query."""
    column, entry = row.columns_of("W_Q")[0][2], row.row_of("Q")[0]
    words = f"The row of {row.token} in X meets column {column + 1} of W_Q: number by number they are multiplied."
    sources = [*row.row_of("X"), *row.column_of("W_Q", column)]
    return stop("products", words, written(_terms_of_query(row)), [entry], sources)


def query_sum(row: Row) -> Stop:
    """The first entry of the query, and with it the others."""
    terms = _terms_of_query(row)
    title, whole = subject(terms)
    words = f"{whole} is the first number of the query of {row.token}"
    words += likewise("numbers", row.state.d_k) + "."
    text = row.of_head("Q", [row.equation("Q", row.query, 0, added(terms))])
    return stop(title, words, text, row.row_of("Q"), [*row.row_of("X"), *row.columns_of("W_Q")])


def own_key(row: Row) -> Stop:
    """The key of one token."""
    return _own(row, "key", "K", "what the token can be found by")


def own_value(row: Row) -> Stop:
    """The value of one token."""
    return _own(row, "value", "V", "what the token contributes")


def _own(row: Row, title: str, name: str, meaning: str) -> Stop:
    """The key or value of the same token, or where queries come from elsewhere, of one of the context."""
    own = row.key if row.others == "context" else row.query
    whose = f"The row of {row.key_tokens[own]} in the context" if row.others == "context" else "The same row"
    words = f"{whose}, times the columns of W_{name}, is the {title} of {row.key_tokens[own]}: {meaning}."
    sources = [*row.row_of(row.others, own), *row.columns_of(f"W_{name}")]
    return stop(title, words, row.origin(name, own, 0), row.row_of(name, own), sources)


def _terms_of_query(row: Row) -> list[Traced]:
    column = row.columns_of("W_Q")[0][2]
    around = row.around("Q")
    return products_of(around.row("X", row.query), around.column("W_Q", column))

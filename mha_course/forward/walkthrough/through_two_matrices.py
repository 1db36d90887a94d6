"""The stops on the way of a row through a head as two matrices, and to the sum of all heads."""

from mha_course.engine.notation.labels import Address
from mha_course.forward.walkthrough.row import Row
from mha_course.forward.walkthrough.stop import Stop, first, likewise, stop


def who(row: Row) -> Stop:
    """M, and the query of the token, as wide as its row."""
    words = f"W_Q times W_K, turned over, is one matrix, M. The row of {row.token}, times M, is a wide query."
    text = [row.origin("M", 0, 0), row.origin("queries", row.query, 0)]
    return stop("X·M", words, "; ".join(text), row.row_of("queries"), [*row.row_of("X", row.query), *row.all_of("M")])


def matches(row: Row) -> Stop:
    """The query, times every row."""
    words = f"The query of {row.token} meets the row of {row.key_tokens[row.key]}: no key is needed"
    words += likewise("products of the row", len(row.key_tokens)) + "."
    made: Address = row.matrix("matches").key, row.query, row.key
    text, sources = row.origin("matches", row.query, row.key), [*row.row_of("queries"), *row.all_of(row.others)]
    return stop("X·M·Xᵀ", words, text, first(made, row.row_of("matches")), sources)


def wide_value(row: Row) -> Stop:
    """What is carried from the token that gets the largest weight."""
    words = f"W_V times this head's rows of W_O is one matrix, too. The row of {row.key_tokens[row.key]}, times it, "
    words += "is a value as wide as the result."
    text = [row.origin("carried", 0, 0), row.origin("values", row.key, 0)]
    sources = [*row.row_of(row.others, row.key), *row.all_of("carried")]
    return stop("X·W_V·W_O", words, "; ".join(text), row.row_of("values", row.key), sources)


def part(row: Row) -> Stop:
    """What the head adds."""
    words = f"The values, mixed with these weights, are what this head adds to {row.token}."
    sources = [*row.row_of("weights"), *row.all_of("values")]
    return stop("part", words, row.origin("part", row.query, 0), row.row_of("part"), sources)


def total(row: Row) -> Stop:
    """What all heads add."""
    words = f"What all heads add to {row.token}, added up, is the result: each head adds without seeing the others."
    if row.state.num_heads == 1:
        words = f"There is one head, so what it adds to {row.token} is the result."
    parts = [each.key for each in row.path.values() if each.name == "part"]
    sources = [(key, row.query, i) for key in parts for i in range(row.state.d_model)]
    return stop("sum of the heads", words, row.origin("total", row.query, 0), row.row_of("total"), sources)

"""The stops on the way from the weights to the output of a row, and to the result of all heads."""

from mha_course.engine.notation.arithmetic import arithmetic
from mha_course.engine.notation.labels import Address, label
from mha_course.engine.notation.traced_number import Traced
from mha_course.forward.walkthrough.row import Row
from mha_course.forward.walkthrough.stop import Stop, added, likewise, products_of, stop


def contributions(row: Row) -> Stop:
    """What each key adds to the first column of the output."""
    words = f"Each value is multiplied by the weight of its key: that is what it adds to {row.token}."
    text = "; ".join(arithmetic(number) for number in _terms_of_output(row))
    return stop("contributions", words, text, _contributions(row), [*row.row_of("weights"), *row.all_of("V")])


def sum_of_contributions(row: Row) -> Stop:
    """The output as their sum."""
    words = f"The contributions in column 1, added up, are the first number of the output of {row.token}"
    words += likewise("columns", row.state.d_v) + "."
    text = row.of_head("output", [row.equation("output", row.query, 0, added(_terms_of_output(row)))])
    sources = _contributions(row) or [*row.row_of("weights"), *row.all_of("V")]
    return stop("mix", words, text, row.row_of("output"), sources)


def mix(row: Row) -> Stop:
    """The output in one."""
    whose = f"the output of {row.token}" + (f" in head {row.head + 1}" if row.state.num_heads > 1 else "")
    words = f"The values, mixed with these weights, are {whose}: weight times value, added up, column by column."
    entries = [*row.row_of("output"), *_contributions(row)]
    sources = [*row.row_of("weights"), *row.all_of("V")]
    return stop("mix", words, row.origin("output", row.query, 0), entries, sources)


def _contributions(row: Row) -> list[Address]:
    """List the contributions to the query, if it is theirs that are shown."""
    is_shown = "contributions" in row.names and row.matrix("contributions").query == row.query
    return row.all_of("contributions") if is_shown else []


def _terms_of_output(row: Row) -> list[Traced]:
    around = row.around("output")
    return products_of(around.row("weights", row.query), around.column("V", 0))


def other_heads(row: Row) -> Stop | None:
    """The outputs of the other heads."""
    others = [i for i in range(row.state.num_heads) if i != row.head]
    if not others:
        return None
    rows = [Row(row.state, row.path, row.query, head, row.key, row.names) for head in others]
    words = f"Every other head mixes values with weights of its own: it may look elsewhere for {row.token}."
    entries = [each for other in rows for each in other.row_of("output")]
    sources = [each for other in rows for each in (*other.row_of("weights"), *other.all_of("V"))]
    return stop("other heads", words, rows[0].origin("output", row.query, 0), entries, sources)


def concatenation(row: Row) -> Stop | None:
    """The outputs of all heads, side by side."""
    if row.state.num_heads == 1:
        return None
    words = f"The outputs of all heads for {row.token} stand side by side in one long row, head 1 first."
    places = [head * row.state.d_v for head in range(row.state.num_heads)]
    text = [f"{label('concatenation', row.query, i)} = {row.shown('concatenation', row.query, i)}" for i in places]
    sources = [(f"output/{i + 1}", row.query, j) for i in range(row.state.num_heads) for j in range(row.state.d_v)]
    return stop("concatenate", words, "; ".join(text), row.row_of("concatenation"), sources)


def result(row: Row) -> Stop:
    """The result in one."""
    words = f"{_long_row(row)}, times the columns of W_O, is the result for {row.token}: as wide as its row in X."
    sources = [*row.row_of("concatenation" if row.state.num_heads > 1 else "output"), *row.all_of("W_O")]
    return stop("W_O", words, row.origin("result", row.query, 0), row.row_of("result"), sources)


def _long_row(row: Row) -> str:
    return "The long row" if row.state.num_heads > 1 else "The output"

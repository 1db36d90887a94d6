"""The stops on a row's way: each says in a sentence and in numbers what is done there, or is not made at all."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mha_course.notation.arithmetic import MOST_TERMS, arithmetic
from mha_course.notation.digits import with_digits
from mha_course.notation.labels import label
from mha_course.notation.traced import Traced, total
from mha_course.pipeline.origin import Source
from mha_course.pipeline.row import DIGITS, Row
from mha_course.pipeline.scales import LABELS

LIKEWISE = "; the other {} are made in the same way"


@dataclass(frozen=True)
class Stop:
    """One thing that is done on the way.

    entries: (key, row, column) of what it makes, or of what the stops after it make of it; the one whose
    arithmetic is shown comes first. sources: of what it is made from.
    """

    title: str
    words: str
    arithmetic: str
    entries: tuple[Source, ...]
    sources: tuple[Source, ...] = ()


def _stop(title: str, words: str, text: str, entries: Iterable[Source], sources: Iterable[Source]) -> Stop:
    return Stop(title, words, text, tuple(entries), tuple(dict.fromkeys(sources)))


def _first(entry: Source, entries: Sequence[Source]) -> list[Source]:
    return [entry, *(each for each in entries if each != entry)]


def _likewise(what: str, count: int) -> str:
    return LIKEWISE.format(what) if count > 1 else ""


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


# From positions to X


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
    return _encoding(row, "sine", words + _likewise("odd columns", (row.state.d_model + 1) // 2) + ".", number, [0])


def cosine(row: Row) -> Stop | None:
    """The second column of the encoding, and with it every second."""
    if row.state.d_model == 1:
        return None
    number = row.equation("positional encoding", row.query, 1, _angle(row).cos())
    words = "The cosine of the same angle is column 2"
    return _encoding(row, "cosine", words + _likewise("even columns", row.state.d_model // 2) + ".", number, [1])


def embedding_and_encoding(row: Row) -> Stop:
    """X where it is a sum."""
    words = f"The embedding says what {row.token} is, the encoding where it stands: X is their sum, column by column."
    sources = [*row.row_of("embeddings"), *row.row_of("positional encoding")]
    return _stop("embedding + encoding", words, row.origin("X", row.query, 0), row.row_of("X"), sources)


def _wave(row: Row) -> tuple[Traced, Traced]:
    around = row.around("positional encoding")
    return around.entry("positions", row.query, 0), around.entry("wavelengths", 0, 0)


def _angle(row: Row) -> Traced:
    position, length = _wave(row)
    return Traced(2 * math.pi, symbol="2π") * position / length


def _encoding(row: Row, title: str, words: str, text: str, columns: Sequence[int]) -> Stop:
    entries = [each for each in row.row_of("positional encoding") if each[2] % 2 in columns]
    sources = [("positions", row.query, 0), *row.row_of("wavelengths", 0)]
    return _stop(title, words, text, entries, sources)


# Queries, keys and values


def projections(row: Row) -> Stop:
    """Query, keys and values in one."""
    words = (
        f"The row of {row.token} in X, times W_Q, is its query; every row of {row.others}, times W_K and W_V, "
        "is a key and a value."
    )
    text = [row.origin("Q", row.query, 0), row.origin("K", row.key, 0), row.origin("V", row.key, 0)]
    sources = [*row.row_of("X"), *row.all_of(row.others)]
    sources += [each for name in ("W_Q", "W_K", "W_V") for each in row.columns_of(name)]
    entries = [*row.row_of("Q"), *row.all_of("K"), *row.all_of("V")]
    return _stop("query, keys, values", words, "; ".join(text), entries, sources)


def query(row: Row) -> Stop:
    """The query in one."""
    words = f"The row of {row.token} in X, times the columns of W_Q, is its query: what {row.token} looks for."
    sources = [*row.row_of("X"), *row.columns_of("W_Q")]
    return _stop("query", words, row.origin("Q", row.query, 0), row.row_of("Q"), sources)


def keys(row: Row) -> Stop:
    """All keys in one."""
    words = f"Every row of {row.others}, times the columns of W_K, is a key: what a token can be found by."
    return _of_all_tokens(row, "keys", words, "K")


def _of_all_tokens(row: Row, title: str, words: str, name: str) -> Stop:
    entries = _first((row.step(name).key, row.key, 0), row.all_of(name))
    sources = [*row.all_of(row.others), *row.columns_of(f"W_{name}")]
    return _stop(title, words, row.origin(name, row.key, 0), entries, sources)


def query_products(row: Row) -> Stop:
    """The products in the first entry of the query."""
    column, entry = row.columns_of("W_Q")[0][2], row.row_of("Q")[0]
    words = f"The row of {row.token} in X meets column {column + 1} of W_Q: number by number they are multiplied."
    sources = [*row.row_of("X"), *row.column_of("W_Q", column)]
    return _stop("products", words, _written(_terms_of_query(row)), [entry], sources)


def query_sum(row: Row) -> Stop:
    """The first entry of the query, and with it the others."""
    terms = _terms_of_query(row)
    title, subject = _subject(terms)
    words = f"{subject} is the first number of the query of {row.token}"
    words += _likewise("numbers", row.state.d_k) + "."
    text = row.of_head("Q", [row.equation("Q", row.query, 0, _sum(terms))])
    return _stop(title, words, text, row.row_of("Q"), [*row.row_of("X"), *row.columns_of("W_Q")])


def own_key(row: Row) -> Stop:
    """The key of one token."""
    return _own(row, "key", "K", "what the token can be found by")


def own_value(row: Row) -> Stop:
    """The value of one token."""
    return _own(row, "value", "V", "what the token has to give")


def _own(row: Row, title: str, name: str, meaning: str) -> Stop:
    """The key or value of the same token, or where queries come from elsewhere, of one of the context."""
    own = row.key if row.others == "context" else row.query
    whose = f"The row of {row.key_tokens[own]} in the context" if row.others == "context" else "The same row"
    words = f"{whose}, times the columns of W_{name}, is the {title} of {row.key_tokens[own]}: {meaning}."
    sources = [*row.row_of(row.others, own), *row.columns_of(f"W_{name}")]
    return _stop(title, words, row.origin(name, own, 0), row.row_of(name, own), sources)


def _terms_of_query(row: Row) -> list[Traced]:
    column = row.columns_of("W_Q")[0][2]
    around = row.around("Q")
    return _products(around.row("X", row.query), around.column("W_Q", column))


# Scores


def products(row: Row) -> Stop:
    """The products in one score."""
    words = f"The query of {row.token} meets the key of {row.key_tokens[row.key]}: "
    words += "number by number they are multiplied."
    sources = [*row.row_of("Q"), *row.row_of("K", row.key)]
    return _stop("products", words, _written(_terms_of_score(row)), [_score(row)], sources)


def sum_of_products(row: Row) -> Stop | None:
    """Their sum: the score if nothing scales it."""
    terms = _terms_of_score(row)
    if len(terms) == 1 and row.state.divisor != 1:
        return None
    title, subject = _subject(terms)
    words = f"{subject} says how well the two match: the better, the larger it is"
    if row.state.divisor != 1:
        sources = [*row.row_of("Q"), *row.row_of("K", row.key)]
        return _stop(title, words + ".", f"sum = {arithmetic(_sum(terms))}", [_score(row)], sources)
    words += _likewise("scores of the row", len(row.key_tokens)) + "."
    text = row.of_head("scores", [row.equation("scores", row.query, row.key, _sum(terms))])
    return _stop(title, words, text, _scores(row), [*row.row_of("Q"), *row.all_of("K")])


def scale(row: Row) -> Stop | None:
    """The sum, divided."""
    if row.state.divisor == 1:
        return None
    root = row.state.squared_scale
    divisor = Traced(float(root)).sqrt() if root else Traced(row.state.divisor)
    number = Traced(float(_sum(_terms_of_score(row)))) / divisor
    subject = "The sum" if row.state.d_k > 1 else "The product"
    words = f"{subject} is divided by the scale, {with_digits(row.state.divisor, DIGITS)}"
    if root is not None:
        words = f"{subject} is divided by {LABELS[str(row.state.scale)]}, because wider rows make larger sums"
    words += _likewise("scores of the row", len(row.key_tokens)) + "."
    text = row.of_head("scores", [row.equation("scores", row.query, row.key, number)])
    return _stop("scale", words, text, _scores(row), [*row.row_of("Q"), *row.all_of("K")])


def _score(row: Row) -> Source:
    return row.step("scores").key, row.query, row.key


def _scores(row: Row) -> list[Source]:
    return _first(_score(row), row.row_of("scores"))


def _terms_of_score(row: Row) -> list[Traced]:
    around = row.around("scores")
    return _products(around.row("Q", row.query), around.row("K", row.key))


# Weights


def mask(row: Row) -> Stop | None:
    """What the mask hides from the query."""
    hidden = [i for i in range(len(row.key_tokens)) if i not in row.seen]
    if not hidden:
        return None
    tokens = _listed([row.key_tokens[i] for i in hidden])
    words = f"The mask hides {tokens} from {row.token}: {_these('score', hidden)} count{_s(hidden)} as −∞."
    if not row.seen:
        words = f"The mask hides every key from {row.token}: {_these('score', hidden)} count{_s(hidden)} as −∞."
    text = row.of_head("scores", [f"{label('scores', row.query, i)} → −∞" for i in hidden])
    entries, sources = ([row.row_of(name)[i] for i in hidden] for name in ("weights", "scores"))
    return _stop("mask", words, text, entries, sources)


def _these(what: str, those: Sequence[int]) -> str:
    return f"this {what}" if len(those) == 1 else f"these {what}s"


def _s(those: Sequence[int]) -> str:
    return "s" if len(those) == 1 else ""


def exponents(row: Row) -> Stop | None:
    """What is done to the scores before e is raised to their power."""
    found, is_shifted = row.powers()
    is_divided = row.state.temperature != 1
    if not found or not (is_shifted or is_divided):
        return None
    title, words = EXPONENTS[is_shifted, is_divided]
    text = "; ".join(arithmetic(power.parts[0]) for power in found.values())
    return _stop(title, words, text, _seen_weights(row), _seen_scores(row))


EXPONENTS = {
    (True, False): (
        "largest score",
        "The largest score is subtracted from all, so that the powers of e stay small; this changes no share.",
    ),
    (False, True): (
        "temperature",
        "Each score is divided by the temperature: above 1 it evens out the shares, below 1 it sharpens them.",
    ),
    (True, True): (
        "largest, temperature",
        "The largest score is subtracted from all, which changes no share, and the temperature divides what is left.",
    ),
}


def powers_of_e(row: Row) -> Stop:
    """E to the power of each."""
    found, is_prepared = row.powers()
    is_prepared |= row.state.temperature != 1
    text = [arithmetic(Traced(float(power.parts[0])).exp(), significant=DIGITS) for power in found.values()]
    words = f"e to the power of each {'of them' if is_prepared else 'score'} is a positive number, "
    words += "and grows fast: 1 more makes it 2.718 times as large."
    if not found:
        text, words = ["e^(−∞) = 0"], "e to the power of −∞ is 0: no key counts."
    entries = _seen_weights(row) or row.row_of("weights")
    return _stop("e to the power", words, "; ".join(text), entries, _seen_scores(row) or row.row_of("scores"))


def sum_of_powers(row: Row) -> Stop:
    """Their sum."""
    words = "All powers of the row are added up: that is the whole, of which each is a share."
    entries = _seen_weights(row) or row.row_of("weights")
    return _stop("sum of the row", words, _sum_of_powers(row), entries, _seen_scores(row) or row.row_of("scores"))


def shares(row: Row) -> Stop:
    """Each, divided by the sum."""
    words = f"Each power, divided by the sum of the row, is a share of the attention of {row.token}."
    words += " Masked keys get 0." if 0 < len(row.seen) < len(row.key_tokens) else ""
    words = words if row.seen else "A sum of 0 leaves nothing to share: all weights of the row are 0."
    return _shares(row, words, _equations_of_shares(row))


def sum_and_shares(row: Row) -> Stop:
    """Their sum, and each divided by it."""
    made = shares(row)
    return _shares(row, made.words, [_sum_of_powers(row), *_equations_of_shares(row)])


def _shares(row: Row, words: str, equations: Iterable[str]) -> Stop:
    sources = _seen_scores(row) or row.row_of("scores")
    return _stop("share", words, row.of_head("weights", equations), row.row_of("weights"), sources)


def _sum_of_powers(row: Row) -> str:
    found, _ = row.powers()
    numbers = [Traced(float(power)) for power in found.values()]
    return f"sum = {arithmetic(total(numbers), significant=DIGITS)}" if numbers else "sum = 0"


def _equations_of_shares(row: Row) -> list[str]:
    found, _ = row.powers()
    whole = Traced(float(total(found.values())))
    numbers = {i: Traced(float(found[i])) / whole if i in found else Traced(0.0) for i in range(len(row.key_tokens))}
    return [row.equation("weights", row.query, i, number) for i, number in numbers.items()]


def _seen_weights(row: Row) -> list[Source]:
    return [row.row_of("weights")[i] for i in row.seen]


def _seen_scores(row: Row) -> list[Source]:
    return [row.row_of("scores")[i] for i in row.seen]


# Outputs


def contributions(row: Row) -> Stop:
    """What each key adds to the first column of the output."""
    words = f"Each value is multiplied by the share that its key gets: that is what it adds to {row.token}."
    text = "; ".join(arithmetic(number) for number in _terms_of_output(row))
    return _stop("contributions", words, text, _contributions(row), [*row.row_of("weights"), *row.all_of("V")])


def sum_of_contributions(row: Row) -> Stop:
    """The output as their sum."""
    words = f"Their sum in column 1 is the first number of the output of {row.token}, a mix of the values"
    words += _likewise("columns", row.state.d_v) + "."
    text = row.of_head("output", [row.equation("output", row.query, 0, _sum(_terms_of_output(row)))])
    sources = _contributions(row) or [*row.row_of("weights"), *row.all_of("V")]
    return _stop("mix", words, text, row.row_of("output"), sources)


def mix(row: Row) -> Stop:
    """The output in one."""
    whose = f"the output of {row.token}" + (f" in head {row.head + 1}" if row.state.num_heads > 1 else "")
    words = f"The values, mixed in these shares, are {whose}: share times value, added up, column by column."
    entries = [*row.row_of("output"), *_contributions(row)]
    sources = [*row.row_of("weights"), *row.all_of("V")]
    return _stop("mix", words, row.origin("output", row.query, 0), entries, sources)


def _contributions(row: Row) -> list[Source]:
    """List the contributions to the query, if it is theirs that are shown."""
    is_shown = "contributions" in row.names and row.step("contributions").query == row.query
    return row.all_of("contributions") if is_shown else []


def _terms_of_output(row: Row) -> list[Traced]:
    around = row.around("output")
    return _products(around.row("weights", row.query), around.column("V", 0))


# All heads together


def other_heads(row: Row) -> Stop | None:
    """The outputs of the other heads."""
    others = [i for i in range(row.state.num_heads) if i != row.head]
    if not others:
        return None
    rows = [Row(row.state, row.path, row.query, head, row.key, row.names) for head in others]
    words = f"Every other head mixes its own values in its own shares: it may look elsewhere for {row.token}."
    entries = [each for other in rows for each in other.row_of("output")]
    sources = [each for other in rows for each in (*other.row_of("weights"), *other.all_of("V"))]
    return _stop("other heads", words, rows[0].origin("output", row.query, 0), entries, sources)


def concatenation(row: Row) -> Stop | None:
    """The outputs of all heads, side by side."""
    if row.state.num_heads == 1:
        return None
    words = f"The outputs of all heads for {row.token} stand side by side in one long row, head 1 first."
    places = [head * row.state.d_v for head in range(row.state.num_heads)]
    text = [f"{label('concatenation', row.query, i)} = {row.shown('concatenation', row.query, i)}" for i in places]
    sources = [(f"output/{i + 1}", row.query, j) for i in range(row.state.num_heads) for j in range(row.state.d_v)]
    return _stop("concatenate", words, "; ".join(text), row.row_of("concatenation"), sources)


def result(row: Row) -> Stop:
    """The result in one."""
    words = f"{_long_row(row)}, times the columns of W_O, is the result for {row.token}: as wide as its row in X."
    sources = [*row.row_of("concatenation" if row.state.num_heads > 1 else "output"), *row.all_of("W_O")]
    return _stop("W_O", words, row.origin("result", row.query, 0), row.row_of("result"), sources)


def _long_row(row: Row) -> str:
    return "The long row" if row.state.num_heads > 1 else "The output"


# Products and their sum


def _products(left: Sequence[Traced], right: Sequence[Traced]) -> list[Traced]:
    return [a * b for a, b in zip(left, right, strict=True)]


def _written(terms: Sequence[Traced]) -> str:
    """Write every product; of too many the first."""
    shown = terms if len(terms) <= MOST_TERMS else terms[: MOST_TERMS - 1]
    more = [f"and {len(terms) - len(shown)} more"] if len(shown) < len(terms) else []
    return "; ".join([*(arithmetic(term) for term in shown), *more])


def _sum(terms: Sequence[Traced]) -> Traced:
    """Add up products that have been multiplied already; of one there is nothing to add."""
    return total(Traced(float(term)) for term in terms) if len(terms) > 1 else terms[0]


def _subject(terms: Sequence[Traced]) -> tuple[str, str]:
    """Say what the terms come to: as a title, and to begin a sentence with."""
    return ("sum", "The sum of the products") if len(terms) > 1 else ("one product", "The product")

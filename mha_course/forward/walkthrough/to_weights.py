"""The stops on the way to the scores of a row, and from them to its weights."""

from collections.abc import Iterable, Sequence

from mha_course.engine.notation.arithmetic import arithmetic
from mha_course.engine.notation.digits import with_digits
from mha_course.engine.notation.labels import Address, label
from mha_course.engine.notation.traced_number import Traced, total
from mha_course.forward.scales import LABELS
from mha_course.forward.walkthrough.row import DIGITS, Row
from mha_course.forward.walkthrough.stop import Stop, added, first, likewise, products_of, stop, subject, written


def products(row: Row) -> Stop:
    """The products in one score."""
    words = f"The query of {row.token} meets the key of {row.key_tokens[row.key]}: "
    words += "number by number they are multiplied."
    sources = [*row.row_of("Q"), *row.row_of("K", row.key)]
    return stop("products", words, written(_terms_of_score(row)), [_score(row)], sources)


def sum_of_products(row: Row) -> Stop | None:
    """Their sum: the score if nothing scales it."""
    terms = _terms_of_score(row)
    if len(terms) == 1 and row.state.divisor != 1:
        return None
    title, whole = subject(terms)
    words = f"{whole} says how well the two match: the better, the larger it is"
    if row.state.divisor != 1:
        sources = [*row.row_of("Q"), *row.row_of("K", row.key)]
        return stop(title, words + ".", f"sum = {arithmetic(added(terms))}", [_score(row)], sources)
    words += likewise("scores of the row", len(row.key_tokens)) + "."
    text = row.of_head("scores", [row.equation("scores", row.query, row.key, added(terms))])
    return stop(title, words, text, _scores(row), [*row.row_of("Q"), *row.all_of("K")])


def scale(row: Row) -> Stop | None:
    """The sum, divided."""
    if row.state.divisor == 1:
        return None
    root = row.state.squared_scale
    divisor = Traced(float(root)).sqrt() if root else Traced(row.state.divisor)
    number = Traced(float(added(_terms_of_score(row)))) / divisor
    whole = "The sum" if row.state.d_k > 1 else "The product"
    words = f"{whole} is divided by the scale, {with_digits(row.state.divisor, DIGITS)}"
    if root is not None:
        words = f"{whole} is divided by {LABELS[str(row.state.scale)]}, because wider rows make larger sums"
    words += likewise("scores of the row", len(row.key_tokens)) + "."
    text = row.of_head("scores", [row.equation("scores", row.query, row.key, number)])
    return stop("scale", words, text, _scores(row), [*row.row_of("Q"), *row.all_of("K")])


def _score(row: Row) -> Address:
    return row.matrix("scores").key, row.query, row.key


def _scores(row: Row) -> list[Address]:
    return first(_score(row), row.row_of("scores"))


def _terms_of_score(row: Row) -> list[Traced]:
    around = row.around("scores")
    return products_of(around.row("Q", row.query), around.row("K", row.key))


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


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
    return stop("mask", words, text, entries, sources)


def _these(what: str, those: Sequence[int]) -> str:
    return f"this {what}" if len(those) == 1 else f"these {what}s"


def _s(those: Sequence[int]) -> str:
    return "s" if len(those) == 1 else ""


def exponents(row: Row) -> Stop | None:
    """What is done to the scores before their exponentials are taken."""
    found, is_shifted = row.exponentials()
    is_divided = row.state.temperature != 1
    if not found or not (is_shifted or is_divided):
        return None
    title, words = EXPONENTS[is_shifted, is_divided]
    text = "; ".join(arithmetic(power.parts[0]) for power in found.values())
    return stop(title, words, text, _seen_weights(row), _seen_scores(row))


EXPONENTS = {
    (True, False): (
        "largest score",
        "The largest score is subtracted from all, so that the exponentials stay small; this changes no weight.",
    ),
    (False, True): (
        "temperature",
        "Each score is divided by the temperature: above 1 it evens out the weights, below 1 it sharpens them.",
    ),
    (True, True): (
        "largest, temperature",
        "The largest score is subtracted from all, which changes no weight, and the temperature divides what is left.",
    ),
}


def exponentials(row: Row) -> Stop:
    """E to the power of each."""
    found, is_prepared = row.exponentials()
    is_prepared |= row.state.temperature != 1
    text = [arithmetic(Traced(float(power.parts[0])).exp(), significant=DIGITS) for power in found.values()]
    words = f"The exponential of each {'of them' if is_prepared else 'score'}, e to that power, is positive, "
    words += "and grows fast: 1 more makes it 2.718 times as large."
    if not found:
        text, words = ["e^(−∞) = 0"], "e to the power of −∞ is 0: no key counts."
    entries = _seen_weights(row) or row.row_of("weights")
    return stop("exponentials", words, "; ".join(text), entries, _seen_scores(row) or row.row_of("scores"))


def sum_of_exponentials(row: Row) -> Stop:
    """Their sum."""
    words = "All exponentials of the row are added up: by this sum each of them is divided."
    entries = _seen_weights(row) or row.row_of("weights")
    return stop("sum of the row", words, _sum_of_exponentials(row), entries, _seen_scores(row) or row.row_of("scores"))


def weights(row: Row) -> Stop:
    """Each, divided by the sum."""
    words = f"Each exponential, divided by the sum of the row, is an attention weight of {row.token}."
    words += " Masked keys get 0." if 0 < len(row.seen) < len(row.key_tokens) else ""
    words = words if row.seen else "The sum is 0, so all weights of the row are set to 0."
    return _weights(row, words, _equations_of_weights(row))


def sum_and_weights(row: Row) -> Stop:
    """Their sum, and each divided by it."""
    made = weights(row)
    return _weights(row, made.words, [_sum_of_exponentials(row), *_equations_of_weights(row)])


def _weights(row: Row, words: str, equations: Iterable[str]) -> Stop:
    sources = _seen_scores(row) or row.row_of("scores")
    return stop("weights", words, row.of_head("weights", equations), row.row_of("weights"), sources)


def _sum_of_exponentials(row: Row) -> str:
    found, _ = row.exponentials()
    numbers = [Traced(float(power)) for power in found.values()]
    return f"sum = {arithmetic(total(numbers), significant=DIGITS)}" if numbers else "sum = 0"


def _equations_of_weights(row: Row) -> list[str]:
    found, _ = row.exponentials()
    whole = Traced(float(total(found.values())))
    numbers = {i: Traced(float(found[i])) / whole if i in found else Traced(0.0) for i in range(len(row.key_tokens))}
    return [row.equation("weights", row.query, i, number) for i, number in numbers.items()]


def _seen_weights(row: Row) -> list[Address]:
    return [row.row_of("weights")[i] for i in row.seen]


def _seen_scores(row: Row) -> list[Address]:
    return [row.row_of("scores")[i] for i in row.seen]

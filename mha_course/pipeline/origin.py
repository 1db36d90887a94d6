"""Where did this number come from? Answered with the entries it was made from and the arithmetic."""

import math
from dataclasses import dataclass, replace

from mha_course.notation.digits import is_whole, with_digits, written
from mha_course.notation.labels import label
from mha_course.pipeline.mask_choices import may_attend

MOST_TERMS = 8  # written out of a longer sum
LARGEST_EXPONENT = 20  # beyond it, the powers of e are written as softmax computes them


@dataclass(frozen=True)
class Origin:
    """Where one entry came from: in words, as arithmetic, and as the entries that went in.

    sources: (key, row, column) of every entry it was made from, counted from 0.

    >>> Origin("A query times a key.", "2·3 = 6", ()).arithmetic
    '2·3 = 6'
    """

    words: str
    arithmetic: str
    sources: tuple


def origin(state, path, key, row, column):
    """Say where the entry (row, column) of the matrix `key` came from.

    path: what `steps(state)` returned. row and column count from 0; the text counts from 1.
    For a computed entry, evaluating what stands between two equal signs gives the number on the screen.
    Errors: `ValueError` if there is no such entry.

    >>> from mha_course.pipeline.presets import preset
    >>> from mha_course.pipeline.steps import steps
    >>> state = preset("the article")
    >>> print(origin(state, steps(state), "scores/1", 1, 2).arithmetic)
    scores[2,3] = (2·2 + 2·3 + 2·1) / √3 = 12 / 1.73205 = 6.9282
    """
    if key not in path or not (0 <= row < path[key].values.shape[0] and 0 <= column < path[key].values.shape[1]):
        raise ValueError(f"there is no entry {label('', row, column)} of {key!r}.")
    step = path[key]
    head = "" if step.head is None or state.num_heads == 1 else f"head {step.head + 1}: "
    place = head + label(step.name, row, column)
    value = float(step.values[row, column])
    if step.editable:
        return Origin("An input: change it, and see what follows.", f"{place} = {with_digits(value, 10)}", ())
    words, build, sources = _MADE[step.name](state, path, step, row, column)
    return Origin(words, f"{place} = {_fewest_digits(build, value, is_whole(step.values))}", tuple(sources))


def _fewest_digits(build, value, whole):
    """Write the arithmetic with as few digits as give the number on the screen."""
    shown = written(value, whole)
    for digits in range(4, 18):
        parts = build(digits)
        if all(written(result, whole and result == round(result)) == shown for _, result in parts):
            break
    return " = ".join([*dict.fromkeys(text for text, _ in parts if text != shown), shown])


def _rounded(value, digits):
    return float(with_digits(value, digits))


def _factor(value, digits):
    text = with_digits(value, digits)
    return f"({text})" if text.startswith("-") else text


def _sum_of_products(pairs, digits):
    """Write Σ a·b and evaluate it as written; the middle of a long sum becomes one number."""
    first = pairs if len(pairs) <= MOST_TERMS else pairs[: MOST_TERMS - 1]
    terms = [f"{_factor(a, digits)}·{_factor(b, digits)}" for a, b in first]
    total = math.fsum(_rounded(a, digits) * _rounded(b, digits) for a, b in first)
    if len(first) < len(pairs):
        rest = math.fsum(a * b for a, b in pairs[len(first) :])
        terms.append(f"{_factor(rest, digits)} [the other {len(pairs) - len(first)}]")
        total += _rounded(rest, digits)
    return " + ".join(terms), total


def _row_by_column(state, path, left, row, right, column):
    """Build row · column of a matrix product, with the entries that went in."""
    a, b = path[left].values[row], path[right].values[:, column]
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    sources = [(left, row, i) for i in range(len(a))] + [(right, i, column) for i in range(len(b))]
    return (lambda digits: [_sum_of_products(pairs, digits)]), sources


def _beside(step, name):
    """Return the key of another matrix of the same head."""
    return replace(step, name=name).key


def _of(path, key, row):
    labels = path[key].rows
    return f"row {row + 1}" if labels is None else str(labels[row])


def _projection(state, path, step, row, column):
    left = "context" if step.name in "KV" and "context" in path else "X"
    wide_column = step.head * step.values.shape[1] + column
    build, sources = _row_by_column(state, path, left, row, f"W_{step.name}", wide_column)
    words = f"Row {_of(path, left, row)} of {left}, times column {wide_column + 1} of W_{step.name}."
    return words, build, sources


def _score(state, path, step, row, column):
    queries, keys = _beside(step, "Q"), _beside(step, "K")
    q, k = path[queries].values[row], path[keys].values[column]
    pairs = list(zip(q.tolist(), k.tolist(), strict=True))
    divisor, root = state.divisor, state.squared_scale

    def build(digits):
        products, total = _sum_of_products(pairs, digits)
        if divisor == 1:
            return [(products, total)]
        exact = f"√{root}" if root else with_digits(divisor, digits)
        below = divisor if root else _rounded(divisor, digits)
        second = _rounded(total, digits) / _rounded(divisor, digits)
        return [
            (f"({products}) / {exact}", total / below),
            (f"{with_digits(total, digits)} / {with_digits(divisor, digits)}", second),
        ]

    words = f"How well the query of {_of(path, queries, row)} matches the key of {_of(path, keys, column)}."
    sources = [(queries, row, i) for i in range(len(q))] + [(keys, column, i) for i in range(len(k))]
    return words, build, sources


def _weight(state, path, step, row, column):
    key = _beside(step, "scores")
    allowed = may_attend(step.mask, step.values.shape)
    seen = [i for i in range(step.values.shape[1]) if allowed is None or allowed[row, i]]
    sources = [(key, row, i) for i in seen]
    query, token, T = _of(path, key, row), step.columns[column], state.temperature
    if not seen:
        return f"Masked: {query} may not attend to any key, so all its shares are 0.", lambda digits: [], sources
    scores = [float(path[key].values[row, i]) for i in seen]
    largest = max(scores) if max(abs(s) for s in scores) / T > LARGEST_EXPONENT else 0.0

    def build(digits):
        def power(score):
            exponent = (_rounded(score, digits) - _rounded(largest, digits)) / _rounded(T, digits)
            inside = (
                f"{with_digits(score, digits)} - {_factor(largest, digits)}" if largest else with_digits(score, digits)
            )
            if T != 1:
                inside = f"({inside}) / {with_digits(T, digits)}" if largest else f"{inside} / {with_digits(T, digits)}"
            is_plain = T == 1 and not largest and score >= 0
            return f"e^{inside}" if is_plain else f"e^({inside})", math.exp(exponent)

        texts, powers = zip(*map(power, scores), strict=True)
        text, own = (texts[seen.index(column)], powers[seen.index(column)]) if column in seen else ("0", 0.0)
        first = (f"{text} / ({' + '.join(texts)})", own / math.fsum(powers))
        above, below = _rounded(own, digits), math.fsum(_rounded(p, digits) for p in powers)
        numbers = " + ".join(with_digits(p, digits) for p in powers)
        return [first, (f"{with_digits(own, digits)} / ({numbers})", above / below)]

    words = f"The share of its attention that {query} gives to {token}."
    if column not in seen:
        words = f"Masked: {query} may not attend to {token}. Its score counts as −∞, and e^(−∞) is 0."
    elif len(seen) < step.values.shape[1]:
        words += " Masked keys take no part."
    if largest:
        words += " The largest score is subtracted first; that changes no share."
    return words, build, sources


def _contribution(state, path, step, row, column):
    weights, values = _beside(step, "weights"), _beside(step, "V")
    pair = float(path[weights].values[step.query, row]), float(path[values].values[row, column])
    query, token = _of(path, weights, step.query), _of(path, values, row)
    words = f"What {token} adds to {query}: its weight, times its value."
    return words, lambda digits: [_sum_of_products([pair], digits)], [
        (weights, step.query, row), (values, row, column)
    ]  # fmt: skip


def _output(state, path, step, row, column):
    weights, values = _beside(step, "weights"), _beside(step, "V")
    build, sources = _row_by_column(state, path, weights, row, values, column)
    return f"The values of column {column + 1}, mixed in the shares of {_of(path, weights, row)}.", build, sources


def _concatenated(state, path, step, row, column):
    width = path["output/1"].values.shape[1]
    head, own = divmod(column, width)
    words = f"Copied from the output of head {head + 1}, column {own + 1}."
    return words, lambda digits: [], [(f"output/{head + 1}", row, own)]


def _result(state, path, step, row, column):
    build, sources = _row_by_column(state, path, "concatenation", row, "W_O", column)
    words = f"Row {_of(path, 'concatenation', row)} of the concatenation, times column {column + 1} of W_O."
    return words, build, sources


def _wave(state, path, step, row, column):
    position, length = float(path["positions"].values[row, 0]), float(path["wavelengths"].values[0, column // 2])
    name, wave, full_name = ("sin", math.sin, "sine") if column % 2 == 0 else ("cos", math.cos, "cosine")

    def build(digits):
        result = wave(2 * math.pi * _rounded(position, digits) / _rounded(length, digits))
        return [(f"{name}(2π·{_factor(position, digits)} / {with_digits(length, digits)})", result)]

    words = f"Position / wavelength counts the turns; this is their {full_name}."
    return words, build, [("positions", row, 0), ("wavelengths", 0, column // 2)]


def _encoded_input(state, path, step, row, column):
    parts = [float(path[name].values[row, column]) for name in ("embeddings", "positional encoding")]

    def build(digits):
        return [(" + ".join(_factor(p, digits) for p in parts), math.fsum(_rounded(p, digits) for p in parts))]

    words = f"The embedding of {_of(path, 'X', row)}, plus the encoding of its position."
    return words, build, [("embeddings", row, column), ("positional encoding", row, column)]


_MADE = {
    "positional encoding": _wave,
    "X": _encoded_input,
    "Q": _projection,
    "K": _projection,
    "V": _projection,
    "scores": _score,
    "weights": _weight,
    "contributions": _contribution,
    "output": _output,
    "concatenation": _concatenated,
    "result": _result,
}

"""The one writer of arithmetic: how a number was made, with as few digits as make every step true."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, product

from mha_course.engine.notation.digits import with_digits, written
from mha_course.engine.notation.traced_number import Traced, compute, total

LONGEST = 70  # characters of a step; a longer one shows intermediate results instead of their parts
DEEP_ENOUGH = 2  # operations that are always shown, like the products and their sum
MOST_TERMS = 8  # written out of a longer sum
FEWEST_DIGITS, READABLE_DIGITS, MOST_DIGITS = 4, 7, 17
BINDS = {"+": 1, "-": 1, "·": 2, "/": 2, "neg": 3, "^": 4}  # how tightly each sign holds its two sides
ALONE = 5  # so tightly that it never needs brackets
FUNCTIONS = ("e^", "√", "sin", "cos", "log")


@dataclass(frozen=True)
class Piece:
    """A piece of arithmetic: its text, what this text evaluates to, and how tightly its last sign binds."""

    text: str
    value: float
    binds: int = ALONE


def arithmetic(
    number: Traced | float, shown: str | None = None, longest: float = LONGEST, significant: int | None = None
) -> str:
    """Write how a number was made: the operations, the middle step of a quotient or product, the result.

    Evaluating what stands between any two equal signs gives the number at the end. shown: how that is written, if not
    as by itself; a whole number that few digits only come near to has its decimals, 4.0000. longest: characters of a
    step; a longer one shows intermediate results. significant: so many digits are written at least, and will do for
    the number at the end if shown is None.

    >>> print(arithmetic((Traced(2.0) * 3 + 6) / Traced(3.0).sqrt()))
    (2·3 + 6) / √3 = 12 / 1.73205 = 6.9282
    >>> print(arithmetic(Traced(2.0, name="wide[1,2]")))
    wide[1,2] = 2
    >>> print(arithmetic(Traced(9.2376).exp(), significant=5))
    e^9.2376 = 10276
    >>> print(arithmetic(Traced(1 / 3) * 3 + Traced(1 / 3) * 9))
    0.33333·3 + 0.33333·9 = 4.0000
    """
    shown = _shown(float(number), significant) if shown is None else shown
    if not isinstance(number, Traced):
        return shown
    if not number.parts:
        return f"{number.name} = {shown}" if number.name else shown
    least, rounded = significant or FEWEST_DIGITS, written(float(number), whole=False)
    few, many = range(least, READABLE_DIGITS + 1), range(READABLE_DIGITS + 1, MOST_DIGITS + 1)
    for end, digits in (*product([shown, rounded], few), *product([shown], many)):
        depth = _depth_that_fits(number, digits, longest)
        steps = [_write(number, depth, digits), *_middle(number, depth, digits)]
        if all(_says(step.value, end, significant) for step in steps):
            return " = ".join(dict.fromkeys([*(step.text for step in steps), end]))
    return shown


def _shown(value: float, significant: int | None = None) -> str:
    if not math.isfinite(value):
        return str(value)
    return with_digits(value, significant) if significant else written(value, whole=value == round(value))


def _says(value: float, shown: str, significant: int | None) -> bool:
    """Whether a value is written as shown, be it in a table of whole numbers or not."""
    return shown in (_shown(value, significant), _shown(value), written(value, whole=False))


def _depth_that_fits(number: Traced, digits: int, longest: float) -> int:
    text = _write(number, DEEP_ENOUGH, digits).text
    for depth in count(DEEP_ENOUGH + 1):
        deeper = _write(number, depth, digits).text
        if deeper == text or len(deeper) > longest:
            return depth - 1
        text = deeper
    raise AssertionError("a number was made in finitely many steps")


def _middle(number: Traced, depth: int, digits: int) -> list[Piece]:
    """Write each side of a quotient or product as one number, but a sum of exponentials as the sum of their numbers.

    The numbers are those that the first step, as it is written, evaluates to.
    """
    if number.sign not in BINDS or number.sign in ("+", "neg"):
        return []
    sides = [_with_numbers(part, depth - 1, digits) for part in number.parts]
    return [_joined(number.sign, [_write(side, 1, digits) for side in sides])]


def _with_numbers(number: Traced, depth: int, digits: int) -> Traced:
    if _is_sum_of_functions(number):
        return total(Traced(_write(term, depth - 1, digits).value) for term in _terms(number))
    return Traced(_write(number, depth, digits).value)


def _is_sum_of_functions(number: Traced) -> bool:
    return number.sign == "+" and all(term.sign in FUNCTIONS for term in _terms(number))


def _write(number: Traced, depth: int, digits: int) -> Piece:
    """Write a number so many operations deep."""
    if not number.parts or depth == 0:
        return _leaf(number, digits)
    if number.sign == "+":
        return _sum(_terms(number), depth - 1, digits)
    # A share inside a product is a number like any other: how it was made is another story.
    deep = [0 if number.sign == "·" and part.sign == "/" else depth - 1 for part in number.parts]
    return _joined(number.sign, [_write(part, left, digits) for part, left in zip(number.parts, deep, strict=True)])


def _joined(sign: str, parts: Sequence[Piece]) -> Piece:
    """Write what a sign does to its parts."""
    value, first = compute(sign, [part.value for part in parts]), parts[0]
    if sign in ("sin", "cos", "log"):
        return Piece(f"{sign}({first.text})", value)
    if sign in ("e^", "√"):
        is_plain = first.text.replace(".", "").isdigit()
        return Piece(f"{sign}{first.text if is_plain else f'({first.text})'}", value)
    binds = BINDS[sign]
    if sign == "neg":
        return Piece(f"-{_held(first, binds)}", value, binds)
    between = sign if sign in "·^" else f" {sign} "
    return Piece(f"{_held(first, binds)}{between}{_held(parts[1], binds + (sign in '-/'))}", value, binds)


def _terms(number: Traced) -> list[Traced]:
    """List what a sum adds up; a sum is one step for the reader, however many signs it has."""
    terms, waiting = [], [number]
    while waiting:
        part = waiting.pop()
        if part.sign == "+":
            waiting.extend(reversed(part.parts))
        else:
            terms.append(part)
    return terms


def _sum(terms: Sequence[Traced], depth: int, digits: int) -> Piece:
    shown = terms if len(terms) <= MOST_TERMS else terms[: MOST_TERMS - 1]
    steps = [_write(term, depth, digits) for term in shown]
    if len(shown) < len(terms):
        rest = _leaf(Traced(math.fsum(term.value for term in terms[len(shown) :])), digits)
        steps.append(Piece(f"{rest.text} [the other {len(terms) - len(shown)}]", rest.value))
    text = steps[0].text
    for step in steps[1:]:
        text += f" - {step.text[1:]}" if step.text.startswith("-") else f" + {step.text}"
    return Piece(text, compute("+", [step.value for step in steps]), BINDS["+"])


def _held(step: Piece, needed: int) -> str:
    return f"({step.text})" if step.binds < needed or step.text.startswith("-") else step.text


def _leaf(number: Traced, digits: int) -> Piece:
    if number.symbol:
        return Piece(number.symbol, number.value)
    if not math.isfinite(number.value):
        return Piece(str(number.value), number.value)
    text = with_digits(number.value, digits)
    return Piece(text, float(text))

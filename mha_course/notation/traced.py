"""Numbers that remember how they were made, so that any result can show its arithmetic."""

import math
import operator
from dataclasses import dataclass
from itertools import count

import numpy as np

from mha_course.notation.digits import with_digits, written
from mha_course.notation.labels import label

LONGEST = 70  # characters of an arithmetic; a longer one shows intermediate results instead of their parts
DEEP_ENOUGH = 2  # steps that are always shown, like the products and their sum
MOST_TERMS = 7  # written out of a longer sum
FEWEST_DIGITS, MOST_DIGITS = 4, 17
BINDS = {"+": 1, "-": 1, "·": 2, "/": 2, "neg": 3, "^": 4}  # how tightly each sign holds its two sides
COMPUTE = {
    "+": operator.add, "-": operator.sub, "·": operator.mul, "/": operator.truediv, "^": operator.pow,
    "neg": operator.neg, "e^": math.exp, "√": math.sqrt, "sin": math.sin, "cos": math.cos, "log": math.log,
}  # fmt: skip


def traced(array, name):
    """Return the array as numbers that remember: an object array of `Traced`, for NumPy to compute with.

    >>> Q = traced(np.array([[1, 2]]), "Q")
    >>> print(arithmetic((Q @ np.array([[3], [4]]))[0, 0]))
    1·3 + 2·4 = 11
    """
    array = np.asarray(array)
    numbers = np.empty(array.shape, dtype=object)
    for place in np.ndindex(array.shape):
        numbers[place] = Traced(float(array[place]), name=label(name, *place))
    return numbers


def arithmetic(number):
    """Write how a number was made, with as few digits as give the number at the end.

    Evaluating what stands before the last "=" gives what stands after it.

    >>> print(arithmetic((Traced(2.0) * 3 + 1) / math.sqrt(3)))
    (2·3 + 1) / √3 = 4.0415
    >>> print(arithmetic(Traced(2.0, name="wide[1,2]")))
    wide[1,2] = 2
    """
    if not isinstance(number, Traced):
        return _shown(float(number))
    if not number.parts:
        return f"{number.name} = {_shown(number.value)}" if number.name else _shown(number.value)
    shown = _shown(number.value)
    text = next((text for digits in range(FEWEST_DIGITS, MOST_DIGITS) if (text := _fitting(number, digits, shown))), "")
    return f"{text} = {shown}" if text else shown


@dataclass(frozen=True, eq=False)
class Traced:
    """One number and how it was made: a sign of `COMPUTE` and its parts, or an entry of an argument.

    NumPy computes with it in an object array: products, sums, exp, sqrt, sin, cos, max.

    >>> Traced(2.0) + 3
    Traced(value=5.0)
    """

    value: float
    sign: str = ""
    parts: tuple = ()
    name: str = ""

    def __repr__(self):
        return f"Traced(value={self.value})"

    def __float__(self):
        return self.value

    def __deepcopy__(self, memo):
        return self  # it never changes

    def __add__(self, other):
        return self if _is_nothing(other) else _made("+", self, other)

    def __radd__(self, other):
        return self if _is_nothing(other) else _made("+", other, self)

    def __sub__(self, other):
        return _made("-", self, other)

    def __rsub__(self, other):
        return _made("-", other, self)

    def __mul__(self, other):
        return _made("·", self, other)

    def __rmul__(self, other):
        return _made("·", other, self)

    def __truediv__(self, other):
        return _made("/", self, other)

    def __rtruediv__(self, other):
        return _made("/", other, self)

    def __pow__(self, other):
        return _made("^", self, other)

    def __rpow__(self, other):
        return _made("^", other, self)

    def __neg__(self):
        return _made("neg", self)

    def __lt__(self, other):
        return self.value < float(other)

    def __le__(self, other):
        return self.value <= float(other)

    def __gt__(self, other):
        return self.value > float(other)

    def __ge__(self, other):
        return self.value >= float(other)

    def exp(self):  # the names by which NumPy calls them
        """Return e to this power.

        >>> Traced(0.0).exp()
        Traced(value=1.0)
        """
        return _made("e^", self)

    def sqrt(self):
        """Return the square root.

        >>> Traced(4.0).sqrt()
        Traced(value=2.0)
        """
        return _made("√", self)

    def sin(self):
        """Return the sine, in radians.

        >>> Traced(0.0).sin()
        Traced(value=0.0)
        """
        return _made("sin", self)

    def cos(self):
        """Return the cosine, in radians.

        >>> Traced(0.0).cos()
        Traced(value=1.0)
        """
        return _made("cos", self)

    def log(self):
        """Return the natural logarithm.

        >>> Traced(1.0).log()
        Traced(value=0.0)
        """
        return _made("log", self)


def _is_nothing(other):
    """Whether it is the 0 that a sum begins with."""
    return not isinstance(other, Traced) and float(other) == 0


def _made(sign, *parts):
    parts = tuple(part if isinstance(part, Traced) else Traced(float(part)) for part in parts)
    return Traced(_compute(sign, [part.value for part in parts]), sign, parts)


def _compute(sign, values):
    try:
        return COMPUTE[sign](*values)
    except OverflowError:
        return math.inf
    except (ValueError, ZeroDivisionError):  # NumPy's answer, where Python's is an error
        return math.nan if sign != "/" or not values[0] or math.isnan(values[0]) else math.copysign(math.inf, values[0])


def _shown(value):
    return written(value, whole=value == round(value)) if math.isfinite(value) else str(value)


def _fitting(number, digits, shown):
    """Write it as deep as fits in one line, or return nothing if so few digits give another number."""
    text, value, _ = _write(number, DEEP_ENOUGH, digits)
    for depth in count(DEEP_ENOUGH + 1):
        longer, deeper, _ = _write(number, depth, digits)
        if longer == text or len(longer) > LONGEST:
            return text if _shown(value) == shown else ""
        text, value = longer, deeper


def _write(number, depth, digits):
    """Return text, value as written, and how tightly its last sign binds."""
    if not number.parts or depth == 0:
        return _leaf(number.value, digits)
    if number.sign == "+":
        return _write_sum(_terms(number), depth - 1, digits)
    # A share inside a product is a number like any other: how it was made is another story.
    deep = [0 if number.sign == "·" and part.sign == "/" else depth - 1 for part in number.parts]
    below = [_write(part, left, digits) for part, left in zip(number.parts, deep, strict=True)]
    value = _compute(number.sign, [part[1] for part in below])
    binds = BINDS.get(number.sign, 5)
    texts = [part[0] for part in below]
    if number.sign in ("sin", "cos", "log"):
        return f"{number.sign}({texts[0]})", value, binds
    if number.sign in ("e^", "√"):
        is_plain = texts[0].replace(".", "").isdigit()
        return f"{number.sign}{texts[0] if is_plain else f'({texts[0]})'}", value, binds
    if number.sign == "neg":
        return f"-{_held(texts[0], below[0][2], binds)}", value, binds
    left = _held(texts[0], below[0][2], binds)
    right = _held(texts[1], below[1][2], binds + (number.sign in "-/"))
    sign = number.sign if number.sign in "·^" else f" {number.sign} "
    return f"{left}{sign}{right}", value, binds


def _terms(number):
    """List what a sum adds up; a sum is one step for the reader, however many signs it has."""
    return [term for part in number.parts for term in (_terms(part) if part.sign == "+" else [part])]


def _write_sum(terms, depth, digits):
    shown = terms if len(terms) <= MOST_TERMS else terms[: MOST_TERMS - 1]
    written_terms = [_write(term, depth, digits)[:2] for term in shown]
    if len(shown) < len(terms):
        rest, value, _ = _leaf(math.fsum(term.value for term in terms[len(shown) :]), digits)
        written_terms.append((f"{rest} [the other {len(terms) - len(shown)}]", value))
    text = written_terms[0][0]
    for term, _ in written_terms[1:]:
        text += f" - {term[1:]}" if term.startswith("-") else f" + {term}"
    return text, math.fsum(value for _, value in written_terms), BINDS["+"]


def _held(text, binds, needed):
    return f"({text})" if binds < needed or text.startswith("-") else text


def _leaf(value, digits):
    square = value * value
    if 1 < square < 1e6 and value > 0 and value != round(value) and abs(square - round(square)) < 1e-12 * square:
        return f"√{round(square)}", math.sqrt(round(square)), 5
    if not math.isfinite(value):
        return str(value), value, 5
    text = with_digits(value, digits)
    return text, float(text), 5

"""Numbers that remember how they were made, so that any result can show its arithmetic."""

import math
import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mha_course.engine.notation.labels import label

COMPUTE: dict[str, Callable[..., float]] = {
    "+": lambda *terms: math.fsum(terms), "-": operator.sub, "·": operator.mul, "/": operator.truediv,
    "^": operator.pow, "neg": operator.neg,
    "e^": math.exp, "√": math.sqrt, "sin": math.sin, "cos": math.cos, "log": math.log,
}  # fmt: skip


def traced(array: ArrayLike, name: str) -> np.ndarray:
    """Return the array as numbers that remember: an object array of `Traced`, for NumPy to compute with.

    Its sizes remember too: where a function takes the root of one, the arithmetic has that root.

    >>> Q = traced(np.array([[1, 2]]), "Q")
    >>> [product.value for product in (Q @ np.array([[3], [4]]))[0, 0].parts]
    [3.0, 8.0]
    >>> (Q.shape[-1] ** 0.5).sign
    '√'
    """
    array = np.asarray(array)
    numbers = np.empty(array.shape, dtype=object)
    for place in np.ndindex(array.shape):
        numbers[place] = Traced(float(array[place]), name=label(name, *place))
    return numbers.view(_Sized)


@dataclass(frozen=True, eq=False)
class Traced:
    """One number and how it was made: a sign of `COMPUTE` and its parts, or an entry of an argument.

    name: what whoever traces it calls an entry. symbol: how a constant is written, like 2π.
    NumPy computes with it in an object array: products, sums, exp, sqrt, sin, cos, max.

    >>> five = Traced(2.0) + 3
    >>> five, five.sign, five.parts
    (Traced(value=5.0), '+', (Traced(value=2.0), Traced(value=3.0)))
    """

    value: float
    sign: str = ""
    parts: tuple["Traced", ...] = ()
    name: Hashable = ""
    symbol: str = ""

    def __repr__(self) -> str:
        return f"Traced(value={self.value})"

    def __float__(self) -> float:
        return self.value

    def __deepcopy__(self, memo: dict) -> "Traced":
        return self  # it never changes

    def __add__(self, other: "Number") -> "Traced":
        return self if _is_nothing(other) else _made("+", self, other)

    def __radd__(self, other: "Number") -> "Traced":
        return self if _is_nothing(other) else _made("+", other, self)

    def __sub__(self, other: "Number") -> "Traced":
        return _made("-", self, other)

    def __rsub__(self, other: "Number") -> "Traced":
        return _made("-", other, self)

    def __mul__(self, other: "Number") -> "Traced":
        return _made("·", self, other)

    def __rmul__(self, other: "Number") -> "Traced":
        return _made("·", other, self)

    def __truediv__(self, other: "Number") -> "Traced":
        return _made("/", self, other)

    def __rtruediv__(self, other: "Number") -> "Traced":
        return _made("/", other, self)

    def __pow__(self, other: "Number") -> "Traced":
        return _made("^", self, other)

    def __rpow__(self, other: "Number") -> "Traced":
        return _made("^", other, self)

    def __neg__(self) -> "Traced":
        return _made("neg", self)

    def __lt__(self, other: "Number") -> bool:
        return self.value < float(other)

    def __le__(self, other: "Number") -> bool:
        return self.value <= float(other)

    def __gt__(self, other: "Number") -> bool:
        return self.value > float(other)

    def __ge__(self, other: "Number") -> bool:
        return self.value >= float(other)

    def exp(self) -> "Traced":  # the names by which NumPy calls them
        """Return e to this power."""
        return _made("e^", self)

    def sqrt(self) -> "Traced":
        """Return the square root."""
        return _made("√", self)

    def sin(self) -> "Traced":
        """Return the sine, in radians."""
        return _made("sin", self)

    def cos(self) -> "Traced":
        """Return the cosine, in radians."""
        return _made("cos", self)

    def log(self) -> "Traced":
        """Return the natural logarithm."""
        return _made("log", self)


Number = Traced | float


def total(terms: Iterable[Traced]) -> Traced:
    """Return the sum of all terms as one step.

    >>> total([Traced(1.0), Traced(2.0), Traced(3.0)])
    Traced(value=6.0)
    """
    return _made("+", *terms)


def entries(number: Traced) -> Iterator[Hashable]:
    """Yield the names of the entries that a number was made from, each once.

    >>> a, b = Traced(2.0, name="a"), Traced(3.0, name="b")
    >>> list(entries(a * b + a))
    ['a', 'b']
    """
    yield from dict.fromkeys(leaf.name for leaf in _leaves(number) if leaf.name)


def _leaves(number: Traced) -> Iterator[Traced]:
    waiting = [number]
    while waiting:
        first = waiting.pop()
        waiting.extend(reversed(first.parts))
        if not first.parts:
            yield first


def _is_nothing(other: "Number") -> bool:
    """Whether it is the 0 that a sum begins with."""
    return not isinstance(other, Traced) and float(other) == 0


def _made(sign: str, *parts: "Number") -> Traced:
    made_of = tuple(part if isinstance(part, Traced) else Traced(float(part)) for part in parts)
    return Traced(compute(sign, [part.value for part in made_of]), sign, made_of)


def compute(sign: str, values: Sequence[float]) -> float:
    """Compute what a sign does to numbers; where Python has an error, NumPy's inf or nan."""
    try:
        return COMPUTE[sign](*values)
    except OverflowError:
        return math.inf
    except (ValueError, ZeroDivisionError):
        return math.nan if sign != "/" or not values[0] or math.isnan(values[0]) else math.copysign(math.inf, values[0])


class _Size(int):
    """A size of a traced array: a whole number like any other, but its root remembers what it is the root of."""

    def __pow__(self, exponent, modulus=None):
        return self._root() if exponent == 0.5 else int(self).__pow__(exponent, modulus)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        if ufunc is np.sqrt and method == "__call__":
            return self._root()
        plain = [int(each) if isinstance(each, _Size) else each for each in inputs]
        return getattr(ufunc, method)(*plain, **options)

    def _root(self) -> Traced:
        return Traced(float(self)).sqrt()


class _Sized(np.ndarray):
    """An array whose sizes remember that they are sizes."""

    @property  # type: ignore[misc]
    def shape(self) -> tuple[_Size, ...]:
        return tuple(map(_Size, super().shape))

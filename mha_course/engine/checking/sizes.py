"""Inputs from the sizes of an exercise's arguments, as its text gives them.

    Sizes: days (…, weeks, length), times (length) `abs(times)`, most `sample.whole(2, 5)`, length

An argument is an array with these axes, or what an expression makes of it; what an expression gives, to which `sample`
draws and `front` holds the sizes of the axes in front; or one of the sizes itself. `…` says that axes may stand in
front. From this come the inputs that nearly every exercise needs: `STANDARD`. Other inputs say what is
particular to their sizes; all that they do not name are different from each other.

    - more weeks than days: weeks 7, length 2
    - four lists of one week: … 4, weeks 1, float32
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from mha_course.engine.checking.exercise import Arguments, Case, Function
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.solution import asking

ARGUMENT = re.compile(r"(\w+)(?: \(((?:[^()]|\([^()]*\))*)\))?(?: `([^`]+)`)?(?:, |$)")
SIZE = re.compile(r"(\w+|…) (\d+(?: \d+)*)")
NAME = re.compile(r"[A-Za-z_]\w*")
FRONT, SINGLE = "…", "float32"
FALLING = (4, 5, 3, 6, 2, 7)  # sizes that are all different, for their names in order
FEWEST, MOST = 3, 6  # of sizes that are all equal
LARGE = 100  # times as large
STANDARD = ("different sizes", "all sizes equal", "a single row", "width 1", SINGLE, "large entries")
STANDARD_IN_FRONT = ("an axis in front", "two axes in front")

Compiled = Callable[[str, Collection[str]], Function]  # of an expression, and the values that it may name
Draw = Callable[[Sampler, Mapping[str, int], tuple[int, ...], int], Any]  # from sizes, axes in front, how large


class NotSizes(ValueError):
    """A text does not say what it should of sizes."""


class Sizes:
    """The arguments of an exercise by their sizes. names: of the sizes."""

    def __init__(self, text: str, without: str, arguments: tuple[str, ...], compiled: Compiled) -> None:
        """Read the text of the fields. compiled: makes a function of an expression.

        Errors: `NotSizes` if the text does not say of each argument what it is, and what `compiled` raises.
        """
        found = ARGUMENT.findall(text)
        if tuple(name for name, _, _ in found) != arguments or ARGUMENT.sub("", text):
            raise NotSizes(f"say of each argument its axes, in brackets, or what gives it: {', '.join(arguments)}.")
        axes = [[each.strip() for each in sizes.split(",")] for _, sizes, _ in found if sizes]
        named = (NAME.findall(sizes) if sizes or code else [name] for name, sizes, code in found)
        self.names = tuple(dict.fromkeys(name for names in named for name in names))
        self._has_front = any(FRONT in each for each in axes)
        (self._row, *_, self._width) = [*NAME.findall(" ".join(axes[0]))] * 2
        self._without = [each.strip() for each in without.split(",") if each]
        if unknown := {*self._without} - {*STANDARD, *STANDARD_IN_FRONT}:
            raise NotSizes(f"no standard inputs have {', '.join(unknown)}: {', '.join(STANDARD + STANDARD_IN_FRONT)}.")
        self._arguments = [self._argument(name, sizes, code, compiled) for name, sizes, code in found]

    def _argument(self, name: str, axes: str, code: str, compiled: Compiled) -> Draw:
        parts = [each.strip() for each in axes.split(",") if each]
        shape = [compiled(each, self.names) for each in parts if each != FRONT]
        made = compiled(code or name, ("sample", "front", name, *self.names))

        def argument(sample: Sampler, sizes: Mapping[str, int], front: tuple[int, ...], times: int) -> Any:
            given: dict[str, Any] = {"sample": sample, "front": front, **sizes}
            if parts:
                (drawn,) = sample((*(front if FRONT in parts else ()), *(asking(size, given) for size in shape)))
                given[name] = drawn * times if times != 1 else drawn
            return asking(made, given)

        return argument

    def standard(self) -> Iterator[Case]:
        """Yield the inputs that nearly every exercise needs, but for those that this one cannot have."""
        sizes = {"a single row": {self._row: 1}, "width 1": {self._width: 1}}
        fronts = {"an axis in front": (3,), "two axes in front": (2, 3)}
        for words in (*STANDARD, *(STANDARD_IN_FRONT if self._has_front else ())):
            is_known = words == "a single row" and self._row == self._width  # as width 1
            if words not in self._without and not is_known:
                yield self.case(words, sizes.get(words, {}), fronts.get(words, ()))

    def written(self, words: str, text: str) -> Case:
        """Return inputs whose sizes are written. Errors: `NotSizes`."""
        sizes = {name: tuple(map(int, numbers.split())) for name, numbers in SIZE.findall(text)}
        if SIZE.sub("", text).strip(" ,") not in ("", SINGLE) or not {*sizes} <= {*self.names, FRONT}:
            raise NotSizes(f"sizes are names and numbers, and there are {', '.join(self.names)}.")
        front = sizes.pop(FRONT, ())
        return self.case(words, {name: number for name, (number,) in sizes.items()}, front, SINGLE in text)

    def case(self, words: str, sizes: Mapping[str, int], front: tuple[int, ...] = (), single: bool = False) -> Case:
        """Return inputs with these sizes."""

        def drawn(sample: Sampler) -> Arguments:
            whole, before = dict(zip(self.names, FALLING, strict=False)) | dict(sizes), front
            if words == "all sizes equal":
                equal = sample.whole(FEWEST, MOST)
                whole, before = dict.fromkeys(self.names, equal), (equal,) * self._has_front
            times = LARGE if words == "large entries" else 1
            made = (each(sample, whole, before, times) for each in self._arguments)
            return tuple(map(_single, made)) if single or words == SINGLE else tuple(made)

        return Case(words, drawn)


def _single(argument: Any) -> Any:
    """Return an array of numbers with decimals in half as many bits, and anything else as it is."""
    return argument.astype(SINGLE) if getattr(getattr(argument, "dtype", None), "kind", "") == "f" else argument

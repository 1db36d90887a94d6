"""Inputs from the sizes of an exercise's arguments, as its text gives them.

    Sizes: days (…, weeks, length), times (length) `abs(times)`, most `sample.whole(2, 5)`, length

An argument is an array with these axes, or what an expression makes of it; what an expression gives, to which `sample`
draws and `front` holds the sizes of the axes in front; or one of the sizes itself. `…` says that axes may stand in
front. From this come the inputs that nearly every exercise needs. Other inputs say what is particular to their sizes;
all that they do not name are different from each other.

    - more weeks than days: weeks 7, length 2
    - four lists of one week: … 4, weeks 1, float32
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType
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
NOTHING: Mapping[str, int] = MappingProxyType({})

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
        axes = [[each.strip() for each in sizes.split(",") if each] for _, sizes, _ in found]
        named = (NAME.findall(sizes) if sizes or code else [name] for name, sizes, code in found)
        self.names = tuple(dict.fromkeys(name for names in named for name in names))
        self._arguments = [
            self._argument(name, parts, code, compiled) for (name, _, code), parts in zip(found, axes, strict=True)
        ]
        self._standard = self._standard_inputs(next(parts for parts in axes if parts), FRONT in text)
        self._without = [each.strip() for each in without.split(",") if each]
        if unknown := {*self._without} - {*self._standard}:
            raise NotSizes(f"no standard inputs have {', '.join(unknown)}: {', '.join(self._standard)}.")

    def _argument(self, name: str, parts: list[str], code: str, compiled: Compiled) -> Draw:
        shape = [compiled(each, self.names) for each in parts if each != FRONT]
        made = compiled(code or name, ("sample", "front", name, *self.names))

        def argument(sample: Sampler, sizes: Mapping[str, int], front: tuple[int, ...], times: int) -> Any:
            given: dict[str, Any] = {"sample": sample, "front": front, **sizes}
            if parts:
                (drawn,) = sample((*(front if FRONT in parts else ()), *(asking(size, given) for size in shape)))
                given[name] = drawn * times if times != 1 else drawn
            return asking(made, given)

        return argument

    def _standard_inputs(self, first: list[str], has_front: bool) -> dict[str, Case]:
        """Return the inputs that nearly every exercise needs, by their words. first: the axes of the first array."""
        row, *_, width = [*NAME.findall(" ".join(first))] * 2
        made = [
            self.case("different sizes"),
            self.case("all sizes equal", are_equal=True),
            *([self.case("a single row", {row: 1})] if row != width else []),
            self.case("width 1", {width: 1}),
            self.case(SINGLE, is_single=True),
            self.case("large entries", times=LARGE),
            *([self.case("an axis in front", front=(3,)), self.case("two axes in front", front=(2, 3))] * has_front),
        ]
        return {each.words: each for each in made}

    def standard(self) -> Iterator[Case]:
        """Yield the inputs that nearly every exercise needs, but for those that this one cannot have."""
        yield from (case for words, case in self._standard.items() if words not in self._without)

    def written(self, words: str, text: str) -> Case:
        """Return inputs whose sizes are written. Errors: `NotSizes`."""
        sizes = {name: tuple(map(int, numbers.split())) for name, numbers in SIZE.findall(text)}
        if SIZE.sub("", text).strip(" ,") not in ("", SINGLE) or not {*sizes} <= {*self.names, FRONT}:
            raise NotSizes(f"sizes are names and numbers, and there are {', '.join(self.names)}.")
        front = sizes.pop(FRONT, ())
        return self.case(words, {name: number for name, (number,) in sizes.items()}, front, is_single=SINGLE in text)

    def case(
        self,
        words: str,
        sizes: Mapping[str, int] = NOTHING,
        front: tuple[int, ...] = (),
        times: int = 1,
        is_single: bool = False,
        are_equal: bool = False,
    ) -> Case:
        """Return inputs with these sizes, and axes in front; all others are different, or all are equal.

        times: how much larger they are. is_single: whether they are float32.
        """

        def drawn(sample: Sampler) -> Arguments:
            whole, before = dict(zip(self.names, FALLING, strict=False)) | dict(sizes), front
            if are_equal:
                equal = sample.whole(FEWEST, MOST)
                whole, before = dict.fromkeys(self.names, equal), (equal,)  # for whom axes may stand in front
            made = (each(sample, whole, before, times) for each in self._arguments)
            return tuple(map(_single, made)) if is_single else tuple(made)

        return Case(words, drawn)


def _single(argument: Any) -> Any:
    """Return an array of numbers with decimals in half as many bits, and anything else as it is."""
    return argument.astype(SINGLE) if getattr(getattr(argument, "dtype", None), "kind", "") == "f" else argument

"""Exercises, and the mistakes that several of them know, as their files have them. See `exercise_text` for the form."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast, overload

import numpy as np

from mha_course.engine.checking.exercise import Arguments, Case, Exercise, Function, Mistake
from mha_course.engine.checking.exercise_text import INPUTS, Item, Page, Part, read
from mha_course.engine.checking.expression import function_of
from mha_course.engine.checking.sampler import Sampler
from mha_course.engine.checking.sizes import NotSizes, Sizes
from mha_course.engine.checking.solution import Solution, Step, asked

HEADING = re.compile(r"([\w-]+\.[\w.-]+)\(([^)]*)\): (\S.*)")  # of an exercise: its name, its arguments, its title
STEP = re.compile(r"`([\w, ]+)(?: = (.+)`|` is ([\w-]+\.[\w-]+))")  # what it makes, and how: a line, or a solution
PART = re.compile(r"([\w.-]+)\(([^)]*)\)")  # a solution without a task
WHOLE = "The whole"
FIELDS = ("Notice", "Sizes", "Without", "Gives", "Results", "Untraced", "Off limits", "Types", "Given")
LEFT_OUT = re.compile("“([^”]+)”")

Made = TypeVar("Made")


class Later(Sequence[Made]):
    """A row of things that are made when the first of them is asked for."""

    def __init__(self, make: Callable[[], Iterable[Made]]):
        """Keep what makes them."""
        self._make = make

    @cached_property
    def _made(self) -> tuple[Made, ...]:
        return tuple(self._make())

    def __len__(self) -> int:
        """Count them."""
        return len(self._made)

    @overload
    def __getitem__(self, place: int) -> Made: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Made, ...]: ...
    def __getitem__(self, place: int | slice) -> Made | tuple[Made, ...]:
        """Return one of them, or some."""
        return self._made[place]


class MistakeFiles:
    """The mistakes that several exercises know, in the files of a folder."""

    def __init__(self, folder: Path):
        """Keep the folder, which need not be there."""
        self._folder = folder

    @cached_property
    def pages(self) -> dict[str, "ExercisePage"]:
        """Each file by its name."""
        return {path.stem: ExercisePage(read(path), self) for path in sorted(self._folder.glob("*.md"))}

    @cached_property
    def named(self) -> dict[str, Item]:
        """Every mistake that stands in a file with its reason, by its name, unless it has several."""
        return _with_one_reason(item for page in self.pages.values() for item in page.page.mistakes())

    def solution(self, place: str) -> Solution:
        """Return a solution of a file, "file.name". Errors: `KeyError`."""
        file, _, name = place.partition(".")
        return self.pages[file].solution(name)

    def at(self, place: str) -> tuple[Mistake, ...]:
        """Return the mistakes below a heading, "file.heading". Errors: `KeyError`."""
        file, _, heading = place.partition(".")
        return self.pages[file].below(heading)


class ExercisePage:
    """One file, with what its names mean."""

    def __init__(self, page: Page, shared: MistakeFiles):
        """Keep a file. shared: the files whose mistakes it may name."""
        self.page, self._shared = page, shared

    @cached_property
    def _outside(self) -> dict[str, Any]:
        """What names mean that are no values: NumPy, and what the file imports."""
        outside: dict[str, Any] = {"np": np}
        exec(compile(self.page.imports, str(self.page.path), "exec"), outside)
        return outside

    @cached_property
    def named(self) -> dict[str, Item]:
        """Every mistake that stands here with its reason, by its name, unless it has several."""
        return _with_one_reason(self.page.mistakes())

    def exercises(self) -> tuple[Exercise, ...]:
        """Return the exercises of the file, whose expressions are read when they are first needed.

        Errors: `ValueError`, now or then, for what is not in order, with file and line.
        """
        return tuple(self._exercise(part) for part in self.page.parts if not PART.fullmatch(part.heading))

    def solution(self, name: str) -> Solution:
        """Return a solution that stands here without a task. Errors: `KeyError`, `ValueError` as above."""
        for part in self.page.parts:
            if (found := PART.fullmatch(part.heading)) and found[1] == name:
                return self._solution(found[2], part.parts)
        raise KeyError(name)

    def below(self, heading: str) -> tuple[Mistake, ...]:
        """Return the mistakes below a heading of this file, or "exercise.step". Errors: `KeyError`."""
        named = [part for part in self.page.parts if part.heading == heading] + [
            step
            for part in self.page.parts
            for step in part.parts
            if heading == f"{part.heading.partition('(')[0]}.{_made_by(step)}"
        ]
        if len(named) != 1:
            raise KeyError(heading)
        return self._mistakes(named[0].items, None)

    def _exercise(self, part: Part) -> Exercise:
        found = HEADING.fullmatch(part.heading) or self._refuse(
            part.line, "an exercise is headed by its name, its arguments in brackets, a colon, and its title."
        )
        if unknown := part.fields.keys() - FIELDS:
            self._refuse(part.line, f"there is no field {', '.join(unknown)}, but there are {', '.join(FIELDS)}.")
        arguments = _names(found[2])
        of = {each.heading: each.items for each in part.parts if each.heading in (INPUTS, WHOLE)}
        steps = [each for each in part.parts if each.heading not in of]
        return Exercise(
            found[1], found[3], self._solution(found[2], steps, part.fields.get("Gives", "")),
            cases=Later(lambda: self._cases(part, arguments, of.get(INPUTS, []))),
            mistakes=Later(lambda: self._mistakes(of.get(WHOLE, []), arguments)), notice=part.fields.get("Notice", ""),
            results=_names(part.fields.get("Results", "")), untraced=_names(part.fields.get("Untraced", "")),
            given=self._value(part, "Given", None), types=self._value(part, "Types", {}),
            off_limits=_names(part.fields.get("Off limits", "")),
        )  # fmt: skip

    def _solution(self, takes: str, steps: Sequence[Part], gives: str = "") -> Solution:
        def made() -> Iterator[Step]:
            values = list(_names(takes))
            yield from (self._step(step, values) for step in steps)

        last = STEP.fullmatch(steps[-1].heading) if steps else None
        results = _names(gives or (last[1] if last else ""))
        return Solution(" ".join(_names(takes)), Later(made), " ".join(results))

    def _cases(self, part: Part, arguments: tuple[str, ...], items: list[Item]) -> Iterator[Case]:
        """Yield the example, the inputs that come from the sizes, and all others that are written."""
        sizes = self._sizes(part, arguments)
        for number, item in enumerate(items):
            words, _, text = item.name.partition(": ")
            yield self._case(item) if item.code or not sizes else self._written(sizes, item, words, text)
            if sizes and not number:
                yield from sizes.standard()

    def _sizes(self, part: Part, arguments: tuple[str, ...]) -> Sizes | None:
        if "Sizes" not in part.fields:
            return None
        compiled = partial(self._function, part.line)
        try:
            return Sizes(part.fields["Sizes"], part.fields.get("Without", ""), arguments, compiled)
        except NotSizes as error:
            self._refuse(part.line, f"Sizes: {error}")

    def _written(self, sizes: Sizes, item: Item, words: str, text: str) -> Case:
        try:
            return sizes.written(words, text)
        except NotSizes as error:
            self._refuse(item.line, str(error))

    def _value(self, part: Part, name: str, otherwise: Any) -> Any:
        return eval(part.fields[name].strip("`"), self._outside) if name in part.fields else otherwise

    def _case(self, item: Item) -> Case:
        arguments = f"({', '.join(item.code)},)"
        made = self._function(item.line, arguments, ["sample"])
        words = item.name.removesuffix(":")
        return Case(words, cast(Arguments, made()) if not asked(made) else cast(Callable[[Sampler], Arguments], made))

    def _step(self, part: Part, values: list[str]) -> Step:
        """Return a step, and add what it makes to the values."""
        found = STEP.fullmatch(part.heading) or self._refuse(
            part.line, "a step is headed by a line of Python between two `: names = expression."
        )
        names = _names(found[1])
        if found[3]:
            if part.items:
                self._refuse(
                    part.items[0].line, f"{names[0]} goes wrong as {found[3]} does: write no mistakes below it."
                )
            does, mistakes = self._another(part.line, found[3])
        else:
            does, mistakes = self._function(part.line, found[2], values), self._mistakes(part.items, values)
        values += [name for name in names if name not in values]
        return Step(" ".join(names), does, *mistakes, expression=found[2] or "")

    def _another(self, line: int, place: str) -> tuple[Function, tuple[Mistake, ...]]:
        """Return what gives a solution as a function, and what its mistakes make of it, the likeliest first."""
        try:
            solution = self._shared.solution(place)
        except KeyError:
            self._refuse(line, f"there is no solution {place} in the files of mistakes.")
        variants: dict[Mistake, list[Function]] = {}
        for each in sorted(solution.step_mistakes, key=lambda each: each.rank):
            variants.setdefault(each.mistake, []).append(partial(_given, solution.with_mistakes(each)))
        return partial(_given, solution), tuple(each.by(*functions) for each, functions in variants.items())

    def _mistakes(self, items: Sequence[Item], values: Collection[str] | None) -> tuple[Mistake, ...]:
        """Return mistakes, and those that they refer to. values: as `function_of` has them."""
        return tuple(each for item in items for each in self._behind(item, values))

    def _behind(self, item: Item, values: Collection[str] | None) -> Iterator[Mistake]:
        if found := item.reference:
            yield from self._referred(item, found[1], LEFT_OUT.findall(found[2] or ""))
        else:
            known = item if item.reason else self._reason(item)
            variants = tuple(self._function(item.line, code, values) for code in item.code)
            if not variants:
                self._refuse(item.line, "a mistake needs a wrong expression between two `.")
            yield Mistake(item.name, known.reason, known.happened, variants, known.asked)

    def _referred(self, item: Item, place: str, left_out: Collection[str]) -> Iterator[Mistake]:
        try:
            known = self.below(place) if place.count(".") > 1 else self._shared.at(place)
        except KeyError:
            self._refuse(item.line, f"{place} must be one heading or one step, with mistakes below it.")
        names = {each.name for each in known}
        if missing := [name for name in left_out if name not in names]:
            self._refuse(item.line, f"{place} knows no mistake “{missing[0]}”")
        yield from (each for each in known if each.name not in left_out)

    def _reason(self, item: Item) -> Item:
        known = self.named.get(item.name) or self._shared.named.get(item.name)
        return known or self._refuse(
            item.line, "a reason is needed: no other mistake of this name has one, or several do."
        )

    def _function(self, line: int, code: str, values: Collection[str] | None) -> Function:
        try:
            return function_of(code, self._outside, values, str(self.page.path), line)
        except (SyntaxError, NameError) as error:
            self._refuse(line, f"`{code}`: {error.args[0]}")

    def _refuse(self, line: int, why: str) -> NoReturn:
        raise self.page.refused(line, why)


def _with_one_reason(items: Iterable[Item]) -> dict[str, Item]:
    """Return the items that give a reason by their names, but for names with several reasons."""
    told: dict[str, dict[str, Item]] = {}
    for item in items:
        if item.reason and not item.reference:
            told.setdefault(item.name, {})[f"{item.reason} {item.happened} {item.asked}"] = item
    return {name: next(iter(items.values())) for name, items in told.items() if len(items) == 1}


def _made_by(step: Part) -> str:
    found = STEP.fullmatch(step.heading)
    return "-".join(_names(found[1])) if found else ""


def _given(function: Function) -> Function:
    return function


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())

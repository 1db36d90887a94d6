"""A file of functions, each below two lines: which exercise asked for it and whose it is, and its shapes."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

HEADING = re.compile(r"^# (?:[\d.]+ )?(\w+\.\w+) · (the course's|yours\b.*)$")
TRIAL = "# Try it: "


@dataclass(frozen=True)
class Section:
    """One function, with what it needs. name: of the exercise. whose: as the heading says. line: the body's first."""

    name: str
    whose: str
    shapes: str
    body: str
    line: int = 0


@dataclass(frozen=True)
class FunctionFile:
    """The text before the first heading, the sections, and the lines that try the functions."""

    before: str
    sections: tuple[Section, ...]
    trial: str

    @classmethod
    def read(cls, text: str) -> "FunctionFile":
        r"""Take a text apart.

        >>> FunctionFile.read("import re\n\n# 1.1 a.one · yours\n# (n,) -> (n,)\ndef one(x):\n    return x\n").sections
        (Section(name='a.one', whose='yours', shapes='# (n,) -> (n,)', body='def one(x):\n    return x', line=5),)
        """
        lines = text.splitlines()
        ends = [number for number, line in enumerate(lines) if line.startswith(TRIAL)] or [len(lines)]
        starts = [number for number, line in enumerate(lines[: ends[0]]) if HEADING.match(line)]
        places = [*starts, ends[0]]
        sections = tuple(_section(lines, start, end) for start, end in zip(starts, places[1:], strict=True))
        return cls(_joined(lines[: places[0]]), sections, _joined(lines[ends[0] :]))

    @property
    def names(self) -> list[str]:
        """The exercises that have a section."""
        return [each.name for each in self.sections]

    def get(self, name: str) -> Section:
        """Return the section of an exercise."""
        return self.sections[self.names.index(name)]

    def having(self, section: Section, order: Iterable[str]) -> "FunctionFile":
        """Return the file with a section in the place of the one of its name, or in its place in the order."""
        order = list(order)
        others = [each for each in self.sections if each.name != section.name]
        later = (number for number, each in enumerate(others) if each.name in order[order.index(section.name) :])
        place = next(later, len(others))
        return replace(self, sections=(*others[:place], section, *others[place:]))

    def text(self, number_of: Callable[[str], str]) -> str:
        """Write it. number_of: gives an exercise's number, by its name; empty for one that there is no more."""
        written = (_written(each, number_of(each.name)) for each in self.sections)
        return "\n\n\n".join(filter(None, [self.before, *written, self.trial])) + "\n"


def _section(lines: list[str], start: int, end: int) -> Section:
    found = HEADING.match(lines[start])
    assert found
    first = start + 2 if lines[start + 1 : end][:1] and lines[start + 1].startswith("#") else start + 1
    return Section(found[1], found[2], _joined(lines[start + 1 : first]), _joined(lines[first:end]), first + 1)


def _written(section: Section, number: str) -> str:
    heading = " ".join(filter(None, ["#", number, section.name, "·", section.whose]))
    return "\n".join(filter(None, [heading, section.shapes, section.body]))


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n")

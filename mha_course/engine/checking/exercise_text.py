"""The form of a file of exercises: Markdown, which editors colour and websites show as a page.

    ## averages.difference(days): How far from the mean

    ### Inputs

    - the example: `np.array([3, 5])`

    ### `difference = days - days.mean()`

    - The mean is added.
      Then everything moves away from 0. `days + days.mean()`
    - see shared.differences, without “It is squared.”

docs/exercise_texts.md says what each part means.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CODE = re.compile(r"`([^`]+)`")
CODES = re.compile(r"(?:(?:^| )`[^`]+`,?)+$")  # at the end of an item
THREADS = re.compile(r"(?:^| )(Happened|Asked): (.*?)\.(?=$| Asked: )")
SEE = re.compile(r"see ([\w.-]+?)(?:, without ((?:“[^”]+” ?)+))?")
FIELD = re.compile(r"([A-Z][a-z]+(?: [a-z]+)*): (\S.*)")
FENCE, PYTHON = "```", "```python"
LINK = re.compile(r"\[[^]]+\]\([^)]+\)")  # above all else one may lead to a page on the form
INPUTS = "Inputs"  # the heading below which no mistakes stand
LINE = "a line begins with ##, ###, - or a field and a colon; what belongs to it stands below, two spaces further in."


@dataclass(frozen=True)
class Item:
    """One item of a list. name: what stands on its first line. code: all code at its end."""

    line: int
    name: str
    reason: str
    code: tuple[str, ...]
    happened: str = ""
    asked: str = ""

    @property
    def reference(self) -> re.Match[str] | None:
        """What it refers to, and without what, if it begins with `see`."""
        return SEE.fullmatch(f"{self.name} {self.reason}".strip())


@dataclass(frozen=True)
class Part:
    """What stands below a heading: fields, items, and the parts with smaller headings."""

    line: int
    heading: str
    fields: dict[str, str] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    parts: list["Part"] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Page:
    """A file: the Python at its top, the items above all headings, and a part for each heading."""

    path: Path
    text: str
    imports: str
    items: list[Item] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)

    def mistakes(self) -> Iterator[Item]:
        """Yield all items but inputs."""
        yield from self.items
        for part in self.parts:
            yield from part.items
            yield from (item for step in part.parts if step.heading != INPUTS for item in step.items)

    def refused(self, line: int, why: str) -> ValueError:
        """Return the error for a line that is not as it must be."""
        text = self.text.splitlines()[line - 1].strip()
        return ValueError(f"{self.path.parent.name}/{self.path.name}, line {line}, at {text!r}: {why}")


def read(path: Path) -> Page:
    """Read a file. Errors: `ValueError` for what is not in the form above, with file, line, and what was expected."""
    text = path.read_text(encoding="utf-8")
    lines = [line.rstrip() for line in text.splitlines()]
    begin, end = 1, 1
    if PYTHON in lines and FENCE in lines:
        begin, end = lines.index(PYTHON) + 1, lines.index(FENCE)
    page = Page(path, text, "\n".join(lines[begin:end]))
    if not lines or not lines[0].startswith("# "):
        raise page.refused(1, "a file begins with # and its title.")
    for number, first, below in _paragraphs(page, lines, end + (begin > 1)):
        _put(page, number, first, below)
    return page


def _paragraphs(page: Page, lines: Sequence[str], begin: int) -> Iterator[tuple[int, str, list[str]]]:
    """Yield each line at the margin, its number from 1, and the lines below that belong to it."""
    number = begin
    while number < len(lines):
        first, number = lines[number], number + 1
        if first.startswith(" "):
            raise page.refused(number, LINE)
        place, below = number, []
        while number < len(lines) and lines[number].startswith("  "):
            below.append(lines[number].strip())
            number += 1
        if first:
            yield place, first, below


def _put(page: Page, number: int, first: str, below: list[str]) -> None:
    """Put a paragraph into the page, or into the part that was begun last."""
    whole = page.parts[-1] if page.parts else None
    place = whole.parts[-1] if whole and whole.parts else whole
    if first.startswith("## "):
        page.parts.append(Part(number, first[3:]))
    elif first.startswith("### ") and whole:
        whole.parts.append(Part(number, first[4:]))
    elif first.startswith("- "):
        (place or page).items.append(_item(page, number, first[2:], below))
    elif place and (found := FIELD.fullmatch(first)):
        place.fields[found[1]] = " ".join([found[2], *below])
    elif place or page.items or not LINK.fullmatch(first):
        raise page.refused(number, LINE)


def _item(page: Page, number: int, first: str, below: list[str]) -> Item:
    whole = " ".join([first, *below])
    if whole.count("`") % 2:
        raise page.refused(number, "code stands between two `.")
    codes = CODES.search(whole)
    text = whole[: codes.start()] if codes else whole
    name, rest = first[: len(text)].strip(), text[len(first) :]
    threads = dict(THREADS.findall(rest))
    reason, code = THREADS.sub("", rest).strip(), tuple(CODE.findall(codes[0])) if codes else ()
    return Item(number, name, reason, code, threads.get("Happened", ""), threads.get("Asked", ""))

"""The form of a file of exercises: Markdown, which any editor colours and any website shows as a page.

    # Lesson 4: from scores to shares

    ```python
    from mha_course.lessons.softmax.inputs import halves
    ```

    ## softmax.ratio(scores, ratio): The temperature for a wanted ratio

    Notice: A temperature of 0 would need an endless ratio.

    ### Inputs

    - the example: `np.array([0.0, 1.0])`, `3.0`
    - two scores: `*sample((2,))`, `2.0`

    ### `difference = scores.max() - scores.min()`

    - The scores are divided instead of subtracted.
      The ratio of two exponentials is e to the power of the difference.
      `scores.max() / scores.min()` `scores[0] / scores[1]`
    - see softmax.differences, without “The mean is subtracted.”

A mistake begins with its name, a sentence on a line of its own. Below it, two spaces further in, stand the reason and
the wrong expressions. Without a reason it is one of the same name that has one, in this file or in a file of mistakes.
`Happened:` and `Asked:` behind the reason name public threads, "owner/repo #number". `see` takes over all mistakes
that stand elsewhere: below a heading of a file of mistakes, or at a step of an exercise.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CODE = re.compile(r"`([^`]+)`")
CODES = re.compile(r"(?:(?:^| )(?:`[^`]+`),?)+$")  # at the end of an item
THREADS = re.compile(r"(?:^| )(Happened|Asked): (.*?)(?=$| Happened: | Asked: )")
SEE = re.compile(r"see ([\w.-]+?)(?:, without ((?:“[^”]+” ?)+))?")
FIELD = re.compile(r"([A-Z][a-z]+(?: [a-z]+)*): (\S.*)")
FENCE = "```"


@dataclass(frozen=True)
class Item:
    """One item of a list. name: its first line, without the code. code: all code in it."""

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
    """A heading of a file, with the fields and the items below it, and the parts with smaller headings."""

    line: int
    heading: str
    fields: dict[str, str] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    parts: list["Part"] = field(default_factory=list)


@dataclass(frozen=True)
class Page:
    """A file: what its Python imports, the items above all headings, and a part for each heading."""

    path: Path
    imports: str
    items: list[Item]
    parts: list[Part]

    def refused(self, line: int, why: str) -> ValueError:
        """Return the error for a line that is not as it must be."""
        text = self.path.read_text(encoding="utf-8").splitlines()[line - 1].strip()
        return ValueError(f"{self.path.parent.name}/{self.path.name}, line {line}, at {text!r}: {why}")


def read(path: Path) -> Page:
    """Read a file. Errors: `ValueError` for what is not in the form above, with file, line, and what was expected."""
    page = Page(path, "", [], [])
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or not lines[0].startswith("# "):
        raise ValueError(f"{path.parent.name}/{path.name}: the first line must be a heading: # and a title.")
    imports, begin = _imports(lines)
    page = Page(path, imports, [], [])
    for number, text, below in _paragraphs(page, lines, begin):
        _put(page, number, text, below)
    return page


def _imports(lines: Sequence[str]) -> tuple[str, int]:
    """Return the Python at the top of a file, and the number of the first line behind it."""
    first = next((number for number, line in enumerate(lines) if line.startswith(("## ", "- ", FENCE))), len(lines))
    if first == len(lines) or not lines[first].startswith(FENCE):
        return "", first
    end = lines.index(FENCE, first)
    return "\n".join(lines[first + 1 : end]), end + 1


def _paragraphs(page: Page, lines: Sequence[str], begin: int) -> Iterator[tuple[int, str, list[str]]]:
    """Yield each line at the margin, its number from 1, and the lines below it that stand two spaces further in."""
    number = begin
    while number < len(lines):
        text, number = lines[number].rstrip(), number + 1
        if not text:
            continue
        if text.startswith(" "):
            raise page.refused(number, "what stands two spaces further in belongs to the line above; there is none.")
        first, below = number, []
        while number < len(lines) and lines[number].startswith("  "):
            below.append(lines[number].strip())
            number += 1
        yield first, text, below


def _put(page: Page, number: int, text: str, below: list[str]) -> None:
    """Put a paragraph where it belongs: into the page, or into the part that was begun last."""
    here = page.parts[-1] if page.parts else None
    place = here.parts[-1] if here and here.parts else here
    if text.startswith("## "):
        page.parts.append(Part(number, text[3:]))
    elif text.startswith("### ") and here:
        here.parts.append(Part(number, text[4:]))
    elif text.startswith("- "):
        (place or page).items.append(_item(page, number, text[2:], below))
    elif (found := FIELD.fullmatch(text)) and place:
        place.fields[found[1]] = " ".join([found[2], *below])
    else:
        raise page.refused(number, "a line begins with ## or ###, with - or with the name of a field and a colon.")


def _item(page: Page, number: int, first: str, below: list[str]) -> Item:
    whole = " ".join([first, *below])
    if whole.count("`") % 2:
        raise page.refused(number, "code stands between two `.")
    codes = CODES.search(whole)
    text = whole[: codes.start()] if codes else whole
    name, rest = first[: len(text)].strip(), text[len(first) :]
    threads = dict(THREADS.findall(rest))
    reason = THREADS.sub("", rest).strip()
    made = tuple(CODE.findall(codes[0])) if codes else ()
    return Item(
        number, name, reason, made, threads.get("Happened", "").rstrip("."), threads.get("Asked", "").rstrip(".")
    )

"""Reads all texts of exercises as a strict reader would: `python -m authoring.texts`, which `make lint` calls.

The form is what the course itself refuses when it reads a text; here come the English, and what nothing names.
"""

import ast
import re
import sys

from the_course import LESSONS, LESSONS_FOLDER

from mha_course.engine.checking.exercise_text import CODE, FENCE, read

FAULTS = {
    r"\b([a-z]{2,}) \1\b": "a word stands twice",
    r"  ": "two spaces stand side by side",
    r" [,.;?!]( |$)": "a space stands before a mark",
    r'(^| )"[A-Z][a-z ]+"': "quotation marks are “ and ”",
    r"\b[a-z]\w+n't\b|\b(?:it|that|there)'s\b": "a short form is written out",
}


def complaints():
    """Yield what is wrong with the texts of the course, each with its file and line."""
    for exercise in (exercise for lesson in LESSONS.values() for exercise in lesson.exercises):
        _ = *exercise.right.steps, *exercise.cases, *exercise.mistakes  # which refuses what is not in the form
    shared = [read(path) for path in sorted((LESSONS_FOLDER.parent / "mistakes").glob("*.md"))]
    pages = [*map(read, sorted(LESSONS_FOLDER.glob("*/exercises.md"))), *shared]
    for page in pages:
        yield from (f"{_place(page)}: nothing names {name}, which is imported." for name in _unused(page))
        for item in page.mistakes():
            for said in filter(None, (item.name, item.reason)):
                yield from (f"{_place(page, item.line)}: {why}, in {said!r}." for why in _faults(said, item))
    yield from _unnamed(pages, shared)


def _faults(said, item):
    text = CODE.sub("", said)
    if not item.reference and not re.search(r"[.?!”]$", said):
        yield "a sentence has no end"
    yield from (why for fault, why in FAULTS.items() if re.search(fault, text))


def _unused(page):
    _, _, below = page.text.rpartition(f"\n{FENCE}\n")
    named = set(re.findall(r"\w+", " ".join(CODE.findall(below))))
    imported = {alias.asname or alias.name for node in ast.parse(page.imports).body for alias in node.names}
    return sorted(imported - named)


def _unnamed(pages, shared):
    """Yield what a file of mistakes offers, and no text takes."""
    for page in shared:
        for part in page.parts:
            place = f"{page.path.stem}.{part.heading.partition('(')[0]}"
            if not any(re.search(rf"\b(see|is) {re.escape(place)}(?![\w-])", each.text) for each in pages):
                yield f"{_place(page, part.line)}: nothing takes {place}."
        for item in page.items:
            if not any(f"- {item.name}" in each.text for each in pages if each is not page):
                yield f"{_place(page, item.line)}: nobody makes this mistake."


def _place(page, line=1):
    return f"{page.path.parent.name}/{page.path.name}, line {line}"


if __name__ == "__main__":
    found = list(complaints())
    print(*found, sep="\n", end="\n" * bool(found))
    sys.exit(bool(found))

"""What a teacher gets to read: the notes on teaching, and the mistakes behind a check."""

import re
from functools import cache
from pathlib import Path

from mha_course.workbook.checking.recipe import known_to

NOTES = Path(__file__).parents[2] / "docs" / "teaching.md"
THREAD = re.compile(r"([\w.-]+/[\w.-]+) #(\d+)")


@cache
def notes():
    """Return the whole page of notes."""
    return NOTES.read_text(encoding="utf-8")


def section(lesson):
    """Return the section of the notes that begins with `## Lesson N · `. Errors: `ValueError` without one."""
    sections = re.split(r"^(?=## )", notes(), flags=re.MULTILINE)
    found = [each.strip() for each in sections if each.startswith(f"## Lesson {lesson} ·")]
    if not found:
        raise ValueError(f"the teaching notes have no section that begins with: ## Lesson {lesson} ·")
    return found[0]


def mistakes(exercise):
    """List the mistakes that an exercise's check tells apart, each with its threads."""
    known = known_to(exercise)
    summary = f"<summary>This check knows {len(known)} mistakes, and any two of them at once</summary>"
    return "\n".join(["<details>", summary, "", *map(_line, known), "", "</details>"])


def _line(mistake):
    seen, asked = (
        THREAD.sub(r"[\1 #\2](https://github.com/\1/issues/\2)", each) for each in (mistake.where, mistake.asked)
    )
    told = [f"Seen in {seen}."] * bool(seen) + [f"Readers of other code have brought it up: {asked}."] * bool(asked)
    return " ".join([f"- **{mistake.name}** {mistake.why}", *told])

"""What a teacher gets to read: the handbook, the notes on a lesson, and the mistakes behind a check."""

import re

from the_course import HOUSE, LESSONS_FOLDER

from mha_course.engine.checking.solution import known_to

THREAD = re.compile(r"([\w.-]+/[\w.-]+) #(\d+)")


def handbook():
    """Return the page on teaching with the course."""
    return (HOUSE / "docs" / "teaching.md").read_text(encoding="utf-8")


def notes(lesson):
    """Return the notes on a lesson, by its name. Errors: `FileNotFoundError` if its folder has none."""
    return (LESSONS_FOLDER / lesson / "teaching.md").read_text(encoding="utf-8").strip()


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

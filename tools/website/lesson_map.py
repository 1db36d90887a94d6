"""The map of the lessons on the first page: what each asks, how long it takes, and by script what is done."""

import re

from the_course import CATALOGUE
from website import machines

from mha_course.engine.pictures import markup


def lesson_map(is_live):
    """Write all lessons in their order. What a lesson asks for on its core path stands in data-asks, by name.

    is_live: whether the page can look up what is done.
    """
    lines = (_line(name, lesson) for name, lesson in machines.lessons().items())
    return markup.element("ol", *lines, class_="lesson-map", data_progress=is_live)


def _line(name, lesson):
    minutes = re.search(r"\d+", lesson["timeRequired"])[0]
    return markup.element(
        "li",
        markup.link(lesson["name"], f"{name}.html"),
        markup.element("span", lesson["teaches"], class_="asks"),
        markup.element("span", f"{minutes} minutes", class_="minutes"),
        markup.element("span", class_="is-done"),
        data_asks=" ".join(_asked(name.partition("_")[2])),
    )


def _asked(name):
    """List what a lesson asks for: predictions, and exercises and tasks, without what is optional."""
    lesson = CATALOGUE.lessons[name]
    return [
        each
        for each in (*lesson.predictions, *(exercise.name for exercise in lesson.exercises), *lesson.tasks)
        if each not in lesson.optional
    ]

"""The course whose submissions are judged. Inside of the sandbox nothing but its names can be read here."""

from functools import cache
from importlib import import_module
from typing import Any

from mha_course.engine.identity import Identity

COURSE = "mha_course.lessons.by_name:COURSE"  # where it stands; another course's kit says another place
PACKAGE, _, _ = COURSE.partition(".")
PACKAGES = tuple(dict.fromkeys([PACKAGE, "mha_course"]))  # its own, and that of the engine
LESSONS = f"{PACKAGE}.lessons"  # which holds the answers
SETTING = Identity(PACKAGE, PACKAGE).setting  # names the file of a learner's progress


@cache
def exercises() -> dict[str, Any]:
    """Return its exercises by their names, with the answers."""
    module, _, name = COURSE.partition(":")
    return getattr(import_module(module), name).catalogue.exercises

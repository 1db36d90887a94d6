"""Is everything that the course needs here, in the versions it was checked with?"""

import sys
from importlib.metadata import PackageNotFoundError, requires, version

INSTALL = f"{sys.executable} -m pip install -e ."


class NotInstalled(ImportError):
    """Something that the course needs is not installed; a notebook shows the sentence alone."""

    def _render_traceback_(self) -> list[str]:  # IPython asks for it
        return [f"ImportError: {self}"]


def ready() -> None:
    """Print what is missing or different, or that everything is ready.

    >>> ready()
    Everything is ready.
    """
    pinned = (line.split("==") for line in requires("mha_course") or [] if ";" not in line)
    problems = [problem for name, wanted in pinned if (problem := _problem(name, wanted))]
    if problems:
        print("\n".join(problems))
        print(f"To mend this, run in the course's folder: {INSTALL}")
    else:
        print("Everything is ready.")


def in_plain_words(error: ModuleNotFoundError) -> ImportError:
    """Return the error to raise when a module that the course imports is not there."""
    needed = (error.name or "mha_course").partition(".")[0]
    if needed == "mha_course":  # a part of the course itself: nothing that another installation mends
        return error
    return NotInstalled(f"This course needs {needed}, which is not installed: run {INSTALL} in the course's folder.")


def _problem(name: str, wanted: str) -> str | None:
    try:
        found = version(name)
    except PackageNotFoundError:
        return f"{name} {wanted} is missing."
    return None if found == wanted else f"{name} is {found}, but the course was checked with {wanted}."

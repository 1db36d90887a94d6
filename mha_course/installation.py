"""Is everything that the course needs here, in versions with which it works?"""

import os
import shlex
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement

from mha_course.engine.platform_support import IS_IN_A_PAGE

COMMAND = [sys.executable, "-m", "pip", "install", "-e", "."]


class NotInstalled(ImportError):
    """Something that the course needs is not installed; a notebook shows the sentence alone."""

    def _render_traceback_(self) -> list[str]:  # IPython asks for it
        return [f"ImportError: {self}"]


def ready() -> None:
    """Print what is missing or too old, or that everything is ready, as it is in a web page, which brings all.

    >>> ready()
    Everything is ready.
    """
    needed = map(Requirement, [] if IS_IN_A_PAGE else requires("mha_course") or [])
    problems = [problem for each in needed if _is_for_here(each) and (problem := _problem(each))]
    if problems:
        print("\n".join(problems))
        print(f"To fix this, run in the course's folder: {_install()}")
    else:
        print("Everything is ready.")


def in_plain_words(error: ModuleNotFoundError) -> ImportError:
    """Return the error to raise when a module that the course imports is not there."""
    needed = (error.name or "mha_course").partition(".")[0]
    if needed == "mha_course":  # a part of the course itself: nothing that another installation mends
        return error
    if IS_IN_A_PAGE:
        return NotInstalled(f"This needs {needed}, which a web page does not have. In JupyterLab or on Binder it runs.")
    return NotInstalled(f"This course needs {needed}, which is not installed: run {_install()} in the course's folder.")


def _install() -> str:
    """Return the command that installs the course, as the shell of this system reads it."""
    if os.name != "nt":
        return shlex.join(COMMAND)
    command = subprocess.list2cmdline(COMMAND)
    return command if not command.startswith('"') else f"{command} (in PowerShell with & before it)"


def _is_for_here(needed: Requirement) -> bool:
    return needed.marker is None or needed.marker.evaluate({"extra": ""})


def _problem(needed: Requirement) -> str | None:
    wanted = f"{needed.name}{needed.specifier}"
    try:
        found = version(needed.name)
    except PackageNotFoundError:
        return f"{wanted} is missing."
    return None if needed.specifier.contains(found) else f"{needed.name} is {found}, but the course needs {wanted}."

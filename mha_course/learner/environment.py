"""Is everything that the course needs here, in the versions it was checked with?"""

import sys
from importlib.metadata import PackageNotFoundError, requires, version


def ready():
    """Print what is missing or different, or that everything is ready.

    >>> ready()
    Everything is ready.
    """
    pinned = (line.split("==") for line in requires("mha_course") if ";" not in line)
    problems = [problem for name, wanted in pinned if (problem := _problem(name, wanted))]
    if problems:
        print("\n".join(problems))
        print(f"To mend this, run in the course's folder: {sys.executable} -m pip install -e .")
    else:
        print("Everything is ready.")


def _problem(name, wanted):
    try:
        found = version(name)
    except PackageNotFoundError:
        return f"{name} {wanted} is missing."
    return None if found == wanted else f"{name} is {found}, but the course was checked with {wanted}."

"""Things to choose from: a short stable id is saved and sent, a label is shown."""

from collections.abc import Collection

NAMES_THEMSELVES = (str, int, float, type(None))  # what is written in few characters


def read_choice(argument: str, given: object, ids: Collection[str]) -> str:
    """Return the id that was given. Errors: `ValueError` listing the ids there are.

    >>> read_choice("mask", "last_padded", ["none", "last_padded"])
    'last_padded'
    """
    if isinstance(given, str) and given in ids:
        return given
    came = repr(given) if isinstance(given, NAMES_THEMSELVES) else f"of the type {type(given).__name__}"
    raise ValueError(f"{argument} is {came}, but must be one of {list(ids)}.")

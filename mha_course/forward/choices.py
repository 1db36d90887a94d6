"""Things to choose from: a short stable id is saved and sent, a label is shown."""

from collections.abc import Mapping

NAMES_THEMSELVES = (str, int, float, type(None))  # what is written in few characters


def read_choice(argument: str, given: object, labels: Mapping[str, str]) -> str:
    """Return the id that was given, or whose label was given, as older notebooks and saved texts have it.

    Errors: `ValueError` listing the ids there are.

    >>> read_choice("mask", "last key is padding", {"none": "none", "last_padded": "last key is padding"})
    'last_padded'
    """
    if isinstance(given, str) and given in labels:
        return given
    for each, label in labels.items():
        if label and isinstance(given, str) and given == label:
            return each
    came = repr(given) if isinstance(given, NAMES_THEMSELVES) else f"of the type {type(given).__name__}"
    raise ValueError(f"{argument} is {came}, but must be one of {list(labels)}.")

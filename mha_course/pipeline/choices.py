"""Things to choose from: a short stable id is saved and sent, a label is shown."""

from collections.abc import Mapping


def read_choice(argument: str, given: object, labels: Mapping[str, str]) -> str:
    """Return the id that was given, or whose label was given, as older notebooks and saved texts have it.

    Errors: `ValueError` listing the ids there are.

    >>> read_choice("mask", "last key is padding", {"none": "none", "last_padded": "last key is padding"})
    'last_padded'
    """
    if isinstance(given, str) and given in labels:
        return given
    for each, label in labels.items():
        if label and given == label:
            return each
    raise ValueError(f"{argument} is {given!r}, but must be one of {list(labels)}.")

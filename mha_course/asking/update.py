"""What a session of a question tells the browser to change."""

from collections.abc import Mapping
from typing import NotRequired, TypedDict


class Update(TypedDict):
    """One message. The forms are known by name, as the places of a screen are."""

    fields: Mapping[str, Mapping[str, str | None]]  # of each form whose fields are set anew
    locked: list[str]  # forms that take no other answer
    hidden: list[str]  # forms that are not shown yet
    off: list[str]  # buttons that cannot be pressed
    parts: Mapping[str, str]  # the markup of each part of the screen
    view: NotRequired[str]  # the only view that this is for

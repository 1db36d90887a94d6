"""What is said between a screen in the browser and the session behind it."""

from collections.abc import Collection, Mapping
from typing import TypedDict


class Marks(TypedDict):
    """Which cells stand out, by their addresses; only they do."""

    moved: dict[str, str]  # address -> by how much
    sources: list[str]
    selected: str | None
    bad: str | None  # whose text was refused


class Update(TypedDict, total=False):
    """What a screen has to change. What is left out of it is as if it were empty.

    The browser sends {"actions": [...]}, all that the hand did since the batch before, in its order:

        ["show", view]                  a view has just opened; this is always alone in its batch
        ["submit", form, {field: text}] a form was filled in
        ["press", button], or with a third, the text that goes along
        ["set", field, text]            a control was set
        ["open", form, is_open]         a panel was opened or closed
        ["edit", address, text]         a number was typed
        ["step", address, count]        a number was changed by so many steps
        ["select", address]             a number was asked where it came from

    Beside them it sends {"picture": true} to get {"picture": {MIME type: text}}, what the notebook is to store now.

    Each batch gets one update as its answer. A form here is any named group of fields. An address is
    where an entry stands, like "scores/1:0,2". Every other name is one that the markup gives.

    view: the only view that the update is for; left out if it is for all.
    html: the whole screen anew, before everything else.
    fields: form -> field -> text; a form's fields that are not named become empty, other forms stay.
    cells: [address, text or None, colour or None], None for what stays.
    marks: the cells that stand out.
    parts: part -> the markup that it holds from now on.
    off: the buttons that cannot be pressed. locked, hidden: the forms that cannot be filled in, or seen.
    """

    view: str
    html: str
    fields: Mapping[str, Mapping[str, str | None]]
    cells: list[tuple[str, str | None, str | None]]
    marks: Marks
    parts: dict[str, str]
    off: list[str]
    locked: list[str]
    hidden: list[str]


Actions = Collection[object]  # whatever the browser sent: a session looks at each before it does it

"""What is said between a screen in the browser and the session behind it."""

from collections.abc import Collection, Mapping
from typing import TypedDict

from mha_course.engine.pictures.svg import Change


class Marks(TypedDict):
    """Which cells stand out, by their addresses; only they do.

    reached: while a row is stepped through, all entries that stand there by now; the others are still to come.
    counts: the entries that a goal is about. chosen: the row that stands out in all tables of what has such rows.
    """

    moved: dict[str, dict[str, str]]  # matrix -> "▲" or "▼" -> places like "0,2 1,2"
    masked: list[str]
    sources: list[str]
    chosen: int | None
    selected: str | None
    bad: str | None  # whose text was refused
    reached: list[str]
    counts: list[str]


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
        ["pull", address, difference]   a point or an arrow was moved: an entry, by about so much
        ["drop"]                        the hand let go of it
        ["select", address]             a number was asked where it came from
        ["choose", word]                another word looks, counted from 0
        ["hide", address]               a score or weight was hidden by the mask, or shown again
        ["move", item, list, place]     an item was dragged to a place in a list, counted from 0
        ["tick"]                        what goes on by itself is asked for its next step

    The buttons of a workbench, which keys may press as well:

        undo, redo, reset               the last change, and all changes
        load, with the text             the state as data
        next, back                      step through the row of the selected entry: one stop on, or back;
                                        back from the first stop ends it, and so does selecting an entry
        before                          show the state before the last change, or the pinned one; again: the
                                        present one. What is done meanwhile is done to the present one
        pin                             compare with what is shown from now on; again: no longer

    Beside them it sends {"picture": true} to get {"picture": [{MIME type: text}, metadata]}, what the notebook is to
    store now.

    Each batch gets one update as its answer. A form here is any named group of fields. An address is
    where an entry stands, like "scores/1:0,2". Every other name is one that the markup gives.

    view: the only view that the update is for; left out if it is for all.
    html: the whole screen anew, before everything else.
    fields: form -> field -> text; a form's fields that are not named become empty, other forms stay.
    cells: matrix -> [row, column, text or None, background or None], None for what stays. An entry can stand in
        several places; in miniature it has a background alone.
    marks: the cells that stand out. drawings: those that look different, name -> [element, attribute, value],
        where elements count from 0 as they begin, and [text, "", words], where texts do; or -> the whole SVG, if more
        differs.
    parts: part -> the markup that it holds from now on.
    off: the buttons that cannot be pressed. on: those that are pressed in.
    locked, hidden: the forms that cannot be filled in, or seen.
    """

    view: str
    html: str
    fields: Mapping[str, Mapping[str, str | None]]
    cells: dict[str, list[tuple[int, int, str | None, str | None]]]
    marks: Marks
    drawings: dict[str, str | list[Change]]
    parts: dict[str, str]
    off: list[str]
    on: list[str]
    locked: list[str]
    hidden: list[str]


Actions = Collection[object]  # whatever the browser sent: a session looks at each before it does it


def are_ticks(actions: Actions) -> bool:
    """Whether no hand did anything: the screen goes on by itself.

    >>> are_ticks([["tick"]]), are_ticks([["tick"], ["press", "step"]])
    (True, False)
    """
    return all(action == ["tick"] for action in actions)

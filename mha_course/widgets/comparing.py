"""Swaps the present state with an earlier one, to see the difference; what is done is done to the present one."""

from typing import Any

from mha_course.engine.notation.labels import label
from mha_course.forward.mask_choices import mask_of
from mha_course.forward.state import Change, State
from mha_course.widgets.snapshot import Snapshot

MOST_NAMED = 3  # changed entries that a sentence names one by one


class Comparing:
    """Which state the present one is compared with, and which of the two is on the screen.

    >>> from mha_course.widgets.snapshot import take_snapshot
    >>> from mha_course.forward.presets import preset
    >>> then, now = (take_snapshot("article", preset("article").with_entry("W_K", 0, 2, x), ["K"]) for x in (1, 5))
    >>> comparing = Comparing()
    >>> comparing.leave(now, before=then) is then, comparing.sentence(then)
    (True, 'Before: W_K[1,3] = 1. Press again for after.')
    >>> comparing.come_back() is now
    True
    """

    def __init__(self) -> None:
        """Begin with the present state on the screen, and nothing pinned."""
        self._pinned: Snapshot | None = None
        self._present: Snapshot | None = None  # while the other is on the screen

    @property
    def present(self) -> Snapshot | None:
        """What is not on the screen, but is the present state all the same; None while it is on it."""
        return self._present

    @property
    def pinned(self) -> Snapshot | None:
        """What was pinned."""
        return self._pinned

    def reference(self, before: Snapshot | None) -> Snapshot | None:
        """Return what the screen is compared with. before: the moment before the last change."""
        return self._present or self._pinned or before

    def can_swap(self, state: State, before: Snapshot | None) -> bool:
        """Whether there is another state than the one on the screen."""
        other = self.reference(before)
        return other is not None and other.state is not state

    def leave(self, present: Snapshot, before: Snapshot | None) -> Snapshot:
        """Return what comes on the screen instead of the present state. Errors: `ValueError` if there is nothing."""
        other = self.reference(before)
        if other is None or other.state is present.state:
            raise ValueError("There is nothing to compare with yet: change a number first.")
        self._present = present
        return other

    def come_back(self) -> Snapshot | None:
        """Return the present state, which comes on the screen again; None if it is there."""
        present, self._present = self._present, None
        return present

    def pin(self, shown: Snapshot) -> None:
        """Compare with what is shown from now on."""
        self._pinned = shown

    def let_go(self) -> None:
        """Compare with the moment before the last change again."""
        self._pinned = None

    def sentence(self, shown: Snapshot) -> str:
        """Say that the other one is on the screen, and in what it differs from the present one."""
        assert self._present is not None  # else the present one is on the screen
        name = "Before" if self._pinned is None else "Pinned"
        return f"{name}: {_differences(shown.state, self._present.state)}. Press again for after."


def only_looks(action: Any) -> bool:
    """Whether an action leaves every state as it is, so that the screen can go on showing another than the present.

    >>> only_looks(["select", "X:0,0"]), only_looks(["edit", "X:0,0", "1"])
    (True, False)
    """
    match action:
        case ["select" | "choose" | "open", *_] | ["press", "before" | "pin" | "next" | "back" | "end"]:
            return True
        case ["press", str(button)]:
            return button.startswith("head/")
    return False


def _differences(state: State, present: State) -> str:
    try:
        changes = state.changes_since(present)
    except ValueError:  # nothing to compare one by one
        return "other sizes"
    named = [_written(state, change) for change in changes]
    count = sum(len(change) == 3 for change in changes)  # entries come first
    if count > MOST_NAMED:
        named = [*named[count:], f"{count} other numbers"]
    return ", ".join(named) or "no difference"


def _written(state: State, change: Change) -> str:
    if len(change) == 3:
        name, row, column = change
        return f"{label(name, row, column)} = {state.inputs[name][row, column]:.6g}"
    match change[0]:
        case "scale":
            value = f"{state.divisor:.6g}"
        case "mask":
            value = mask_of(state.mask).label
        case "tokens" | "context_tokens" as name:
            value = ", ".join(getattr(state, name) or ())
        case name:
            value = f"{getattr(state, name):.6g}"
    return f"{change[0]} = {value}"

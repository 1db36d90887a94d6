"""The states that came before, and those that were undone."""

from collections.abc import Hashable
from typing import Generic, TypeVar

SavedEntry = TypeVar("SavedEntry")
MOST = 100  # states kept


class History(Generic[SavedEntry]):
    """Keep states to go back to.

    >>> history = History("a")
    >>> history.add("b")
    True
    >>> history.undo(), history.redo(), history.redo()
    ('a', 'b', 'b')
    """

    def __init__(self, state: SavedEntry):
        """Begin with one state."""
        self._states, self._now = [state], 0
        self._merging: Hashable = None

    @property
    def can_undo(self) -> bool:
        """Whether there is a state to go back to."""
        return self._now > 0

    @property
    def can_redo(self) -> bool:
        """Whether an undone state can be had again."""
        return self._now < len(self._states) - 1

    @property
    def past(self) -> list[SavedEntry]:
        """The present state and those before it, the last one first."""
        return self._states[self._now :: -1]

    def add(self, state: SavedEntry, merge: Hashable = None) -> bool:
        """Add a state, and return whether it began a new change.

        Changes in a row with the same merge word count as one, like the steps of a drag.
        """
        is_new = merge is None or merge != self._merging
        kept = self._states[: self._now + is_new]
        self._states = [*kept, state][-MOST:]
        self._now, self._merging = len(self._states) - 1, merge
        return is_new

    def undo(self) -> SavedEntry:
        """Go back one change, if there is one, and return the state."""
        self._now, self._merging = max(0, self._now - 1), None
        return self._states[self._now]

    def redo(self) -> SavedEntry:
        """Go forward to what was undone, if there is something, and return the state."""
        self._now, self._merging = min(self._now + 1, len(self._states) - 1), None
        return self._states[self._now]

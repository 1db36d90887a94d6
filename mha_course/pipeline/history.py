"""The states that came before, and those that were undone."""

MOST = 100  # states kept


class History:
    """Keep states to go back to.

    >>> history = History("a")
    >>> history.add("b")
    True
    >>> history.undo(), history.redo(), history.redo()
    ('a', 'b', 'b')
    """

    def __init__(self, state):
        """Begin with one state."""
        self._states, self._now, self._merging = [state], 0, None

    @property
    def can_undo(self):
        """Whether there is a state to go back to."""
        return self._now > 0

    @property
    def can_redo(self):
        """Whether an undone state can be had again."""
        return self._now < len(self._states) - 1

    def add(self, state, merge=None):
        """Add a state, and return whether it began a new change.

        Changes in a row with the same merge word count as one, like the steps of a drag.
        """
        is_new = merge is None or merge != self._merging
        kept = self._states[: self._now + is_new]
        self._states = [*kept, state][-MOST:]
        self._now, self._merging = len(self._states) - 1, merge
        return is_new

    def undo(self):
        """Go back one change, if there is one, and return the state."""
        self._now, self._merging = max(0, self._now - 1), None
        return self._states[self._now]

    def redo(self):
        """Go forward to what was undone, if there is something, and return the state."""
        self._now, self._merging = min(self._now + 1, len(self._states) - 1), None
        return self._states[self._now]

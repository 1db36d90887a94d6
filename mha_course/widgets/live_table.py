"""A matrix as it stands on the screen, and what of it has to be written anew."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mha_course.engine.pictures.number_table import Place, largest
from mha_course.forward.path_matrix import PathMatrix
from mha_course.pictures.board import brief, masked_places, write


@dataclass(frozen=True, eq=False)
class LiveTable:
    """One matrix as it stands on the screen: its values, and the text and look of each shown entry.

    >>> LiveTable(np.array([[1.0]]), {(0, 0): ("1", "red")}).since(np.array([[0.5]]))
    [((0, 0), 0.5)]
    """

    values: np.ndarray
    entries: dict[Place, tuple[str, str]]
    masked: frozenset[Place] = frozenset()
    full: float | None = None

    @classmethod
    def of(
        cls,
        step: PathMatrix,
        places: Sequence[Place],
        earlier: "LiveTable | None" = None,
        full: float | None = None,
    ) -> "LiveTable":
        """Write some places of a step, taking over what looks the same in an earlier table of the same places.

        full: the size of an entry that gets the fullest colour, or None for the largest one.
        """
        masked = frozenset(masked_places(step)) & frozenset(places)
        if earlier is None or earlier.values.shape != step.values.shape:
            return cls(step.values, write(step, places, full), masked, full)
        is_same = earlier.values is step.values or np.array_equal(earlier.values, step.values)
        if masked == earlier.masked and full == earlier.full and is_same:
            return earlier
        is_rescaled = full != earlier.full or (full is None and largest(earlier.values) != largest(step.values))
        if is_rescaled or not np.array_equal(brief(earlier.values), brief(step.values)):
            return cls(step.values, write(step, places, full), masked, full)
        again = [
            at for at in places if earlier.values[at] != step.values[at] or (at in masked) != (at in earlier.masked)
        ]
        return cls(step.values, earlier.entries | write(step, again, full), masked, full)

    def unlike(self, earlier: "LiveTable") -> dict[Place, tuple[str | None, str | None]]:
        """Return place -> (text, look) of the entries that look different; None for what stays."""
        if self is earlier:
            return {}
        different = {}
        for place, (text, look) in self.entries.items():
            old_text, old_background = earlier.entries[place]
            if text != old_text or look != old_background:
                different[place] = None if text == old_text else text, None if look == old_background else look
        return different

    def since(self, values: np.ndarray) -> list[tuple[Place, float]]:
        """List (place, difference) of the shown entries that are not what they were."""
        if self.values is values or self.values.shape != values.shape:
            return []
        shown = tuple(np.array(list(self.entries)).T)
        now, differences = self.values[shown], self.values[shown] - values[shown]
        moved = np.abs(differences) > 1e-12 * np.maximum(1.0, np.abs(now))
        return [
            (place, difference)
            for place, difference, has in zip(self.entries, differences.tolist(), moved.tolist(), strict=True)
            if has
        ]

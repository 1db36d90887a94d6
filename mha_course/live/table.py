"""A matrix as it stands on the screen, and what of it has to be written anew."""

from dataclasses import dataclass

import numpy as np

from mha_course.notation.digits import is_whole
from mha_course.pictures.matrix import Place, entries, largest
from mha_course.pictures.whole_path import decimals_of
from mha_course.pipeline.matrices import MATRICES
from mha_course.pipeline.step import Step


@dataclass(frozen=True, eq=False)
class Table:
    """One matrix as it stands on the screen: its values, and the text and colour of each shown entry.

    >>> Table(np.array([[1.0]]), {(0, 0): ("1", "red")}).since(np.array([[0.5]]))
    [((0, 0), 0.5)]
    """

    values: np.ndarray
    entries: dict[Place, tuple[str, str]]

    @classmethod
    def of(cls, step: Step, earlier: "Table | None" = None) -> "Table":
        """Write a step of the path, taking over what looks the same in the earlier table."""
        role, decimals = MATRICES[step.name].role, decimals_of(step)
        if earlier is None or earlier.values.shape != step.values.shape:
            return cls(step.values, entries(step.values, role, decimals))
        if earlier.values is step.values or np.array_equal(earlier.values, step.values):
            return earlier
        places = None
        if all(of(earlier.values) == of(step.values) for of in (largest, is_whole)):
            places = [place for place in earlier.entries if earlier.values[place] != step.values[place]]
        return cls(step.values, earlier.entries | entries(step.values, role, decimals, places))

    def unlike(self, earlier: "Table") -> dict[Place, tuple[str | None, str | None]]:
        """Return place -> (text, colour) of the entries that look different; None for what stays."""
        if self is earlier:
            return {}
        different = {}
        for place, (text, colour) in self.entries.items():
            old_text, old_colour = earlier.entries[place]
            if text != old_text or colour != old_colour:
                different[place] = None if text == old_text else text, None if colour == old_colour else colour
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

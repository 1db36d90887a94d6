"""What a lesson's cells are: told apart by their tags, and five in a row make an exercise."""

import re
from dataclasses import dataclass

PARTS = ("exercise", "stub", "check", "hints", "solution")


@dataclass(frozen=True, eq=False)
class ExerciseCells:
    """The five cells of one exercise."""

    task: object
    stub: object
    check: object
    hints: object
    solution: object

    @property
    def name(self):
        """The name by which the course knows it, as in `check("scaled_scores.scaled", …)`."""
        return re.search(r'\bcheck\(\s*"([^"]+)"', self.check.source)[1]

    @property
    def call(self):
        """The call of the check, without the import above it."""
        return re.search(r"^check\(.*", self.check.source.strip(), re.MULTILINE | re.DOTALL)[0]

    @property
    def answer(self):
        """The code of the solution, under the name that the check calls."""
        return re.sub(r"(\w+)_solution\b", r"my_\1", self.solution.source)

    @property
    def points(self):
        """The number of ★ below its heading."""
        return re.search(r"^[★☆]+", self.task.source, re.MULTILINE)[0].count("★")


def has_tag(cell, *tags):
    """Whether a cell has one of the tags."""
    return not set(tags).isdisjoint(cell.metadata.get("tags", []))


def is_optional(cell):
    """Whether a cell lies beside the core path."""
    return has_tag(cell, "optional")


def asks(cell):
    """Whether it asks what the next cell will show: by a form, or in its own words."""
    return has_tag(cell, "predict") or bool(re.search(r"\*\*Think first[.:]\*\*|before you run it", cell.source))


def exercises(notebook):
    """List the exercises of a lesson. Errors: `ValueError` where five cells do not stand as they must."""
    cells = notebook.cells
    starts = [i for i, cell in enumerate(cells) if has_tag(cell, PARTS[0])]
    found = [cells[i : i + len(PARTS)] for i in starts]
    for five in found:
        if len(five) < len(PARTS) or not all(map(has_tag, five, PARTS)):
            raise ValueError(f"the cells from {five[0].id!r} on are not {', '.join(PARTS)}")
    if len(found) != sum(has_tag(cell, *PARTS[1:]) for cell in cells) / (len(PARTS) - 1):
        raise ValueError(f"a cell tagged {', '.join(PARTS[1:])} stands outside of an exercise")
    return [ExerciseCells(*five) for five in found]

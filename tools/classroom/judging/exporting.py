"""nbgrader's own sheet of all grades."""

import csv
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins.export import CsvExportPlugin

UNDECIDED = "raw_score", "score"


class WithoutUndecided(CsvExportPlugin):
    """Leaves points empty that wait for a person: nbgrader would write what there is so far, often 0."""

    def export(self, gradebook: Gradebook) -> None:
        """Write the sheet."""
        super().export(gradebook)
        path = Path(self.to or "grades.csv")
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
        wait = {(each.assignment.name, each.student.id) for each in _waiting(gradebook)}
        for row in rows:
            if (row["assignment"], row["student_id"]) in wait:
                row |= dict.fromkeys(UNDECIDED, "")
        with path.open("w", newline="") as file:
            sheet = csv.DictWriter(file, rows[0] if rows else [], lineterminator="\n")
            sheet.writeheader()
            sheet.writerows(rows)


def _waiting(gradebook):
    submissions = (each for one in gradebook.assignments for each in gradebook.assignment_submissions(one.name))
    return [each for each in submissions if each.needs_manual_grade]

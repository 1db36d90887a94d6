"""The same counts for a spreadsheet: a line for each student and exercise."""

import csv
import io

from the_course import CATALOGUE

COLUMNS = "student", "lesson", "exercise", "title", "state", "tries", "since", "last", "mistakes"
FORMULA = tuple("=+-@\t\r")  # what a spreadsheet would compute


def to_csv(names, standings):
    """Write a table of all standings. names: of the students as they are shown. standings: by student."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    for student, each in standings.items():
        for name, standing in each.items():
            exercise = CATALOGUE.exercises[name]
            lesson, _, _ = exercise.number.partition(".")
            tries = "" if standing.tries is None else standing.tries
            what = _plain(names[student]), lesson, exercise.number, exercise.title
            when = standing.since or "", standing.last or ""
            writer.writerow([*what, standing.state, tries, *when, "; ".join(standing.mistakes)])
    return file.getvalue()


def _plain(name):
    """Keep a name from being taken for a formula."""
    return f"'{name}" if name.startswith(FORMULA) else name

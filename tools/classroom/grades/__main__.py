"""Fills a platform's sheet with a lesson's points: `python -m classroom.grades COURSE LESSON SHEET [COLUMN]`."""

import argparse
from pathlib import Path

from classroom.grades import sheet as sheets
from classroom.grades.filling import EXCUSED, FILLED, REMARKS, WAITING, factor_of, fill
from classroom.grades.platforms import form_of
from classroom.grades.points import points_of

UNGRADED = "Handed in, but not graded (nbgrader autograde)"
USAGE = "make grades COURSE=~/mha_grading LESSON=03_scaled_scores SHEET=~/Downloads/Grades.csv"


def main():
    """Read the gradebook and the sheet, write a new sheet beside it, and say what was done."""
    parser = argparse.ArgumentParser(prog="classroom.grades", description=f"Points go back to the platform: {USAGE}")
    parser.add_argument("course", help="the course folder in which nbgrader graded")
    parser.add_argument("lesson", help="the assignment, as 03_scaled_scores")
    parser.add_argument("sheet", help="the CSV that Canvas or Moodle gave")
    parser.add_argument("column", nargs="?", default="", help="where the points go, if the sheet's names do not tell")
    given = parser.parse_args()
    if not all((given.course, given.lesson, given.sheet)):
        parser.exit(2, f"{USAGE}\n")
    course, sheet = (Path(each).expanduser() for each in (given.course, given.sheet))
    try:
        print(*filled(course, given.lesson, sheet, given.column), sep="\n")
    except ValueError as error:
        parser.exit(1, f"{error}\n")


def filled(course, lesson, path, column=""):
    """Write the filled sheet, and return what to say, line by line. Errors: `ValueError` in plain words."""
    points = points_of(course, lesson)
    if not path.is_file():
        raise ValueError(f"There is no file {path}: say SHEET=… with the CSV that you downloaded.")
    try:
        sheet = sheets.read(path.read_bytes())
        form = form_of(sheet, lesson, column)
    except ValueError as error:
        raise ValueError(f"{path.name} {error}") from None
    told = fill(sheet, form, points)
    target = path.with_name(f"{path.stem}_{lesson}{path.suffix}")
    target.write_bytes(sheet.to_bytes())
    return [
        f"{form.platform}, column “{form.header}”. {_scale(form, points)}",
        *_lines(told, form, points),
        f"Upload {target}.",
    ]


def _scale(form, points):
    most = f"The assignment has {points.most:g} points"
    if not form.maximum:
        return f"{most}, and the sheet says no maximum: the points are written as they are."
    if form.maximum == points.most:
        return f"{most}, and so has the column: the points are written as they are."
    return f"{most}, the column {form.maximum:g}: all points are multiplied by {factor_of(form, points):g}."


def _lines(told, form, points):
    """Say what became of everybody; only what there is to say."""
    silent = len(form.people) - sum(len(told[each]) for each in (FILLED, EXCUSED, WAITING))
    people = (
        f"{FILLED} {len(told[FILLED])} of {len(form.people)} in the sheet. {silent} have none, and stay as they were."
    )
    named = {each: told[each] for each in REMARKS} | {UNGRADED: points.ungraded}
    return [people, *(f"{what}: {', '.join(who)}." for what, who in named.items() if who)]


if __name__ == "__main__":
    main()

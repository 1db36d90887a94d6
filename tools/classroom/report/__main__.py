"""Writes the report on a class: `python -m classroom.report [--names] HANDED_IN FOLDER`."""

import argparse
from datetime import date
from pathlib import Path

from classroom.report import hand_ins
from classroom.report.report import report
from classroom.report.report_page import to_html
from classroom.report.spreadsheet import to_csv

from mha_course.engine.notation.counts import counted
from mha_course.engine.progress.spacing import today


def main():
    """Read what was handed in, write the page and the table, and say where they are."""
    parser = argparse.ArgumentParser(prog="classroom.report", description="Where is the class stuck?")
    parser.add_argument("handed_in", help="folder of progress files, notebooks or an nbgrader course, in any mix")
    parser.add_argument("folder", type=Path, help="where the page and the table are written")
    parser.add_argument("--names", action="store_true", help="the students' names instead of pseudonyms")
    parser.add_argument("--since", type=date.fromisoformat, default=date.min, help="count mistakes from this day on")
    given = parser.parse_args()
    if not given.handed_in or not Path(given.handed_in).is_dir():
        parser.exit(2, f"There is no folder {given.handed_in!r}: make class-report HANDED_IN=folder\n")
    found = hand_ins.read(Path(given.handed_in))
    if not found.events:
        parser.exit(1, f"Nothing in {given.handed_in} is a progress file or a lesson.\n")
    made = report(found, today(), given.since, given.names)
    given.folder.mkdir(parents=True, exist_ok=True)
    page, table = given.folder / "report.html", given.folder / "report.csv"
    page.write_text(to_html(made), encoding="utf-8")
    table.write_text(to_csv(made.names, made.standings), encoding="utf-8-sig", newline="")
    print(*found.warnings, f"{counted(len(found.events), 'student')}: {page} and {table}", sep="\n")


if __name__ == "__main__":
    main()

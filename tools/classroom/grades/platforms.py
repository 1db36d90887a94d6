"""What the sheets of Canvas and Moodle say: whose a row is, where the points go, and what the maximum is."""

import re
import unicodedata
from dataclasses import dataclass

from the_course import LESSONS

CANVAS, MOODLE = "Canvas", "Moodle"
POINTS_POSSIBLE = "Points Possible"  # Canvas does not translate it, nor the names of these columns
OF_CANVAS = {"Student", "LastName", "FirstName", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account",
             "Section"}  # fmt: skip
TOTALS = re.compile(r"\b(Current|Final|Override) (Score|Points|Grade|Status)\b")
LOGINS = {"sis login id", "sis user id", "email address", "id number", "username"}
PARTICIPANT = re.compile(r"(\D+)(\d+)")
GRADE = "Grade"


@dataclass(frozen=True)
class Person:
    """One row. number: the platform's own. name: to be told. logins: other words that stand for this person.

    names: what a zip of Moodle may call this person, in letters alone.
    """

    row: int
    number: str
    name: str
    logins: frozenset[str]
    names: frozenset[str]


@dataclass(frozen=True)
class Form:
    """How a sheet is filled. column: where the points go. maximum: what the sheet says, if it does.

    numbers_are_new: whether a person has another number in every assignment.
    """

    platform: str
    column: int
    header: str
    maximum: float | None
    people: list[Person]
    numbers_are_new: bool


def form_of(sheet, lesson, column=""):
    """Return how to fill a sheet. column: as a teacher calls it, or nothing.

    Errors: `ValueError` if it is no sheet of Canvas or Moodle, or if it does not say which column is meant.
    """
    head = [text.strip() for text in sheet.texts(0)] if sheet.rows else []
    if {"ID", "Section"} <= set(head):
        return _canvas(sheet, head, lesson, column)
    if len(sheet.rows) > 1 and all(PARTICIPANT.fullmatch(sheet.text(row, 0)) for row in _filled(sheet)):
        return _moodle(sheet, head, column)
    raise ValueError(
        "is neither a gradebook that Canvas exported nor a grading worksheet of Moodle. "
        f"Its columns are: {_listed(head)}."
    )


def number_in(text):
    """Return the number that a cell holds, with a comma or a point; None if it holds none.

    >>> number_in("10,00"), number_in(" 5 "), number_in("EX")
    (10.0, 5.0, None)
    """
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None


def letters(text):
    """Return the letters and digits of a text alone, so that spelling matters little.

    >>> letters("3 · Scaled scores"), letters("Jörg von Müller") == letters("jorg-von-muller")
    ('3scaledscores', True)
    """
    return "".join(sign for sign in unicodedata.normalize("NFKD", text.casefold()) if sign.isalnum())


def _canvas(sheet, head, lesson, column):
    assignments = [i for i, name in enumerate(head) if name and name not in OF_CANVAS and not TOTALS.search(name)]
    place = _chosen(head, assignments, column, _called(lesson))
    above = [row for row in range(1, len(sheet.rows)) if POINTS_POSSIBLE in sheet.text(row, 0)]
    maximum = number_in(sheet.text(above[0], place)) if above else None
    people = [_person(sheet, head, row, sheet.text(row, head.index("ID")).strip()) for row in _filled(sheet)]
    known = [each for each in people if each.number and each.row not in above]
    return Form(CANVAS, place, head[place], maximum, known, False)


def _moodle(sheet, head, column):
    """The maximum stands right after the grade, in every language; the names of the columns are translated."""
    place = _chosen(head, list(range(1, len(head))), column, {letters(GRADE)})
    people = [_person(sheet, head, row, PARTICIPANT.fullmatch(sheet.text(row, 0))[2]) for row in _filled(sheet)]
    limits = {number_in(sheet.text(each.row, place + 1)) for each in people}
    maximum = limits.pop() if len(limits) == 1 else None
    return Form(MOODLE, place, head[place], maximum, people, True)


def _filled(sheet):
    return [row for row in range(1, len(sheet.rows)) if any(map(str.strip, sheet.texts(row)))]


def _person(sheet, head, row, number):
    texts = [text.strip() for text in sheet.texts(row)]
    said = dict(zip(head, texts, strict=False))
    logins = {text.casefold() for name, text in said.items() if name.casefold() in LOGINS and text}
    logins |= {each.split("@")[0] for each in logins}
    full = " ".join(filter(None, (said.get("FirstName"), said.get("LastName"))))
    name = said.get("Student") or full or said.get("Full name") or texts[0]
    hidden = texts[0].removesuffix(number)  # what Moodle's zip says for everybody where nobody is to know the names
    in_zip = {letters(text) for text in (hidden, *texts[1:2])} - {""}
    return Person(row, number, name, frozenset(logins), frozenset(in_zip))


def _called(lesson):
    """Return how a teacher may have called the assignment of a lesson, in letters alone."""
    names = {lesson}
    for each in LESSONS.values():
        if f"{each.number:02}_{each.name}" == lesson:
            names |= {each.title, each.heading, f"Lesson {each.number}", f"Lesson {each.heading}"}
    return set(map(letters, names))


def _chosen(head, places, column, names):
    """Return the one column that is meant: by what the teacher says, or else by what it is usually called."""

    def _is_meant(header):
        title, number = re.fullmatch(r"(.*?)(?: \((\d+)\))?", header).groups()
        if column:
            return column.strip().casefold() in (header.casefold(), title.casefold(), number)
        return letters(title) in names

    found = [place for place in places if _is_meant(head[place])]
    if len(found) == 1:
        return found[0]
    what = f"called {column!r}" if column else "called after the lesson"
    many = f"has {len(found)} columns that are {what}" if found else f"has no column that is {what}"
    raise ValueError(f"{many}. Say COLUMN=… with one of: {_listed(head[place] for place in places)}.")


def _listed(names):
    return ", ".join(f"“{name}”" for name in names) or "none"

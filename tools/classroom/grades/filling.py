"""Fills points into a sheet, and keeps what there is to say of everybody."""

from collections import defaultdict

from classroom.grades.platforms import letters, number_in
from classroom.platform_names import STUDENT

KEPT = "EX", "N/A"  # what Canvas writes for who is excused, and for whom the assignment is not
DECIMALS = 2  # as many as both platforms show

FILLED = "Points for"
CHANGED = "Had other points in the sheet"
EXCUSED = "Left as they were, since the platform says so"
WAITING = "Left as they were, since they wait for you (Formgrader)"
UNKNOWN = "In the gradebook, but not in the sheet"
DOUBLED = "Not written, since several in the gradebook are one person in the sheet"
STRANGERS = "Not written, since their number is somebody else's here, as in the sheet of another assignment"
REMARKS = (CHANGED, EXCUSED, WAITING, UNKNOWN, DOUBLED, STRANGERS)  # each followed by names


def factor_of(form, points):
    """Return by what points are multiplied: 1 unless the sheet has a maximum of its own.

    A maximum of 0 means that the platform counts as an extra what is written there.
    """
    return form.maximum / points.most if form.maximum and points.most else 1


def fill(sheet, form, points):
    """Write the points of everybody who is in both into the sheet. Returns what is to be told -> names."""
    told, found = defaultdict(list), defaultdict(list)
    for student in points.of:
        person = person_of(student, form)
        if person is None:
            told[UNKNOWN].append(student)
        elif form.numbers_are_new and not _has_name(student, person):
            told[STRANGERS].append(f"{student} (here {person.name})")
        else:
            found[person.row].append(student)
    for person in form.people:
        students = found[person.row]
        if len(students) > 1:
            told[DOUBLED].append(" and ".join(students))
        elif students:
            _fill_one(sheet, form, person, students[0], points, told)
    return told


def person_of(student, form):
    """Return whose row is a student's: by login, or by the number that a platform's zip gave; None if nobody's is."""
    found = STUDENT.fullmatch(student)
    same = [each for each in form.people if student.casefold() in each.logins]
    same = same or [each for each in form.people if found and each.number == found["number"]]
    return same[0] if len(same) == 1 else None


def _has_name(student, person):
    """Whether the name in the zip stands in the row; the name of a group may stand before it."""
    found = STUDENT.fullmatch(student)
    return not found or student.casefold() in person.logins or letters(found["name"]).endswith(tuple(person.names))


def _fill_one(sheet, form, person, student, points, told):
    before, score = sheet.text(person.row, form.column).strip(), points.of[student]
    if score is None:
        told[WAITING].append(f"{person.name} ({' '.join(points.why[student])})")
    elif before in KEPT:
        told[EXCUSED].append(f"{person.name} ({before})")
    else:
        after = f"{score * factor_of(form, points):.{DECIMALS}f}"
        told[FILLED].append(person.name)
        if before and number_in(before) not in (None, float(after)):
            told[CHANGED].append(f"{person.name} ({before}, now {after})")
        sheet.write(person.row, form.column, after)

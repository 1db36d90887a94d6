"""The tables of the report: each has a caption, and headers for its rows and columns."""

from classroom.report.standing import OPEN, RIGHT, STUCK, UNDER_WAY
from the_course import CATALOGUE

from mha_course.engine.notation.counts import counted
from mha_course.engine.pictures import markup
from mha_course.engine.pictures.forms import inline
from mha_course.engine.pictures.markup import LEFT
from mha_course.pictures.palette import bar

SIGNS = {RIGHT: "✓", STUCK: "✗", UNDER_WAY: "◐", OPEN: "·"}
UNKNOWN = "–"


def standings(names, students, exercises):
    """Draw how every student stands with some exercises, below it their titles. students: the standings by student."""
    totals = [_total(f"{state}, of {len(names)}", state, students, exercises) for state in (RIGHT, STUCK)]
    rows = [
        markup.row([markup.row_header(name), *(_standing(students[student][each.name]) for each in exercises)])
        for student, name in names.items()
    ]
    first, last = exercises[0].number, exercises[-1].number
    head = _head("student", *(each.number for each in exercises))
    table = markup.table(f"Exercises {first} to {last}", [*totals, *rows], head, class_="standing")
    titles = " · ".join(f"{each.number} {each.title}" for each in exercises)
    return markup.joined([table, markup.paragraph(titles, class_="quiet")], "\n")


def stuck(names, students):
    """Draw who is stuck where, exercise by exercise, those first who have been so for longest; nothing if nobody is."""
    rows = []
    for exercise in CATALOGUE.exercises.values():
        found = {student: students[student][exercise.name] for student in names}
        here = [(student, each) for student, each in found.items() if each.state == STUCK]
        here.sort(key=lambda pair: str(pair[1].since or "9999"))
        rows += [
            markup.row([*_of_exercise(exercise, len(here)) * (place == 0), *_of_student(names[student], each)])
            for place, (student, each) in enumerate(here)
        ]
    columns = "exercise", "student", "since", "last try", "tries", "mistakes in the last try"
    return markup.table("Stuck, in the order of the exercises", rows, _head(*columns)) if rows else ""


def tallies(made, caption):
    """Draw mistakes with their counts."""
    rows = (
        markup.row([markup.row_header(each.name), *map(_cell, (each.students, each.times, each.still, _where(each)))])
        for each in made
    )
    return markup.table(caption, rows, _head("mistake", "students", "times", "not past it", "exercises"))


def recalls(found):
    """Draw what to meet again."""
    rows = (
        markup.row([markup.row_header(inline(each.label)), *map(_cell, (f"{each.missed} of {each.tried}", each.due))])
        for each in found
    )
    return markup.table("What to review", rows, _head("what", "wrong at first", "due today"))


def histogram(found):
    """Draw the answers to one prediction as bars."""
    rows = (
        markup.row(
            [
                markup.row_header(inline(f"✓ {each.text}" if each.is_right else each.text)),
                markup.cell(str(each.count), style=markup.background(bar("weights", each.count / found.count))),
            ]
        )
        for each in found.bars
    )
    caption = markup.joined([inline(found.text), markup.bold(f" {found.right} of {found.count} right.")])
    return markup.table(caption, rows)


def _head(*columns):
    return markup.row(map(markup.column_header, columns))


def _cell(content):
    return markup.cell(str(content), style=LEFT)


def _where(tally):
    return ", ".join(each.number for each in tally.exercises)


def _standing(standing):
    """Draw one cell: a sign and a number for the eye, words for the ear."""
    tries = str(standing.tries or "")
    told = f"{standing.state}, {counted(standing.tries, 'try', 'tries')}" if standing.tries else standing.state
    shown = markup.element("span", f"{SIGNS[standing.state]}{tries}", aria_hidden="true")
    return markup.cell(
        markup.joined([shown, markup.element("span", told, class_="told")]),
        class_=f"state {standing.state.replace(' ', '-')}",
    )


def _total(title, state, students, exercises):
    counts = (sum(each[one.name].state == state for each in students.values()) for one in exercises)
    cells = (markup.cell(str(count)) for count in counts)
    return markup.element("tr", markup.row_header(title), *cells, class_="total")


def _of_exercise(exercise, count):
    text = f"{exercise.number} · {exercise.title} ({count})"
    return [markup.element("th", text, scope="rowgroup", rowspan=str(count), style=LEFT)]


def _of_student(name, standing):
    days = (day or UNKNOWN for day in (standing.since, standing.last))
    tries = UNKNOWN if standing.tries is None else standing.tries
    return [markup.row_header(name), *map(_cell, (*days, tries, " ".join(standing.mistakes)))]

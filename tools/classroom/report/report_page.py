"""Draws the report as one page that needs nothing else: no network, no script, no file beside it."""

from datetime import date
from pathlib import Path

from classroom.report import tables
from classroom.report.standing import MANY, RIGHT, STUCK, UNDER_WAY
from classroom.single_page import single_page
from formulas import text_to_html
from the_course import LESSONS

from mha_course.engine.notation.counts import counted
from mha_course.engine.pictures import markup
from mha_course.engine.pictures.forms import inline
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.theme import css_variables

STYLE = Path(__file__).parent / "report_page.css"
TITLE = "Where is the class stuck?"
HEADLINES = 3  # with which the next lesson can begin
NOTHING = "Nothing yet."
COUNTED = "A student counts once for a mistake, however often it was made. Only mistakes known by name count{since}."
SIGNS = (
    f"✓ right, ✗ stuck (not right after {MANY} tries or more, or handed in wrong), ◐ tried and not right yet, "
    "· not tried. The number says how many tries there were, up to the first right one. "
    "It is missing where only a notebook was handed in."
)
FIRST = "The first answer of each student counts{since}. ✓ marks the right one."
AGAIN = (
    "What most students got wrong at first, the first check of an exercise included. "
    "*Due today* counts those for whom `review()` has it on its list today."
)


def to_html(report):
    """Return the whole page."""
    sections = {
        "Begin the next lesson with this": _tallies(report),
        "Who is stuck where, and since when": _stuck(report),
        "Every student, every exercise": _standings(report),
        "What they predicted": _histograms(report),
        "What to review": _reviews(report),
    }
    links = (markup.link(title, f"#{_id(title)}") for title in sections)
    top = [markup.element("h1", TITLE), *_summary(report), markup.element("nav", *links, aria_label="On this page")]
    drawn = [_section(title, content) for title, content in sections.items()]
    style = f"{css_variables()}\n{STYLE.read_text(encoding='utf-8')}"
    return single_page(TITLE, style, markup.element("main", markup.joined([*top, *drawn], "\n")))


def _id(title):
    return title.split(",")[0].lower().replace(" ", "-")


def _section(title, content):
    heading = markup.element("h2", title, id=_id(title))
    return markup.element("section", markup.joined([heading, *content], "\n"), aria_labelledby=_id(title))


def _summary(report):
    """Say how large the class is and how far it has come, and what could not be read."""
    states = [standing.state for each in report.standings.values() for standing in each.values()]
    counts = {state: states.count(state) for state in (RIGHT, UNDER_WAY, STUCK)}
    students = counted(len(report.names), "student")
    exercises = f"{counts[RIGHT]} exercises right, {counts[STUCK]} stuck, {counts[UNDER_WAY]} under way."
    lines = [f"{students} on {report.day}. In all: {exercises}", *report.warnings]
    return [markup.paragraph(line) for line in lines]


def _tallies(report):
    """Draw the mistakes: the first as sentences to begin with, each with what to do, and the rest as a table."""
    if not report.tallies:
        return [markup.paragraph(NOTHING)]
    first = [
        markup.element("li", f"{tally.students} of {len(report.names)}: {tally.name}")
        for tally in report.tallies[:HEADLINES]
    ]
    told = [_tally(*each, len(report.names)) for each in zip(report.tallies, report.advice, strict=False)]
    rest = report.tallies[len(report.advice) :]
    below = [tables.tallies(rest, "Other mistakes")] if rest else []
    what_counts = markup.paragraph(COUNTED.format(since=_since(report)), class_="quiet")
    return [markup.element("ul", *first, class_="first"), what_counts, *told, *below]


def _tally(tally, advice, students):
    where, often = ", ".join(each.number for each in tally.exercises), counted(tally.times, "time")
    exercises = "exercise" if len(tally.exercises) == 1 else "exercises"
    past = f" {tally.still} of them have not got past it." if tally.still else ""
    counts = f"{tally.students} of {counted(students, 'student')}, {often}, in {exercises} {where}.{past}"
    task = [markup.element("b", "Two minutes. "), inline(advice.ask)]
    key = [markup.folded("Answer", markup.paragraph(inline(advice.key)))] if advice.key else []
    shown = [advice.shown.html] if advice.shown else []
    return markup.element(
        "article",
        markup.element("h3", tally.name),
        markup.paragraph(counts, class_="quiet"),
        Markup(text_to_html(f"**To say.** {advice.say}")),
        markup.element("div", markup.paragraph(*task), *shown, *key, class_="two-minutes"),
        class_="slip",
    )


def _since(report):
    return "" if report.since == date.min else f", since {report.since}"


def _stuck(report):
    table = tables.stuck(report.names, report.standings)
    return [table if table else markup.paragraph(f"Nobody is: every exercise is right within {MANY} tries, or open.")]


def _standings(report):
    blocks = (tables.standings(report.names, report.standings, each) for each in _blocks(report))
    return [markup.paragraph(SIGNS), *blocks]


def _blocks(report, most=24):
    """Cut the lessons in which anybody tried anything into blocks whose exercises stand side by side on a page."""
    tried = {name for each in report.standings.values() for name, standing in each.items() if standing.tries != 0}
    blocks = [[]]
    for lesson in LESSONS.values():
        exercises = [each for each in lesson.exercises if tried & {one.name for one in lesson.exercises}]
        if len(blocks[-1]) + len(exercises) > most:
            blocks.append([])
        blocks[-1] += exercises
    return [block for block in blocks if block]


def _histograms(report):
    """Draw the predictions, lesson by lesson."""
    drawn = [markup.paragraph(FIRST.format(since=_since(report)) if report.histograms else NOTHING)]
    for name, lesson in LESSONS.items():
        of_lesson = [each for each in report.histograms if each.name.startswith(f"{name}.")]
        if of_lesson:
            boxes = (markup.element("div", tables.histogram(each)) for each in of_lesson)
            drawn += [markup.element("h3", lesson.heading), markup.element("div", *boxes, class_="histograms")]
    return drawn


def _reviews(report, most=15):
    shown = report.recalls[:most]
    return [markup.paragraph(inline(AGAIN)), tables.recalls(shown)] if shown else [markup.paragraph(NOTHING)]

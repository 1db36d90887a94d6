"""Draws a quiz as two pages to print, the sheet and its key: black on white, and nothing to load."""

from hashlib import sha256
from pathlib import Path
from string import ascii_uppercase

from classroom.quizzes.choosing import chosen, minutes, text_of
from classroom.single_page import single_page

from mha_course.asking.kinds import Choice, Number, Order
from mha_course.asking.question import Question
from mha_course.asking.several import Several
from mha_course.asking.task import Task
from mha_course.pictures import markup
from mha_course.pictures.forms import inline
from mha_course.pictures.practice import beside

STYLE = Path(__file__).parent / "page.css"
SHORT = 32  # characters of an option, up to which two stand beside each other
BOX, CHECKED = (markup.element("span", sign, class_="box") for sign in ("", "✕"))
LINE = markup.element("span", class_="line")
HOW = {  # kind of answer -> what to do, where it is not to check one box
    Order: "Write 1, 2, 3, … into the boxes.",
    Several: "Check every true one.",
}
POINT_AT = "Circle it."


def sheet(lesson):
    """Return the page for students."""
    asked = chosen(lesson)
    fields = [each for name in ("Name", "Date", "Points") for each in (name, LINE)]
    who = markup.element("p", *fields, f"of {len(asked)}", class_="who")
    how = f"{minutes(asked)} minutes, {len(asked)} questions. Check one box, unless the question says otherwise."
    items = [_item(text_of(each, lesson), *_to_answer(name, each)) for name, each in asked.items()]
    return _page(f"Quiz: {lesson.heading}", who, markup.paragraph(how), markup.element("ol", *items, class_="items"))


def key(lesson):
    """Return the page for the teacher: what is right, and the reason for each option."""
    asked = chosen(lesson)
    how = f"The answers, with the reason for each option. One point for each of the {len(asked)} questions."
    items = [_item(text_of(each, lesson), *_answered(name, each)) for name, each in asked.items()]
    return _page(f"Key: {lesson.heading}", markup.paragraph(how), markup.element("ol", *items, class_="items key"))


def mixed(name, options):
    """Return the keys of a question's options in an order that says nothing, and is the same in each build."""
    return sorted(options, key=lambda option: sha256(f"{name} {option}".encode()).digest())


def _page(title, *content):
    style = STYLE.read_text(encoding="utf-8")
    return single_page(title, style, markup.element("h1", title), "\n", markup.joined(content, "\n"))


def _item(text, *content):
    return markup.element("li", markup.paragraph(inline(text)), *content)


def _options(lines, texts, kind="options"):
    """Draw options below each other, or in two columns where all are short."""
    two = " two" if max(map(len, texts)) <= SHORT else ""
    return markup.element("ul", *(markup.element("li", *line) for line in lines), class_=f"{kind}{two}")


def _lettered(keys):
    return [
        (markup.element("b", letter, class_="letter"), key) for letter, key in zip(ascii_uppercase, keys, strict=False)
    ]


def _to_answer(name, asked):
    """Draw what a student fills in."""
    kind = asked.steps[0].kind if isinstance(asked, Task) else asked.kind
    above = [beside(asked.steps[0].tables).html] if isinstance(asked, Task) and asked.steps[0].tables else []
    if isinstance(kind, Choice):
        lines = (
            [BOX, letter, inline(kind.options[each].text)] for letter, each in _lettered(mixed(name, kind.options))
        )
        return [_options(lines, kind.texts())]
    if isinstance(kind, Number):
        return [markup.paragraph("Answer: ", LINE)]
    told = markup.element("p", HOW.get(type(kind), POINT_AT), class_="how")
    if kind.texts():
        lines = ([BOX, letter, inline(each)] for letter, each in _lettered(kind.texts()))
        return [*above, told, _options(lines, kind.texts())]
    return [*above, told, beside(kind.pictures()).html]


def _answered(name, asked):
    """Draw what is right, and why."""
    if isinstance(asked, Task):
        return _judged(asked)
    truth = asked.truth()
    because = [] if isinstance(asked, Question) else [inline(f" {asked.numbers()}")]
    if isinstance(asked.kind, Choice):
        lines = [
            [CHECKED if each == truth else BOX, letter, _reason(option.text, option.reason, each == truth)]
            for letter, each in _lettered(mixed(name, asked.kind.options))
            for option in [asked.kind.options[each]]
        ]
        found = [markup.paragraph("In numbers:", *because)] if because else []
        return [_options(lines, ["?" * (SHORT + 1)]), *found]
    near = getattr(asked.kind, "tolerance", 0)
    room = [f" Count what is at most {near:g} away as right."] if near else []
    return [markup.paragraph(markup.bold(asked.kind.written(truth)), ":", *because, *room)]


def _reason(text, reason, is_right):
    said = inline(f"{text.removesuffix('.')}.")
    return markup.joined([markup.element("b", said) if is_right else said, inline(reason)], " ")


def _judged(task):
    """Draw the answer of a task with one step, and what to notice in it."""
    kind = task.steps[0].kind
    judgement = kind.judged(kind.truth())
    lines = [
        [CHECKED if each.is_true else BOX, letter, _reason(each.text, each.reason, each.is_true)]
        for letter, each in _lettered(getattr(kind, "sentences", {}).values())
    ]
    drawn = [_options(lines, ["?" * (SHORT + 1)])] if lines else [markup.paragraph(inline(judgement.told))]
    return [*drawn, markup.paragraph(inline(task.notice))]

"""Draws a quiz as two pages to print, the sheet and its key: black on white, and nothing to load."""

from hashlib import sha256
from pathlib import Path
from string import ascii_uppercase

from classroom.quizzes.choosing import chosen, minutes, question_of, text_of
from classroom.single_page import single_page

from mha_course.engine.asking.kinds import Choice, Number, Order
from mha_course.engine.asking.question import Task
from mha_course.engine.asking.several_choices import Several
from mha_course.engine.pictures import markup
from mha_course.engine.pictures.forms import inline
from mha_course.engine.pictures.practice import beside

STYLE = Path(__file__).parent / "quiz_page.css"
SHORT = 32  # characters of an option, up to which two stand beside each other
BOX, CHECKED = (markup.element("span", sign, class_="box") for sign in ("", "✕"))
LINE = markup.element("span", class_="line")
HOW = {  # kind of answer -> what to do, where it is not to check one box
    Order: "Write 1, 2, 3, … into the boxes.",
    Several: "Tick every true one.",
}
POINT_AT = "Circle it."


def sheet(lesson):
    """Return the page for students."""
    asked = chosen(lesson)
    fields = [each for name in ("Name", "Date", "Points") for each in (name, LINE)]
    who = markup.element("p", *fields, f"of {len(asked)}", class_="who")
    how = f"{minutes(asked)} minutes, {len(asked)} questions. Tick one box, unless the question says otherwise."
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


def _to_answer(name, asked):
    """Draw what a student fills in."""
    question = question_of(asked)
    kind = question.kind
    if isinstance(kind, Choice):
        return [_to_check([kind.options[each].text for each in mixed(name, kind.options)])]
    if isinstance(kind, Number):
        return [markup.paragraph("Answer: ", LINE)]
    above = [beside(question.tables).html] if isinstance(asked, Task) and question.tables else []
    told = markup.element("p", HOW.get(type(kind), POINT_AT), class_="how")
    if kind.texts():
        return [*above, told, _to_check(kind.texts())]
    return [*above, told, beside(kind.pictures()).html]


def _to_check(texts):
    """Draw options to check, in two columns where all are short."""
    options = [markup.element("li", BOX, letter, inline(text)) for letter, text in _lettered(texts)]
    are_short = max(map(len, texts)) <= SHORT
    return markup.element("ul", *options, class_="options two" if are_short else "options")


def _answered(name, asked):
    """Draw what is right, and why."""
    if isinstance(asked, Task):
        return _judged(asked)
    truth = asked.truth()
    because = [inline(f" {asked.numbers()}")] if asked.numbers else []
    if isinstance(asked.kind, Choice):
        options = ((asked.kind.options[each], each == truth) for each in mixed(name, asked.kind.options))
        drawn = _checked([(option.text, option.reason, is_right) for option, is_right in options])
        return [drawn, *([markup.paragraph("In numbers:", *because)] if because else [])]
    near = getattr(asked.kind, "tolerance", 0)
    room = [f" Count what is at most {near:g} away as right."] if near else []
    return [markup.paragraph(markup.bold(asked.kind.written(truth)), ":", *because, *room)]


def _judged(task):
    """Draw the answer of a task with one part, and what to notice in it."""
    kind = question_of(task).kind
    truth = kind.truth()
    if isinstance(kind, Several):
        drawn = _checked([(each.text, each.reason, key in truth) for key, each in kind.options.items()])
    else:
        drawn = markup.paragraph(inline(kind.judged(truth).told))
    return [drawn, markup.paragraph(inline(task.notice))]


def _checked(options):
    """Draw options with the right ones checked. options: the text of each, the reason, and whether it is right."""
    lines = [
        markup.element("li", CHECKED if is_right else BOX, letter, _reason(text, reason, is_right))
        for letter, (text, reason, is_right) in _lettered(options)
    ]
    return markup.element("ul", *lines, class_="options")


def _reason(text, reason, is_right):
    said = inline(f"{text.removesuffix('.')}.")
    return markup.joined([markup.element("b", said) if is_right else said, inline(reason)], " ")


def _lettered(options):
    letters = (markup.element("b", letter, class_="letter") for letter in ascii_uppercase)
    return zip(letters, options, strict=False)

"""Draws questions: as a form to fill in, and as the picture that stands for it where no kernel runs."""

import re
from collections.abc import Iterable, Mapping

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.cards import verdict_badge
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.picture import Picture

OPEN = "Not answered yet."
NOTHING = Picture("", "")
ITALICS = re.compile(r"(?<!\w)\*(\w[^*\n]*)(?<!\s)\*")
CODE = re.compile(r"(`[^`]+`)")


def inline(text: str) -> Markup:
    """Write a text as HTML: *words* in italics, `code` as code.

    >>> inline("*create* in `weights[1]`")
    '<em>create</em> in <code>weights[1]</code>'
    """
    return markup.joined(
        markup.code(part[1:-1]) if part.startswith("`") else _with_italics(part) for part in CODE.split(text)
    )


def choice_fields(options: Mapping[str, str]) -> Markup:
    """Draw one button for each answer that can be chosen: key -> text."""
    return _lines(
        markup.labelled(markup.field("answer", type="radio", value=key), " ", markup.element("span", inline(text)))
        for key, text in options.items()
    )


def order_fields(items: Mapping[str, str]) -> Markup:
    """Draw a field for the place of each item: key -> text."""
    places = {"": "place"} | {str(place): str(place) for place in range(1, len(items) + 1)}
    return _lines(
        markup.labelled(markup.choice(key, places), " ", markup.element("span", inline(text)))
        for key, text in items.items()
    )


def number_field() -> Markup:
    """Draw the field for a number."""
    field = markup.field("answer", autocomplete="off", size="10")
    return _lines([markup.labelled("Your number: ", field)])


def form(name: str, label: str, text: str, fields: Markup, button: str) -> Markup:
    """Draw one question as a form, with a place for complaints and one for what comes of it.

    label: what stands in bold before the question's text. fields: the markup of what is to be filled in.
    """
    legend = markup.joined([markup.bold(label), inline(text)], " ")
    return markup.joined(
        [
            markup.form(name, markup.framed(legend, fields, "\n", markup.paragraph(markup.submit(button)))),
            markup.part(f"alert {name}", role="alert"),
            markup.part(f"result {name}", role="status", tag="div"),
        ],
        "\n",
    )


def reason_form(name: str, label: str, longest: int, button: str) -> Markup:
    """Draw a form, hidden at first, for a line in one's own words of at most so many characters."""
    field = markup.field(name, autocomplete="off", maxlength=str(longest))
    line = markup.paragraph(markup.labelled(label, "\n", field), "\n", markup.submit(button))
    return markup.form(name, line, hidden=True)


def screen(forms: Iterable[Markup], summary: str, can_start_over: bool = True) -> Markup:
    """Draw forms one below the other, and below them what concerns them all, and perhaps a button to start over.

    summary: the name of the part that says how things stand.
    """
    button = markup.paragraph(markup.button("Start over", name="start over"))
    told = (markup.part(name, role="status") for name in (summary, "notice"))
    return markup.joined([*forms, *told, *[button] * can_start_over], "\n")


def listing(lines: Iterable[str]) -> Picture:
    """Draw lines one below the other.

    >>> listing(["With one tap: right."])
    - With one tap: right.
    """
    lines = list(lines)
    return Picture(markup.bullets(lines), "\n".join(f"- {line}" for line in lines))


def outcome(is_right: bool, text: str) -> Markup:
    """Draw what came of an answer."""
    verdict = "right" if is_right else "wrong"
    return markup.paragraph(verdict_badge(verdict), " ", inline(text), data_verdict=verdict)


def in_words(is_right: bool, text: str) -> str:
    """Say what came of an answer, where it stands as text alone.

    >>> in_words(True, "Rows are tokens.")
    '✓ Right. Rows are tokens.'
    """
    return f"{'✓ Right.' if is_right else '✗ Not right.'} {text}".strip()


def below_each_other(pictures: Iterable[Picture]) -> Picture:
    """Set pictures of questions one below the other."""
    pictures = list(pictures)
    return Picture("\n".join(each.html for each in pictures), "\n\n".join(each.text for each in pictures))


def folded_reasons(summary: str, reasons: Iterable[tuple[str, str]]) -> Markup:
    """Draw a list of (option, reason) that opens when its summary is pressed."""
    return markup.folded(summary, markup.bullets(inline(f"“{option}”: {reason}") for option, reason in reasons))


def still(label: str, text: str, items: Iterable[str], outcome: str, shown: Picture = NOTHING) -> Picture:
    """Draw one question as it stands where no kernel runs.

    items: the texts to choose from or to put in order. outcome: a sentence. shown: what the question is about.

    >>> still("Predict.", "How *many*?", [], OPEN)
    Predict. How many?
    Not answered yet.
    """
    items = list(items)
    question = markup.paragraph(markup.bold(label), " ", inline(text))
    choices = [markup.bullets(map(inline, items))] if items else []
    told = markup.paragraph(inline(outcome), data_outcome=True)
    parts = [question, *([shown.html] if shown.html else []), *choices, told]
    html = markup.question(markup.joined(parts, "\n"))
    lines = [f"{label} {text}", *shown.text.splitlines(), *(f"- {item}" for item in items), outcome]
    return Picture(html, _plain("\n".join(lines)))


def _lines(lines: Iterable[Markup]) -> Markup:
    return markup.joined(map(markup.paragraph, lines))


def _with_italics(text: str) -> Markup:
    return Markup(ITALICS.sub(lambda words: markup.element("em", Markup(words[1])), markup.escaped(text)))


def _plain(text: str) -> str:
    """Take the stars of *words* in italics away; `code` keeps its marks."""
    return "".join(part if part.startswith("`") else ITALICS.sub(r"\1", part) for part in CODE.split(text))

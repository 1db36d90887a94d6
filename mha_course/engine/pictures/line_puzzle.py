"""Draws lines of code to be put in order: as a screen to arrange them on, and as a picture of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.picture import Picture

LABEL = "Put in order."
FUNCTION = "function"  # the list of the lines that are taken in
NAMES = {FUNCTION: "Lines in the function", "aside": "Other lines"}
NONE = {FUNCTION: "No line yet: take one in, or drag it here.", "aside": "None is left."}
KEYS = "Keys: Enter takes a line in or puts it aside, ↑ and ↓ move it. Or drag it."
INDENT = "    "


@dataclass(frozen=True)
class Line:
    """One line of code, and the key by which it is known."""

    key: str
    text: str


def puzzle_screen(task: str, head: str) -> Markup:
    """Draw the screen on which lines are put in order; updates fill its two lists. head: the function's first line."""
    return markup.joined(
        [
            markup.paragraph(markup.bold(LABEL), " ", task),
            markup.paragraph(markup.small(KEYS)),
            markup.paragraph(markup.code(head), data_head=True),
            markup.part(FUNCTION, tag="div"),
            markup.paragraph(f"{NAMES['aside']}:"),
            markup.part("aside", tag="div"),
            markup.paragraph(markup.button("Run", name="run"), " ", markup.button("Start over", name="start over")),
            markup.part("alert", role="alert"),
            markup.part("told", role="status"),
            markup.part("result", role="status", tag="div"),
            markup.part("notice", role="status"),
        ],
        "\n",
    )


def line_list(name: str, lines: Sequence[Line]) -> Markup:
    """Draw one of the two lists, with the buttons of each line. name: "function" or "aside".

    >>> line_list("aside", [])
    '<p data-list="aside">None is left.</p>'
    """
    if not lines:
        return markup.paragraph(NONE[name], data_list=name)
    items = (_item(line, is_inside=name == FUNCTION) for line in lines)
    return markup.element("ol" if name == FUNCTION else "ul", *items, aria_label=NAMES[name], data_list=name)


def puzzle_still(task: str, head: str, inside: Iterable[str], aside: Iterable[str], outcome: str) -> Picture:
    """Draw lines as they stand where no kernel runs. inside, aside: the lines in the function, and the others."""
    function = [head, *(INDENT + line for line in inside)]
    aside = list(aside)
    parts = [
        markup.paragraph(markup.bold(LABEL), " ", task, style=markup.PROSE),
        markup.element("pre", "\n".join(function)),
        markup.bullets(map(markup.code, aside)),
        *(markup.paragraph(line, style=markup.PROSE) for line in outcome.splitlines()),
    ]
    lines = [f"{LABEL} {task}", *function, *(f"- {line}" for line in aside), outcome]
    html = markup.question(markup.joined(parts, "\n"), width=markup.AREA)
    return Picture(html, "\n".join(lines))


def _item(line: Line, is_inside: bool) -> Markup:
    """Draw one line. Its main button alone is reached by Tab, and then has the keys that the other two stand for."""
    moving = [
        markup.button(sign, name=f"{way} {line.key}", aria_label=f"{word}: {line.text}", tabindex="-1")
        for sign, way, word in (("↑", "up", "Move up"), ("↓", "down", "Move down"))
    ]
    word = "Put aside" if is_inside else "Take in"
    main = markup.button(word, name=f"line {line.key}", aria_label=f"{word}: {line.text}")
    buttons = markup.element("span", *(moving if is_inside else []), main)
    grip = markup.element("span", "⠿", aria_hidden="true", data_grip=True)
    return markup.element("li", grip, markup.code(line.text), buttons, data_line=line.key)

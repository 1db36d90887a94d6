"""Draws what a check says as a small card."""

from collections.abc import Iterable

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.glossary import NO_WORDS, Glossary
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.theme import verdict_colours

SIGNS = {"right": "✓", "wrong": "✗", "open": "○"}
WORDS = {"right": "right", "wrong": "not right", "open": "open"}
YOURS = "yours"
ONE, MORE = "One entry, yours and the right one", "{} entries, yours and the right ones"
Lines = Iterable[tuple[str, str]]


def card(
    verdict: str,
    headline: str,
    before: Iterable[str] = (),
    lines: Lines = (),
    after: Iterable[str] = (),
    glossary: Glossary = NO_WORDS,
) -> Picture:
    """Draw a verdict as a card: a headline, paragraphs, one entry's arithmetic, and more paragraphs.

    verdict: "right", "wrong" or "open". lines: pairs like ("yours", "1·2 = 2"). glossary: of the words to
    be linked in the paragraphs before.

    >>> card("wrong", "The sum is missing.", ["Add them."], [("yours", "1·2 = 2"), ("right", "1·2 + 3 = 5")])
    ✗ The sum is missing.
    Add them.
      yours  1·2 = 2
      right  1·2 + 3 = 5
    """
    before, lines, after = tuple(before), tuple(lines), tuple(after)
    width = max((len(who) for who, _ in lines), default=0)
    written = [f"  {who.ljust(width)}  {what}" for who, what in lines]
    edge, colour = verdict_colours(verdict)
    html = markup.card(
        edge,
        colour,
        _paragraph(verdict_badge(verdict), " ", markup.bold(headline)),
        *map(_paragraph, glossary.linked(before)),
        *([_table(lines)] if lines else []),
        *map(_paragraph, after),
    )
    return Picture(html, "\n".join([f"{SIGNS[verdict]} {headline}", *before, *written, *after]))


def verdict_badge(verdict: str) -> markup.Markup:
    """Draw a verdict by its sign, its word and its colour."""
    return markup.badge(f"{SIGNS[verdict]} {WORDS[verdict]}", *verdict_colours(verdict))


def caption(lines: Lines) -> str:
    """Say how many entries are set against the right ones.

    >>> caption([("yours", "axis = -2"), ("right", "axis = -1")])
    'One entry, yours and the right one'
    """
    count = sum(who == YOURS for who, _ in lines)
    return ONE if count == 1 else MORE.format(count)


def _paragraph(*content: str) -> markup.Markup:
    return markup.paragraph(*content, style=markup.styles(markup.CLOSE, markup.PROSE))


def _table(lines: tuple[tuple[str, str], ...]) -> markup.Markup:
    rows = [
        markup.row([markup.row_header(who), markup.cell(markup.code(what), style=markup.LEFT)]) for who, what in lines
    ]
    return markup.table(caption(lines), rows)

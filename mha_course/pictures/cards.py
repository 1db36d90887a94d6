"""Draws what a check says as a small card."""

from collections.abc import Iterable

from mha_course.pictures import markup
from mha_course.pictures.palette import verdict_colour
from mha_course.pictures.picture import Picture

SIGNS = {"right": "✓", "wrong": "✗", "open": "○"}
CAPTION = "One entry, yours and the right one"
Lines = Iterable[tuple[str, str]]


def card(
    verdict: str, headline: str, before: Iterable[str] = (), lines: Lines = (), after: Iterable[str] = ()
) -> Picture:
    """Draw a verdict as a card: a headline, paragraphs, one entry's arithmetic, and more paragraphs.

    verdict: "right", "wrong" or "open". lines: pairs like ("yours", "1·2 = 2").

    >>> card("wrong", "The sum is missing.", ["Add them."], [("yours", "1·2 = 2"), ("right", "1·2 + 3 = 5")])
    ✗ The sum is missing.
    Add them.
      yours  1·2 = 2
      right  1·2 + 3 = 5
    """
    before, lines, after = tuple(before), tuple(lines), tuple(after)
    headline = f"{SIGNS[verdict]} {headline}"
    width = max((len(who) for who, _ in lines), default=0)
    written = [f"  {who.ljust(width)}  {what}" for who, what in lines]
    html = markup.card(
        verdict_colour(verdict),
        _paragraph(markup.bold(headline)),
        *map(_paragraph, before),
        *([_table(lines)] if lines else []),
        *map(_paragraph, after),
    )
    return Picture(html, "\n".join([headline, *before, *written, *after]))


def _paragraph(text: str) -> markup.Markup:
    return markup.paragraph(text, style=markup.CLOSE)


def _table(lines: Lines) -> markup.Markup:
    rows = [
        markup.row([markup.row_header(who), markup.cell(markup.code(what), style=markup.LEFT)]) for who, what in lines
    ]
    return markup.table(CAPTION, rows)

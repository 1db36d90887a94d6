"""Draws what a check says as a small card."""

from collections.abc import Iterable
from html import escape

from mha_course.pictures.palette import VERDICTS
from mha_course.pictures.picture import Picture

SIGNS = {"right": "✓", "wrong": "✗", "open": "○"}
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
    colour = ",".join(map(str, VERDICTS[verdict]))
    width = max((len(who) for who, _ in lines), default=0)
    written = [f"  {who.ljust(width)}  {what}" for who, what in lines]
    html = (
        f'<div style="border-left:6px solid rgb({colour});padding:4px 12px;margin:4px 0;max-width:60em">'
        f'<p style="margin:4px 0"><b>{escape(headline)}</b></p>'
        + _paragraphs(before)
        + _table(lines)
        + _paragraphs(after)
        + "</div>"
    )
    return Picture(html, "\n".join([headline, *before, *written, *after]))


def _paragraphs(texts: Iterable[str]) -> str:
    return "".join(f'<p style="margin:4px 0">{escape(text)}</p>' for text in texts)


def _table(lines: Lines) -> str:
    if not lines:
        return ""
    rows = "".join(
        f'<tr><th scope="row" style="text-align:left">{escape(who)}</th>'
        f'<td style="text-align:left"><code>{escape(what)}</code></td></tr>'
        for who, what in lines
    )
    caption = (
        '<caption style="caption-side:top;text-align:left;font-size:90%">One entry, yours and the right one</caption>'
    )
    return f'<table style="margin:4px 0">{caption}{rows}</table>'

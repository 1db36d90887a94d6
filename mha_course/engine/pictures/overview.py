"""Draws a list of things with how far each is done, and a link to what is next."""

from collections.abc import Iterable
from dataclasses import dataclass

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.picture import Picture


@dataclass(frozen=True)
class Link:
    """A text that leads somewhere. long: the text where nothing can be followed."""

    text: str
    address: str
    long: str = ""


@dataclass(frozen=True)
class OverviewRow:
    """One thing: what it is, what is done of it, and what is next, if anything is left."""

    what: Link
    counts: list[str]
    following: Link | None


def draw_overview(caption: str, columns: tuple[str, ...], rows: Iterable[OverviewRow], told: Iterable[str]) -> Picture:
    """Draw the rows as a table, and below it what else is to be told."""
    rows, told = list(rows), list(told)
    head = markup.row(map(markup.column_header, columns))
    table = markup.table(caption, map(_drawn, rows), head)
    html = markup.joined([table, *map(markup.paragraph, told)], "\n")
    return Picture(html, "\n".join([f"{caption}:", *(_text(row, columns) for row in rows), *told]))


def _drawn(row: OverviewRow) -> markup.Markup:
    following = "–" if row.following is None else _linked(row.following)
    cells = [markup.cell(content, style=markup.LEFT) for content in (*row.counts, following)]
    return markup.row([markup.row_header(_linked(row.what)), *cells])


def _linked(link: Link) -> markup.Markup:
    return markup.link(link.text, link.address)


def _text(row: OverviewRow, columns: tuple[str, ...]) -> str:
    words = ", ".join(f"{column} {count}" for column, count in zip(columns[1:-1], row.counts, strict=True))
    following = f"; {columns[-1]}: {row.following.long}" if row.following else ""
    return f"{row.what.text}: {words}{following}"

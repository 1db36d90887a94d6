"""How the board is written: its tables, its miniatures, and where they stand."""

from collections.abc import Iterable, Sequence

from mha_course.workbook.pictures import markup, theme
from mha_course.workbook.pictures.markup import Attribute, Markup

# The board. Floats shrink to what they hold, stand beside each other where there is room, and else below.
BOARD_OF_LINES = f"{markup.INLINE};width:100%;font-size:{theme.TEXT_SMALL};line-height"
BOARD, DENSE_BOARD = f"{BOARD_OF_LINES}:16px", f"{BOARD_OF_LINES}:14px"
BAND = f"float:left;{markup.WHOLE_WIDTH};margin:0 4px 6px 0;{markup.FLEX};{markup.WRAPPED};{markup.AT_END};gap:4px 8px"
GROUP = f"{markup.FLEX};{markup.AT_END};{markup.SMALL_GAP}"
PILE = f"{markup.FLEX};{markup.DOWN}"
PILE_AT_RIGHT = f"{PILE};{markup.AT_END}"
CORNER = f"float:right;margin:0 0 6px 14px;{GROUP}"
GRID = f"{markup.SHRUNK};margin:0;border-collapse:separate;border-spacing:2px;{markup.SAME_SIZE}"
TITLE = f"{markup.ABOVE};padding:0 2px;color:inherit;{markup.SAME_SIZE}"
NAME_OF_ROW = f"{markup.RIGHT};{markup.LIGHT};padding:0 4px 0 0;{markup.ONE_LINE}"
NAME_OF_COLUMN = f"{markup.RIGHT};{markup.LIGHT};padding:0 0;{markup.ONE_LINE};overflow:hidden;text-overflow:ellipsis"
PADDING = 0.5  # of a cell, left and right together, in em
OF_ROW, OF_SIGN = 0.83, 0.67  # half the height of a row of the board, and of a sign, in em
COLUMN = f"{PILE};{markup.SMALL_GAP};align-self:flex-start"
CHOICE = f"{markup.FLEX};{markup.WRAPPED};{markup.SMALL_GAP};min-width:100%"


def board_table(
    title: Markup,
    rows: Iterable[tuple[str, list[Markup]]],
    columns: Iterable[str],
    shows: tuple[bool, bool],
    width: float,
    **attributes: Attribute,
) -> Markup:
    """Write a table of the board. rows: (name, cells). shows: whether the names of rows and columns are seen.

    width: of a cell at least, in em. What is not seen is there for a screen reader, and where there are no styles.
    """
    of_row = NAME_OF_ROW if shows[0] else markup.HIDDEN
    of_column = markup.styles(NAME_OF_COLUMN, f"min-width:{width + PADDING:g}em;max-width:{width + PADDING:g}em")
    corner = markup.element("td", style=None if shows[0] else markup.HIDDEN)
    names = (
        markup.element(
            "th", name, scope="col", title=name if shows[1] else None, style=None if name == "…" else of_column
        )
        for name in columns
    )
    lines = (
        markup.element("tr", markup.element("th", name, scope="row", style=of_row), *cells, style=markup.PLAIN)
        for name, cells in rows
    )
    head = markup.element(
        "thead", markup.element("tr", corner, *names, style=markup.PLAIN), style=None if shows[1] else markup.FOLDED
    )
    body = markup.element("tbody", Markup("\n".join(lines)))
    return markup.element("table", markup.element("caption", title, style=TITLE), head, body, style=GRID, **attributes)


def miniature(spots: Sequence[tuple[str, str]], columns: int, is_low: bool = False) -> Markup:
    """Draw a matrix in miniature. spots: (address, look) of its entries, row by row. is_low: as high as a message."""
    drawn = (markup.element("i", data_look=at, style=markup.background(look)) for at, look in spots)
    is_small = max(columns, len(spots) // columns) <= 6
    width, height, gap = (16, 10, 2) if is_small else (6, 4, 1) if is_low else (6, 5, 2)
    across = " ".join([f"{width}px"] * columns)
    return markup.element(
        "span", *drawn, style=f"display:grid;gap:{gap}px;grid-template-columns:{across};grid-auto-rows:{height}px"
    )


def halfway_up(rows: int) -> str:
    """Write the style of a sign that stands at the foot of a table of so many rows, so that it is in their middle."""
    return f"padding-bottom:{max(0, OF_ROW * rows - OF_SIGN):.3g}em"


def left_out() -> Markup:
    """Write the cell that stands for entries left out."""
    return markup.element("td", "…", style=markup.CELL)


def curve(way: str, width: str, opacity: str, whose: tuple[int, int] | None) -> Markup:
    """Write one curve between a query and a key, in one piece, because a page has hundreds. whose: of which two."""
    places = "" if whose is None else f' data-query="{whose[0]}" data-key="{whose[1]}"'
    return Markup(f'<path{places} d="{way}" stroke-width="{width}" stroke-opacity="{opacity}"/>')

"""How the board is written: its tables, its miniatures, and where they stand."""

from collections.abc import Iterable, Sequence

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.markup import Attribute, Markup
from mha_course.pictures.palette import tint

# The board: sizes in em, so that it can be larger for the back row and on wide pages.
BOARD = f"{markup.WHOLE};font-size:14px;line-height:20px"
GROUP = f"{markup.FLEX};{markup.AT_END};gap:2px"
BAND = f"{GROUP};{markup.WRAPPED};margin:0 0 10px"
PILE = f"{markup.FLEX};{markup.DOWN}"
PILE_AT_RIGHT = f"{PILE};{markup.AT_END}"
DRAWING = "margin-left:auto;align-self:flex-start"
MIDDLE = f"{markup.FLEX};{markup.WRAPPED};justify-content:center"
PICTURE = f"{MIDDLE};align-items:center;gap:4px 16px;margin:0 0 2px"
FLAT = "margin:0"
MEANING = f"{markup.CENTRED};font-size:1.07em;{FLAT}"
CHOICE = f"{MIDDLE};{markup.SMALL_GAP}"
GRID = f"{markup.SHRUNK};{FLAT};border-collapse:separate;border-spacing:2px;{markup.SAME_SIZE}"
TITLE = f"{markup.ABOVE};padding:0 2px;color:inherit;font-size:0.93em;{markup.ONE_LINE}"
NAME = f"{markup.RIGHT};{markup.LIGHT};font-size:0.86em;{markup.ONE_LINE}"
NAME_OF_ROW = f"{NAME};padding:0 6px 0 0"
NAME_OF_COLUMN = f"{NAME};padding:0 0;overflow:hidden;text-overflow:ellipsis"
CELL = f"{markup.RIGHT};line-height:inherit"
INPUT, COMPUTED = (f"{CELL};padding:0 4px 0 {left}px" for left in (4, 6))  # where a mark stands, no digit does
CHOSEN = f"background:{tint('weights', 0.35)}"  # the row of the word that looks
LEFT_OUT = f"{markup.RIGHT};padding:0 4px"
NAME_SIZE = 0.86  # letters of a name as a share of those of a number
PADDING = 0.5  # of a cell, left and right together, in em
OF_TITLE = 1.75  # the height of a title, in em
OF_ROW, OF_SIGN = 0.79, 0.67  # half the height of a row of the board, and of a sign, in em


def board_table(
    title: Markup,
    rows: Iterable[tuple[str, list[Markup]]],
    columns: Iterable[str],
    shows: tuple[bool, bool],
    width: float,
    chosen: int | None = None,
    **attributes: Attribute,
) -> Markup:
    """Write a table of the board. rows: (name, cells). shows: whether the names of rows and columns are seen.

    width: of a cell at least, in em. chosen: the row that stands out, from 0. What is not seen is there for a screen
    reader, and where there are no styles.
    """
    of_row = NAME_OF_ROW if shows[0] else markup.HIDDEN
    room = (width + PADDING) / NAME_SIZE
    of_column = markup.styles(NAME_OF_COLUMN, f"min-width:{room:.3g}em;max-width:{room:.3g}em")
    corner = markup.element("td", style=None if shows[0] else markup.HIDDEN)
    names = (
        markup.element(
            "th", name, scope="col", title=name if shows[1] else None, style=None if name == "…" else of_column
        )
        for name in columns
    )
    lines = (
        markup.element(
            "tr",
            markup.element("th", name, scope="row", style=of_row),
            *cells,
            style=CHOSEN if place == chosen else markup.PLAIN,
        )
        for place, (name, cells) in enumerate(rows)
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


def factor(text: str, look: str) -> Markup:
    """Write a factor of a product on the colour of the matrix that it comes from."""
    return markup.element("span", text, style=f"{markup.background(look)};border-radius:4px;padding:2px 3px")


def lifted(rows: int) -> str:
    """Write the style of what begins above so many rows of a table with a title, and so leaves their room free."""
    return f"padding-bottom:{OF_TITLE + 2 * OF_ROW * rows:.3g}em" if rows else ""


def left_out() -> Markup:
    """Write the cell that stands for entries left out."""
    return markup.element("td", "…", style=LEFT_OUT)

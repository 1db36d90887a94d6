"""How HTML is written: the only place that spells elements, and the few styles that they wear."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape

from mha_course.engine.pictures import theme

# A stored picture has no style sheet of its own, so its styles stand in its elements.
LEFT, RIGHT = "text-align:left", "text-align:right"
BLOCK = "display:block"
INLINE = "display:inline-block"
ONE_LINE = "white-space:nowrap"
CLOSE = "margin:4px 0"
ABOVE, SHRUNK = f"caption-side:top;{LEFT}", "width:auto"
CAPTION = f"{ABOVE};font-size:{theme.TEXT_SMALL};min-width:15em"
TABLE = f"{SHRUNK};{CLOSE}"
AREA, PROSE = "max-width:60em", "max-width:52ch"  # 72 letters a line, which are narrower than figures
CARD = f"padding:6px {theme.SPACE_3};{CLOSE};{AREA};border-radius:{theme.RADIUS};border-left:{theme.SPACE_1} solid"
THIN = "border:1px solid"
EDGE = f"{THIN} {theme.css_colour(theme.BORDER, 0.4)}"
BADGE = f"{INLINE};padding:0 {theme.SPACE_2};margin-right:{theme.SPACE_2};border-radius:10px;{THIN}"
FRAME = "outline:2px solid currentColor;outline-offset:-2px"
HATCH = "repeating-linear-gradient(135deg,transparent 0 5px,rgba(128,128,128,0.45) 5px 6px)"  # of what is masked
CELL = f"{RIGHT};padding:1px 3px"
CENTRED = "text-align:center"
SQUARE = f"{CENTRED};padding:1px 2px;min-width:2.1em"  # a cell with a letter, or a share of one
QUIET = "opacity:0.6"
PLAIN = "background:none"  # JupyterLab would tint every second row
FOLDED = "visibility:collapse"
HIDDEN = "position:absolute;clip:rect(0,0,0,0)"  # but not for a screen reader
FLEX, WRAPPED, DOWN = "display:flex", "flex-wrap:wrap", "flex-direction:column"
SIDE_BY_SIDE = f"{FLEX};{WRAPPED};align-items"
AT_END, SMALL_GAP = "align-items:flex-end", "gap:6px"
BESIDE = "margin:0 6px"
SIGN, SIGN_GAP = "font-size:150%", "gap:0 12px"
WHOLE_WIDTH, WHOLE = "max-width:100%", "width:100%"

LIGHT, SAME_SIZE = "font-weight:normal", "font-size:100%"
SMALL = f"{LIGHT};{SAME_SIZE};opacity:0.75"

Attribute = str | bool | None


class Markup(str):
    """Text that is HTML already; all other text is escaped when it becomes the content of an element."""

    __slots__ = ()


def escaped(text: str) -> Markup:
    """Write a text as HTML; what is markup stays as it is.

    >>> escaped("a < b"), escaped(Markup("<b>2</b>"))
    ('a &lt; b', '<b>2</b>')
    """
    return text if type(text) is Markup else Markup(escape(text))


def joined(parts: Iterable[str], between: str = "") -> Markup:
    """Write texts and markup one after the other."""
    return Markup(between.join(map(escaped, parts)))


def element(tag: str, /, *content: str, **attributes: Attribute) -> Markup:
    """Write an element; of its attributes, None and False are left out; data_at stands for data-at, class_ for class.

    >>> element("p", "a < b, ", element("b", "c"), role="status", hidden=True, title=None)
    '<p role="status" hidden>a &lt; b, <b>c</b></p>'
    """
    begin = f"<{tag}{_written(tuple(attributes.items()))}>"
    return Markup("".join([begin, *map(escaped, content), f"</{tag}>"]))


def single(tag: str, /, **attributes: Attribute) -> Markup:
    """Write an element that has no content, like a field.

    >>> single("input", name="why")
    '<input name="why">'
    """
    return Markup(f"<{tag}{_written(tuple(attributes.items()))}>")


def styles(*declarations: str) -> str:
    """Write several styles as one attribute."""
    return ";".join(filter(None, declarations))


def background(look: str) -> str:
    """Write the style of a coloured cell."""
    return f"background:{look}"


# Text


def paragraph(*content: str, **attributes: Attribute) -> Markup:
    """Write a paragraph."""
    return element("p", *content, **attributes)


def bold(text: str) -> Markup:
    """Write a text that stands out."""
    return element("b", text)


def code(text: str) -> Markup:
    """Write a text in the letters of code."""
    return element("code", text)


def bullets(items: Iterable[str]) -> Markup:
    """Write a list."""
    return element("ul", *(element("li", item) for item in items))


def link(text: str, address: str, title: str | None = None) -> Markup:
    """Write a link. title: what a pointer that rests on it is told."""
    return element("a", text, href=address, title=title)


def image(description: str, address: str) -> Markup:
    """Draw an image. description: what it shows, for those who cannot see it."""
    return single("img", style=WHOLE_WIDTH, alt=description, src=address)


# Tables


def table(caption: str, rows: Iterable[Markup], head: Markup | None = None, **attributes: Attribute) -> Markup:
    """Write a table. rows, head: what `row` returned."""
    heading = [] if head is None else [element("thead", head)]
    body = ("<tbody>", *rows, "</tbody>")
    lines = [element("caption", caption, style=CAPTION), *heading, Markup("\n".join(body))]
    return element("table", joined(lines, "\n"), style=TABLE, **attributes)


def row(cells: Iterable[Markup]) -> Markup:
    """Write one row of a table."""
    return Markup(f"<tr>{''.join(cells)}</tr>")


@lru_cache(maxsize=500)  # the tables of a page repeat the same few names
def row_header(text: str, *declarations: str) -> Markup:
    """Write the cell that names a row."""
    return element("th", text, scope="row", style=styles(LEFT, *declarations))


@lru_cache(maxsize=500)
def column_header(text: str, align: str = LEFT) -> Markup:
    """Write the cell that names a column."""
    return element("th", text, scope="col", style=align)


def cell(text: str, style: str | None = None, **attributes: Attribute) -> Markup:
    """Write a cell."""
    return element("td", text, style=style, **attributes)


def entry(text: str, look: str, at: str, is_marked: bool = False, style: str = CELL) -> Markup:
    """Write the coloured cell of one entry. at: the address by which an update finds it, or nothing.

    It is written in one piece, because a page has thousands.
    """
    where = f' data-at="{at}"' if at else ""
    return Markup(f"<td{where}{_style(look, is_marked, style)}>{escape(text)}</td>")


@lru_cache(maxsize=2000)
def _style(look: str, is_marked: bool, style: str) -> str:
    return _written((("style", styles(style, FRAME if is_marked else "", background(look))),))


def small(text: str) -> Markup:
    """Write a text that stands back."""
    return element("small", text, style=SMALL)


# Boxes


def card(edge: str, colour: str, *content: str) -> Markup:
    """Write a box in a colour, with an edge in another."""
    return element("div", *content, style=styles(f"{CARD} {edge}", background(colour)))


def badge(text: str, edge: str, colour: str) -> Markup:
    """Write a word or two that stand out before a text."""
    return element("span", text, style=styles(f"{BADGE} {edge}", background(colour)))


def question(*content: str, width: str = PROSE) -> Markup:
    """Write a box for a question where no kernel runs. width: AREA where it has lines of code."""
    room = f"padding:{theme.SPACE_2} {theme.SPACE_3};margin:{theme.SPACE_2} 0"
    style = styles(room, width, f"border-radius:{theme.RADIUS}", EDGE)
    return element("div", *content, style=style, data_question=True)


def side_by_side(items: Iterable[str], align: str) -> Markup:
    """Set items beside each other, as many as fit. align: "center" or "flex-end"."""
    boxes = (element("div", item, style=BESIDE) for item in items)
    return element("div", *boxes, style=f"{SIDE_BY_SIDE}:{align}")


def sign(text: str) -> Markup:
    """Write a sign between two pictures, like ·."""
    return element("span", text, style=SIGN)


def led(signs: Iterable[Markup], item: str) -> Markup:
    """Set signs before an item, from which they are not parted where a line ends."""
    return element("div", *signs, item, style=f"{SIDE_BY_SIDE}:center;{SIGN_GAP}")


def part(name: str, *content: str, role: str | None = None, tag: str = "p", **attributes: Attribute) -> Markup:
    """Write a place that updates fill by its name. role: "status" or "alert", if a screen reader is to tell of it."""
    return element(tag, *content, data_part=name, role=role, **attributes)


def folded(summary: str, *content: str, **attributes: Attribute) -> Markup:
    """Write something that opens when its summary is pressed."""
    return element("details", element("summary", summary), *content, **attributes)


# Forms


def form(name: str, *content: str, hidden: bool = False) -> Markup:
    """Write a form, which updates find by its name."""
    return element("form", *content, data_form=name, hidden=hidden)


def framed(legend: str, *content: str) -> Markup:
    """Write fields that belong together, under a legend."""
    return element("fieldset", "\n", element("legend", legend), "\n", *content, "\n")


def labelled(*content: str) -> Markup:
    """Write a field with the text that says what it is for."""
    return element("label", *content)


def field(name: str, **attributes: Attribute) -> Markup:
    """Write a field for a line of text, or what its type says."""
    return single("input", name=name, **attributes)


def choice(name: str, options: Mapping[str, str], chosen: str | None = None) -> Markup:
    """Write a field to choose from: value -> text."""
    written = (element("option", text, value=value, selected=value == chosen) for value, text in options.items())
    return element("select", *written, name=name)


def area(name: str, description: str, **attributes: Attribute) -> Markup:
    """Write a field for many lines. description: what it holds, for those who cannot see it."""
    return element("textarea", name=name, aria_label=description, **attributes)


def submit(text: str) -> Markup:
    """Write the button that sends its form off."""
    return element("button", text)


def button(text: str, **attributes: Attribute) -> Markup:
    """Write a button that does what its attributes say."""
    return element("button", text, type="button", **attributes)


@lru_cache(maxsize=500)  # most elements of a page wear the same few
def _written(attributes: tuple[tuple[str, Attribute], ...]) -> str:
    return "".join(
        f" {name.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(value)}"')
        for name, value in attributes
        if value is not None and value is not False
    )

"""Draws a chain of pictures as an equation."""

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.picture import Picture


def chain(*parts: Picture | str) -> Picture:
    """Set pictures and the signs between them, given as text, side by side; a sign stays with what comes after it.

    >>> chain(Picture("<b>2</b>", "2"), "+", Picture("<b>3</b>", "3")).text.splitlines()
    ['2', '+', '3']
    """
    items, signs = list[str](), list[markup.Markup]()
    for part in parts:
        if isinstance(part, str):
            signs.append(markup.sign(part))
        else:
            items.append(markup.led(signs, part.html) if signs else part.html)
            signs = []
    html = markup.side_by_side([*items, *signs], align="center" if len(items) < len(parts) else "flex-end")
    return Picture(html, "\n".join(part if isinstance(part, str) else part.text for part in parts))

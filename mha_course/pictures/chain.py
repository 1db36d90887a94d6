"""Draws a chain of pictures as an equation."""

from mha_course.workbook.pictures import markup
from mha_course.workbook.pictures.picture import Picture


def chain(*parts: Picture | str) -> Picture:
    """Set pictures and the signs between them, given as text, side by side.

    >>> chain(Picture("<b>2</b>", "2"), "+", Picture("<b>3</b>", "3")).text.splitlines()
    ['2', '+', '3']
    """
    has_signs = any(isinstance(part, str) for part in parts)
    items = [markup.sign(part) if isinstance(part, str) else part.html for part in parts]
    html = markup.side_by_side(items, align="center" if has_signs else "flex-start")
    return Picture(html, "\n".join(part if isinstance(part, str) else part.text for part in parts))

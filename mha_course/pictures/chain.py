"""Draws a chain of pictures as an equation."""

from html import escape

from mha_course.pictures.picture import Picture


def chain(*parts):
    """Set pictures and the signs between them, given as text, side by side.

    >>> chain(Picture("<b>2</b>", "2"), "+", Picture("<b>3</b>", "3")).text.splitlines()
    ['2', '+', '3']
    """
    items = "".join(f'<div style="margin:0 6px">{_html(part)}</div>' for part in parts)
    align = "center" if any(isinstance(part, str) for part in parts) else "flex-start"
    html = f'<div style="display:flex;flex-wrap:wrap;align-items:{align}">{items}</div>'
    return Picture(html, "\n".join(part if isinstance(part, str) else part.text for part in parts))


def _html(part):
    return f'<span style="font-size:120%">{escape(part)}</span>' if isinstance(part, str) else part.html

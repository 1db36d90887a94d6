"""Draws what stands for a widget while no kernel keeps it alive."""

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.markup import Markup

HOW_TO_ACTIVATE = "This is a picture. To use it, run this cell: click on it, then press Shift+Enter."


def placeholder(picture: str, mark: str = "") -> Markup:
    """Draw the picture of a widget, below a line that says how to activate it.

    mark: a class name by which the living widget finds its pictures on the page; none if "".

    >>> placeholder(Markup("<b>1</b>"), "mha-1").splitlines()[0][:27]
    '<div class="mha-1"><p><em>T'
    """
    line = markup.paragraph(markup.element("em", HOW_TO_ACTIVATE))
    return markup.element("div", markup.joined([line, Markup(picture)], "\n"), **{"class": mark or None})

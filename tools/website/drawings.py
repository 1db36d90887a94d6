"""The drawings of a lesson as part of its page, where a notebook has images: they take its letters and its colours."""

import re
from copy import deepcopy
from urllib.parse import unquote

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.svg import written
from mha_course.engine.pictures.svg_figure import PANEL

IMAGE = re.compile(r'<img [^>]*?alt="([^"]*)" src="data:image/svg\+xml,([^"]+)">')
WHITE = str(written(PANEL))  # behind the drawings of the course; those of other tools have colours of their own
OF_A_HAND = re.compile(r' (?:role|tabindex|aria-[a-z]+)="[^"]*"')  # what is told and chosen in a living drawing


def in_the_page(notebook):
    """Return a lesson whose drawings are part of its page."""
    copy = deepcopy(notebook)
    for cell in copy.cells:
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                output.data["text/html"] = IMAGE.sub(_drawn, output.data["text/html"])
    return copy


def _drawn(image):
    svg = unquote(image[2].replace("\n", ""))
    if WHITE not in svg:
        return image[0]
    drawn = markup.Markup(OF_A_HAND.sub("", svg.replace(WHITE, "")))
    return markup.element("span", drawn, class_="drawn", role="img", aria_label=markup.Markup(image[1]))

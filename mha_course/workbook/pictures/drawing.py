"""What every drawing is: SVG that a live screen holds, and the image of it for where none may stand."""

import re
from dataclasses import dataclass
from html import unescape
from urllib.parse import quote

from mha_course.workbook.pictures import markup
from mha_course.workbook.pictures.markup import Markup
from mha_course.workbook.pictures.picture import Picture

ELEMENT, ATTRIBUTE = re.compile(r"<\w[^>]*>"), re.compile(r'([\w-]+)="([^"]*)"')
VALUE, TEXT = re.compile(r'="[^"]*"'), re.compile(r"(?<=>)[^<]+(?=<)")  # of an attribute; between two tags
ONLY_LIVE = re.compile(r' data-live-\w+="[^"]*"')  # what a screen under the hand needs, and an image never
STEADY = 6  # decimals to which a number is rounded first, so that no machine's last digit decides


@dataclass(frozen=True)
class Drawing:
    """One drawing as SVG together with the text that says the same.

    Its lines have the colour of the text around it, so that it suits a light page and a dark one.

    >>> Drawing(markup.drawing("blank", (2, 1)), "Nothing.")
    Nothing.
    """

    svg: Markup
    text: str

    @property
    def picture(self) -> Picture:
        """The drawing as an image on white, as it is stored."""
        return Picture(still(on_white(ONLY_LIVE.sub("", self.svg)), self.text), self.text)

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.picture.html


def still(svg: str, description: str) -> Markup:
    """Put SVG into an <img>: it shows in a notebook that is not trusted too, and screen readers read its text.

    >>> still("<svg></svg>", "Nothing.")
    '<img style="max-width:100%" alt="Nothing." src="data:image/svg+xml,%3Csvg%3E%3C/svg%3E">'
    """
    svg = svg[svg.index("<svg") :]  # without the XML prologue
    address = quote(svg, safe=" /:;,.()=").replace("%0A", "%0A\n")  # the line breaks keep diffs readable
    return markup.image(description, f"data:image/svg+xml,{address}")


def on_white(svg: str) -> Markup:
    """Lay a white panel behind a drawing: in an image, text is black on a dark page too."""
    begin, end, rest = svg.partition(">")
    return Markup(begin + end + markup.shape("rect", width="100%", height="100%", fill="#fff") + rest)


def differences(svg: str, other: str) -> list[tuple[int, str, str]] | None:
    """List what turns one drawing into another: (element, attribute, value), elements counted from 0 as they begin.

    A text is (number, "", text), all texts counted from 0. None if more differs than values of attributes and texts:
    then the other one is to be drawn anew.

    >>> differences('<g x="1"><text y="0">a</text></g>', '<g x="1"><text y="9">b</text></g>')
    [(1, 'y', '9'), (0, '', 'b')]
    >>> differences("<g/>", "<g>new</g>") is None
    True
    """
    if _bare(svg) != _bare(other):
        return None
    pairs = zip(ELEMENT.findall(svg), ELEMENT.findall(other), strict=True)
    attributes = [
        (place, name, unescape(value))
        for place, (now, then) in enumerate(pairs)
        if now != then
        for (name, old), (_, value) in zip(ATTRIBUTE.findall(now), ATTRIBUTE.findall(then), strict=True)
        if old != value
    ]
    texts = enumerate(zip(TEXT.findall(svg), TEXT.findall(other), strict=True))
    return attributes + [(place, "", unescape(then)) for place, (now, then) in texts if now != then]


def _bare(svg: str) -> str:
    """Return a drawing without the values of its attributes and its texts."""
    return TEXT.sub("·", VALUE.sub("", svg))


def number(value: float, decimals: int = 1) -> str:
    """Write a number of a drawing, the same on every machine.

    >>> number(2.04), number(-0.0), number(1 / 3, decimals=2)
    ('2', '0', '0.33')
    """
    text = f"{round(float(value), STEADY):.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text

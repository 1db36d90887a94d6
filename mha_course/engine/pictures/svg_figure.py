"""What every drawing is: SVG that a live screen holds, and the image of it for where none may stand."""

from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.svg import Shape, shape, without, written

ONLY_LIVE = "data-live-"  # begins what a screen under the hand needs, and an image never
PANEL = shape("rect", width="100%", height="100%", fill="#fff")  # in an image, text is black on a dark page too
STEADY = 6  # decimals to which a number is rounded first, so that no machine's last digit decides


@dataclass(frozen=True)
class SvgFigure:
    """One drawing as data together with the text that says the same.

    Its lines have the colour of the text around it, so that it suits a light page and a dark one.

    >>> SvgFigure(shape("svg"), "Nothing.")
    Nothing.
    """

    root: Shape
    text: str

    @cached_property
    def svg(self) -> Markup:
        """The drawing as SVG."""
        return written(self.root)

    @property
    def picture(self) -> Picture:
        """The drawing as an image on white, as it is stored."""
        bare = without(self.root, ONLY_LIVE)
        return Picture(still(written(bare._replace(content=(PANEL, *bare.content))), self.text), self.text)

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.picture.html


def still(drawn: str, description: str) -> Markup:
    """Put SVG into an <img>: it shows in a notebook that is not trusted too, and screen readers read its text.

    >>> still("<svg></svg>", "Nothing.")
    '<img style="max-width:100%" alt="Nothing." src="data:image/svg+xml,%3Csvg%3E%3C/svg%3E">'
    """
    drawn = drawn[drawn.index("<svg") :]  # without the XML prologue
    address = quote(drawn, safe=" /:;,.()=").replace("%0A", "%0A\n")  # the line breaks keep diffs readable
    return markup.image(description, f"data:image/svg+xml,{address}")


def number(value: float, decimals: int = 1) -> str:
    """Write a number of a drawing, the same on every machine.

    >>> number(2.04), number(-0.0), number(1 / 3, decimals=2)
    ('2', '0', '0.33')
    """
    text = f"{round(float(value), STEADY):.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text

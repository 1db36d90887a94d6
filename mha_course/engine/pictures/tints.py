"""How the entry of a table is coloured by its number."""

from dataclasses import dataclass

from mha_course.engine.pictures.theme import NEGATIVE, STRONGEST, STRONGEST_NEGATIVE, Colour, css_colour


@dataclass(frozen=True)
class Background:
    """The colour of a table's entries. is_share: whether they are parts of one whole, 0 to 1, and drawn as bars.

    >>> Background((0, 114, 178))(0.5), Background((213, 94, 0), is_share=True)(0.25)
    ('#0072b23d', 'linear-gradient(#d55e00 0 0) 0 100%/25% 4px no-repeat')
    """

    colour: Colour
    is_share: bool = False

    def __call__(self, strength: float) -> str:
        """Return the CSS background of an entry, by its size as part of the largest, -1 to 1."""
        return bar(self.colour, strength) if self.is_share else tint(self.colour, strength)


def tint(colour: Colour, strength: float) -> str:
    """Return a CSS colour for a strength from 0 (none) to 1, grey for 0 to -1; what is stronger looks like 1.

    Text stays readable on it, on a light page and on a dark one.

    >>> tint((0, 114, 178), 0.5), tint((0, 114, 178), -1)
    ('#0072b23d', '#5f5f5f8c')
    """
    shown, strongest = (NEGATIVE, STRONGEST_NEGATIVE) if strength < 0 else (colour, STRONGEST)
    return css_colour(shown, round(strongest * min(abs(strength), 1), 2))


def bar(colour: Colour, share: float) -> str:
    """Return a CSS background that draws a share of a cell, 0 to 1, as a bar from the left, below its digits.

    >>> bar((213, 94, 0), 0.25)
    'linear-gradient(#d55e00 0 0) 0 100%/25% 4px no-repeat'
    """
    line = css_colour(colour).removesuffix("ff")
    return f"linear-gradient({line} 0 0) 0 100%/{min(max(share, 0), 1):.0%} 4px no-repeat"

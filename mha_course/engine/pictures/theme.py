"""The few sizes, distances and colours that everything on the screen is made of."""

from collections.abc import Mapping
from functools import cache

from mha_course.engine.identity import Identity

Colour = tuple[int, int, int]  # red, green, blue, 0 to 255

# Where a style sheet can say so, JupyterLab's own sizes and colours come first: `css_variables`.
TEXT_SMALL, TEXT, TEXT_LARGE = "12px", "13px", "16px"
SPACE_1, SPACE_2, SPACE_3, SPACE_4 = "4px", "8px", "12px", "16px"
RADIUS, RADIUS_LARGE = "3px", "6px"
TARGET = "24px"  # the least side of what is pressed
BORDER: Colour = (128, 128, 128)  # a contrast of 3.9 on a white page, 4.8 on JupyterLab's dark one

# Six of Okabe and Ito's colours, which colour-blind readers can tell apart (Wong, Nature Methods 2011). Their second
# blue is too near the first as a tint. The violet in its place is, of all colours that show as a line on a light and
# on a dark page, the one whose tint is farthest from the six and from both pages, measured by CIEDE2000 as seen with
# full colour vision and without one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1).
YELLOW: Colour = (240, 228, 66)
BLUE: Colour = (0, 114, 178)
ORANGE: Colour = (230, 159, 0)
GREEN: Colour = (0, 158, 115)
PINK: Colour = (204, 121, 167)
VERMILION: Colour = (213, 94, 0)
VIOLET: Colour = (126, 3, 255)
NEGATIVE: Colour = (95, 95, 95)  # a lighter one is what the green looks like without the cones for green
VERDICTS: dict[str, Colour] = {"right": GREEN, "wrong": VERMILION, "open": (120, 120, 120)}
FAINT = 0.12  # opacity behind whole areas
STRONGEST = 0.48  # opacity at which text keeps a contrast of 4.5 on a light and on a dark page
STRONGEST_NEGATIVE = 0.55  # at which it does so too, and the steps of a dark grey are seen on a dark page


@cache  # a table that is being edited asks for thousands at every change
def css_colour(colour: Colour, opacity: float = 1) -> str:
    """Write a colour for a style, as short as can be: a change sends many.

    >>> css_colour((0, 114, 178), 0.4)
    '#0072b266'
    """
    return "#" + bytes((*colour, round(255 * opacity))).hex()


def verdict_colours(verdict: str) -> tuple[str, str]:
    """Return the CSS colours of a verdict, "right", "wrong" or "open": for its edge, and for behind its text."""
    return css_colour(VERDICTS[verdict]), css_colour(VERDICTS[verdict], FAINT)


def css_variables(identity: Identity | None = None) -> str:
    """Write all tokens as the custom properties that the widgets' style sheets use: --mha-text, --mha-right, …

    identity: of a course, whose own colours follow with its prefix, like --signals-kernel. A colour has three
    strengths, as in --mha-right-faint, --mha-right-strong and --mha-right.

    >>> signals = Identity("Signals", "signals", colours={"kernel": GREEN})
    >>> css_variables(signals).splitlines()[1], css_variables(signals).splitlines()[-2]
    ('  --mha-text-small: 12px;', '  --signals-kernel: #009e73ff;')
    """
    shared = _PLAIN | _in_strengths({"negative": NEGATIVE, **VERDICTS})
    written = {f"mha-{name}": value for name, value in shared.items()}
    if identity:
        written |= {f"{identity.prefix}-{name}": value for name, value in _in_strengths(identity.colours).items()}
    return "\n".join([":root {", *(f"  --{name}: {value};" for name, value in written.items()), "}"])


_PLAIN = {
    "text-small": TEXT_SMALL,
    "text": f"var(--jp-ui-font-size1, {TEXT})",
    "text-large": f"var(--jp-content-font-size2, {TEXT_LARGE})",
    "text-code": f"var(--jp-code-font-size, {TEXT})",
    "code-font": "var(--jp-code-font-family, monospace)",
    "space-1": SPACE_1,
    "space-2": SPACE_2,
    "space-3": SPACE_3,
    "space-4": SPACE_4,
    "radius": RADIUS,
    "radius-large": RADIUS_LARGE,
    "target": TARGET,
    "page": "var(--jp-layout-color0, Canvas)",  # what a notebook's outputs stand on
    "surface": "var(--jp-layout-color1, Canvas)",  # of fields, and of what lies over the page
    "ink": "var(--jp-content-font-color1, CanvasText)",
    "ink-quiet": "var(--jp-content-font-color2, CanvasText)",
    "accent": "var(--jp-brand-color1, Highlight)",
    "error": "var(--jp-error-color1, #b00020)",
    "border": css_colour(BORDER),  # of what can be changed or pressed
    "line": css_colour(BORDER, 0.4),  # between areas; nothing hangs on seeing it
    "focus": "3px solid var(--jp-brand-color1, Highlight)",
}


def _in_strengths(colours: Mapping[str, Colour]) -> dict[str, str]:
    written = dict[str, str]()
    for name, colour in colours.items():
        strongest = STRONGEST_NEGATIVE if name == "negative" else STRONGEST
        opacities = {f"{name}-faint": FAINT, f"{name}-strong": strongest, name: 1}
        written |= {each: css_colour(colour, opacity) for each, opacity in opacities.items()}
    return written

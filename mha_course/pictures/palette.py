"""One colour for each role, the same in every picture."""

from functools import cache

from mha_course.pictures import markup
from mha_course.pictures.picture import Picture
from mha_course.pipeline.matrices import MATRICES

# Okabe and Ito's colours, which colour-blind readers can tell apart (Wong, Nature Methods 2011).
COLOURS = {
    "input": (240, 228, 66),
    "query": (0, 114, 178),
    "key": (230, 159, 0),
    "value": (0, 158, 115),
    "scores": (204, 121, 167),
    "weights": (213, 94, 0),
    "output": (86, 180, 233),
}
NEGATIVE = (120, 120, 120)
VERDICTS = {"right": COLOURS["value"], "wrong": COLOURS["weights"], "open": NEGATIVE}  # each comes with a sign
STRONGEST = 0.4  # opacity at which text keeps a contrast of 4.5 on a light and on a dark page


def tint(role: str, strength: float) -> str:
    """Return a role's CSS colour for a strength from 0 (none) to 1, grey for 0 to -1.

    Text stays readable on it, on a light page and on a dark one.

    >>> tint("query", 0.5), tint("query", -1)
    ('rgba(0,114,178,0.20)', 'rgba(120,120,120,0.40)')
    """
    return _css(NEGATIVE if strength < 0 else COLOURS[role], round(100 * STRONGEST * abs(strength)))


def bar(role: str, share: float) -> str:
    """Return a CSS background that fills a share of a cell, 0 to 1, from the left with a role's colour.

    >>> bar("weights", 0.25)
    'linear-gradient(90deg,rgba(213,94,0,0.40) 25%,transparent 25%)'
    """
    filled = f"{min(max(share, 0), 1):.0%}"
    return f"linear-gradient(90deg,{tint(role, 1)} {filled},transparent {filled})"


def line_colour(role: str) -> str:
    """Return the colour of a role for lines on a white panel.

    >>> line_colour("query")
    '#0072b2'
    """
    return "#{:02x}{:02x}{:02x}".format(*COLOURS[role])


def verdict_colour(verdict: str) -> str:
    """Return the CSS colour of a verdict: "right", "wrong" or "open"."""
    return _css(VERDICTS[verdict], 100)


def legend() -> Picture:
    """Show the colour of every role with the matrices that wear it.

    >>> print(legend().text.splitlines()[1])
    query: W_Q, Q
    """
    members = {role: ", ".join(name for name, kind in MATRICES.items() if kind.role == role) for role in COLOURS}
    rows = [
        markup.row([markup.row_header(role, markup.background(tint(role, 1))), markup.cell(names, style=markup.LEFT)])
        for role, names in members.items()
    ]
    text = "\n".join(f"{role}: {names}" for role, names in members.items())
    return Picture(markup.table("One colour for each role", rows), text)


@cache  # a workbench asks for thousands at every change
def _css(colour: tuple[int, int, int], per_cent: int) -> str:
    red, green, blue = colour
    return f"rgba({red},{green},{blue},{per_cent / 100:.2f})"

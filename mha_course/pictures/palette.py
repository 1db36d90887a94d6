"""One colour for each role, the same in every picture."""

from functools import cache

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


def tint(role, strength):
    """Return a role's CSS colour for a strength from 0 (none) to 1, grey for 0 to -1.

    Text stays readable on it, on a light page and on a dark one.

    >>> tint("query", 0.5), tint("query", -1)
    ('rgba(0,114,178,0.20)', 'rgba(120,120,120,0.40)')
    """
    return _css(NEGATIVE if strength < 0 else COLOURS[role], round(100 * STRONGEST * abs(strength)))


@cache  # a workbench asks for thousands at every change
def _css(colour, per_cent):
    red, green, blue = colour
    return f"rgba({red},{green},{blue},{per_cent / 100:.2f})"


def line_colour(role):
    """Return the colour of a role for lines on a white panel.

    >>> line_colour("query")
    '#0072b2'
    """
    return "#{:02x}{:02x}{:02x}".format(*COLOURS[role])


def legend():
    """Show the colour of every role with the matrices that wear it.

    >>> print(legend().text.splitlines()[1])
    query: W_Q, Q
    """
    members = {role: [name for name, kind in MATRICES.items() if kind.role == role] for role in COLOURS}
    rows = "".join(
        f'<tr><th scope="row" style="text-align:left;background-color:{tint(role, 1)}">{role}</th>'
        f'<td style="text-align:left">{", ".join(names)}</td></tr>'
        for role, names in members.items()
    )
    text = "\n".join(f"{role}: {', '.join(names)}" for role, names in members.items())
    caption = '<caption style="caption-side:top;text-align:left">One colour for each role</caption>'
    return Picture(f"<table>{caption}{rows}</table>", text)

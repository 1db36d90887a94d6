"""One colour for each role, the same in every picture."""

from mha_course.engine.pictures import markup, theme, tints
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.tints import Background
from mha_course.forward.matrices import MATRICES

ROLES: dict[str, theme.Colour] = {
    "input": theme.YELLOW,
    "query": theme.BLUE,
    "key": theme.ORANGE,
    "value": theme.GREEN,
    "scores": theme.PINK,
    "weights": theme.VERMILION,
    "output": theme.VIOLET,
}
# Of heads beside each other; the first is that of weights.
HEADS = ("#d55e00", "#0f83b5", "#00805d", "#7e03ff", "#a8497f", "#8a6500", "#4a5568", "#1f3fa8")
LOOKS = {role: Background(colour, is_share=role == "weights") for role, colour in ROLES.items()}


def tint(role: str, strength: float) -> str:
    """Return a role's CSS colour for a strength from 0 (none) to 1, grey for 0 to -1.

    >>> tint("query", 0.5)
    '#0072b23d'
    """
    return tints.tint(ROLES[role], strength)


def bar(role: str, share: float) -> str:
    """Return a CSS background that fills a share of a cell, 0 to 1, from the left with a role's colour."""
    return tints.bar(ROLES[role], share)


def line_colour(role: str) -> str:
    """Return the colour of a role for lines on a white panel.

    >>> line_colour("query")
    '#0072b2'
    """
    return "#{:02x}{:02x}{:02x}".format(*ROLES[role])


def head_colour(head: int) -> str:
    """Return the colour of a head, which counts from 0.

    >>> head_colour(0)
    '#d55e00'
    """
    return HEADS[head % len(HEADS)]


def legend() -> Picture:
    """Show the colour of every role with the matrices that wear it.

    >>> print(legend().text.splitlines()[1])
    query: W_Q, Q
    """
    named = {name: kind.role for name, kind in MATRICES.items() if not kind.is_aside}
    members = {role: ", ".join(name for name, worn in named.items() if worn == role) for role in ROLES}
    rows = [
        markup.row([markup.row_header(role, markup.background(tint(role, 1))), markup.cell(names, style=markup.LEFT)])
        for role, names in members.items()
    ]
    text = "\n".join(f"{role}: {names}" for role, names in members.items())
    return Picture(markup.table("One colour for each role", rows), text)

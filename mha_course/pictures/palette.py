"""One colour for each role, the same in every picture."""

from mha_course.pictures import markup
from mha_course.pictures.picture import Picture
from mha_course.pictures.tokens import FAINT, NEGATIVE, ROLES, STRONGEST, STRONGEST_NEGATIVE, VERDICTS, css_colour
from mha_course.pipeline.matrices import MATRICES


def tint(role: str, strength: float) -> str:
    """Return a role's CSS colour for a strength from 0 (none) to 1, grey for 0 to -1.

    Text stays readable on it, on a light page and on a dark one.

    >>> tint("query", 0.5), tint("query", -1)
    ('#0072b23d', '#5f5f5f8c')
    """
    colour, strongest = (NEGATIVE, STRONGEST_NEGATIVE) if strength < 0 else (ROLES[role], STRONGEST)
    return css_colour(colour, round(strongest * abs(strength), 2))


def bar(role: str, share: float) -> str:
    """Return a CSS background that fills a share of a cell, 0 to 1, from the left with a role's colour.

    >>> bar("weights", 0.25)
    'linear-gradient(90deg,#d55e007a 25%,#0000 0)'
    """
    filled = f"{min(max(share, 0), 1):.0%}"
    return f"linear-gradient(90deg,{tint(role, 1)} {filled},#0000 0)"


def line_colour(role: str) -> str:
    """Return the colour of a role for lines on a white panel.

    >>> line_colour("query")
    '#0072b2'
    """
    return "#{:02x}{:02x}{:02x}".format(*ROLES[role])


def verdict_colours(verdict: str) -> tuple[str, str]:
    """Return the CSS colours of a verdict, "right", "wrong" or "open": for its edge, and for behind its text."""
    return css_colour(VERDICTS[verdict]), css_colour(VERDICTS[verdict], FAINT)


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

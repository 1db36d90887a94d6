"""A long formula in parts, which a narrow page or a sheet of paper sets below each other."""

import re

WIDE_SPACE = re.compile(r"\\q?quad(?![A-Za-z])")
BOUNDS = {"{": "}", r"\begin": r"\end", r"\left": r"\right"}


def parts_of(formula):
    """Return what wide spaces keep apart in a formula, brackets and matrices whole."""
    parts, begun = [], ""
    for each in WIDE_SPACE.split(formula):
        begun = rf"{begun}\quad{each}" if begun else each
        if all(begun.count(opened) == begun.count(closed) for opened, closed in BOUNDS.items()):
            parts, begun = [*parts, begun.strip()], ""
    return [each for each in (*parts, begun) if each]

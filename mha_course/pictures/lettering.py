"""How much room a text takes in a drawing, known without a screen."""

import unicodedata
from functools import lru_cache

SIZE = 12  # pixels; nothing is smaller
HEIGHT = 15  # of a line
MIDDLE = 4  # from the middle of a line down to where its letters stand
NARROW = dict.fromkeys("iljI.,:;'|!()[]ftr -·", 0.41) | dict.fromkeys("mwMW@%→×≈…", 1.0)  # of the size; in a wide font
LOWER, OTHER, WIDE = 0.64, 0.78, 1.1


@lru_cache(maxsize=500)
def width_of(text: str, size: int = SIZE) -> float:
    """Return the pixels that a text takes at most, in any usual font. size: of its letters.

    >>> width_of("ill") < width_of("mom")
    True
    """
    return round(size * sum(map(_share, text)), 1)


def _share(letter: str) -> float:
    if letter in NARROW:
        return NARROW[letter]
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return WIDE
    return LOWER if letter.islower() or letter.isdigit() else OTHER


@lru_cache(maxsize=500)
def shortened(text: str, most: float, size: int = SIZE) -> str:
    """Return a text, or its beginning and an ellipsis, so that it takes no more than so many pixels.

    >>> shortened("create", 80), shortened("incomprehensibilities", 80)
    ('create', 'incompreh…')
    """
    if width_of(text, size) <= most:
        return text
    while text and width_of(f"{text}…", size) > most:
        text = text[:-1]
    return f"{text.rstrip()}…"


@lru_cache(maxsize=500)
def legible(text: str) -> str:
    r"""Return a text in which a box stands for each sign that no drawing can hold.

    >>> legible("a\x00b")
    'a□b'
    """
    return "".join("□" if _cannot_be_held(letter) else letter for letter in text)


def _cannot_be_held(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cs") or letter in "\ufffe\uffff"

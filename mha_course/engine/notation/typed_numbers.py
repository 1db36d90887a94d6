"""Reads a number that somebody typed into a cell or a field."""

import math
import re

DECIMALS = re.compile(r"^([+-]?\d*),(\d+)$")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


def read_entry(text: object) -> float:
    """Return the number that a text says; on many a keyboard the decimals stand behind a comma.

    Errors: `ValueError` in plain words if it says none, or one that no float can hold.

    >>> read_entry(" −2.5 "), read_entry("1,5")
    (-2.5, 1.5)
    >>> read_entry("1,500")
    Traceback (most recent call last):
    ValueError: "1,500" has a comma that may stand before decimals or behind thousands: write 1.500 or 1500.
    """
    text = str(text).strip().replace("−", "-")  # the typographic minus, as copied from a page
    shown = f'"{text}"' if len(text) <= 20 else f'"{text[:17]}…" ({len(text)} characters)'
    if not text:
        raise ValueError("the cell is empty: type a number.")
    if THOUSANDS.fullmatch(text):
        variants = f"{text.replace(',', '.')} or {text.replace(',', '')}"
        raise ValueError(f"{shown} has a comma that may stand before decimals or behind thousands: write {variants}.")
    try:
        number = float(DECIMALS.sub(r"\1.\2", text))
    except ValueError:
        raise ValueError(f"{shown} is not a number.") from None
    if math.isnan(number) or text.lower().lstrip("+-").startswith("inf"):
        raise ValueError(f"{shown} is not a finite number.")
    if math.isinf(number):
        raise ValueError(f"{shown} is larger than any number a computer's float can hold.")
    return number


def read_positive_entry(label: str, text: object) -> float:
    """Return the number above 0 that the text of a field says. label: of the field.

    Errors: `ValueError` in plain words if it says none.

    >>> read_positive_entry("Temperature", "0")
    Traceback (most recent call last):
    ValueError: Temperature: it must be above 0.
    """
    try:
        number = read_entry(text)
    except ValueError as error:
        raise ValueError(f"{label}: {error}") from None
    if number <= 0:
        raise ValueError(f"{label}: it must be above 0.")
    return number


def read_whole_entry(label: str, text: str) -> int:
    """Return the whole number, 0 or more, that the text of a field says. label: of the field.

    Errors: `ValueError` in plain words if it says none.

    >>> read_whole_entry("Seed", "-1")
    Traceback (most recent call last):
    ValueError: Seed: '-1' is no whole number from 0.
    """
    if not text.strip().isdecimal():
        raise ValueError(f"{label}: {text!r} is no whole number from 0.")
    return int(text)

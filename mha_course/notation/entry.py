"""Reads a number that somebody typed into a cell."""

import math
import re


def read_entry(text: object) -> float:
    """Return the number that a text says.

    Errors: `ValueError` in plain words if it says none, or one that no float can hold.

    >>> read_entry(" −2.5 ")
    -2.5
    >>> read_entry("1,5")
    Traceback (most recent call last):
    ValueError: "1,5" has a comma: write decimals with a point, as 1.5.
    """
    text = str(text).strip().replace("−", "-")  # the typographic minus, as copied from a page
    shown = f'"{text}"' if len(text) <= 20 else f'"{text[:17]}…" ({len(text)} characters)'
    if not text:
        raise ValueError("the cell is empty: type a number.")
    try:
        number = float(text)
    except ValueError:
        has_comma = re.fullmatch(r"[+-]?\d+,\d+", text)
        advice = f"has a comma: write decimals with a point, as {text.replace(',', '.')}."
        raise ValueError(f"{shown} {advice if has_comma else 'is not a number.'}") from None
    if math.isnan(number) or text.lower().lstrip("+-").startswith("inf"):
        raise ValueError(f"{shown} is not a finite number.")
    if math.isinf(number):
        raise ValueError(f"{shown} is larger than any number a computer's float can hold.")
    return number

"""Computes what the course's arithmetic says."""

import math
import re


def exp(power):
    """Return e to a power: infinity where a float ends, as NumPy says."""
    return math.exp(power) if power < 709 else math.inf


NAMES = ("sqrt", "sin", "cos", "log", "pi", "inf")
FUNCTIONS = {"__builtins__": {}, "exp": exp, **{name: getattr(math, name) for name in NAMES}}


def evaluate(text):
    """Compute what the screen's arithmetic says."""
    text = re.sub(r" \[the other \d+\]", "", text)
    text = re.sub(r"√(\d[\d.]*)", r"sqrt(\1)", text).replace("√(", "sqrt(")
    text = re.sub(r"e\^(\d[\d.]*(?:e[+-]\d+)?)", r"exp(\1)", text).replace("e^(", "exp(")
    text = text.replace("2π", "2*pi").replace("·", "*").replace("^", "**")
    assert re.fullmatch(r"(?:[\d.+\-*/() ]|e[+-]\d|exp|inf|sqrt|sin|cos|log|pi)+", text), text
    assert not re.search(r"[+*/-] ?-", text), f"two signs in a row: {text}"
    return eval(text, FUNCTIONS)


def gives_its_number(line):
    """Whether what stands between the signs of one line evaluates to the number at its end."""
    place, *parts, shown = line.split(" = ")
    if not re.fullmatch(r"\w+(\[[\d,]+\])?", place):
        return False
    named = r"[A-Za-z_]\w*(\[[\d,\[\]]+\])?"
    made = [part for part in parts if not re.fullmatch(named, part)] if shown not in ("nan", "inf", "-inf") else []
    places = 1e-3 if "e+" in shown else 0
    return all(math.isclose(evaluate(part), float(shown), abs_tol=0.51e-4, rel_tol=places) for part in made)

"""The most basic thing that is wrong with an answer that no known mistake explains."""

from itertools import permutations

import numpy as np

from mha_course.checking.compare import alike, differing
from mha_course.checking.evidence import lines, telling_places
from mha_course.checking.usual_reasons import reason

FEW = 8  # numbers of one row that are listed instead of counted
LONGEST = 300  # characters of an error's text


def problem(exercise, case, function, attempt, answer, right):
    """Return headline, paragraphs and lines on the most basic thing that is wrong with one answer.

    From an error over its kind and shape to its numbers.
    """
    where = situation(exercise, case)
    if attempt.error is not None:
        return "It stops with an error.", _on_error(where, attempt), ()
    if attempt.value is None:
        advice = "Is there a return, at the end? And what stands behind it: print, append and sort give back None."
        return "It returns None.", ("A function without return gives back None.", advice), ()
    if isinstance(answer, BaseException):
        return "It returns something else than numbers.", (str(answer),), ()
    if [a.shape for a in answer] != [b.shape for b in right]:
        return "The shape is not right.", (f"{where} {shapes(exercise, answer, right)}",), ()
    if attempt.changed and alike(answer, right):
        names = ", ".join(exercise.arguments[i] for i in attempt.changed)
        advice = "Whoever calls it may still need that: make a new one. x = x + 1 does, x += 1 does not."
        return f"It changes what it was given: {names}.", (advice,), ()
    shown = lines(exercise, case, telling_places(answer, right), function, answer, right)
    headline, advice = _on_numbers(answer, right)
    return headline, (f"{where} {advice}".strip(),), shown


def situation(exercise, case):
    """Name a case and the sizes of its arguments."""
    named = zip(exercise.arguments, case.arguments, strict=True)
    return f"With {case.words} ({', '.join(f'{name} {_size(value)}' for name, value in named)}):"


def shapes(exercise, answer, right):
    """Say which shape came and which was needed, with a guess why; nothing if all agree."""
    for name, a, b in zip(exercise.results, answer, right, strict=True):
        if a.shape != b.shape:
            needed = f"needs {b.shape}" if b.ndim else "must be one number"
            return f"{name} has shape {a.shape}, but {needed}. {_guess(a, b)}".strip()
    return ""


def _on_error(where, attempt):
    name = type(attempt.error).__name__
    try:
        said = str(attempt.error)
    except Exception:  # an error that cannot even be written
        said = ""
    said = said if len(said) <= LONGEST else said[:LONGEST] + " …"
    line = f" in the line  {attempt.line}" if attempt.line else ""
    return tuple(filter(None, (f"{where} it raised {name}{line}" + (f": {said}" if said else ""), reason(said))))


def _on_numbers(answer, right):
    """Return a headline and what is known of wrong numbers."""
    pairs = [(a.astype(float), b.astype(float), a.dtype.kind in "iu") for a, b in zip(answer, right, strict=True)]
    if any(np.isnan(a).any() for a, _, _ in pairs):
        return "It returns nan, not a number.", "Something was 0 / 0, or infinity over infinity."
    if any(np.isinf(a).any() for a, _, _ in pairs):
        return "It returns inf, infinity.", "A power was too large, or something was divided by 0."
    if all(whole and (np.abs(a - b) < 1).all() for a, b, whole in pairs):
        advice = "np.zeros_like of whole numbers makes a table for whole numbers: use np.zeros(shape)."
        return "The decimals are cut off.", advice
    if any(all(alike([a], [np.round(b, digits)]) for a, b, _ in pairs) for digits in range(1, 7)):
        return "The numbers are rounded.", "Leave out the round: whoever wants fewer digits can round later."
    wrong, total = sum(int(differing(a, b).sum()) for a, b, _ in pairs), sum(a.size for a, _, _ in pairs)
    if total == 1:
        return "The number is not right.", ""
    return "The numbers are not right.", f"{wrong} of {total} numbers {'is' if wrong == 1 else 'are'} not right."


def _size(value):
    if isinstance(value, list):
        return f"{len(value)} {'array' if len(value) == 1 else 'arrays'} of {_size(value[0])}"
    if not isinstance(value, np.ndarray):
        return f"= {value}"
    if value.ndim == 1 and value.size <= FEW:
        return f"= {value.tolist()}"
    return " × ".join(map(str, value.shape))


def _guess(array, right):
    """Guess why an array has the wrong shape."""
    if array.ndim == right.ndim:
        for axes in permutations(range(array.ndim)):
            turned = array.transpose(axes)
            if turned.shape == right.shape and not differing(turned, right).any():
                return "It is the transpose." if array.ndim == 2 else "Only the axes stand in another order."
    if array.size == right.size and not differing(array.reshape(right.shape), right).any():
        return "The numbers are right, only their shape is not."
    if array.ndim < right.ndim:
        return "An axis is gone: perhaps a sum took it, or only one row was computed."
    if array.ndim > right.ndim:
        return "There is an axis too many."
    return ""

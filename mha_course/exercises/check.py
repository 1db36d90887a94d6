"""check(name, function): the one word a lesson needs."""

import difflib
from dataclasses import dataclass, replace
from html import escape

from mha_course.exercises.catalogue import EXERCISES
from mha_course.exercises.diagnose import diagnose
from mha_course.pictures.palette import VERDICTS
from mha_course.pictures.picture import Picture
from mha_course.progress import notices, record

SIGNS = {"right": "✓", "wrong": "✗", "open": "○"}
VERDICT_OF = {"right": "right", "mistake": "wrong", "difference": "wrong", "not started": "open"}


@dataclass(frozen=True, repr=False)
class Verdict(Picture):
    """What a check says, as a card; `is_right` is for programs.

    >>> Verdict("<b>Right.</b>", "Right.", is_right=True)
    Right.
    """

    is_right: bool


def check(name, function):
    """Say what the learner's function does: right, which mistake, or what differs first.

    name: of the exercise, like "scores.scaled". A right answer is kept in the learner's progress.
    Errors: `ValueError` for a name that no exercise has, `TypeError` if it gets no function.

    >>> import numpy as np
    >>> print(check("scores.scaled", lambda Q, K: ...))
    ○ Exercise 3.3: Not started yet.
    Put your code in place of every ... above, and run both cells.
    """
    if name not in EXERCISES:
        near = difflib.get_close_matches(str(name), EXERCISES, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"name is {name!r}, but no exercise is called that.{hint}")
    if not callable(function):
        raise TypeError(f"function is {function!r}, but must be a function: give its name, without brackets.")
    exercise = EXERCISES[name]
    diagnosis = diagnose(exercise, function)
    is_right = diagnosis.kind == "right"
    if is_right:
        record("solved", name, True)
    card = draw_card(f"Exercise {exercise.number}", replace(diagnosis, notices=tuple(notices())))
    return Verdict(card.html, card.text, is_right)


def draw_card(title, diagnosis):
    """Draw a diagnosis as a small card.

    >>> from mha_course.exercises.diagnose import Diagnosis
    >>> draw_card("Exercise 3.1", Diagnosis("right", "Right.", ("Notice the sum.",)))
    ✓ Exercise 3.1: Right.
    Notice the sum.
    """
    verdict = VERDICT_OF[diagnosis.kind]
    colour = ",".join(map(str, VERDICTS[verdict]))
    headline = f"{SIGNS[verdict]} {title}: {diagnosis.headline}"
    where = f"This has happened to others: {diagnosis.where}." if diagnosis.where else ""
    before, after = diagnosis.paragraphs, (*filter(None, (where,)), *diagnosis.notices)
    width = max((len(who) for who, _ in diagnosis.lines), default=0)
    lines = [f"  {who.ljust(width)}  {what}" for who, what in diagnosis.lines]
    html = (
        f'<div style="border-left:6px solid rgb({colour});padding:4px 12px;margin:4px 0;max-width:60em">'
        f'<p style="margin:4px 0"><b>{escape(headline)}</b></p>'
        + _paragraphs(before)
        + _table(diagnosis.lines)
        + _paragraphs(after)
        + "</div>"
    )
    return Picture(html, "\n".join([headline, *before, *lines, *after]))


def _paragraphs(texts):
    return "".join(f'<p style="margin:4px 0">{escape(text)}</p>' for text in texts)


def _table(lines):
    if not lines:
        return ""
    rows = "".join(
        f'<tr><th scope="row" style="text-align:left">{escape(who)}</th>'
        f'<td style="text-align:left"><code>{escape(what)}</code></td></tr>'
        for who, what in lines
    )
    caption = (
        '<caption style="caption-side:top;text-align:left;font-size:90%">One entry, yours and the right one</caption>'
    )
    return f'<table style="margin:4px 0">{caption}{rows}</table>'

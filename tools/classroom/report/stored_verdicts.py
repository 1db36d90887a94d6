"""What a notebook that was handed in tells: the verdicts and answers that are stored in it."""

import json
import re
from functools import cache

from the_course import CATALOGUE, LESSONS

from mha_course.engine.asking.kinds import Choice, Number, Order
from mha_course.engine.checking.solution import known_to
from mha_course.engine.pictures.forms import still
from mha_course.engine.progress.event import Event

CALL = re.compile(r"""\b(check|predict|quiz)\(\s*["']([\w.-]+)["']""")
VERDICT = re.compile(r"^([✓✗]) Exercise [\d.]+: (.*)")
TOGETHER = re.compile(r"^\w+ things at once: ")
NUMBER = re.compile(r"^You said (\S+)\. (?:It is|That is right|So it is)", re.MULTILINE)
QUESTION = re.compile(r"^Question \d+\. ", re.MULTILINE)


def events_in(data):
    """Return what a notebook tells, as events without a time. data: the file's bytes.

    How often something was tried no notebook tells. Errors: `ValueError` for what is no notebook.
    """
    if b"mha_course" not in data:
        return []
    notebook = json.loads(data)
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("it has no cells")
    return [event for cell in cells if isinstance(cell, dict) for event in _of_cell(cell)]


def _of_cell(cell):
    found = CALL.search(_text(cell.get("source")))
    if cell.get("cell_type") != "code" or not found:
        return
    kind, name = found[1], found[2]
    for shown in _shown(cell):
        yield from READERS[kind](name, shown)


def _shown(cell):
    """Yield each output as text."""
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else []:
        data = output.get("data") if isinstance(output, dict) else None
        if isinstance(data, dict):
            yield _text(data.get("text/plain"))


def _text(lines):
    return "".join(map(str, lines)) if isinstance(lines, list) else str(lines or "")


def _checked(name, shown):
    found, exercise = VERDICT.match(shown), CATALOGUE.exercises.get(name)
    if not found or not exercise:
        return
    if found[1] == "✓":
        yield Event("", name, 0, "right")
    else:
        mistakes = _mistakes(found[2], exercise)
        yield Event("", name, 0, "mistake" if mistakes else "difference", mistakes)


def _mistakes(headline, exercise):
    """Return the names of the mistakes that a headline tells, where of several each begins in small letters."""
    names = [mistake.name for mistake in known_to(exercise)]
    if not TOGETHER.match(headline):
        return tuple(name for name in names if name == headline)
    told = []
    for name in sorted(names, key=len, reverse=True):
        for core in (name[0].lower() + name[1:].removesuffix("."), name.removesuffix(".")):
            if core in headline:
                told.append(name)
                headline = headline.replace(core, "")
    return tuple(told)


def _predicted(name, shown):
    prediction = CATALOGUE.predictions.get(name)
    match prediction and prediction.kind:
        case Number() if found := NUMBER.search(shown):
            try:
                yield Event("", name, 0, "predicted", answer=float(found[1]))
            except ValueError:
                return
        case Choice(options=options):
            for key in options:
                if _said(prediction.kind.written(key)) in shown:
                    yield Event("", name, 0, "predicted", answer=key)
        case Order(items=items):
            texts = {_plain(text): key for key, text in items.items()}
            found = re.search(r"^You said “(.*?)”\. (?:It is|That is right|So it is)", shown, re.MULTILINE)
            order = [texts.get(text) for text in found[1].split(" → ")] if found else []
            if prediction.kind.can_be(order):
                yield Event("", name, 0, "predicted", answer=order)


def _answered(lesson, shown):
    """Read a quiz, whose questions stand below each other in their order."""
    questions = LESSONS[lesson].quiz if lesson in LESSONS else {}
    for (name, question), told in zip(questions.items(), QUESTION.split(shown)[1:], strict=False):
        last = [line for line in told.splitlines() if line][-1:]
        if last and last[0].startswith("✓"):
            yield Event("", name, 0, "answered", answer=question.truth())
        for key in question.kind.options:
            if last and last[0].startswith(f"✗ Not right. Not “{_plain(question.kind.written(key))}”."):
                yield Event("", name, 0, "answered", answer=key)


def _said(written):
    return f"You said “{_plain(written)}”."


@cache
def _plain(text):
    """Write a text as it stands in a stored answer."""
    return still("", "", [], text).text.strip()


READERS = {"check": _checked, "predict": _predicted, "quiz": _answered}

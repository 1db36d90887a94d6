"""The three claims of the first page, each with a small picture of the thing itself, made while the site is built."""

import inspect
import re

from mha_course import check
from mha_course.engine.pictures import markup
from mha_course.widgets.workbench_session import WorkbenchSession

ASKED = "scores/1:1,0"  # a number of the board in the picture above
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)


def claims(first_lesson):
    """Write what the course can do, in three parts. first_lesson: its notebook, which tells of the model."""
    model = next(found for cell in first_lesson.cells if (found := TABLE.search(cell.source)))
    parts = [
        _claim(
            "Any number can be changed",
            "And every computed number says where it came from, with the arithmetic.",
            markup.element("div", _arithmetic(), class_="arithmetic-line"),
        ),
        _claim(
            "A wrong answer is understood",
            "The check names the mistake, and puts your sum beside the right one.",
            *_answered(my_scores),
        ),
        _claim(
            "It ends in a real model",
            "Your own attention runs inside a language model, and you switch its heads off.",
            markup.Markup(model[0]),
        ),
    ]
    return markup.element("div", *parts, class_="claims")


def my_scores(Q, K):
    """Compute what many have computed: divided by d_k itself."""
    return Q @ K.T / Q.shape[-1]


def _claim(title, text, *picture):
    return markup.element("div", markup.element("h2", title), markup.paragraph(text), *picture)


def _arithmetic():
    """Write what a living board says of one of its numbers."""
    session = WorkbenchSession("steals", "softmax")
    parts = session.act([["select", ASKED]])["parts"]
    return markup.Markup(f"{markup.paragraph(parts['words'])}{markup.paragraph(markup.Markup(parts['arithmetic']))}")


def _answered(function):
    """Write the line of a wrong answer, and what the check says of it."""
    line = inspect.getsource(function).splitlines()[-1].strip()
    first, *rest = str(check("scaled_scores.scaled", function)).splitlines()
    sums = [each.split(maxsplit=1) for each in rest if each.startswith("  ")]
    rows = (markup.row([markup.cell(whose), markup.cell(markup.element("code", made))]) for whose, made in sums)
    return (
        markup.paragraph(markup.element("code", line)),
        markup.paragraph(f"✗ {first.partition(': ')[2]}", class_="wrong"),
        markup.element("table", markup.element("tbody", *rows)),
    )

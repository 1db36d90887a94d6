"""Cells as the judge reads them, and what it says to them."""

from classroom.judging.judge import Judge
from classroom.judging.limits import Seconds

RIGHT_DOT = "def my_score(query, key):\n    return query @ key"
WRONG_DOT = "def my_score(query, key):\n    return query * key"


def cell(source):
    return {"source": source, "skipped": False, "needed": True}


def check(function, exercise="scaled_scores.dot"):
    return {"source": "", "exercise": exercise, "function": function}


def judged(*cells, seconds=Seconds(8, 300)):  # noqa: B008 - it is frozen
    return Judge(list(cells), seconds, isolated=True).results()


def text_of(outputs):
    return "\n".join(str(part) for each in outputs for part in (each.get("text"), each.get("evalue"), each.get("data")))


def is_right(outputs):
    return "Right." in text_of(outputs) and outputs[-1]["output_type"] != "error"

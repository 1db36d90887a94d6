"""Cells as the judge reads them, and what it says to them."""

import resource
from functools import cache
from pathlib import Path

from classroom.judging.limits import Seconds
from classroom.judging.parallel_judging import Ahead

# Should a wall fail, what was behind it is ended from outside: by the kernel, or after the seconds for all.
resource.setrlimit(resource.RLIMIT_NPROC, (min(4096, resource.getrlimit(resource.RLIMIT_NPROC)[1]),) * 2)
Path("/proc/self/oom_score_adj").write_text("1000")  # if memory runs out, these tests are the first to go

RIGHT_DOT = "def my_score(query, key):\n    return query @ key"
WRONG_DOT = "def my_score(query, key):\n    return query * key"


def cell(source):
    return {"source": source, "skipped": False, "needed": True}


def check(function, exercise="scaled_scores.dot"):
    return {"source": "", "exercise": exercise, "function": function}


def judged(*cells, seconds=Seconds(8, 100)):  # noqa: B008 - it is frozen
    """Return what grading would put below the cells: in a process that is ended with all it started."""
    return _judges(seconds).result(list(cells))["outputs"]


@cache
def _judges(seconds):
    return Ahead(seconds, isolated=True, at_a_time=1)


def text_of(outputs):
    return "\n".join(str(part) for each in outputs for part in (each.get("text"), each.get("evalue"), each.get("data")))


def is_right(outputs):
    return "Right." in text_of(outputs) and outputs[-1]["output_type"] != "error"

"""What a run of `nbgrader autograde` says to a teacher: no tracebacks, and at the very end who waits."""

import atexit
from functools import cache
from pathlib import Path

from . import for_a_person

LOG = "autograde.log"
TRACEBACK = "Traceback (most recent call last)"


@cache
def prepare(app):
    """Prepare the application that runs; its configuration is read several times, and this is done once."""
    for screen in app.log.handlers:  # the log's file, where tracebacks stand, is added later
        screen.addFilter(lambda record: TRACEBACK not in record.getMessage())
    atexit.register(_say, app)


def _say(app):
    print(*for_a_person.table(Path(app.coursedir.root), app.coursedir.assignment_id), sep="\n")

"""What a notebook that was handed in tells: the verdicts and answers in its outputs' metadata.

Whoever handed it in may have written anything there.
"""

import json

from mha_course.engine.pictures.picture import EVENTS
from mha_course.engine.progress.event import Event
from mha_course.engine.progress.progress_lines import from_record


def events_in(data):
    """Return what a notebook tells, as events without a time, and how many outputs could not be read.

    data: the file's bytes. No notebook tells how often something was tried. Errors: `ValueError` for what is none.
    """
    if EVENTS.encode() not in data:
        return [], 0
    notebook = json.loads(data)
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise ValueError("it has no cells")
    outputs = _inside(notebook["cells"], "outputs")
    records = _inside(_inside(outputs, "metadata"), EVENTS)
    told = [from_record({"answer": None} | each if isinstance(each, dict) else each) for each in records]
    events = [each for each in told if isinstance(each, Event)]
    return events, len(told) - len(events)


def _inside(things, name):
    """Yield what stands under a name in each thing that has it, be it one or a list."""
    for thing in things:
        if isinstance(thing, dict) and name in thing:
            yield from thing[name] if isinstance(thing[name], list) else [thing[name]]

"""The progress file as text: one line of JSON for each event or note."""

import codecs
import json
import re
import sys
from dataclasses import asdict
from functools import cache

from mha_course.engine.progress.event import Event, Note

# What begins like a line of ours is one, even where somebody else left the line before it without an end.
LINE = re.compile(rb'\n|(?=\{"(?:time|kind)": )')


def to_line(kept: Event | Note) -> bytes:
    """Write one event or note as a line.

    >>> to_line(Note("heads.eight-copies", "Copies add nothing."))
    b'{"kind": "note", "name": "heads.eight-copies", "text": "Copies add nothing."}\\n'
    """
    mark = {"kind": "note"} if isinstance(kept, Note) else {}
    return json.dumps(mark | asdict(kept)).encode() + b"\n"


def from_lines(data: bytes) -> tuple[list[Event | Note], int]:
    """Return the events and notes in a file's content, and how many of its lines could not be read."""
    read = [_read(line) for line in LINE.split(data.removeprefix(codecs.BOM_UTF8)) if line.strip()]
    kept = [each for each in read if each is not None]
    return kept, len(read) - len(kept)


@cache  # a file that only grows is read again and again, always from its beginning
def _read(line: bytes) -> Event | Note | None:
    """Return what one line says; None if it cannot be read."""
    try:
        return from_record(json.loads(line.decode()))
    except (ValueError, RecursionError):  # no UTF-8, or no JSON
        return None


def from_record(record: object) -> Event | Note | None:
    """Return the event or note that was read from JSON; None if it is neither."""
    match record:
        case {
            "time": str(time), "name": str(name), "attempt": int(attempt), "kind": str(kind),
            "mistakes": list(mistakes), "answer": str() | int() | float() | list() | None as answer,
        } if _is_sane(answer):  # fmt: skip
            return Event(time, name, attempt, kind, tuple(map(str, mistakes)), answer)
        case {"kind": "note", "name": str(name), "text": str(text)}:
            return Note(name, text)
    return None


def _is_sane(answer: object) -> bool:
    """Whether an answer is no list of other things than texts, and no number that a float cannot hold."""
    if isinstance(answer, list):
        return all(isinstance(each, str) for each in answer)
    return not isinstance(answer, (int, float)) or abs(answer) <= sys.float_info.max

"""Reads what a class handed in: progress files, notebooks, or the folder of an nbgrader course, mixed as they come."""

import codecs
import re
from collections import Counter
from dataclasses import dataclass, field

from classroom.report import downloads
from classroom.report.stored_verdicts import events_in
from classroom.report.whose import LESSON, is_a_teachers, student_of

from mha_course.engine.notation.counts import counted
from mha_course.engine.progress.event import Event
from mha_course.engine.progress.progress_lines import from_lines, to_line

PROGRESS, NOTEBOOK, PACKED = ".jsonl", ".ipynb", (".zip", ".gz", ".tar", ".7z")
KIND = re.compile(rf"(.*)({PROGRESS}|{NOTEBOOK})(\.\w+)?", re.IGNORECASE)  # Windows and mail add endings of their own
UTF_16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE
NEITHER = "Neither progress files nor notebooks, so not read: {}."


@dataclass(frozen=True)
class HandedIn:
    """What is known of each student: the events in their order. warnings: what could not be read, a line for a file."""

    events: dict[str, list[Event]]
    warnings: list[str] = field(default_factory=list)


def read(folder):
    """Read every file in a folder and below it. Notes that students wrote to themselves are left out at once."""
    files, warnings, others = {PROGRESS: {}, NOTEBOOK: {}}, [], Counter()
    for path in sorted(folder.rglob("*")):
        short = path.relative_to(folder)
        if path.is_dir() or is_a_teachers(short, folder):
            continue
        if path.suffix.lower() in PACKED and not downloads.is_one(path):
            warnings.append(f"{short} is packed: unpack it first.")
            continue
        bare = short if downloads.is_one(path) else _bare(short)
        if bare is None:
            others[path.name] += 1
            continue
        student = student_of(bare) or folder.resolve().name
        try:
            for name, content in _contents(path, bare):
                found, warning = READERS[name.suffix](content)
                warnings += [f"{short}: {warning}"] * bool(warning)
                if found or name.suffix == PROGRESS or LESSON.search(name.stem):
                    files[name.suffix].setdefault(student, []).append(found)
        except ValueError as why:
            warnings.append(f"{short}: {why}")
        except OSError as error:
            warnings.append(f"{short}: it could not be read: {error.strerror}.")
    if others:
        names = (name if count == 1 else f"{name} ({count} times)" for name, count in others.items())
        warnings.append(NEITHER.format(", ".join(names)))
    students = sorted({*files[PROGRESS], *files[NOTEBOOK]})
    events = {each: _together(files[PROGRESS].get(each, []), files[NOTEBOOK].get(each, [])) for each in students}
    return HandedIn(events, warnings)


def _bare(path):
    """Return a path with the ending that the course gives such a file; None for any other file."""
    name = KIND.fullmatch(path.name)
    return path.with_name(name[1] + name[2].lower()) if name else None


def _contents(path, bare):
    """Yield the files that are in one, or the file itself under its bare path, each with what is in it as UTF-8."""
    inside = [(bare, path.read_bytes())] if bare.suffix in READERS else downloads.contents(path, tuple(READERS))
    for name, content in inside:
        yield name, content.decode("utf-16", "replace").encode() if content.startswith(UTF_16) else content


def _together(kept, stored):
    """Join what a student's files tell. Copies of one progress file overlap; a notebook adds only what none tells."""
    lines = Counter()
    for events in kept:
        lines |= Counter(map(to_line, events))  # a line counts as often as in the file that has it most often
    of_line = {to_line(event): event for events in kept for event in events}
    joined = sorted((of_line[line] for line in lines.elements()), key=lambda event: event.time)
    told = {event.name for event in joined}
    return joined + [event for events in stored for event in events if event.name not in told]


def _read_progress(content):
    kept, unreadable = from_lines(content)
    events = [each for each in kept if isinstance(each, Event)]
    rest = "every other line counts" if kept else "no line counts"
    return events, f"{counted(unreadable, 'line')} could not be read; {rest}." if unreadable else ""


def _read_notebook(content):
    try:
        events, unreadable = events_in(content)
    except (ValueError, RecursionError):
        return [], "it is no notebook, or a damaged one."
    return events, f"{counted(unreadable, 'output')} could not be read; every other one counts." if unreadable else ""


READERS = {PROGRESS: _read_progress, NOTEBOOK: _read_notebook}

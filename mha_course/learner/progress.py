"""What a learner has done so far: one small file beside the notebooks, a line for each event."""

import codecs
import json
import os
import time
from itertools import count
from pathlib import Path

STARTED_IN = Path.cwd()  # a later os.chdir moves nothing
_unsaved, _notices = [], []  # events that no file could take yet; sentences that nobody was told yet


class Progress:
    """The learner's file. rename: gives a name as it is today for one that an older version wrote."""

    def __init__(self, rename=lambda name: name):
        """Begin with how older names are read."""
        self._rename = rename

    def record(self, kind, name, value):
        """Note that something was done: a kind such as "solved", a name, and any value that JSON can hold.

        The value None clears what was noted under that name. Whatever hinders the writing becomes one
        of the `notices`; the event then counts until the kernel ends, and is written with the next one.
        Errors: `TypeError` if JSON cannot hold the value.
        """
        _unsaved.append(json.dumps({"kind": kind, "name": name, "value": value}).encode())
        try:
            _append(_file(), _unsaved)
        except OSError as error:
            _notice(f"What you did could not be saved in {_file()}: {error.strerror}. It counts until the kernel ends.")
        else:
            _unsaved.clear()

    def recorded(self, kind):
        """Return name -> value of everything of one kind; of several events with one name, the last."""
        state = {}
        for line in _lines():
            event = _event(line)
            if event["kind"] == kind:
                state[self._rename(event["name"])] = event["value"]
        return {name: value for name, value in state.items() if value is not None}

    def notices(self):
        """Return what the learner has to be told about the file, as sentences, each of them once."""
        told = _notices.copy()
        _notices.clear()
        return told

    def set_aside(self):
        """Return the damaged files that were set aside and are still there."""
        return sorted(_file().parent.glob(f"{_file().stem}.damaged-*{_file().suffix}"))

    def file(self):
        """Return where the file is: $MHA_COURSE_PROGRESS, else my_progress.jsonl where the kernel started."""
        return _file()


def _file():
    return STARTED_IN / (os.environ.get("MHA_COURSE_PROGRESS") or "my_progress.jsonl")


def _notice(sentence):
    if sentence not in _notices:
        _notices.append(sentence)


# Writing


def _append(path, lines):
    """Write lines at the end of the file that stands there now, in one piece."""
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        descriptor = os.open(path, flags, 0o644)
        try:
            size = os.fstat(descriptor).st_size
            os.lseek(descriptor, max(size - 1, 0), os.SEEK_SET)
            is_open_line = size > 0 and os.read(descriptor, 1) != b"\n"
            data = b"\n" * is_open_line + b"".join(line + b"\n" for line in lines)
            if os.write(descriptor, data) < len(data):
                raise OSError(0, "the disk took only a part of it")
            if _is_still(path, descriptor):
                return
        finally:
            os.close(descriptor)  # else another notebook mended the file meanwhile: write into the new one


def _is_still(path, descriptor):
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


# Reading


def _lines():
    """Return the lines of the file that are events, and those that are still unsaved; mend the file if need be."""
    path = _file()
    try:
        data = _settled(path)
        good = _good(data)
        if len(good) < len(_all(data)):
            _mend(path, data, good)
    except FileNotFoundError:
        good = []
    except OSError as error:
        _notice(f"{path} could not be read: {error.strerror}. What you did before is not shown.")
        good = []
    return good + _unsaved


def _settled(path):
    """Read the file; where a last line is cut short, give whoever may be writing it a moment."""
    data = path.read_bytes()
    if data and not data.endswith(b"\n") and _event(data.rpartition(b"\n")[2]) is None:
        time.sleep(0.05)
        data = path.read_bytes()
    return data


def _all(data):
    return [line for line in data.removeprefix(codecs.BOM_UTF8).split(b"\n") if line.strip()]


def _good(data):
    return [line for line in _all(data) if _event(line)]


def _event(line):
    """Read one line; None if it is no event."""
    try:
        event = json.loads(line.decode())
    except (ValueError, RecursionError):  # no UTF-8, or no JSON
        return None
    is_event = isinstance(event, dict) and "value" in event
    return event if is_event and all(isinstance(event.get(key), str) for key in ("kind", "name")) else None


def _mend(path, data, good):
    """Keep the damaged file under another name, and put one with only its good lines in its place."""
    count_bad = len(_all(data)) - len(good)
    sentence = f"{path.name} had {count_bad} damaged {'line' if count_bad == 1 else 'lines'}."
    try:
        aside = _keep(path, data)
        fresh = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        fresh.write_bytes(b"".join(line + b"\n" for line in good))
        os.replace(fresh, path)
        late = _good(aside.read_bytes()[len(data) :])  # written by another notebook at this very moment
        if late:
            _append(path, late)
    except OSError as error:
        _notice(f"{sentence} The file could not be mended: {error.strerror}. Its other lines count all the same.")
    else:
        _notice(f"{sentence} The whole file is kept as {aside.name}; its {len(good)} other lines count as before.")


def _keep(path, data):
    """Give the damaged file a second name that is not yet taken."""
    for number in count(1):
        aside = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
        try:
            os.link(path, aside)
            return aside
        except FileExistsError:
            continue
        except OSError:  # a disk that knows no second names
            if not aside.exists():
                aside.write_bytes(data)
                return aside

"""What a learner has done so far: one file, whatever the folder, to which every event adds a line."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from mha_course.engine.identity import Identity
from mha_course.engine.progress import shared_file
from mha_course.engine.progress.event import Event, Note, StoredAnswer, numbered
from mha_course.engine.progress.progress_lines import from_lines, to_line

ANSWERS = ("predicted", "answered", "right", "mistake", "difference")  # kinds of event that hold one, or clear it


class Progress:
    """The learner's file."""

    def __init__(self, identity: Identity) -> None:
        """Begin with nothing that is still to be written or told. identity: of the course, which says where it is."""
        self.identity = identity
        self._unsaved: list[Event | Note] = []  # what no file could take yet
        self.why_unsaved = ""  # a sentence, as long as that is so
        self._notices: dict[str, str] = {}  # topic -> sentence that nobody was told yet
        self._unreadable: dict[Path, int] = {}  # how many lines of each file are known to be so

    def record(self, kind: str, name: str, *, mistakes: Iterable[str] = (), answer: StoredAnswer = None) -> None:
        """Note that something was done; for the words see `Event`.

        Whatever hinders the writing becomes one of the `notices`; the event then counts until the
        kernel ends, and is written with the next one.
        """
        self._keep(Event(datetime.now(UTC).isoformat(timespec="seconds"), name, 0, kind, tuple(mistakes), answer))

    def note(self, name: str, text: str) -> None:
        """Keep what the learner wrote to themselves about a prediction, in place of what they wrote before."""
        self._keep(Note(name, text))

    def events(self) -> list[Event]:
        """Return everything that was done, in the order in which it was kept."""
        return [each for each in self._everything() if isinstance(each, Event)]

    def solved(self) -> set[str]:
        """Return the names of the exercises and tasks that were right once."""
        return {event.name for event in self.events() if event.kind == "right"}

    def answers(self) -> dict[str, StoredAnswer]:
        """Return the last answer to each prediction, question, task and puzzle, unless it was cleared."""
        last = {event.name: event.answer for event in self.events() if event.kind in ANSWERS}
        return {name: answer for name, answer in last.items() if answer is not None}

    def notes(self) -> dict[str, str]:
        """Return the last note on each prediction; it goes when the answer is cleared."""
        last: dict[str, str] = {}
        for each in self._everything():
            if isinstance(each, Note):
                last[each.name] = each.text
            elif each.answer is None:
                last.pop(each.name, None)
        return {name: text for name, text in last.items() if text}

    def notices(self) -> list[str]:
        """Return what the learner has to be told about the file, as sentences, each of them once."""
        told = list(self._notices.values())
        self._notices.clear()
        return told

    def _keep(self, new: Event | Note) -> None:
        path = self.identity.progress_file
        self._unsaved.append(new)

        def lines(content: bytes) -> bytes:
            everything = list(numbered([*self._read(path, content), *self._unsaved]))
            return b"".join(map(to_line, everything[-len(self._unsaved) :]))

        try:
            shared_file.append(path, lines)
        except OSError as error:
            self._notices["saving"] = self.why_unsaved = (
                f"What you did could not be saved in {path}: {error.strerror}. It counts until the kernel ends."
            )
        else:
            self._unsaved.clear()
            self.why_unsaved = ""
            self._notices.pop("saving", None)

    def _everything(self) -> Iterable[Event | Note]:
        return numbered([*self._saved(self.identity.progress_file), *self._unsaved])

    def _saved(self, path: Path) -> list[Event | Note]:
        try:
            return self._read(path, shared_file.read(path))
        except FileNotFoundError:
            return []
        except OSError as error:
            self._notices[f"reading {path}"] = (
                f"{path} could not be read: {error.strerror}. What you did before is not shown."
            )
            return []

    def _read(self, path: Path, content: bytes) -> list[Event | Note]:
        """Read all lines that can be read; of the others, tell how many they are."""
        kept, unreadable = from_lines(content)
        if unreadable > self._unreadable.get(path, 0):
            self._unreadable[path] = unreadable
            lines = "1 line" if unreadable == 1 else f"{unreadable} lines"
            self._notices[f"lines of {path}"] = (
                f"{lines} of {path} could not be read. Nothing there is changed, and every other line counts."
            )
        return kept

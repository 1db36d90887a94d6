"""Texts that are kept by name, as how the learner left each board: a small file for each, beside the progress."""

import os
import re
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from mha_course.engine.identity import Identity
from mha_course.engine.platform_support import IS_IN_A_PAGE

ENDING = "" if IS_IN_A_PAGE else ".workbenches"  # a page's storage takes a folder with a dot for a file


class KeptTexts:
    """What is kept for a course, whatever the notebook."""

    def __init__(self, identity: Identity) -> None:
        """Begin with what the course's folder holds."""
        self._identity = identity

    @property
    def folder(self) -> Path:
        """The folder in which they are."""
        return self._identity.progress_file.with_suffix(ENDING)

    def keep(self, name: str, text: str | None) -> None:
        """Keep a text under a name, in place of the one before; None takes it away.

        What cannot be written is lost when the kernel ends, and nothing else.
        """
        path = self._path(name)
        with suppress(OSError):
            if text is None:
                path.unlink(missing_ok=True)
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text)

    def kept(self, name: str) -> str | None:
        """Return what was kept under a name, if anything was that can be read."""
        try:
            return self._path(name).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return None

    def _path(self, name: str) -> Path:
        """Return the file of a name: readable to a person, and different for different names."""
        readable = re.sub(r"\W+", "_", name)[:80]
        return self.folder / f"{readable}_{sha256(name.encode()).hexdigest()[:8]}.json"


def write_whole(path: Path, text: str) -> None:
    """Write a file in one step: nobody ever finds half of it. Errors: `OSError`."""
    new = path.with_suffix(f".{os.getpid()}.new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)

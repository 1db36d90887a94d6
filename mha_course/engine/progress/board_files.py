"""How the learner left each workbench: a small file for each, in a folder beside the progress."""

import os
import re
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from mha_course.engine.platform_support import IS_IN_A_PAGE
from mha_course.engine.progress.progress import progress_file

ENDING = "" if IS_IN_A_PAGE else ".workbenches"  # a page's storage takes a folder with a dot for a file


def keep(name: str, text: str | None) -> None:
    """Keep a text under a name, in place of the one before; None takes it away.

    What cannot be written is lost when the kernel ends, and nothing else.
    """
    path = _path(name)
    with suppress(OSError):
        if text is None:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)


def write_whole(path: Path, text: str) -> None:
    """Write a file in one step: nobody ever finds half of it. Errors: `OSError`."""
    new = path.with_suffix(f".{os.getpid()}.new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def kept(name: str) -> str | None:
    """Return what was kept under a name, if anything was that can be read."""
    try:
        return _path(name).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def folder() -> Path:
    """Return the folder in which they are."""
    return progress_file().with_suffix(ENDING)


def _path(name: str) -> Path:
    """Return the file of a name: readable to a person, and different for different names."""
    readable = re.sub(r"\W+", "_", name)[:80]
    return folder() / f"{readable}_{sha256(name.encode()).hexdigest()[:8]}.json"

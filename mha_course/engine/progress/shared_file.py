"""A file that several kernels add lines to: each waits for its turn, and what stands there is never touched."""

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from io import FileIO
from pathlib import Path

from mha_course.engine.platform_support import HAS_FILE_LOCKS

if sys.platform == "win32":
    import msvcrt

    def _lock(file: FileIO) -> None:
        file.seek(2**30)  # Windows lets nobody else read what is locked: a byte that no file reaches
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)

elif HAS_FILE_LOCKS:
    import fcntl

    def _lock(file: FileIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)

else:

    def _lock(file: FileIO) -> None:
        """Nobody else writes."""


def read(path: Path) -> bytes:
    """Return what the file holds. Errors: `OSError`."""
    with _opened(path, "rb") as file:
        return _content(file)


def append(path: Path, lines: Callable[[bytes], bytes]) -> None:
    """Add lines at the end of the file, on lines of their own even if the last one was cut short.

    lines: tells what to add to what the file holds; nobody else adds anything in between.
    Errors: `OSError`; then nothing was added.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _opened(path, "a+b") as file:
        before = _content(file)
        added = b"\n" * (before[-1:] not in (b"", b"\n")) + lines(before)
        written = file.write(added)
        if written < len(added):
            file.truncate(file.tell() - written)
            raise OSError(errno.ENOSPC, "the disk took only a part of it")


def _opened(path: Path, mode: str) -> FileIO:
    """Open a file and lock it, until it is closed."""
    file = FileIO(path, mode)
    with suppress(OSError):  # a disk that knows no locks: a line that is added in one piece is still whole
        _lock(file)
    return file


def _content(file: FileIO) -> bytes:
    file.seek(0)
    return file.read(os.fstat(file.fileno()).st_size)

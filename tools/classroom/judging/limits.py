"""What one submission may use."""

import os
from dataclasses import dataclass

import psutil  # type: ignore[import-untyped]

from mha_course.engine.isolated_call.isolated_call import MOST_MEMORY

MEMORY = MOST_MEMORY  # bytes that one cell, or one check, may add
MEMORY_IN_ALL = 2 * 2**30
ADDRESSES = 6 * 2**30  # bytes of addresses, for one process: a sandbox's, or a judge, whose answer may be of any size
DISK = 64 * 2**20  # bytes of files; they lie in memory, and are gone with the sandbox
FILES = 10_000  # even an empty one takes memory
PROCESSES = 24
TASKS = 64  # processes, and threads in them: the kernel starts no more, however fast they come
OPEN_FILES = 128
LEFT_BEHIND = 2**28  # bytes more than before: what comes next begins in a new sandbox
CELLS = 500  # of a notebook
CHARACTERS = 100_000  # of one cell's source
CODE = 500_000  # characters of all of them
TEXT = 5_000  # characters of a text cell: to make a page of it can take a time that grows with their square
TEXTS = 20_000
SHOWN = 20_000  # characters that a cell prints and shows
SHOWN_IN_ALL = 200_000
PICTURES = 2_000_000  # bytes of a cell's pictures, as they stand in a notebook
PICTURES_IN_ALL = 5_000_000
OUTPUTS = 1000  # of one cell
PAUSE = 0.1  # seconds between two looks at memory and processes
WAITING = 3.0  # seconds that pass count as one of a processor's, so who sleeps is stopped as well
GRACE = 1.0  # seconds in which whoever was interrupted can stop


@dataclass(frozen=True)
class Seconds:
    """How long a submission may run, in seconds of a processor: one cell, and everything."""

    cell: float = 8.0
    in_all: float = 20.0


def at_a_time() -> int:
    """Return how many submissions this machine can judge at a time: one for each core, if memory allows it."""
    return max(1, min(os.cpu_count() or 1, psutil.virtual_memory().total // (2 * MEMORY_IN_ALL)))

"""What one submission may use."""

import os
from dataclasses import dataclass

import psutil  # type: ignore[import-untyped]

MEMORY = 2**30  # bytes that one cell, or one check, may add
MEMORY_IN_ALL = 2 * 2**30
ADDRESSES = 6 * 2**30  # bytes of addresses, for one process: a sandbox's, or a judge, whose answer may be of any size
DISK = 64 * 2**20  # bytes; they lie in memory, and are gone with the sandbox
PROCESSES = 24
OPEN_FILES = 128
CHARACTERS = 100_000  # of one cell's source
PAUSE = 0.1  # seconds between two looks at memory and processes
GRACE = 1.0  # seconds in which whoever was interrupted can stop


@dataclass(frozen=True)
class Seconds:
    """How long a submission may run: one cell, and everything."""

    cell: float = 8.0
    in_all: float = 20.0


def at_a_time() -> int:
    """Return how many submissions this machine can judge at a time: one for each core, if memory allows it."""
    return max(1, min(os.cpu_count() or 1, psutil.virtual_memory().total // (2 * MEMORY_IN_ALL)))

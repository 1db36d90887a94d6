"""What one submission may use."""

from dataclasses import dataclass

MEMORY = 2**30  # bytes that one cell, or one check, may add
MEMORY_IN_ALL = 2 * 2**30
ADDRESSES = 6 * 2**30  # bytes of addresses, for one process
DISK = 64 * 2**20  # bytes; they lie in memory, and are gone with the sandbox
PROCESSES = 24
OPEN_FILES = 128
PAUSE = 0.1  # seconds between two looks at memory and processes
GRACE = 1.0  # seconds in which whoever was interrupted can stop


@dataclass(frozen=True)
class Seconds:
    """How long a submission may run: one cell, and everything."""

    cell: float = 8.0
    in_all: float = 20.0

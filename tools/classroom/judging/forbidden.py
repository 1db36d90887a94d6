"""What the kernel refuses a submission: the ways to hold memory that no process is seen to use.

A process is stopped for what it holds in its own pages. Shared memory, files without a name and file systems in memory
lie beside them, and would fill the machine unseen. bubblewrap gives this program to the kernel (man 2 seccomp).
"""

import platform
import struct

CALLS = {  # machine -> its number; mmap; memfd_create, memfd_secret, shmget, msgget, mount, fsopen, io_uring_setup
    "x86_64": (0xC000003E, 9, (319, 447, 29, 68, 165, 430, 425)),
    "aarch64": (0xC00000B7, 222, (279, 447, 194, 186, 40, 430, 425)),
}
NUMBER, MACHINE, PROTECTION, FLAGS = 0, 4, 32, 40  # where these stand in what the kernel shows: the call's arguments
WRITE, SHARED, ANONYMOUS = 2, 1, 32  # in a call of mmap
OTHER_NUMBERS = 0x40000000  # from here on, x86_64 names its calls once more
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOWED, REFUSED = 0x7FFF0000, 0x00050001  # the latter with EPERM


def program() -> bytes:
    """Return the program; empty for a machine whose calls have other numbers."""
    if platform.machine() not in CALLS:
        return b""
    machine, mmap, calls = CALLS[platform.machine()]
    tests = [(EQUAL, machine, False), (LOAD, NUMBER), (AT_LEAST, OTHER_NUMBERS, True)]
    tests += [(EQUAL, call, True) for call in calls]
    mapping = [(LOAD, FLAGS), (ANY_BIT, ANONYMOUS, True), (LOAD, PROTECTION), (ANY_BIT, WRITE, True)]
    return b"".join(_written([(LOAD, MACHINE), *tests], mmap, mapping))


def _written(tests: list[tuple], mmap: int, mapping: list[tuple]):
    """Yield the instructions. A test is (code, value, whether to refuse where it holds, or else where it does not)."""
    shared = [(LOAD, FLAGS), (ANY_BIT, SHARED)]
    length = len(tests) + 1 + len(shared) + len(mapping)
    for place, test in enumerate([*tests, (EQUAL, mmap), *shared, *mapping]):
        match test:
            case (code, value):
                is_question = code != LOAD
                yield _instruction(code, value, 0, length - place - 1 if is_question else 0)
            case (code, value, refuses):
                to_refusal = length - place
                yield _instruction(code, value, *((to_refusal, 0) if refuses else (0, to_refusal)))
    yield _instruction(RETURN, ALLOWED)
    yield _instruction(RETURN, REFUSED)


def _instruction(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_so, if_not, value)

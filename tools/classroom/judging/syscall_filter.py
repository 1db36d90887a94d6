"""What the kernel refuses a submission: ways to hold memory that nobody counts, and ways around the walls.

A process is stopped for what it holds in its own pages. What it has the kernel keep lies beside them, and would fill
the machine unseen. bubblewrap gives this program to the kernel (man 2 seccomp).
"""

import platform
import struct
from collections.abc import Iterator

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
CALLS = {  # name -> its number on x86_64, on aarch64
    "memfd_create": (319, 279), "memfd_secret": (447, 447),  # files without a name
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190),  # what processes share, 2 GB of semaphores at a time
    "mq_open": (240, 180), "vmsplice": (278, 75),  # messages and pages that wait in a queue
    "socket": (41, 198), "socketpair": (53, 199),  # 200 MB and more wait in their buffers
    "inotify_init": (253, 26), "inotify_init1": (294, 26), "fanotify_init": (300, 262),  # news of files that waits
    "io_uring_setup": (425, 425), "perf_event_open": (298, 241), "bpf": (321, 280), "userfaultfd": (323, 282),
    "mount": (165, 40), "fsopen": (430, 430),  # file systems in memory
    "unshare": (272, 97), "setns": (308, 268),  # a world of its own, in which it may do anything
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),  # keys of who grades, and for the next
    "sched_setaffinity": (203, 122),  # the cores of the submission that is judged beside it
}  # fmt: skip
CLONE, CLONE3, MMAP = (56, 220), (435, 435), (9, 222)
NUMBER, MACHINE, FIRST, PROTECTION, FLAGS = 0, 4, 16, 32, 40  # where these stand in what the kernel shows
WRITE, SHARED, ANONYMOUS, NEW_WORLDS = 2, 1, 32, 0x7E020000  # bits of an argument: of mmap, of clone
OTHER_NUMBERS = 0x40000000  # from here on, x86_64 names its calls once more
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOWED, REFUSED, UNKNOWN = 0x7FFF0000, 0x00050001, 0x00050026  # the latter with EPERM, and as if there were none


def is_known() -> bool:
    """Whether the numbers of this machine's calls are known."""
    return platform.machine() in MACHINES


def number(name: str) -> int:
    """Return the number of a call on this machine."""
    return _here(CALLS[name])


def program() -> bytes:
    """Return the program."""
    steps = [(LOAD, MACHINE), *_if((EQUAL, MACHINES[platform.machine()], False), REFUSED)]
    steps += [(LOAD, NUMBER), *_if((AT_LEAST, OTHER_NUMBERS, True), REFUSED)]
    for call in CALLS:
        steps += _if((EQUAL, number(call), True), REFUSED)
    steps += _if((EQUAL, _here(CLONE3), True), UNKNOWN)  # its flags cannot be seen: a library then calls clone
    steps += _if_bits(CLONE, (FIRST, NEW_WORLDS))
    steps += _if_bits(MMAP, (FLAGS, SHARED), (FLAGS, ANONYMOUS))
    steps += _if_bits(MMAP, (FLAGS, SHARED), (PROTECTION, WRITE))
    return b"".join(_instruction(*step) for step in [*steps, (RETURN, ALLOWED)])


def _here(numbers: tuple[int, int]) -> int:
    return numbers[list(MACHINES).index(platform.machine())]


def _if(question: tuple[int, int, bool], answer: int) -> Iterator[tuple[int, ...]]:
    """Yield the steps that end with this answer where a question is answered with yes, or with no."""
    code, value, wanted = question
    yield code, value, *((0, 1) if wanted else (1, 0))
    yield RETURN, answer


def _if_bits(call: tuple[int, int], *bits: tuple[int, int]) -> Iterator[tuple[int, ...]]:
    """Yield the steps that refuse a call with all these bits, each with the place of its argument."""
    yield EQUAL, _here(call), 0, 2 * len(bits) + 2
    for left, (place, bit) in zip(range(len(bits), 0, -1), bits, strict=True):
        yield LOAD, place
        yield ANY_BIT, bit, 0, 2 * left - 1
    yield RETURN, REFUSED
    yield LOAD, NUMBER


def _instruction(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_so, if_not, value)

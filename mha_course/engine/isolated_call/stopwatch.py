"""Says how long a call has taken, by what it computed: a machine that is busy with other work takes nothing from it."""

import threading
import time
from collections.abc import Callable

from mha_course.engine.platform_support import HAS_THREADS

Clock = Callable[[], float]  # the seconds that somebody has computed

WAITING = 7.0  # seconds that pass count as one, so who sleeps is stopped as well: after 21 seconds instead of 3


class Stopwatch:
    """Counts the seconds of a processor, and of what passes meanwhile a part: whichever is more.

    >>> watch = Stopwatch(lambda: 0.0, waiting=0.01)
    >>> time.sleep(0.002)
    >>> watch.seconds() >= 0.1, watch.has_waited()
    (True, True)
    """

    def __init__(self, clock: Clock, waiting: float | None = None) -> None:
        """Begin to count. clock: of whoever computes. waiting: seconds that pass and count as one, if not `WAITING`."""
        self._clock, self._waiting = clock, waiting or WAITING
        self._computed, self._begun = clock(), time.monotonic()

    def seconds(self) -> float:
        """Return how long it has taken until now."""
        return max(self._clock() - self._computed, (time.monotonic() - self._begun) / self._waiting)

    def has_waited(self) -> bool:
        """Whether it has waited for most of the time, and not computed."""
        return self.seconds() > self._clock() - self._computed


def clock_of_this_thread() -> Clock:
    """Return a clock of what this thread computes, which other threads can read.

    Where only the clock of all threads can be read, as on macOS and Windows, it is that. In a web page, which has no
    such clock, it is the time itself.
    """
    if not HAS_THREADS:
        return time.monotonic
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.process_time
    number = time.pthread_getcpuclockid(threading.get_ident())
    return lambda: time.clock_gettime(number)

"""How many threads are faster just now? On an idle machine several; on a busy one they wait for each other."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from time import perf_counter
from typing import TypeVar

from mha_course.maths.threads import product_threads, thread_count

Item = TypeVar("Item")

TRIED = 3  # layers of each
SOONEST = 8  # calls until the next trial
SHARE = 0.05  # of the time may be lost by trials


class ThreadTuning:
    """Finds out whether one thread for each product is faster, or all there are, and remembers it."""

    def __init__(self) -> None:
        """Begin with a trial."""
        self._is_alone, self._all = True, 1  # thread
        self._until_trial = 0  # calls
        self._alone = (0, 0.0)  # for so many tokens, one layer took so many seconds with one thread

    @contextmanager
    def chosen(self) -> Iterator[None]:
        """Let the threads be chosen inside; afterwards they are as before."""
        with product_threads().limit(limits=None):
            self._all = thread_count()
            self._choose(self._is_alone)
            yield

    def each(self, layers: Sequence[Item], n: int) -> Iterator[Item]:
        """Yield the layers, which all mean the same work for n tokens; what is done with one is done at this pace."""
        waiting = iter(layers)
        self._until_trial -= 1
        if self._until_trial < 0 and self._all > 1 and len(layers) > 2 * TRIED:
            lost = yield from self._try(waiting, n)
            self._wait(lost / len(layers))
        seconds = yield from _timed(waiting)
        if not self._is_alone and self._alone[0] == n and seconds > self._alone[1]:  # others are busy now
            self._choose(True)
            self._wait(seconds - self._alone[1])

    def _try(self, layers: Iterator[Item], n: int) -> Generator[Item, None, float]:
        """Let some layers be done by one thread, then some by all, until one takes long; return the seconds lost."""
        self._choose(True)
        yield from islice(layers, 1)  # lets the other threads rest
        alone = yield from _timed(islice(layers, TRIED - 1))
        self._choose(False)
        lost, together = 0.0, alone
        for layer in islice(layers, TRIED):
            together = yield from _timed([layer])  # the last counts: the first has to wake the threads
            lost += max(0, together - alone)
            if together > 3 * alone:
                break
        self._alone = n, alone
        self._choose(alone < 1.1 * together)
        return lost

    def _wait(self, lost: float) -> None:
        """Try again the later, the more seconds a layer of this call lost by it."""
        self._until_trial = max(SOONEST, round(lost / (SHARE * self._alone[1])))

    def _choose(self, is_alone: bool) -> None:
        self._is_alone = is_alone
        for library in product_threads().lib_controllers:
            library.set_num_threads(1 if is_alone else self._all)


def _timed(layers: Iterable[Item]) -> Generator[Item, None, float]:
    """Yield the layers, and return how many seconds one took until the next was asked for."""
    begin, done = perf_counter(), 0
    for layer in layers:
        yield layer
        done += 1
    return (perf_counter() - begin) / done

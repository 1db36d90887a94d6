"""Puts something else in the place of attributes for as long as calls are under way, in one thread or in several."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

Places = Iterable[tuple[object, str, object]]  # whose attribute, its name, and what stands there meanwhile


class Replaced:
    """Replaces attributes when the first call begins, and gives back what was there when the last one ends."""

    def __init__(self, places: Callable[[], Places]) -> None:
        """Begin with nothing replaced. places: finds out what is to be replaced, as soon as a call begins."""
        self._places, self._lock = places, threading.Lock()
        self._count = 0  # of calls under way
        self._former: list[tuple[object, str, object, bool]] = []  # and whether it was the object's own

    @contextmanager
    def meanwhile(self) -> Iterator[None]:
        """Replace them until the end of the block, whatever happens in it."""
        with self._lock:
            if not self._count:
                self._replace()
            self._count += 1
        try:
            yield
        finally:
            with self._lock:
                self._count -= 1
                if not self._count:
                    self._give_back()

    def _replace(self) -> None:
        for holder, name, new in self._places():
            self._former.append((holder, name, getattr(holder, name, None), name in vars(holder)))
            setattr(holder, name, new)

    def _give_back(self) -> None:
        while self._former:
            holder, name, former, was_own = self._former.pop()
            if was_own:
                setattr(holder, name, former)
            else:
                delattr(holder, name)

"""Keeps a call from ending this Python: exit(), quit(), os._exit() and os.abort() raise an error in it instead."""

import builtins
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mha_course.workbook.checking.replaced import Places, Replaced

_calling: list[int] = []  # the threads in which a call is under way


class WouldEnd(SystemExit):
    """Stands for the end that a call would have put to Python; no `except Exception` catches it."""


@contextmanager
def staying() -> Iterator[None]:
    """Let what this thread calls until the end of the block raise `WouldEnd` where it would end Python.

    Other threads, and processes that are made meanwhile, end as ever.

    >>> with staying():
    ...     os._exit(0)
    Traceback (most recent call last):
    mha_course.workbook.checking.staying.WouldEnd: It calls os._exit(), which would end Python itself.
    """
    me = threading.get_ident()
    with _ENDS.meanwhile():
        _calling.append(me)
        try:
            yield
        finally:
            _calling.remove(me)


def _places() -> Places:
    for holder, name in ((builtins, "exit"), (builtins, "quit"), (os, "_exit"), (os, "abort")):
        if hasattr(holder, name):
            yield holder, name, _refusing(f"{name}()" if holder is builtins else f"os.{name}()", getattr(holder, name))
    shell: Any = getattr(builtins, "get_ipython", lambda: None)()
    if shell is not None:  # its exit and quit ask it, and the kernel would end behind the cell
        yield shell, "ask_exit", _refusing("exit() or quit()", getattr(shell, "ask_exit", None))


def _refusing(call: str, ends: Callable[..., object] | None) -> Callable[..., object]:
    process = os.getpid()

    def refuse(*given: object, **named: object) -> object:
        if threading.get_ident() in _calling and os.getpid() == process:
            raise WouldEnd(f"It calls {call}, which would end Python itself.")
        return ends(*given, **named) if ends else None

    return refuse


_ENDS = Replaced(_places)

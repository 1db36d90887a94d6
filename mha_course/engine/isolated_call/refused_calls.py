"""Keeps a call from ending this Python, from asking its reader, and from calling itself until the memory is full.

exit(), quit(), os._exit(), os.abort() and input() raise an error in it instead; breakpoint() does nothing.
"""

import builtins
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mha_course.engine.isolated_call.replacement import Places, Replaced
from mha_course.engine.isolated_call.time_limit import depth, set_recursion_limit

DEPTH = 1000  # calls inside of each other: as many as Python itself allows
_calling: list[int] = []  # the threads in which a call is under way


class WouldEnd(SystemExit):
    """Stands for the end that a call would have put to Python; no `except Exception` catches it."""


class WouldAsk(SystemExit):
    """Stands for a question that a call would have put to its reader; no `except Exception` catches it."""


@contextmanager
def staying() -> Iterator[None]:
    """Let what this thread calls until the end of the block raise `WouldEnd` where it would end Python.

    Other threads, and processes that are made meanwhile, end as ever.

    >>> with staying():
    ...     os._exit(0)
    Traceback (most recent call last):
    mha_course.engine.isolated_call.refused_calls.WouldEnd: It calls os._exit(), which would end Python itself.
    """
    me, most = threading.get_ident(), sys.getrecursionlimit()
    set_recursion_limit(min(most, depth() + DEPTH))
    try:
        with _ENDS.meanwhile():
            _calling.append(me)
            try:
                yield
            finally:
                _calling.remove(me)
    finally:
        set_recursion_limit(most)


def _places() -> Places:
    for holder, name in ((builtins, "exit"), (builtins, "quit"), (os, "_exit"), (os, "abort")):
        if hasattr(holder, name):
            yield holder, name, _refusing(f"{name}()" if holder is builtins else f"os.{name}()", getattr(holder, name))
    yield builtins, "input", _in_calls(_ask_nobody, builtins.input)
    yield sys, "setrecursionlimit", _in_calls(_pass, sys.setrecursionlimit)
    yield builtins, "breakpoint", _in_calls(_pass, builtins.breakpoint)
    if "pdb" in sys.modules:  # as in every notebook
        yield sys.modules["pdb"], "set_trace", _in_calls(_pass, sys.modules["pdb"].set_trace)
    shell: Any = getattr(builtins, "get_ipython", lambda: None)()
    if shell is not None:  # its exit and quit ask it, and the kernel would end behind the cell
        yield shell, "ask_exit", _refusing("exit() or quit()", getattr(shell, "ask_exit", None))


def _ask_nobody(prompt: object = "") -> str:
    raise WouldAsk("It calls input(), but nobody is asked while it is checked.")


def _pass(*given: object, **named: object) -> None:
    """Do nothing."""


def _in_calls(meanwhile: Callable[..., object], former: Callable[..., object]) -> Callable[..., object]:
    """Do the one in a thread in which a call is under way, and the other in all others."""
    return lambda *given, **named: (meanwhile if threading.get_ident() in _calling else former)(*given, **named)


def _refusing(call: str, ends: Callable[..., object] | None) -> Callable[..., object]:
    process = os.getpid()

    def refuse(*given: object, **named: object) -> object:
        if threading.get_ident() in _calling and os.getpid() == process:
            raise WouldEnd(f"It calls {call}, which would end Python itself.")
        return ends(*given, **named) if ends else None

    return refuse


_ENDS = Replaced(_places)

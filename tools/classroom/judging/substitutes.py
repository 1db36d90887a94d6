"""What a cell finds in the sandbox in place of what the walls keep away, so that it goes on.

No answer needs a terminal, a display, processes or sockets, but many a notebook has a line that asks for one.
"""

import asyncio
import builtins
import concurrent.futures
import multiprocessing
import multiprocessing.dummy
import os
import pdb
import subprocess
from multiprocessing.context import BaseContext
from multiprocessing.queues import SimpleQueue

SECONDS = 2.0  # that a command may take: most that take longer wait for a network
NOBODY = "(Nobody is asked where this is graded.)"
STOPPED = "Stopped after {:g} seconds where this was graded, where there is no network: !{}\n"


class _Pipe:
    """A pair of sockets as an event loop uses it: what is sent can be received."""

    def __init__(self):
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._reading, False)
        os.set_blocking(self._writing, False)

    def fileno(self):
        return self._reading

    def recv(self, most):
        return os.read(self._reading, most)

    def send(self, content):
        return os.write(self._writing, content)

    def close(self):
        if self._reading is not None:
            os.close(self._reading)
            os.close(self._writing)
            self._reading = None


def put_in_place():
    """Let event loops wake themselves by a pipe, threads do what processes would, and nobody be asked or waited for."""
    builtins.input = unanswered
    builtins.breakpoint = pdb.set_trace = lambda *given, **how: None
    asyncio.selector_events.BaseSelectorEventLoop._make_self_pipe = _wake_by_a_pipe
    for name in multiprocessing.dummy.__all__:
        substitute = getattr(multiprocessing.dummy, name)
        setattr(multiprocessing, name, substitute)
        setattr(BaseContext, name, staticmethod(substitute))
    BaseContext.SimpleQueue = lambda context: SimpleQueue(ctx=multiprocessing.dummy)  # a pool of threads has one, too
    concurrent.futures.ProcessPoolExecutor = concurrent.futures.ThreadPoolExecutor


def _wake_by_a_pipe(loop):
    loop._ssock = loop._csock = _Pipe()
    loop._internal_fds += 1
    loop._add_reader(loop._ssock.fileno(), loop._read_from_self)


def unanswered(prompt=""):
    """Give the answer of nobody to a cell that asks for one."""
    print(f"{prompt}{NOBODY}")
    return ""


def said_by(command):
    """Run a command as a notebook does after an exclamation mark, without a terminal; return what it says."""
    try:
        done = subprocess.run(
            command, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=SECONDS, text=True, errors="replace",
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return STOPPED.format(SECONDS, command)
    return done.stdout

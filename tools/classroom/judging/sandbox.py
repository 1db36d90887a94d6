"""A process behind walls that runs a submission, and is stopped for what it uses up."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Literal, cast

import psutil  # type: ignore[import-untyped]

from . import limits, message_format, syscall_filter, walls
from .graded_course import SETTING

HERE = Path(__file__).parent
MODULE = f"{HERE.name}.inside"
STARTING = 20.0  # seconds
ENVIRONMENT = {
    "HOME": str(walls.HOME), "USER": "student", "LOGNAME": "student", "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1",
    SETTING: os.devnull, "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
}  # fmt: skip

Why = Literal["time", "memory", "processes", "files", "death"]


class Gone(Exception):
    """The sandbox has ended: `why`."""

    def __init__(self, why: Why):
        """Keep the reason."""
        super().__init__(why)
        self.why = why


class Sandbox:
    """Asks `inside` for one thing after the other. isolated: False only for people whom the teacher trusts."""

    def __init__(self, isolated: bool):
        """Start it. Errors: `RuntimeError` if it does not: that is nothing that a submission has done."""
        self._process, self._is_ready = _started(isolated), False
        self._seen, self._before, self._allowed = psutil.Process(self._process.pid), 0, limits.MEMORY
        self._read, self._why, self._computed = b"", cast(Why | None, None), 0.0
        threading.Thread(target=self._watch, daemon=True).start()
        try:
            is_ready = self.receive(STARTING)
        except Gone:
            is_ready = None
        if not is_ready:
            self.stop()
            raise RuntimeError("No sandbox could be started.")
        self._is_ready = isolated

    def send(self, message: dict) -> None:
        """Ask for something, or answer what it has asked for. Errors: `Gone`."""
        try:
            self._process.stdin.write(message_format.packed(message))
            self._process.stdin.flush()
        except (OSError, ValueError):  # it was stopped before
            raise self._gone() from None

    def receive(self, seconds: float) -> dict | None:
        """Return what it says; None if it says nothing in time. Errors: `Gone`, also for what cannot be read."""
        end = time.monotonic() + seconds
        while (length := self._expected()) is None or len(self._read) < length:
            left = max(end - time.monotonic(), 0)
            if not select.select([self._process.stdout], [], [], left)[0]:
                return None
            part = os.read(self._process.stdout.fileno(), 2**16)
            self._read += part
            if not part or (self._expected() or 0) > message_format.MOST + message_format.SIZE:
                raise self._gone()
        content, self._read = self._read[message_format.SIZE : length], self._read[length:]
        try:
            return dict(json.loads(content))
        except (ValueError, TypeError, RecursionError):
            raise self._gone() from None

    def measure(self) -> None:
        """Look at what a cell has left behind; what comes next may add to it. Errors: `Gone`, if it was too much."""
        if self._uses_too_much():
            raise self._gone()
        self._before = self._memory(self._inhabitants())
        self._allowed = min(self._before + limits.MEMORY, limits.MEMORY_IN_ALL)

    def has_grown(self) -> bool:
        """Whether it holds much more than when it was last measured."""
        return self._memory(self._inhabitants()) > self._before + limits.LEFT_BEHIND

    def computed(self) -> float:
        """Return the seconds of a processor that it has used, as far as processes have left a trace."""
        used = 0.0
        for each in self._inhabitants():
            with contextlib.suppress(psutil.Error):
                used += sum(each.cpu_times()[:4])  # its own, and of those that it has seen end
        self._computed = max(used, self._computed)
        return self._computed

    def interrupt(self) -> None:
        """Interrupt what it does, as the Stop button would."""
        python = [each for each in self._inhabitants() if MODULE in _command_of(each)[:4]]
        with contextlib.suppress(psutil.Error):
            for each in python[:1]:
                each.send_signal(signal.SIGINT)

    def stop(self) -> None:
        """End it with everything in it, whatever it does."""
        self._kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):  # half a message may still wait to be sent
                pipe.close()

    def _kill(self):
        for each in reversed(self._inhabitants()):
            with contextlib.suppress(psutil.Error):
                each.kill()
        self._process.kill()
        self._process.wait()

    def _gone(self) -> Gone:
        self.stop()
        return Gone(self._why or "death")

    def _expected(self) -> int | None:
        """Return the length of the message that is being read, as soon as it is known."""
        if len(self._read) < message_format.SIZE:
            return None
        return message_format.SIZE + int.from_bytes(self._read[: message_format.SIZE], "big")

    def _watch(self):
        while self._process.poll() is None:
            if self._uses_too_much():
                return self._kill()  # whoever waits for an answer reads to the end of the pipe
            time.sleep(limits.PAUSE)

    def _uses_too_much(self) -> bool:
        inhabitants = self._inhabitants()
        if len(inhabitants) > limits.PROCESSES:
            self._why = "processes"
        elif self._memory(inhabitants) > self._allowed:
            self._why = "memory"
        elif self._is_ready and _files(inhabitants) > limits.FILES:
            self._why = "files"
        return self._why is not None

    def _inhabitants(self) -> list[psutil.Process]:
        try:
            return [self._seen, *self._seen.children(recursive=True)]
        except psutil.Error:
            return []

    @staticmethod
    def _memory(processes: list[psutil.Process]) -> int:
        used = 0
        for each in processes:
            with contextlib.suppress(psutil.Error):
                used += each.memory_info().rss
        return used


def _files(processes: list[psutil.Process]) -> int:
    """Return how many files the sandbox has. The first process stands outside of it, and sees those of the machine."""
    for inside in processes[1:2]:
        with contextlib.suppress(OSError):
            system = os.statvfs(f"/proc/{inside.pid}/root{walls.HOME}")
            return system.f_files - system.f_ffree
    return 0


def _command_of(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def _started(isolated: bool) -> subprocess.Popen:
    python_path = os.pathsep.join(map(str, dict.fromkeys([*(each.parent for each in walls.packages()), HERE.parent])))
    python = [sys.executable, "-m", MODULE]
    pipes = [_forbidden()] if isolated else []
    seccomp = [part for pipe in pipes for part in ("--seccomp", str(pipe))]
    try:
        return subprocess.Popen(
            [*walls.around_a_submission(), *seccomp, "--", *walls.holding_processes(), *python] if isolated else python,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT | {"PYTHONPATH": python_path},
            cwd=walls.HOME,
            start_new_session=True,
            pass_fds=pipes,
        )
    finally:
        for pipe in pipes:
            os.close(pipe)


def _forbidden() -> int:
    """Return a pipe with the program that refuses calls."""
    reading, writing = os.pipe()
    os.write(writing, syscall_filter.program())
    os.close(writing)
    return reading

"""A process that sees Python, the course without its answers, and nothing else of this machine: no files, no network.

bubblewrap makes it. Everything that is not named here does not exist inside: it is a list of what may be seen.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import site
import subprocess
import sys
import threading
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, cast

import psutil  # type: ignore[import-untyped]

from . import forbidden, limits, wire

HERE = Path(__file__).parent
MODULE = f"{HERE.name}.inside"
STARTING = 20.0  # seconds
HOME = Path("/tmp")  # inside; what is written there is gone with the sandbox
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
PREFIXES = ("/usr", "/usr/local")  # where a machine's own Python keeps what is installed for all
ANSWERS = ("lessons", "slips")  # parts of the package
SETTINGS = ("/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/etc/alternatives")
ENVIRONMENT = {
    "HOME": str(HOME), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1",
    "MHA_COURSE_PROGRESS": os.devnull, "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
}  # fmt: skip

Why = Literal["time", "memory", "processes", "death"]


class Gone(Exception):
    """The sandbox has ended: `why`."""

    def __init__(self, why: Why):
        """Keep the reason."""
        super().__init__(why)
        self.why = why


@cache
def why_not() -> str:
    """Say why no sandbox can be made here; empty if one can."""
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed here"
    if folder := _too_wide():
        return f"a sandbox would show {folder}, which Python needs and your own files lie in"
    tried = subprocess.run([*_walls(), "--", "/usr/bin/env", "true"], capture_output=True, text=True, env={})
    return f"bubblewrap does not work here ({tried.stderr.strip()})" if tried.returncode else ""


class Sandbox:
    """Asks `inside` for one thing after the other. isolated: False only for people whom the teacher trusts."""

    def __init__(self, isolated: bool):
        """Start it. Errors: `RuntimeError` if it does not: that is nothing that a submission has done."""
        self._process = _started(isolated)
        self._seen, self._allowed = psutil.Process(self._process.pid), limits.MEMORY
        self._read, self._why = b"", cast(Why | None, None)
        threading.Thread(target=self._watch, daemon=True).start()
        try:
            is_ready = self.receive(STARTING)
        except Gone:
            is_ready = None
        if not is_ready:
            self.stop()
            raise RuntimeError("No sandbox could be started.")

    def __reduce__(self):
        raise TypeError("A sandbox stays in its process.")

    def send(self, message: dict) -> None:
        """Ask for something, or answer what it has asked for. Errors: `Gone`."""
        try:
            self._process.stdin.write(wire.packed(message))
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
            if not part or (self._expected() or 0) > wire.MOST + wire.SIZE:
                raise self._gone()
        content, self._read = self._read[wire.SIZE : length], self._read[length:]
        try:
            return dict(json.loads(content))
        except (ValueError, TypeError, RecursionError):
            raise self._gone() from None

    def look(self) -> None:
        """Look at what a cell has left behind; what comes next may add to it. Errors: `Gone`, if it was too much."""
        if self._uses_too_much():
            raise self._gone()
        self._allowed = min(self._memory(self._inhabitants()) + limits.MEMORY, limits.MEMORY_IN_ALL)

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
        if len(self._read) < wire.SIZE:
            return None
        return wire.SIZE + int.from_bytes(self._read[: wire.SIZE], "big")

    def _watch(self):
        while self._process.poll() is None:
            if self._uses_too_much():
                return self._kill()  # whoever waits for an answer reads to the end of the pipe
            time.sleep(limits.PAUSE)

    def _uses_too_much(self) -> bool:
        inhabitants = self._inhabitants()
        if self._memory(inhabitants) > self._allowed:
            self._why = "memory"
        elif len(inhabitants) > limits.PROCESSES:
            self._why = "processes"
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


def _command_of(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def _started(isolated: bool) -> subprocess.Popen:
    python_path = os.pathsep.join([str(_package().parent), str(HERE.parent)])
    pipe = _forbidden() if isolated else None
    seccomp = [] if pipe is None else ["--seccomp", str(pipe)]
    try:
        return subprocess.Popen(
            [*([*_walls(), *seccomp, "--"] if isolated else []), sys.executable, "-m", MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT | {"PYTHONPATH": python_path},
            cwd=HOME,
            start_new_session=True,
            pass_fds=[] if pipe is None else [pipe],
        )
    finally:
        if pipe is not None:
            os.close(pipe)


def _forbidden() -> int | None:
    """Return a pipe with the program that refuses calls; None where there is none."""
    if not (program := forbidden.program()):
        return None
    reading, writing = os.pipe()
    os.write(writing, program)
    os.close(writing)
    return reading


@cache
def _walls() -> list[str]:
    """Return the command that hides everything but what is needed. A later mount lies over an earlier one."""
    command = [
        shutil.which("bwrap") or "bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",  # who grades as root, as in a container, would hand on the right to take the walls down
        "--proc",
        "/proc",
        "--dev",
        "/dev",
    ]
    command += ["--dev-bind", "/dev/null", "/dev/zero"]  # which, mapped, is memory that nobody sees: see `forbidden`
    command += ["--size", str(limits.DISK), "--tmpfs", str(HOME)]
    for path in SYSTEM:
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            command += ["--ro-bind", path, path]
    for path, inside in _shown().items():
        command += ["--ro-bind", str(path), str(inside)]
    command += [part for path in _answers() for part in ("--tmpfs", str(path), "--remount-ro", str(path))]
    return [*command, "--chdir", str(HOME), "--remount-ro", "/dev", "--remount-ro", "/"]


def _shown() -> dict[Path, Path]:
    """Return what is seen beside the system, and where."""
    shown = {path: path for path in (*map(Path, SETTINGS), *_pythons(), HERE, _package())} | _caches()
    return {path: inside for path, inside in shown.items() if path.exists()}


def _too_wide() -> Path | None:
    """Return a folder that is seen although the teacher's own files lie in it, as with a Python in the home folder."""
    own = Path.home(), HERE.parent
    shown = (*map(Path, SYSTEM), *_shown())
    return next((path for path in shown if any(each.is_relative_to(path) for each in own)), None)


def _pythons() -> list[Path]:
    """Return the folders of this Python and of what is installed for it."""
    found = {Path(sys.prefix), Path(sys.base_prefix), Path(site.getusersitepackages()), Path(sys.executable).parent}
    found |= {path.resolve() for path in (Path(sys.executable), Path(sys.base_prefix))}
    return sorted(path for path in found if not path.is_relative_to("/usr"))


def _package() -> Path:
    return Path(next(iter(find_spec("mha_course").submodule_search_locations)))


def _answers() -> list[Path]:
    """Return the folders with answers, of every copy of the course that could be seen."""
    installed = site.getsitepackages([sys.prefix, sys.base_prefix, *PREFIXES])
    packages = {_package(), *(Path(path) / "mha_course" for path in [*sys.path, *installed] if path)}
    return sorted(path / part for path in packages for part in ANSWERS if (path / part).is_dir())


def _caches() -> dict[Path, Path]:
    """Return where that is seen which takes long to make anew: the real model's parameters, and the list of fonts."""
    caches, inside = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"), HOME / ".cache"
    fonts = {path: inside / "matplotlib" / path.name for path in (caches / "matplotlib").glob("fontlist*.json")}
    return fonts | {Path(os.environ.get("MHA_COURSE_MODEL_CACHE") or caches / "mha_course"): inside / "mha_course"}

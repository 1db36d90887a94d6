"""A process of its own for code that may have to be stopped: started once, kept warm, ended with the kernel."""

import atexit
import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from typing import IO

from mha_course.engine.platform_support import HAS_PROCESSES

if HAS_PROCESSES:
    import psutil  # type: ignore[import-untyped]

PROCESS = "mha_course.engine.isolated_call.process"
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # more would compute a second several times
NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows, where a console would open

Message = tuple[str, ...]


class WarmProcess:
    """A process that runs `process`, until it is told to end or the pipe to this process is closed."""

    def __init__(self, module: str = PROCESS) -> None:
        """Start the process. module: another to run, which serves too. Errors: `OSError` where none can be started."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **ONE_THREAD},
            creationflags=NO_WINDOW,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._calls = self._process.stdin
        self._seen = psutil.Process(self._process.pid)
        self._answers: queue.SimpleQueue[Message] = queue.SimpleQueue()
        threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True).start()
        atexit.register(self.stop)

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked anything."""
        return self._process.poll() is None

    def send(self, seconds: float, sent: bytes) -> None:
        """Have a call made. Errors: `OSError` if the process is gone."""
        pickle.dump((seconds, sent), self._calls)
        self._calls.flush()

    def answer(self, seconds: float) -> Message | None:
        """Return what it tells next, ("gone",) if it ended, or None if it says nothing for so long."""
        try:
            return self._answers.get(timeout=seconds)
        except queue.Empty:
            return None

    def computed(self) -> float:
        """Return the seconds of a processor that it has used; 0 if it is gone."""
        try:
            used = self._seen.cpu_times()
        except psutil.Error:
            return 0.0
        return used.user + used.system

    def memory(self) -> int:
        """Return the bytes that it holds; 0 if it is gone."""
        try:
            return self._seen.memory_info().rss
        except psutil.Error:
            return 0

    def stop(self) -> None:
        """End it, whatever it does."""
        atexit.unregister(self.stop)
        self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):  # half a call may still wait to be sent
            self._calls.close()

    def _listen(self, pipe: IO[bytes]):
        with pipe, contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                self._answers.put(pickle.load(pipe))
        self._process.wait()  # a kernel that ends waits for its children, and for one that ended unseen in vain
        self._answers.put(("gone",))

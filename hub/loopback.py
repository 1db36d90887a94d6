"""Runs the hub as it is shipped, for this machine alone: for its test and to measure what a class needs."""

import os
import secrets
import socket
import subprocess
import sys
import urllib.error
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tools"))
from lab import SECONDS, Lab, wait_until  # noqa: E402

JUPYTERHUB = Path(sys.executable).with_name("jupyterhub")
PROXY = JUPYTERHUB.with_name("configurable-http-proxy")


@dataclass(frozen=True)
class Hub:
    """A running hub: where it answers, the password of everybody, and the folder that holds a home for each."""

    url: str
    token: str
    homes: Path

    def ask(self, method: str, path: str) -> Any:
        """Call the hub's REST interface, and return what it answers."""
        return self.server("").ask(method, path)

    def server(self, user: str) -> Lab:
        """Return a student's server; of nobody, the hub itself."""
        where = f"{self.url}/user/{user}" if user else f"{self.url}/hub"
        return Lab(where, self.token, self.homes / user, self.homes)


def is_installed() -> bool:
    """Whether `make .venv/hub` has been run."""
    return JUPYTERHUB.exists() and PROXY.exists()


@contextmanager
def running(folder: Path) -> Iterator[Hub]:
    """Run the hub below a folder."""
    ports = free_ports(3)
    hub = Hub(f"http://127.0.0.1:{ports[0]}", secrets.token_hex(16), folder / "homes")
    hub.homes.mkdir()
    setting = {"HUB_PORTS": " ".join(map(str, ports)), "HUB_TOKEN": hub.token, "HUB_HOMES": str(hub.homes)}
    with (
        open(folder / "log.txt", "wb") as log,
        subprocess.Popen(
            [JUPYTERHUB, "-f", HERE / "loopback_config.py"], cwd=folder, env=os.environ | setting,
            stdout=log, stderr=subprocess.STDOUT,
        ) as process,
    ):  # fmt: skip
        try:
            wait_until(lambda: _answers(hub, process), f"JupyterHub; see {folder / 'log.txt'}", 2 * SECONDS)
            yield hub
        finally:
            process.terminate()  # it stops the servers and the proxy first


def free_ports(count: int) -> list[int]:
    """Return so many ports of this machine that nobody uses."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def _answers(hub: Hub, process: subprocess.Popen) -> bool:
    assert process.poll() is None, "JupyterHub ended by itself"
    try:
        return hub.ask("GET", "users") == []
    except (urllib.error.URLError, ConnectionError):
        return False

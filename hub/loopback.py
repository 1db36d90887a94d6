"""Runs the hub as it is shipped, for this machine alone: for its test and to measure what a class needs."""

import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tools"))
from lab import Lab, free_ports, serving  # noqa: E402

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


def log_in(page: Any, user: str, password: str) -> None:
    """Fill in the hub's form, which the page of a browser shows."""
    page.locator("#username_input").fill(user)
    page.locator("#password_input").fill(password)
    page.locator("#login_submit").click(no_wait_after=True)


def is_installed() -> bool:
    """Whether `make .venv/hub` has been run, and Node.js is still here, on which the proxy runs."""
    return JUPYTERHUB.exists() and PROXY.exists() and shutil.which("node") is not None


@contextmanager
def running(folder: Path) -> Iterator[Hub]:
    """Run the hub below a folder."""
    ports = free_ports(3)
    hub = Hub(f"http://127.0.0.1:{ports[0]}", secrets.token_hex(16), folder / "homes")
    hub.homes.mkdir()
    setting = {"HUB_PORTS": " ".join(map(str, ports)), "HUB_TOKEN": hub.token, "HUB_HOMES": str(hub.homes)}
    command = [JUPYTERHUB, "-f", HERE / "loopback_config.py"]
    log = folder / "log.txt"
    with serving(command, lambda: hub.ask("GET", "users"), log, cwd=folder, env=os.environ | setting):
        yield hub  # in the end it stops the servers and the proxy first

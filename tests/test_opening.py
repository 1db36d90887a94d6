"""`make lab` in a terminal without a screen, as in a container: the address comes last, and Ctrl+C ends it."""

import fcntl
import json
import os
import pty
import re
import socket
import subprocess
import sys
import termios
import urllib.request
from contextlib import contextmanager, suppress

import pytest
from lab import wait_until
from stored import ROOT

pytestmark = [pytest.mark.world, pytest.mark.slow]
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
LAYOUT = "/lab/api/workspaces/default"
OF_MAKE = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")  # of the make that runs these tests
ADDRESS = re.compile(r"(http://127\.0\.0\.1:(\d+)/lab/tree/notebooks/00_start_here\.ipynb\?token=\w+)$")


class Terminal:
    """What a command writes to the terminal in which it runs."""

    def __init__(self, fd):
        os.set_blocking(fd, False)
        self.fd, self.text = fd, ""

    def read(self):
        with suppress(OSError):  # nothing is there now, or nobody writes any more
            self.text += os.read(self.fd, 2**16).decode()
        return self.text.strip()


@contextmanager
def opened(folder):
    """Run make lab in a terminal of its own, with settings of its own."""
    environment = {name: value for name, value in os.environ.items() if name not in (*SCREENS, *OF_MAKE)}
    environment |= {f"JUPYTER_{name}_DIR": str(folder / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    mine, its = pty.openpty()
    command = ["make", f"VENV={sys.prefix}", f"--old-file={sys.prefix}/lab", "MODEL=no", "lab"]  # it is installed
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=its, stdout=its, stderr=its, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    ) as process:  # fmt: skip
        os.close(its)
        try:
            yield process, Terminal(mine)
        finally:
            process.terminate()
            os.close(mine)


def listens(port):
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminal")
def test_the_address_is_the_last_thing_said_it_leads_to_lesson_0_and_ctrl_c_ends_it(tmp_path):
    with opened(tmp_path) as (process, terminal):
        wait_until(lambda: ADDRESS.search(terminal.read()) or process.poll() is not None, "the address")
        first, *said = terminal.read().splitlines()
        assert first == "Opening the course. Press Ctrl+C here to stop it."
        assert ("this machine alone: 127.0.0.1." in said[0]) == (os.geteuid() == 0)
        address, port = ADDRESS.search(terminal.read()).groups()
        wait_until(lambda: listens(int(port)), "the server, which says its address a moment before it listens")
        with urllib.request.urlopen(address) as answer:  # without the token it would be a page to log in
            assert answer.url == address and "JupyterLab" in answer.read().decode()
        with urllib.request.urlopen(address.replace("/lab/tree/notebooks/00_start_here.ipynb", LAYOUT)) as answer:
            assert "left" in json.load(answer)["data"]["layout-restorer:data"]  # and not what JupyterLab begins with
        os.write(terminal.fd, b"\x03")
        wait_until(lambda: terminal.read() and process.poll() is not None, "the end")
        assert "Traceback" not in terminal.read() and "(y/[n])" not in terminal.read()
        assert not listens(int(port))


def test_without_a_network_make_ends_in_a_sentence_that_says_so(tmp_path):
    nowhere = {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": "http://127.0.0.1:9", "PIP_RETRIES": "0"}
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "MAKE", "MFLAGS"))}
    command = ["make", f"VENV={tmp_path / 'environment'}", f"PYTHON={sys.executable}", "MODEL=no", "lab"]
    done = subprocess.run(command, cwd=ROOT, env=environment | nowhere, capture_output=True, text=True)
    assert done.returncode != 0 and "Opening the course" not in done.stdout
    assert "The packages could not be fetched: is there a network, or a proxy to name" in done.stdout.splitlines()[-1]

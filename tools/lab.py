"""Starts a real JupyterLab and a real browser on this machine, for tests and benchmarks."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import nbformat

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def find_chromium():
    """Return where a Chromium is, or None."""
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


@contextmanager
def browser():
    """Run a headless Chromium for as long as the block lasts."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=list(QUIET))
        yield chromium
        chromium.close()


@contextmanager
def jupyterlab(notebooks=None, folder=None, settings=None):
    """Run JupyterLab on a free port of this machine, and give its address.

    notebooks: name -> source of their one cell. folder: what to copy beside them.
    settings: path below JupyterLab's settings folder -> text.
    """
    with tempfile.TemporaryDirectory() as made:
        root = Path(made) / "course"
        shutil.copytree(folder, root) if folder else root.mkdir()
        for name, source in (notebooks or {}).items():
            notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source.strip())])
            notebook.metadata["kernelspec"] = KERNEL
            nbformat.write(notebook, root / f"{name}.ipynb")
        for name, text in (settings or {}).items():
            (Path(made) / "settings" / name).parent.mkdir(parents=True, exist_ok=True)
            (Path(made) / "settings" / name).write_text(text)
        port = free_port()
        command = [
            sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}",
            "--ServerApp.token=", "--ServerApp.password=", "--ServerApp.disable_check_xsrf=True",
            f"--ServerApp.root_dir={root}",
        ]  # fmt: skip
        environment = os.environ | {
            "JUPYTERLAB_SETTINGS_DIR": str(Path(made) / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(Path(made) / "workspaces"),
        }
        server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(f"http://127.0.0.1:{port}/api")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)


def free_port():
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(address, seconds=60):
    """Wait until an address answers."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(address)
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(f"{address} did not answer within {seconds} s.")


def open_notebook(page, address):
    """Open a notebook and wait until its kernel is idle."""
    page.goto(address)
    page.wait_for_selector('.jp-Notebook-ExecutionIndicator[data-status="idle"]', state="attached", timeout=60_000)


def run_all(page):
    """Choose Run All from the menu."""
    page.click('.lm-MenuBar-item:has-text("Run")')
    page.click('.lm-Menu-item[data-command="runmenu:run-all"]')

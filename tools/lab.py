"""A real JupyterLab and a real browser on this machine, driven as a hand would: for tests and benchmarks."""

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError

import nbformat
from playwright.sync_api import sync_playwright

SECONDS = 60  # to wait for something that must come: it only ends what hangs, however busy a machine is
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first draws no window
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip

NOTE_SAVES = """() => {
    for (const { context } of window.jupyterapp?.shell.widgets("main") ?? []) {
        if (!context || "isSaving" in context) continue;
        context.isSaving = false;
        context.saveState.connect((_, state) => { context.isSaving = state === "started"; });
    }
}"""
NO_SAVE_IN_FLIGHT = "() => [...jupyterapp.shell.widgets('main')].every(({ context }) => !context?.isSaving)"


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab: where it answers, and the folder it shows."""

    url: str
    token: str
    folder: Path
    settings: Path

    @property
    def progress(self):
        """The file in which its kernels note what was answered."""
        return self.settings.parent / "progress.jsonl"

    def ask(self, method, path):
        """Call its REST interface, and return what it answers."""
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(f"{self.url}/api/{path}", method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.loads(answer.read() or "null")

    def configure(self, plugin, settings):
        """Set a plugin of JupyterLab, for the pages opened from now on."""
        extension, name = plugin.split(":")
        folder = self.settings / extension
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.jupyterlab-settings").write_text(json.dumps(settings))

    def stop_kernels(self):
        """End every kernel, so that the next notebook begins with a fresh one."""
        for session in self.ask("GET", "sessions"):
            self.ask("DELETE", f"sessions/{session['id']}")

    def kernel_is_idle(self, name):
        """Whether the notebook of that name has a kernel that waits for work."""
        return any(
            session["path"].endswith(name) and session["kernel"]["execution_state"] == "idle"
            for session in self.ask("GET", "sessions")
        )


@dataclass
class Tab:
    """A browser page that shows one notebook, and what went wrong on it."""

    page: object
    lab: Lab
    errors: list = field(default_factory=list)

    @property
    def workbenches(self):
        """Every live workbench on the page."""
        return self.page.locator(".jp-Notebook .mha-workbench")


@contextmanager
def jupyterlab(home):
    """Run a JupyterLab below the folder home, which knows nothing of the user's settings."""
    folder, settings = home / "notebooks", home / "settings"
    folder.mkdir()
    (port,) = free_ports(1)
    lab = Lab(f"http://127.0.0.1:{port}", secrets.token_hex(16), folder, settings)
    for plugin, choices in json.loads((Path(__file__).parent / "overrides.json").read_text()).items():
        lab.configure(plugin, choices)
    options = [
        "--allow-root", "--no-browser", "--LabApp.expose_app_in_browser=True", "--ip=127.0.0.1", f"--port={port}",
        "--ServerApp.port_retries=0", f"--IdentityProvider.token={lab.token}", f"--ServerApp.root_dir={folder}",
    ]  # fmt: skip
    places = {
        f"JUPYTER{name}_DIR": str(home / name.strip("_").lower())
        for name in ("_CONFIG", "_DATA", "_RUNTIME", "LAB_WORKSPACES")
    }
    places |= {"JUPYTERLAB_SETTINGS_DIR": str(settings), "IPYTHONDIR": str(home / "ipython")}
    places |= {"MHA_COURSE_PROGRESS": str(lab.progress), "JUPYTER_CONFIG_PATH": str(Path(__file__).parent)}
    command = [sys.executable, "-m", "jupyterlab", *options]
    with serving(command, lambda: lab.ask("GET", "status"), home / "log.txt", env=os.environ | places):
        yield lab
        lab.stop_kernels()


@contextmanager
def serving(command, ask, log, **settings):
    """Run a server until it is no longer needed, from its first answer on. ask: a question that it can answer.

    log: a file for what it says. Errors: `AssertionError` if it ends by itself, or no answer comes.
    """
    with open(log, "wb") as out, subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, **settings) as server:
        try:
            wait_until(lambda: _answers(server, ask, log), f"an answer of the server; see {log}", 2 * SECONDS)
            yield
        finally:
            server.terminate()


def _answers(server, ask, log):
    assert server.poll() is None, f"the server ended by itself; see {log}"
    try:
        ask()
    except (URLError, ConnectionError):
        return False
    return True


def free_ports(count):
    """Return so many ports of this machine that nobody uses."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def patient(page):
    """Let a page, or all that a context opens, wait as long as everything here. Returns it."""
    page.set_default_timeout(1000 * SECONDS)
    return page


@contextmanager
def browser():
    """Run a headless Chromium. While it runs, so does an event loop that other tests have no use for."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield chromium
        chromium.close()


def open_notebook(tab, name, at="lab/tree"):
    """Open a notebook, and wait until all its cells stand there and its kernel is ready."""
    tab.page.goto(f"{tab.lab.url}/{at}/{name}?reset&token={tab.lab.token}")
    wait_for_notebook(tab, name)


def open_in_place(tab, name, write=None):
    """Open a notebook in place of those that the page shows, which are not saved, and end their kernels.

    JupyterLab is not loaded anew: that takes a second or two more than the notebook. A notebook that closes while it is
    being saved, or whose file changes, makes JupyterLab ask questions. write: makes the file, when all are closed.
    """
    tab.page.wait_for_function(NO_SAVE_IN_FLIGHT)
    tab.page.evaluate("""() => [...jupyterapp.shell.widgets("main")].forEach(each => {
        if (each.context) each.context.model.dirty = false;
        each.close();
    })""")
    wait_until(lambda: tab.page.locator(".jp-Notebook").count() == 0, "a page without a notebook")
    tab.lab.stop_kernels()
    if write:
        write()
    tab.page.evaluate("jupyterapp.serviceManager.sessions.refreshRunning()")  # or it would go on with one that ended
    tab.errors.clear()
    tab.page.evaluate("async path => { await jupyterapp.commands.execute('docmanager:open', { path }); }", name)
    wait_for_notebook(tab, name)


def wait_for_notebook(tab, name):
    """Wait until all cells of a notebook stand on the page and its kernel is ready."""
    cells = len(nbformat.read(tab.lab.folder / name, 4).cells)
    wait_until(lambda: tab.page.locator(".jp-Notebook .jp-Cell").count() == cells, f"{cells} cells on the page")
    indicator = '[data-status="idle"].jp-Notebook-ExecutionIndicator, .jp-NotebookKernelStatus'
    tab.page.wait_for_selector(indicator, state="attached")  # on a narrow page it is out of sight
    wait_until(lambda: tab.lab.kernel_is_idle(name), f"a kernel for {name}")
    tab.page.evaluate(NOTE_SAVES)


def wait_until(is_so, what, seconds=SECONDS):
    """Ask again and again until something is so, and return it. Errors: `AssertionError`, if it does not come."""
    end = time.monotonic() + seconds
    while not (found := is_so()):
        assert time.monotonic() < end, f"not within {seconds} seconds: {what}"
        time.sleep(0.1)
    return found


def counts(tab):
    """Return the number in front of every code cell that is not folded away, None where there is none."""
    prompts = ".jp-Notebook .jp-CodeCell:not(:has(.jp-InputPlaceholder)) .jp-InputPrompt"
    texts = tab.page.evaluate(f"[...document.querySelectorAll('{prompts}')].map(each => each.textContent)")
    found = [re.fullmatch(r"\[(\d+)\]:", text) for text in texts]
    return [int(each[1]) if each else None for each in found]


def run_all(tab, workbenches=0, command="runmenu:run-all"):
    """Run all cells by the menu, and wait until all have run and so many workbenches got their answer."""
    tab.page.evaluate("document.querySelectorAll('.jp-InputPrompt').forEach(each => (each.textContent = ''))")
    tab.page.evaluate("document.querySelectorAll('.mha-workbench').forEach(each => each.remove())")
    tab.page.locator(".lm-MenuBar-itemLabel", has_text=re.compile("^Run$")).click()
    tab.page.locator(f'.lm-Menu-item[data-command="{command}"]').click()
    if "restart" in command:
        tab.page.locator(".jp-Dialog .jp-mod-accept").click()
    wait_until(lambda: None not in counts(tab), "a number in front of every code cell", 2 * SECONDS)
    try:
        wait_until(lambda: _answered(tab) == workbenches, f"{workbenches} workbenches with an answer", 2 * SECONDS)
    except AssertionError as error:
        error.add_note(f"There are {tab.workbenches.count()}, of which {_answered(tab)} have one.")
        raise


def _answered(tab):
    """Count the workbenches that have cells, and words that Python sent."""
    return tab.page.evaluate("""() => [...document.querySelectorAll('.jp-Notebook .mha-workbench')].filter(each =>
        each.querySelector('td[data-at]') &&
        each.querySelector(':is([data-part=words], [data-part=status]):not(:empty)')).length""")

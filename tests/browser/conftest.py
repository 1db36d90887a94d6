"""A JupyterLab that shows a copy of the lessons, and a Chromium to open it with.

Without a Chromium these tests are skipped. Set MHA_COURSE_BROWSER=required to let them fail instead.
"""

import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"

sys.path.insert(0, str(ROOT / "tools"))
from driving import watch  # noqa: E402
from lab import CHROMIUM, Tab, jupyterlab  # noqa: E402
from lab import browser as run_browser  # noqa: E402

NONE_FOUND = "No Chromium was found: the browser tests were skipped."


def pytest_terminal_summary(terminalreporter):
    if CHROMIUM is None and not is_required():
        terminalreporter.write_line(NONE_FOUND)


def is_required():
    return os.environ.get("MHA_COURSE_BROWSER") == "required"


@pytest.fixture(scope="session")
def chromium():
    """Where Chromium is."""
    if CHROMIUM is None and is_required():
        pytest.fail("No Chromium was found, but MHA_COURSE_BROWSER=required asks for the browser tests.")
    if CHROMIUM is None:
        pytest.skip(NONE_FOUND)
    return CHROMIUM


@pytest.fixture(scope="session")
def lab(chromium, tmp_path_factory):
    """A JupyterLab on a copy of the lessons."""
    with jupyterlab(tmp_path_factory.mktemp("lab")) as lab:
        for path in NOTEBOOKS.glob("*.ipynb"):
            shutil.copy(path, lab.folder)
        yield lab


@pytest.fixture(scope="module")
def browser(chromium):
    """A browser for one file of tests, so that its event loop ends before other tests begin theirs."""
    with run_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def new_tab(browser, lab):
    """Make a tab in which nothing was done yet; the one before it is closed, and its kernel ended."""
    open_ones = []

    def make():
        while open_ones:
            open_ones.pop().close()
        lab.stop_kernels()
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        open_ones.append(context)
        tab = Tab(context.new_page(), lab)
        watch(tab)
        return tab

    yield make
    for context in open_ones:
        context.close()
    lab.stop_kernels()

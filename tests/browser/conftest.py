"""A JupyterLab that shows a copy of the lessons, and a Chromium to open it with."""

import shutil
from functools import partial

import pytest
from driving import STILL, new_readers, watch
from lab import SECONDS, Tab, jupyterlab, open_in_place, open_notebook
from lab import browser as run_browser
from plain import PlainTab
from playwright.sync_api import expect
from stored import NOTEBOOKS

from mha_course.workbook.learner.kept import ENDING

PAGE = {"width": 1280, "height": 900}

expect.set_options(timeout=1000 * SECONDS)


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """A JupyterLab on a copy of the lessons."""
    with jupyterlab(tmp_path_factory.mktemp("lab")) as lab:
        for path in NOTEBOOKS:
            shutil.copy(path, lab.folder)
        yield lab


def forget_workbenches(lab):
    """Let no workbench come back as it was left; for when no kernel is there that may still be keeping one."""
    shutil.rmtree(lab.progress.with_suffix(ENDING), ignore_errors=True)


@pytest.fixture(scope="package")
def browser():
    """A browser for all tests in this folder; its event loop ends before other tests begin theirs."""
    with run_browser() as browser:
        yield browser


@pytest.fixture
def open_file(browser):
    """Open a file as a new reader, without a network: no page may ask for more than files, and none may fail."""
    wrong = []

    with new_readers(browser) as begin:

        def show(address, **options):
            page = begin(offline=True, **options)
            page.on("request", lambda request: request.url.startswith(("file:", "data:")) or wrong.append(request.url))
            page.on("requestfailed", lambda request: wrong.append(f"failed: {request.url}"))
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.goto(address)
            return page

        yield show
    assert wrong == []


@pytest.fixture(scope="module")
def plain_tab(browser):
    """A page of widgets without JupyterLab, for one file of tests."""
    with new_readers(browser) as begin:
        yield PlainTab(begin(viewport=PAGE))


@pytest.fixture(scope="package")
def new_tab(browser, lab):
    """Make a tab in which nothing was done yet; the one before it is closed, and its kernel ended."""
    open_ones = []

    def make():
        while open_ones:
            open_ones.pop().close()
        lab.stop_kernels()
        forget_workbenches(lab)
        context = browser.new_context(viewport=PAGE, **STILL)
        open_ones.append(context)
        tab = Tab(context.new_page(), lab)
        watch(tab)
        return tab

    yield make
    for context in open_ones:
        context.close()
    lab.stop_kernels()


@pytest.fixture(scope="package")
def show_in_tab(request, new_tab):
    """Show a notebook on a page that all files share; on a new one after a test that failed: it may be spoilt."""
    kept = None

    def show(file, name, anew=False):
        nonlocal kept
        wanted, before = (file, name, request.session.testsfailed), kept and kept[1:]
        if not kept or kept[0].page.is_closed() or before[-1] != wanted[-1]:
            tab = new_tab()
            open_notebook(tab, name)
        else:
            tab = kept[0]
            tab.page.set_viewport_size(PAGE)
            if anew or before != wanted:
                open_in_place(tab, name)
                forget_workbenches(tab.lab)
        kept = (tab, *wanted)
        return tab

    return show


@pytest.fixture(scope="module")
def shared_tab(request, show_in_tab):
    """Show a notebook by its name, as this file's tests left it. anew=True: as if nothing had been done in it."""
    return partial(show_in_tab, request.path)


@pytest.fixture
def no_progress(lab):
    """Nothing was answered yet, and what a test answers is gone after it."""
    lab.progress.unlink(missing_ok=True)
    yield
    lab.progress.unlink(missing_ok=True)

"""A JupyterLab that shows a copy of the lessons, and the page on which it is looked at."""

import shutil
from functools import partial

import pytest
from driving import PAGE, STILL, watch
from lab import Tab, jupyterlab, open_in_place, open_notebook, patient
from stored import NOTEBOOKS

from mha_course.engine.progress.kept_texts import ENDING


@pytest.fixture(scope="package")
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
def new_tab(browser, lab):
    """Make a tab in which nothing was done yet; the one before it is closed, and its kernel ended."""
    open_ones = []

    def make():
        while open_ones:
            open_ones.pop().close()
        lab.stop_kernels()
        forget_workbenches(lab)
        context = patient(browser.new_context(viewport=PAGE, **STILL))
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

    def show(file, name, anew=False, write=None):
        nonlocal kept
        wanted, before = (file, name, request.session.testsfailed), kept and kept[1:]
        if not kept or kept[0].page.is_closed() or before[-1] != wanted[-1]:
            tab = new_tab()
            if write:
                write()
            open_notebook(tab, name)
        else:
            tab = kept[0]
            tab.page.set_viewport_size(PAGE)
            if anew or before != wanted:
                open_in_place(tab, name, write)
                forget_workbenches(tab.lab)
        kept = (tab, *wanted)
        return tab

    return show


@pytest.fixture(scope="module")
def shared_tab(request, show_in_tab):
    """Show a notebook by its name, as this file's tests left it. anew=True: as if nothing had been done in it.

    write: makes its file, when the notebook that was shown before is closed.
    """
    return partial(show_in_tab, request.path)


@pytest.fixture
def no_progress(lab):
    """Nothing was answered yet, and what a test answers is gone after it."""
    lab.progress.unlink(missing_ok=True)
    yield
    lab.progress.unlink(missing_ok=True)

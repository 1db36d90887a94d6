"""A Chromium, and pages that it opens."""

import pytest
from driving import PAGE, new_readers
from lab import SECONDS
from lab import browser as run_browser
from plain import PlainTab
from playwright.sync_api import expect

expect.set_options(timeout=1000 * SECONDS)


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

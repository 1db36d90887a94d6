"""Readers of the website, who visit its pages in a browser."""

from contextlib import contextmanager
from types import SimpleNamespace

from driving import new_readers
from live import PATIENCE

CONNECTED = "Object.defineProperty(navigator, 'connection', {{ value: {} }});"  # as the browser says it is
SAVES = CONNECTED.format("{ saveData: true, effectiveType: '4g' }")


@contextmanager
def visits(browser, files):
    """Visit the site as a new reader, who reaches nobody else; open pages in the same tab.

    Who saves data is asked: nothing is activated by itself.
    """
    wrong = []

    with new_readers(browser) as begin:

        def show(situation=SAVES, **options):
            page = begin(proxy=files.way, **options)
            page.add_init_script(situation)
            page.on("pageerror", lambda error: "/run/" in page.url or wrong.append(str(error)))
            page.set_default_timeout(1000 * PATIENCE)
            return SimpleNamespace(page=page, open=lambda name: page.goto(f"{files.url}{name}.html"))

        yield show
    assert not (wrong or files.elsewhere), (wrong, files.elsewhere)

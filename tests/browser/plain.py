"""A plain page of widgets, whose Python is the test's own process: for all that does not concern JupyterLab."""

import sys
from contextlib import contextmanager
from pathlib import Path

from driving import PHONE, watch

from mha_course.engine.browser.plain_page import SCRIPT, PlainPage

THEMES = Path(sys.prefix, "share", "jupyter", "lab", "themes", "@jupyterlab")
# What JupyterLab keeps of a page's width for itself, and how it writes: test_lab_in_the_browser.py holds it to that.
BESIDE = {390: 116, 800: 180, 1280: 432, 1920: 432}
WIDTHS = "".join(
    f"@media (width: {page}px) {{ main {{ width: {page - beside}px; }} }}" for page, beside in BESIDE.items()
)
HTML = f"""<!doctype html><html lang="en"><head><title>Widgets</title><style id="theme"></style><style>
    body {{ margin: 16px 8px; font: var(--jp-ui-font-size1) var(--jp-ui-font-family);
        color: var(--jp-content-font-color1); background: var(--jp-layout-color0); }}
    a {{ color: var(--jp-content-link-color); }}
    main {{ margin: auto; width: calc(100% - {BESIDE[1280] - 16}px); }}
    {WIDTHS}
</style></head><body><main id="widgets"></main></body></html>"""
# The way to Python and back. While it is held, nothing comes through, as if a kernel were busy.
CONNECT = """async (script) => {
    const { plainPage } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    window.underWay = 0;
    window.hold = () => (window.held = new Promise((free) => (window.free = free)));
    window.hear = plainPage(async (message) => {
        window.underWay += 1;
        await window.held;
        for (const each of await window.python(message)) await window.hear(each);
        window.underWay -= 1;
    });
}"""


class PlainTab:
    """A page with widgets, and what went wrong on it."""

    def __init__(self, page):
        """Begin with an empty page."""
        self.page, self.errors, self._widgets, self._said = page, [], [], []
        self._host = PlainPage(self._said.append)
        watch(self)
        page.set_content(HTML)
        page.expose_function("python", self._python)
        page.evaluate(CONNECT, SCRIPT.read_text(encoding="utf-8"))
        self._wear("light")

    @property
    def workbenches(self):
        """Every workbench on the page."""
        return self.page.locator(".mha-workbench")

    def show(self, *widgets):
        """Show these widgets instead of what was there; one that is named twice has two views."""
        for each in self._widgets:
            each.close()
        self._widgets = list(dict.fromkeys(widgets))
        for each in widgets:
            self.add(each)
        self.page.wait_for_function(
            "(count) => !underWay && document.querySelectorAll('.mha').length === count", arg=len(widgets)
        )
        self.errors.clear()

    def add(self, widget):
        """Show a widget, or one more view of it, below what is there."""
        self._host.show(widget, "widgets")
        self.tell()

    def tell(self):
        """Hand on to the page what Python has said by itself."""
        self.page.evaluate("async (all) => { for (const each of all) await window.hear(each); }", self._taken())

    def settle(self):
        """Wait until every question of the page has its answer."""
        self.page.wait_for_function("!underWay")

    def _python(self, message):
        self._host.hear(message)
        return self._taken()

    def _taken(self):
        said, self._said[:] = list(self._said), []
        return said

    @contextmanager
    def held(self):
        """Let nothing come through to Python, as if its kernel had a long cell to run."""
        self.page.evaluate("() => void hold()")
        try:
            yield
        finally:
            self.page.evaluate("free()")

    @contextmanager
    def wearing(self, theme):
        """Let the page wear a theme of JupyterLab's, light or dark; in the end it is light."""
        self._wear(theme)
        yield
        self._wear("light")

    @contextmanager
    def on_a_phone(self):
        """Make the page as narrow as a phone's."""
        before = self.page.viewport_size
        self.page.set_viewport_size(PHONE)
        yield
        self.page.set_viewport_size(before)

    def _wear(self, theme):
        styles = (THEMES / f"theme-{theme}-extension" / "index.css").read_text(encoding="utf-8")
        self.page.evaluate("(styles) => (document.getElementById('theme').textContent = styles)", styles)

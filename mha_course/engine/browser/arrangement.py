"""Lines to put in order: what the hand moves goes to Python, and Python's answer comes to the page."""

from mha_course.engine.browser.widget import PAGE, Widget, script, styles


class Arrangement(Widget):
    """Show a session whose lines can be dragged, or moved by keys."""

    _esm, _css = script(PAGE / "arrange.js"), styles(PAGE / "form.css", PAGE / "arrange.css")

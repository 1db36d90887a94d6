"""Lines to put in order: what the hand moves goes to Python, and Python's answer comes to the page."""

from mha_course.live.widget import Widget, shared_and


class Arrangement(Widget):
    """Show a session whose lines can be dragged, or moved by keys."""

    _esm, _css = shared_and("arrange.js"), shared_and("form.css", "arrange.css")

"""Questions as forms: what the learner sends goes to Python, and Python's answer comes to the page."""

from mha_course.engine.browser.widget import PAGE, Widget, script, styles


class Form(Widget):
    """Show a session that asks: a prediction, a quiz, a task or a review."""

    _esm, _css = script(PAGE / "form.js"), styles(PAGE / "form.css")

"""Questions as forms: what the learner sends goes to Python, and Python's answer comes to the page."""

from mha_course.live.widget import Widget, shared_and


class Form(Widget):
    """Show a session that asks: a prediction, a quiz, a task or a review."""

    _esm, _css = shared_and("form.js"), shared_and("form.css")

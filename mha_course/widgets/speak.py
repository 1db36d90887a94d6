"""The real model that goes on with a text before one's eyes, in the browser, with anybody's attention inside."""

from mha_course.engine.browser.widget import Widget
from mha_course.language_model.custom_attention import CustomAttention
from mha_course.widgets.scripts import script, styles
from mha_course.widgets.speak_session import SpeakingSession


class Speak(Widget):
    """Show the real model writing, token by token, and what was likely at each position. It writes only by hand.

    text: what it goes on with. attention: your own, called with Q, K, V (1, 9, n, 64) and a mask (1, n, n); it runs in
    a process of its own, where it can be stopped. tokens: how many it adds at most.
    Errors: `TypeError` or `ValueError` naming the argument that does not fit.

    >>> print(Speak("The capital of France is"))
    The real model continues with: The capital of France is
    Press Write: it adds up to 24 tokens, one by one.
    """

    _esm, _css = script("ticking.js", "enter_key.js", "speak.js"), styles("models.css", "speak.css")

    def __init__(
        self, text: str = "The capital of France is", attention: CustomAttention | None = None, tokens: int = 24
    ) -> None:
        """Begin before the first token."""
        super().__init__(SpeakingSession(text, attention, tokens))

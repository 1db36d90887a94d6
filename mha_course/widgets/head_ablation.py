"""A mixing desk for the heads of the real model: switch some off, and hear what it then says."""

from mha_course.engine.browser.widget import Widget
from mha_course.widgets.head_ablation_session import HeadAblationSession
from mha_course.widgets.scripts import script, styles

TEXT = "Mr Zorblat Quindle bought a red hat. Everybody had heard of Mr Zorblat"


class HeadAblation(Widget):
    """Show a switch for each of the real model's 270 heads, the loss on a text, and the words it writes next.

    text: what the model reads when *Read* is pressed. Errors: `TypeError` if it is no string.

    >>> print(str(HeadAblation("Innovators create")).splitlines()[0])
    A mixing desk for 270 heads of the real model, which reads: Innovators create
    """

    _esm, _css = (
        script("ticking.js", "enter_key.js", "roving.js", "head_ablation.js"),
        styles("models.css", "head_ablation.css"),
    )

    def __init__(self, text: str = TEXT) -> None:
        """Begin with nothing read."""
        super().__init__(HeadAblationSession(text))

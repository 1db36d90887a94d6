"""All heads of the real model, reading one text, to be looked at and compared."""

from mha_course.engine.browser.widget import Widget
from mha_course.widgets.gallery_session import GallerySession
from mha_course.widgets.scripts import script, styles

TEXT = "Innovators create and disrupt in equal measure."


class Gallery(Widget):
    """Show what all 270 heads of the real model do with a text: as small maps, sorted by measured jobs, and one large.

    text: what the model reads when *Read* is pressed. Errors: `TypeError` if it is no string.

    >>> print(str(Gallery("Innovators create")).splitlines()[0])
    What 270 heads of the real model do with: Innovators create
    """

    _esm, _css = (
        script("drawings.js", "enter_key.js", "roving.js", "gallery.js"),
        styles("drawings.css", "models.css", "gallery.css"),
    )

    def __init__(self, text: str = TEXT) -> None:
        """Begin with nothing read."""
        super().__init__(GallerySession(text))

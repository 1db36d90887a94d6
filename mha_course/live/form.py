"""Questions as forms: what the learner sends goes to Python, and Python's answer comes to the page."""

from pathlib import Path

import anywidget
from traitlets import Unicode

FOLDER = Path(__file__).parent / "browser"


class Form(anywidget.AnyWidget):
    """Show the screen of a session, and do what is done to it.

    session: has `screen()`, `still()` and `act(action)`, as a `PredictionSession` has.
    """

    _esm = FOLDER / "form.js"
    _css = FOLDER / "form.css"
    html = Unicode().tag(sync=True)

    def __init__(self, session):
        """Begin as the session stands."""
        self._session = session
        super().__init__(html=session.screen())
        self.on_msg(self._hear)

    def _hear(self, _, content, buffers):
        action = content["action"]
        update = self._session.act(action)
        if action[0] == "show":  # a view that has just opened; what others have half filled in stays
            update["view"] = action[1]
        self.send(update)

    def __repr__(self):
        """Write the question and what came of it as text."""
        return self._session.still().text

    def _repr_mimebundle_(self, **options):
        data, metadata = super()._repr_mimebundle_(**options)
        return data | {"text/html": self._session.still().html}, metadata  # its text is there by __repr__

"""What every widget of the course does: it shows the screen of a session, and lets the hand reach it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import anywidget
from traitlets import Unicode

from mha_course.pictures.picture import Picture
from mha_course.pictures.tokens import css_variables
from mha_course.pictures.update import Actions, Update

FOLDER = Path(__file__).parent / "browser"


class Session(Protocol):
    """Something in use that has a screen: a workbench, a prediction, a quiz."""

    def screen(self) -> str:
        """Return the markup of the live screen."""

    def still(self) -> Picture:
        """Return the picture that stands for it where no kernel runs."""

    def act(self, actions: Actions) -> Update:
        """Do what the hand did, and return what the screen has to change; of no actions, all that it shows."""


def shared_and(name: str) -> str:
    """Return a file of the browser's, after what is shared by all of its kind."""
    kind = Path(name).suffix
    files = [(FOLDER / each).read_text(encoding="utf-8") for each in (f"shared{kind}", name)]
    return "\n".join([css_variables()] * (kind == ".css") + files)


class Widget(anywidget.AnyWidget):
    """Show the screen of a session, and do what is done to it."""

    html = Unicode().tag(sync=True)

    def __init__(self, session: Session) -> None:
        """Begin as the session stands."""
        self._session = session
        super().__init__(html=session.screen())
        self.on_msg(self._hear)

    def _hear(self, _: object, content: Mapping[str, Any], buffers: object) -> None:
        match content["actions"]:
            case [["show", view]]:
                self.send({"view": view, "html": self._session.screen(), **self._session.act([])})
            case actions:
                self.send(self._session.act(actions))

    def __repr__(self) -> str:
        """Write the picture as text."""
        return self._session.still().text

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_(**options) or ({}, {})
        return data | {"text/html": self._session.still().html}, metadata  # its text is there by __repr__

"""What every widget of the course does: it shows the screen of a session, and lets the hand reach it.

In an open notebook the cell's output holds the picture alone, and the living widget stands in its place on the
page for as long as it lives. So what is saved is never more than the picture, and the picture follows the widget.
Everywhere else the output holds the widget's view beside the picture, as other widgets do.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from traitlets import Unicode

from mha_course.engine.browser.base import Base
from mha_course.engine.browser.links import follow_links
from mha_course.engine.browser.notebook_cell import present_place
from mha_course.engine.identity import Identity
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.placeholder import asleep
from mha_course.engine.pictures.protocol import Actions, Update
from mha_course.engine.pictures.theme import css_variables

PAGE = Path(__file__).parent / "page"  # the scripts and styles


class HasScreen(Protocol):
    """Something in use that has a screen: a prediction, a quiz, a board."""

    def screen(self) -> str:
        """Return the markup of the live screen."""

    def still(self) -> Picture:
        """Return the picture that stands for it where no kernel runs."""

    def act(self, actions: Actions) -> Update:
        """Do what the hand did, and return what the screen has to change; of no actions, all that it shows."""


def script(*files: Path) -> str:
    """Return scripts as one, after what all widgets share."""
    shared = (PAGE / name for name in ("one_for_all.js", "host.js", "shared.js"))
    return "\n".join(each.read_text(encoding="utf-8") for each in (*shared, *files))


def styles(*files: Path, identity: Identity | None = None) -> str:
    """Return style sheets as one, after what all widgets share. identity: of a course, for its colours."""
    texts = (each.read_text(encoding="utf-8") for each in (PAGE / "shared.css", *files))
    return "\n".join([css_variables(identity), *texts])


class Widget(Base):
    """Show the screen of a session, and do what is done to it.

    mark: the class name of its pictures, in whose place it lives; "" where it does not.
    """

    html = Unicode().tag(sync=True)
    mark = Unicode().tag(sync=True)

    def __init__(self, session: HasScreen) -> None:
        """Begin as the session stands."""
        self._session = session
        self._has_place = present_place() is not None
        super().__init__(html=session.screen(), mark=f"mha-{uuid4().hex}" if self._has_place else "")
        self.on_msg(self._hear)
        follow_links()  # whatever is used first in a page: pictures of before have links too

    def _hear(self, _: object, content: Mapping[str, Any], buffers: object) -> None:
        match content:
            case {"actions": [["show", view]]}:
                self.send({"view": view, "html": self._session.screen(), **self._act([])})
            case {"actions": actions}:
                self.send(self._act(actions))
                self._keep()  # after the answer, which nobody shall wait for; and at once: a kernel may end at any time
            case {"picture": _}:
                self._keep()
                self.send({"picture": self._outputs()})

    def begin_as_left(self) -> None:
        """Show what was kept, before anybody sees it."""

    def _act(self, actions: Actions) -> Update:
        """Do what the hand did, and return what the screen has to change."""
        return self._session.act(actions)

    def _keep(self) -> None:
        """Keep what has to be there again when the cell is run again."""

    def _outputs(self) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = self._session.still()._repr_mimebundle_()
        return data | {"text/html": asleep(data["text/html"], self.mark)}, metadata

    def __repr__(self) -> str:
        """Write the picture as text."""
        return self._session.still().text

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        self.begin_as_left()
        view, of_view = ({}, {}) if self._has_place else super()._repr_mimebundle_(**options) or ({}, {})
        data, metadata = self._outputs()
        return view | data, of_view | metadata

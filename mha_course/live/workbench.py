"""The workbench: the whole path under the hand, live in the browser."""

from pathlib import Path

import anywidget
from traitlets import Unicode

from mha_course.live.session import Session
from mha_course.notation.labels import address
from mha_course.pipeline.saving import to_json

FOLDER = Path(__file__).parent / "browser"


class Workbench(anywidget.AnyWidget):
    """Show a path whose inputs can be changed and whose every number can say where it came from.

    preset: the name of a state to begin with. stage: the part of the path to show, "all" for
    everything. goal: the name of a goal to reach, which brings its own preset.
    Errors: `ValueError` listing the names there are.

    >>> bench = Workbench("article", stage="scaled_scores")
    >>> bench.edit("W_K", 0, 2, 5)
    >>> bench.path["scores/1"].values[0].round(4).tolist()
    [5.7735, 2.3094, 6.9282]
    """

    _esm = FOLDER / "live.js"
    _css = FOLDER / "live.css"
    html = Unicode().tag(sync=True)

    def __init__(self, preset=None, stage="all", goal=None):
        """Begin with a preset, or with the one of the goal."""
        self._session = Session(preset, stage, goal)
        super().__init__(html=self._session.screen())
        self.on_msg(self._hear)

    @property
    def state(self):
        """The present `State`: tokens, inputs and settings."""
        return self._session.state

    @property
    def path(self):
        """Every matrix of the present state by name, like path["scores/1"].values."""
        return self._session.path

    def edit(self, name, row, column, value):
        """Change one entry of an input, counted from 0.

        Errors: `ValueError` in the words that the screen would show.
        """
        self._act("edit", address(name, row, column), str(value))

    def to_json(self):
        """Write the state as JSON."""
        return to_json(self.state)

    def load(self, text):
        """Show the state that `to_json` wrote.

        Errors: `ValueError` in plain words; the present state then stays.
        """
        self._act("press", "load", text)

    def _act(self, *action):
        update = self._session.act([action])
        self.send(update)
        if update["texts"]["alert"]:
            raise ValueError(update["texts"]["alert"])

    def _hear(self, _, content, buffers):
        self.send(self._session.act(content["actions"]))

    def __repr__(self):
        """Write the matrices as text."""
        return self._session.still().text

    def _repr_mimebundle_(self, **options):
        data, metadata = super()._repr_mimebundle_(**options)
        return data | {"text/html": self._session.still().html}, metadata  # its text is there by __repr__

"""The workbench: the whole path under the hand, live in the browser."""

from mha_course.live.session import WorkbenchSession
from mha_course.live.widget import Widget, shared_and
from mha_course.notation.labels import address
from mha_course.pipeline.saving import to_json
from mha_course.pipeline.state import State
from mha_course.pipeline.step import Path


class Workbench(Widget):
    """Show a path whose inputs can be changed and whose every number can say where it came from.

    preset: the name of a state to begin with. stage: the part of the path to show, "all" for
    everything. goal: the name of a goal to reach, which brings its own preset.
    Errors: `ValueError` listing the names there are.

    >>> workbench = Workbench("article", stage="scaled_scores")
    >>> workbench.edit("W_K", 0, 2, 5)
    >>> workbench.path["scores/1"].values[0].round(4).tolist()
    [5.7735, 2.3094, 6.9282]
    """

    _esm, _css = shared_and("drawings.js", "workbench.js"), shared_and("drawings.css", "workbench.css")
    _session: WorkbenchSession

    def __init__(self, preset: str | None = None, stage: str = "all", goal: str | None = None) -> None:
        """Begin with a preset, or with the one of the goal."""
        super().__init__(WorkbenchSession(preset, stage, goal))

    @property
    def state(self) -> State:
        """The present `State`: tokens, inputs and settings."""
        return self._session.state

    @property
    def path(self) -> Path:
        """Every matrix of the present state by name, like path["scores/1"].values."""
        return self._session.path

    def edit(self, name: str, row: int, column: int, value: float) -> None:
        """Change one entry of an input, counted from 0.

        Errors: `ValueError` in the words that the screen would show.
        """
        self._act("edit", address(name, row, column), str(value))

    def to_json(self) -> str:
        """Write the state as JSON."""
        return to_json(self.state)

    def load(self, text: str) -> None:
        """Show the state that `to_json` wrote.

        Errors: `ValueError` in plain words; the present state then stays.
        """
        self._act("press", "load", text)

    def _act(self, *action: str) -> None:
        self.send(self._session.act([list(action)]))
        if self._session.alert:
            raise ValueError(self._session.alert)

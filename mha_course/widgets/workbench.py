"""The workbench: the whole path under the hand, live in the browser."""

import json

from mha_course.engine.browser.notebook_cell import place_to_keep
from mha_course.engine.browser.widget import Widget
from mha_course.engine.notation.labels import address
from mha_course.engine.pictures.placeholder import as_left
from mha_course.engine.pictures.protocol import Actions, Update
from mha_course.engine.progress.kept_texts import KeptTexts
from mha_course.forward.path_matrix import Path
from mha_course.forward.saving import to_json
from mha_course.forward.state import State
from mha_course.identity import IDENTITY
from mha_course.widgets.scripts import script, styles
from mha_course.widgets.workbench_session import WorkbenchSession

AFRESH = ["press", "afresh"]
WORKBENCHES = KeptTexts(IDENTITY)


class Workbench(Widget):
    """Show a path whose inputs can be changed and whose every number can say where it came from.

    preset: the name of a state to begin with, or a `State`. stage: the part of the path to show, "all" for
    everything. goal: the name of a goal to reach, which brings its own preset.
    Errors: `ValueError` listing the names there are, or the stages in which the goal can be reached.

    >>> workbench = Workbench("article", stage="scaled_scores")
    >>> workbench.edit("W_K", 0, 2, 5)
    >>> workbench.path["scores/1"].values[0].round(4).tolist()
    [5.7735, 2.3094, 6.9282]
    """

    _esm, _css = (
        script("drawings.js", "entries.js", "narrow_board.js", "workbench.js"),
        styles("drawings.css", "workbench.css"),
    )
    _session: WorkbenchSession

    def __init__(self, preset: State | str | None = None, stage: str = "all", goal: str | None = None) -> None:
        """Begin with a preset, or with the one of the goal."""
        super().__init__(WorkbenchSession(preset, stage, goal))
        place = None if isinstance(preset, State) else place_to_keep()  # a state is what it is, however it was left
        self._name = " ".join([place.notebook, place.cell, stage, goal or "", str(preset or "")]) if place else ""
        self._beginning = self._kept = self._written()
        self._left = ""

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
        self._do("edit", address(name, row, column), str(value))

    def to_json(self) -> str:
        """Write the state as JSON."""
        return to_json(self.state)

    def load(self, text: str) -> None:
        """Show the state that `to_json` wrote.

        Errors: `ValueError` in plain words; the present state then stays.
        """
        self._do("press", "load", text)

    def _do(self, *action: str) -> None:
        self.send(self._session.act([list(action)]))
        if self._session.alert:
            raise ValueError(self._session.alert)

    # How it comes back as the learner left it

    def begin_as_left(self) -> None:
        """Show the board as the learner left it, if it was kept and nothing was done to it since."""
        left = WORKBENCHES.kept(self._name) if self._name and self._written() == self._beginning else None
        if left:
            self._session.act(self._way_to(left))
            self._left = self._kept = self._written()
            self.html = self._session.screen()

    def _act(self, actions: Actions) -> Update:
        to_do = [
            each for action in actions for each in (self._way_to(self._beginning) if action == AFRESH else [action])
        ]
        update = self._session.act(to_do)
        if self._left and self._left == self._written():
            update["parts"]["status"] = as_left(AFRESH[1])
        return update

    def _keep(self) -> None:
        written = self._written()
        if self._name and written != self._kept:
            WORKBENCHES.keep(self._name, None if written == self._beginning else written)
            self._kept = written

    def _written(self) -> str:
        return json.dumps([self._session.preset_name, self.to_json()])

    def _way_to(self, written: str) -> list[list[str]]:
        """Return the actions that lead to a state as `_written` wrote it; none if nobody can read it."""
        try:
            preset_name, state = json.loads(written)
        except (ValueError, TypeError):
            return []
        chosen = [["set", "preset", preset_name]] if preset_name != self._session.preset_name else []
        return [*chosen, ["press", "load", state]]

"""What a hand did to the workbench, and what its screen has to change."""

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

import numpy as np

from mha_course.live.effects import moved_entries, sentence
from mha_course.live.table import Table
from mha_course.notation.entry import read_entry
from mha_course.notation.labels import address, label
from mha_course.pictures import workbench
from mha_course.pictures.markup import Markup, escaped
from mha_course.pictures.picture import Picture
from mha_course.pictures.update import Actions, Marks, Update
from mha_course.pictures.whole_path import layout, whole_path
from mha_course.pictures.workbench import LABELS, OWN_SCALE
from mha_course.pipeline.as_code import as_code
from mha_course.pipeline.choices import read_choice
from mha_course.pipeline.goals import read_goal
from mha_course.pipeline.history import History
from mha_course.pipeline.origin import Origin, origin
from mha_course.pipeline.presets import PRESETS, labels, preset
from mha_course.pipeline.saving import from_json, to_json
from mha_course.pipeline.stages import read_stage
from mha_course.pipeline.state import MOST_HEADS, State
from mha_course.pipeline.step import Path
from mha_course.pipeline.steps import steps

STEP = 0.1  # what one press of an arrow key changes
HOW_TO = (
    "Change a number in a box: type, press ↑ or ↓ (with Shift: ten steps), or drag it sideways. "
    "Select any other number to see where it came from."
)


class WorkbenchSession:
    """One workbench in use: the states, what is selected, and the screen that follows from them.

    preset_name: the state to begin with, or None for the goal's. stage: one of `STAGES`.
    goal: one of `GOALS`, or None.
    Errors: `ValueError` listing the names there are.

    >>> session = WorkbenchSession("article", "scaled_scores")
    >>> update = session.act([["edit", "W_K:0,2", "5"]])
    >>> update["parts"]["status"]
    'W_K[1,3]: 1 → 5. Moved: K, scores. Not moved: Q.'
    """

    def __init__(self, preset_name: str | None = None, stage: str = "all", goal: str | None = None) -> None:
        """Begin with a preset, or with the one of the goal."""
        self._goal, self._stage = None if goal is None else read_goal(goal), read_stage(stage)
        if preset_name is not None:
            preset_name = read_choice("preset", preset_name, labels())
        own = self._goal.preset if self._goal else None
        if own and preset_name not in (None, own):
            raise ValueError(f"preset is {preset_name!r}, but the goal {goal!r} needs its own, {own!r}.")
        self._offered = self._offered_settings()
        self._query, self._open_panels = 0, frozenset[str]()
        self._selected: str | None = None
        self._bad: str | None = None
        self._alert = ""
        self._before: tuple[State, Path] | None = None  # before the last change
        name = preset_name or own or "article"
        self._adopt(name, preset(name))
        self._history = History((self._preset_name, self._state))
        self._structure, self._drawn = self._structure_now(), self._tables_now({})

    @property
    def state(self) -> State:
        """The present `State`."""
        return self._state

    @property
    def preset_name(self) -> str:
        """The name of the state that *Reset* goes back to."""
        return self._preset_name

    @property
    def path(self) -> Path:
        """Every matrix of the present state, as `steps` returns them."""
        return self._path

    @property
    def alert(self) -> str:
        """Why something could not be done, if the last time something could not."""
        return self._alert

    def screen(self) -> Markup:
        """Return the markup of the live workbench."""
        controls = workbench.controls(self._state, self._preset_name, self._query, self._offered)
        return workbench.screen(self._heading(), controls, self._picture(), self._state.inputs)

    def still(self) -> Picture:
        """Return the `Picture` that stands for the workbench where no kernel runs."""
        return workbench.still(self._heading(), self._state, self._picture())

    def act(self, actions: Actions) -> Update:
        """Do what the hand did, one action after the other, and return what the screen has to change.

        An action that cannot be done changes nothing, and the update says why.
        """
        self._alert, self._bad = "", None
        for action in actions:
            try:
                self._do(action)
            except (ValueError, TypeError, OverflowError) as error:
                self._alert = str(error)
        return self._update()

    # What a hand can do

    def _do(self, action: Any) -> None:
        match action:
            case ["edit", at, text]:
                self._put(at, lambda value: read_entry(text))
            case ["step", at, count]:
                self._put(at, lambda value: round(value + count * STEP, 10), merge=at)
            case ["select", at]:
                self._entry(at)
                self._selected = at
            case ["set", str(name), str(text)]:
                self._set(name, text)
            case ["press", "undo"]:
                self._return_to(self._history.undo())
            case ["press", "redo"]:
                self._return_to(self._history.redo())
            case ["press", "reset"]:
                self._change(preset(self._preset_name))
            case ["press", "load", text]:
                self._change(from_json(text))
            case ["open", panel, is_open]:
                self._open_panels = self._open_panels | {panel} if is_open else self._open_panels - {panel}
            case _:
                raise ValueError(f"{action!r} is nothing that can be done here.")

    def _set(self, name: str, text: str) -> None:
        """Do what was set in one of the controls."""
        if name not in workbench.with_their_fields(self._offered):
            raise ValueError(f"{name} cannot be set here.")
        state = self._state
        match name:
            case "preset":
                self._change(preset(text), preset_name=read_choice("preset", text, labels()))
            case "query":
                self._look_at(_choice(text, range(len(state.tokens))))
            case "tokens" | "context_tokens":
                self._change(state.with_tokens(_words(text), name))
            case "num_heads":
                self._change(replace(state, num_heads=_choice(text, range(1, MOST_HEADS + 1))))
            case "scale":
                self._change(replace(state, scale=state.divisor if text == OWN_SCALE else text))
            case "divisor":
                self._change(replace(state, scale=self._number("scale", text, state.divisor)))
            case "temperature":
                self._change(replace(state, temperature=self._number("temperature", text, state.temperature)))
            case "mask":
                self._change(replace(state, mask=text))

    def _put(self, at: object, change: Callable[[float], float], merge: str | None = None) -> None:
        """Change one entry of an input; if that cannot be, say why and mark it."""
        key, row, column = self._entry(at)
        if not self._path[key].is_input:
            raise ValueError(f"{key} is computed: select an entry to see from what.")
        value = float(self._path[key].values[row, column])
        try:
            self._change(self._state.with_entry(key, row, column, change(value)), merge=merge)
        except ValueError as error:
            self._bad = str(at)
            raise ValueError(f"{label(key, row, column)}: {error} It stays {value:.6g}.") from None

    def _number(self, name: str, text: str, present: float) -> float:
        try:
            number = read_entry(text)
            if number <= 0:
                raise ValueError("it must be above 0.")
        except ValueError as error:
            raise ValueError(f"{LABELS[name]}: {error} It stays {present:.6g}.") from None
        return number

    def _entry(self, at: object) -> tuple[str, int, int]:
        """Read an address, as the browser sends it, of an entry that there is now."""
        found = re.fullmatch(r"(.+):(\d{1,4}),(\d{1,4})", str(at))
        key, row, column = (found[1], int(found[2]), int(found[3])) if found else ("", 0, 0)
        if key not in self._path or not np.all(np.less((row, column), self._path[key].values.shape)):
            raise ValueError(f"{at!r} is no entry of this example.")
        return key, row, column

    def _offered_settings(self) -> list[str]:
        """List the settings that have a control: what the task of a goal forbids has none."""
        if self._goal is None:
            return ["preset", *self._stage.settings]
        return [name for name in self._stage.settings if name in (*self._goal.may_change, "query")]

    # How the state follows

    def _change(self, state: State, preset_name: str | None = None, merge: str | None = None) -> None:
        """Take a state as the next one, if it differs from the present one."""
        preset_name = preset_name or self._preset_name
        if preset_name == self._preset_name and _is_same(state, self._state):
            return
        before = self._state, self._path
        self._adopt(preset_name, state)
        if self._history.add((preset_name, state), merge):
            self._before = before

    def _return_to(self, moment: tuple[str, State]) -> None:
        """Take up what was before an undo or a redo."""
        self._before = self._state, self._path
        self._adopt(*moment)

    def _look_at(self, query: int) -> None:
        """Show the contributions to another query, which are not moved ones."""
        self._query, self._before = query, None
        self._adopt(self._preset_name, self._state)

    def _adopt(self, preset_name: str, state: State) -> None:
        """Bring everything into step with a state."""
        query = min(self._query, len(state.tokens) - 1)
        self._path = steps(state, query)  # raises before anything has changed
        self._preset_name, self._state, self._query = preset_name, state, query
        self._keys = [key for _, keys in layout(self._path, self._stage.names) for key in keys]

    # What the screen shows

    def _heading(self) -> str:
        return f"Goal: {self._goal.task}" if self._goal else PRESETS[self._preset_name].look_for

    def _picture(self) -> Picture:
        return whole_path(self._path, self._stage.names, addressed=True)

    def _structure_now(self) -> tuple[object, ...]:
        """All that cannot be changed entry by entry; where it differs, the screen is drawn anew."""
        tables = [(key, self._path[key].values.shape) for key in self._keys]
        state = self._state
        labels = state.tokens, state.context_tokens, state.mask
        return self._preset_name, self._query, *labels, tuple(state.inputs), tables

    def _tables_now(self, earlier: dict[str, Table]) -> dict[str, Table]:
        """Return key -> `Table` of what is shown; what is as it was is not written again."""
        return {key: Table.of(self._path[key], earlier.get(key)) for key in self._keys}

    def _update(self) -> Update:
        """Return what the browser has to change."""
        update = self._redrawn()
        found, moved = self._origin(), self._moved()
        update["marks"] = Marks(
            moved={at: by for changes in moved.values() for at, by in changes},
            sources=[address(*source) for source in found.sources] if found else [],
            selected=self._selected,
            bad=self._bad,
        )
        update["fields"] = self._fields()
        update["off"] = self._off()
        update["parts"] = self._parts(found, self._status(moved))
        return update

    def _redrawn(self) -> Update:
        """Return the cells that look different, or the whole screen if more than cells does."""
        structure, before = self._structure_now(), self._drawn
        is_new = structure != self._structure
        self._structure, self._drawn = structure, self._tables_now({} if is_new else before)
        if is_new:
            return Update(html=self.screen())
        cells = [
            (address(key, *place), *entry)
            for key, table in self._drawn.items()
            for place, entry in table.unlike(before[key]).items()
        ]
        return Update(cells=cells)

    def _fields(self) -> dict[str, dict[str, str]]:
        shown = {"controls": workbench.fields(self._state, self._preset_name, self._query)}
        if "code" in self._open_panels:
            shown["code"] = {"code": as_code(self._state)}
        if "data" in self._open_panels and not self._alert:  # what was refused stays there to be mended
            shown["data"] = {"data": to_json(self._state)}
        return shown

    def _off(self) -> list[str]:
        return [name for name, can in (("undo", self._history.can_undo), ("redo", self._history.can_redo)) if not can]

    def _parts(self, found: Origin | None, status: str) -> dict[str, str]:
        return {
            "alert": escaped(self._alert),
            "words": escaped(found.words if found else HOW_TO if self._before is None else ""),
            "arithmetic": escaped(found.arithmetic if found else ""),
            "status": escaped(status),
            "goal": self._progress(),
        }

    def _origin(self) -> Origin | None:
        try:
            return origin(self._state, self._path, *self._entry(self._selected)) if self._selected else None
        except ValueError:  # what was selected is gone
            self._selected = None
            return None

    def _progress(self) -> str:
        if self._goal is None:
            return ""
        return workbench.progress(*self._goal.progress(self._state, self._path, preset(self._preset_name)))

    def _moved(self) -> dict[str, list[tuple[str, str]]]:
        return {} if self._before is None else moved_entries(self._drawn, self._before[1], self._path)

    def _status(self, moved: Collection[str]) -> str:
        if self._before is None or self._state is self._before[0]:
            return ""
        shown = [self._path[key] for key in self._keys if not self._path[key].is_input]
        return sentence(self._state, self._before[0], shown, moved)


def _is_same(state: State, other: State) -> bool:
    try:
        return not state.changes_since(other)
    except ValueError:
        return False


def _words(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise ValueError("one of the tokens is empty: write words with commas between, as one, two, three.")
    return words


def _choice(text: str, choices: range) -> int:
    if not text.isdecimal() or int(text) not in choices:
        raise ValueError(f"{text!r} is none of the choices, {choices[0]} to {choices[-1]}.")
    return int(text)

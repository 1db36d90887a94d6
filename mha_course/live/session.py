"""What a hand did to the workbench, and what its screen has to change."""

import re
from dataclasses import replace

import numpy as np

from mha_course.live.effects import moved_entries, sentence
from mha_course.live.table import Table
from mha_course.notation.entry import read_entry
from mha_course.notation.labels import address, label
from mha_course.pictures.whole_path import layout, whole_path
from mha_course.pictures.workbench import OWN_SCALE, bench, controls, fields, still
from mha_course.pipeline.as_code import as_code
from mha_course.pipeline.choices import read_choice
from mha_course.pipeline.goals import read_goal
from mha_course.pipeline.history import History
from mha_course.pipeline.origin import origin
from mha_course.pipeline.presets import PRESETS, labels, preset
from mha_course.pipeline.saving import from_json, to_json
from mha_course.pipeline.stages import read_stage
from mha_course.pipeline.steps import steps

STEP = 0.1  # what one press of an arrow key changes
NAMES = {"divisor": "Divide by", "temperature": "Temperature"}  # as their fields are labelled
HOW_TO = (
    "Change a number in a box: type, press ↑ or ↓ (with Shift: ten steps), or drag it sideways. "
    "Select any other number to see where it came from."
)


class Session:
    """One workbench in use: the states, what is selected, and the screen that follows from them.

    preset_name: the state to begin with, or None for the goal's. stage: one of `STAGES`.
    goal: one of `GOALS`, or None.
    Errors: `ValueError` listing the names there are.

    >>> session = Session("article", "scaled_scores")
    >>> update = session.act([["edit", "W_K:0,2", "5"]])
    >>> update["texts"]["status"]
    'W_K[1,3]: 1 → 5. Moved: K, scores. Not moved: Q.'
    """

    def __init__(self, preset_name=None, stage="all", goal=None):
        """Begin with a preset, or with the one of the goal."""
        self._goal, self._stage = None if goal is None else read_goal(goal), read_stage(stage)
        if preset_name is not None:
            preset_name = read_choice("preset", preset_name, labels())
        own = self._goal.preset if self._goal else None
        if own and preset_name not in (None, own):
            raise ValueError(f"preset is {preset_name!r}, but the goal {goal!r} needs its own, {own!r}.")
        self._query, self._selected, self._open_panels = 0, None, set()
        self._alert, self._bad = "", None
        self._before = None  # state and path before the last change
        name = preset_name or own or "article"
        self._follow(name, preset(name))
        self._history = History((self._preset_name, self._state))
        self._structure, self._drawn = self._structure_now(), self._tables_now({})

    @property
    def state(self):
        """The present `State`."""
        return self._state

    @property
    def path(self):
        """Every matrix of the present state, as `steps` returns them."""
        return self._path

    def screen(self):
        """Return the markup of the live workbench."""
        preset_name, settings = self._preset_name, self._stage.settings
        if self._goal:  # what the task forbids is not offered
            preset_name = None
            settings = [name for name in settings if name in (*self._goal.may_change, "query")]
        above = controls(self._state, preset_name, settings, self._query)
        return bench(self._heading(), above, self._picture(), self._state.inputs)

    def still(self):
        """Return the `Picture` that stands for the workbench where no kernel runs."""
        return still(self._heading(), self._state, self._picture())

    def act(self, actions):
        """Do what the hand did, one action after the other, and return what the screen has to change.

        An action that cannot be done changes nothing, and the update says why.
        """
        self._alert, self._bad, view = "", None, None
        for action in actions:
            try:
                view = self._do(action) or view
            except (ValueError, TypeError, OverflowError) as error:
                self._alert = str(error)
        return self._update(view)

    # What a hand can do

    def _do(self, action):
        match action:
            case ["show", view]:
                return str(view)
            case ["edit", at, text]:
                self._put(at, lambda value: read_entry(text))
            case ["step", at, count]:
                self._put(at, lambda value: round(value + count * STEP, 10), merge=at)
            case ["select", at]:
                self._entry(at)
                self._selected = at
            case ["set", "preset", name]:
                self._change(preset(name), preset_name=name)
            case ["set", "query", number]:
                self._query = _choice(number, range(len(self._state.tokens)))
                self._follow(self._preset_name, self._state)
                self._before = None  # other contributions are not moved ones
            case ["set", ("tokens" | "context_tokens") as name, str(text)]:
                self._change(self._state.with_tokens(_words(text), name))
            case ["set", "num_heads", number]:
                self._change(replace(self._state, num_heads=_choice(number, range(1, 100))))
            case ["set", "scale", name]:
                self._change(replace(self._state, scale=self._state.divisor if name == OWN_SCALE else name))
            case ["set", "divisor", text]:
                self._change(replace(self._state, scale=self._number("divisor", text)))
            case ["set", "temperature", text]:
                self._change(replace(self._state, temperature=self._number("temperature", text)))
            case ["set", "mask", name]:
                self._change(replace(self._state, mask=name))
            case ["press", "undo"]:
                self._go(self._history.undo())
            case ["press", "redo"]:
                self._go(self._history.redo())
            case ["press", "reset"]:
                self._change(preset(self._preset_name))
            case ["press", "load", text]:
                self._change(from_json(text))
            case ["open", panel, is_open]:
                self._open_panels = self._open_panels | {panel} if is_open else self._open_panels - {panel}
            case _:
                raise ValueError(f"{action!r} is nothing that can be done here.")
        return None

    def _put(self, at, change, merge=None):
        """Change one entry of an input; if that cannot be, say why and mark it."""
        key, row, column = self._entry(at)
        if not self._path[key].is_input:
            raise ValueError(f"{key} is computed: select an entry to see from what.")
        value = float(self._path[key].values[row, column])
        try:
            self._change(self._state.with_entry(key, row, column, change(value)), merge=merge)
        except ValueError as error:
            self._bad = at
            raise ValueError(f"{label(key, row, column)}: {error} It stays {value:.6g}.") from None

    def _number(self, name, text):
        try:
            number = read_entry(text)
            if number <= 0:
                raise ValueError("it must be above 0.")
        except ValueError as error:
            raise ValueError(f"{NAMES[name]}: {error} It stays {fields(self._state)[name]}.") from None
        return number

    def _entry(self, at):
        """Read an address, as the browser sends it, of an entry that there is now."""
        found = re.fullmatch(r"(.+):(\d{1,4}),(\d{1,4})", str(at))
        key, row, column = (found[1], int(found[2]), int(found[3])) if found else (None, 0, 0)
        if key not in self._path or not np.all(np.less((row, column), self._path[key].values.shape)):
            raise ValueError(f"{at!r} is no entry of this example.")
        return key, row, column

    # How the state follows

    def _change(self, state, preset_name=None, merge=None):
        preset_name = preset_name or self._preset_name
        if preset_name == self._preset_name and _is_same(state, self._state):
            return
        before = self._state, self._path
        self._follow(preset_name, state)
        if self._history.add((preset_name, state), merge):
            self._before = before

    def _go(self, moment):
        self._before = self._state, self._path
        self._follow(*moment)

    def _follow(self, preset_name, state):
        """Bring everything into step with a state."""
        query = min(self._query, len(state.tokens) - 1)
        self._path = steps(state, query)  # raises before anything has changed
        self._preset_name, self._state, self._query = preset_name, state, query
        self._keys = [key for _, keys in layout(self._path, self._stage.names) for key in keys]

    # What the screen shows

    def _heading(self):
        return f"Goal: {self._goal.task}" if self._goal else PRESETS[self._preset_name].look_for

    def _picture(self):
        return whole_path(self._path, self._stage.names, addressed=True)

    def _structure_now(self):
        """All that cannot be changed entry by entry; where it differs, the screen is drawn anew."""
        tables = [(key, self._path[key].values.shape) for key in self._keys]
        state = self._state
        labels = state.tokens, state.context_tokens, state.mask
        return self._preset_name, self._query, *labels, tuple(state.inputs), tables

    def _tables_now(self, earlier):
        """Return key -> `Table` of what is shown; what is as it was is not written again."""
        return {key: Table.of(self._path[key], earlier.get(key)) for key in self._keys}

    def _update(self, view):
        """Return what the browser has to change; view: the one that asked for everything, or None."""
        update = {"cells": []}
        structure, before = self._structure_now(), self._drawn
        is_new = structure != self._structure
        self._structure, self._drawn = structure, self._tables_now({} if is_new else before)
        if is_new or view is not None:
            update |= {"html": self.screen(), "view": None if is_new else view}
        if not is_new:
            update["cells"] = [
                [address(key, *place), *entry]
                for key, table in self._drawn.items()
                for place, entry in table.unlike(before[key]).items()
            ]
        found, moved = self._origin(), self._moved()
        reached, progress = self._progress()
        return update | {
            "moved": [[at, change] for changes in moved.values() for at, change in changes],
            "selected": self._selected,
            "sources": [address(*source) for source in found.sources] if found else [],
            "bad": self._bad,
            "off": self._off(),
            "reached": reached,
            "fields": fields(self._state) | self._panels(),
            "texts": {
                "alert": self._alert,
                "words": found.words if found else HOW_TO if self._before is None else "",
                "arithmetic": found.arithmetic if found else "",
                "status": self._status(moved),
                "goal": progress,
            },
        }

    def _panels(self):
        panels = {}
        if "code" in self._open_panels:
            panels["code"] = as_code(self._state)
        if "data" in self._open_panels and not self._alert:  # what was refused stays there to be mended
            panels["data"] = to_json(self._state)
        return panels

    def _off(self):
        return [name for name, can in (("undo", self._history.can_undo), ("redo", self._history.can_redo)) if not can]

    def _origin(self):
        try:
            return origin(self._state, self._path, *self._entry(self._selected)) if self._selected else None
        except ValueError:  # what was selected is gone
            self._selected = None
            return None

    def _progress(self):
        if self._goal is None:
            return False, ""
        return self._goal.progress(self._state, self._path, preset(self._preset_name))

    def _moved(self):
        return {} if self._before is None else moved_entries(self._drawn, self._before[1], self._path)

    def _status(self, moved):
        if self._before is None or self._state is self._before[0]:
            return ""
        shown = [self._path[key] for key in self._keys if not self._path[key].is_input]
        return sentence(self._state, self._before[0], shown, moved)


def _is_same(state, other):
    try:
        return not state.changes_since(other)
    except ValueError:
        return False


def _words(text):
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise ValueError("one of the tokens is empty: write words with commas between, as one, two, three.")
    return words


def _choice(text, choices):
    if not str(text).isdecimal() or int(text) not in choices:
        raise ValueError(f"{text!r} is none of the choices, {choices[0]} to {choices[-1]}.")
    return int(text)

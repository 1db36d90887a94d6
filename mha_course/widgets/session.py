"""What a hand did to the workbench, and what its screen has to show next. Knows no browser."""

import re
from dataclasses import dataclass, replace

import numpy as np

from mha_course.path.code import as_code
from mha_course.path.entry import read_entry
from mha_course.path.goals import GOALS
from mha_course.path.history import History
from mha_course.path.origin import DECIMALS, origin
from mha_course.path.presets import PRESETS, preset
from mha_course.path.saving import from_json, to_json
from mha_course.path.stages import STAGES
from mha_course.path.steps import steps
from mha_course.pictures.bench import OWN_SCALE, bench, controls, fields, still
from mha_course.pictures.matrix import entries, is_whole, largest
from mha_course.pictures.palette import KINDS
from mha_course.pictures.path import decimals_of, layout, whole_path

STEP = 0.1  # what one press of an arrow key changes
HOW_TO = (
    "Change a number in a box: type, press ↑ or ↓ (with Shift: ten steps), or drag it sideways. "
    "Select any other number to see where it came from."
)


@dataclass(frozen=True, eq=False)
class Table:
    """One matrix as it stands on the screen: its values, and the text and colour of each shown entry.

    >>> Table(np.array([[1.0]]), {(0, 0): ("1", "red")}).since(np.array([[0.5]]))
    [((0, 0), 0.5)]
    """

    values: np.ndarray
    entries: dict

    @classmethod
    def of(cls, step, earlier=None):
        """Write a step of the path, taking over what looks the same in the earlier table."""
        role, decimals = KINDS[step.name].role, decimals_of(step)
        if earlier is None or earlier.values.shape != step.values.shape:
            return cls(step.values, entries(step.values, role, decimals))
        if earlier.values is step.values or np.array_equal(earlier.values, step.values):
            return earlier
        places = None
        if all(of(earlier.values) == of(step.values) for of in (largest, is_whole)):
            places = [place for place in earlier.entries if earlier.values[place] != step.values[place]]
        return cls(step.values, earlier.entries | entries(step.values, role, decimals, places))

    def unlike(self, earlier):
        """Return place -> (text, colour) of the entries that look different; None for what stays."""
        if self is earlier:
            return {}
        different = {}
        for place, (text, colour) in self.entries.items():
            old_text, old_colour = earlier.entries[place]
            if text != old_text or colour != old_colour:
                different[place] = None if text == old_text else text, None if colour == old_colour else colour
        return different

    def since(self, values):
        """List (place, difference) of the shown entries that are not what they were."""
        if self.values is values or self.values.shape != values.shape:
            return []
        shown = tuple(np.array(list(self.entries)).T)
        now, differences = self.values[shown], self.values[shown] - values[shown]
        moved = np.abs(differences) > 1e-12 * np.maximum(1.0, np.abs(now))
        return [
            (place, difference)
            for place, difference, has in zip(self.entries, differences.tolist(), moved.tolist(), strict=True)
            if has
        ]


class Session:
    """One workbench in use: the states, what is selected, and the screen that follows from them.

    preset_name: the state to begin with, or None for the goal's. stage: one of `STAGES`.
    goal: one of `GOALS`, or None.
    Errors: `ValueError` listing the names there are.

    >>> session = Session("the article", "scores")
    >>> update = session.act([["edit", "W_K:0,2", "5"]])
    >>> update["texts"]["status"]
    'W_K[1,3]: 1 → 5. Moved: K, scores. Not moved: Q.'
    """

    def __init__(self, preset_name=None, stage="all", goal=None):
        """Begin with a preset, or with the one of the goal."""
        if stage not in STAGES:
            raise ValueError(f"stage is {stage!r}, but must be one of {list(STAGES)}.")
        if goal is not None and goal not in GOALS:
            raise ValueError(f"goal is {goal!r}, but must be one of {list(GOALS)}.")
        self._goal, self._stage = GOALS.get(goal), STAGES[stage]
        own = self._goal.preset if self._goal else None
        if own and preset_name not in (None, own):
            raise ValueError(f"preset is {preset_name!r}, but the goal {goal!r} needs its own, {own!r}.")
        self._preset_name = preset_name or own or "the article"
        self._state = preset(self._preset_name)
        self._history = History((self._preset_name, self._state))
        self._query, self._selected, self._open_panels = 0, None, set()
        self._path = steps(self._state)
        self._before = None  # state and path before the last change
        self._alert, self._bad = "", None
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
        presets = None if self._goal else self._preset_name
        above = controls(self._state, presets, self._stage.settings, self._query)
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
                view = self._do(*action) or view
            except (ValueError, TypeError, OverflowError) as error:
                self._alert = str(error)
        return self._update(view)

    # What a hand can do

    def _do(self, action, *details):
        if action == "show":
            return str(*details)
        if action not in _ACTIONS:
            raise ValueError(f"{action!r} is nothing that can be done here.")
        _ACTIONS[action](self, *details)
        return None

    def _edit(self, at, text):
        self._put(at, lambda value: read_entry(text))

    def _step(self, at, count):
        self._put(at, lambda value: round(value + count * STEP, 10), merge=at)

    def _put(self, at, change, merge=None):
        """Change one entry of an input; if that cannot be, say why and mark it."""
        key, row, column = self._entry(at)
        if not self._path[key].editable:
            raise ValueError(f"{key} is computed: select an entry to see from what.")
        value = float(self._path[key].values[row, column])
        try:
            self._change(self._state.with_entry(key, row, column, change(value)), merge=merge)
        except ValueError as error:
            self._bad = at
            raise ValueError(f"{_label(at)}: {error} It stays {value:.6g}.") from None

    def _select(self, at):
        self._entry(at)
        self._selected = at

    def _set(self, name, text):
        if name == "preset":
            self._change(preset(text), preset_name=text)
        elif name == "query":
            self._query = _choice(text, range(len(self._state.tokens)))
            self._path = steps(self._state, self._query)
        elif name == "tokens":
            self._change(self._state.with_tokens([token.strip() for token in str(text).split(",")]))
        elif name == "num_heads":
            self._change(replace(self._state, num_heads=_choice(text, range(1, 100))))
        elif name == "scale":
            self._change(replace(self._state, scale=self._state.divisor if text == OWN_SCALE else text))
        elif name == "divisor":
            self._change(replace(self._state, scale=self._setting(name, text)))
        elif name == "temperature":
            self._change(replace(self._state, temperature=self._setting(name, text)))

    def _press(self, name, text=None):
        if name == "undo":
            self._go(self._history.undo())
        elif name == "redo":
            self._go(self._history.redo())
        elif name == "reset":
            self._change(preset(self._preset_name))
        elif name == "load":
            self._change(from_json(text))

    def _open(self, panel, is_open):
        self._open_panels = self._open_panels | {panel} if is_open else self._open_panels - {panel}

    # How the state follows

    def _change(self, state, preset_name=None, merge=None):
        query = min(self._query, len(state.tokens) - 1)
        path = steps(state, query)  # raises before anything has changed
        if preset_name in (None, self._preset_name) and _is_same(state, self._state):
            return
        if self._history.add((preset_name or self._preset_name, state), merge):
            self._before = self._state, self._path
        self._preset_name = preset_name or self._preset_name
        self._state, self._path, self._query = state, path, query

    def _go(self, moment):
        self._before = self._state, self._path
        self._preset_name, self._state = moment
        self._query = min(self._query, len(self._state.tokens) - 1)
        self._path = steps(self._state, self._query)

    def _setting(self, name, text):
        try:
            return read_entry(text)
        except ValueError as error:
            raise ValueError(f"{name}: {error} It stays {fields(self._state)[name]}.") from None

    def _entry(self, at):
        """Read an address, as the browser sends it, of an entry that there is now."""
        found = re.fullmatch(r"(.+):(\d{1,4}),(\d{1,4})", str(at))
        key, row, column = (found[1], int(found[2]), int(found[3])) if found else (None, 0, 0)
        if key not in self._path or not np.all(np.less((row, column), self._path[key].values.shape)):
            raise ValueError(f"{at!r} is no entry of this example.")
        return key, row, column

    # What the screen shows

    def _heading(self):
        return f"Goal: {self._goal.task}" if self._goal else PRESETS[self._preset_name].look_for

    def _picture(self):
        return whole_path(self._path, self._stage.names, addressed=True)

    def _keys(self):
        return [key for _, keys in layout(self._path, self._stage.names) for key in keys]

    def _structure_now(self):
        """All that cannot be changed entry by entry; where it differs, the screen is drawn anew."""
        tables = [(key, self._path[key].values.shape) for key in self._keys()]
        state = self._state
        return self._preset_name, self._query, state.tokens, state.context_tokens, tuple(state.inputs), tables

    def _tables_now(self, earlier):
        """Return key -> `Table` of what is shown; what is as it was is not written again."""
        return {key: Table.of(self._path[key], earlier.get(key)) for key in self._keys()}

    def _update(self, view):
        structure = self._structure_now()
        is_new = structure != self._structure
        drawn = self._tables_now({} if is_new else self._drawn)
        update = {"bad": self._bad, "off": self._off(), "fields": fields(self._state), "cells": [], "moved": []}
        if is_new or view is not None:
            update |= {"html": self.screen(), "view": None if is_new else view}
        if not is_new:
            update["cells"] = [
                [f"{key}:{r},{c}", *entry]
                for key, table in drawn.items()
                for (r, c), entry in table.unlike(self._drawn[key]).items()
            ]
        self._structure, self._drawn = structure, drawn
        found = self._origin()
        update["selected"] = self._selected
        update["sources"] = [f"{key}:{row},{column}" for key, row, column in found.sources] if found else []
        moved = self._moved()
        update["moved"] = [[at, change] for changes in moved.values() for at, change in changes]
        reached, progress = self._progress()
        update["texts"] = {
            "alert": self._alert,
            "words": found.words if found else HOW_TO,
            "arithmetic": found.arithmetic if found else "",
            "status": self._status(moved),
            "goal": progress,
        }
        update["reached"] = reached
        if "code" in self._open_panels:
            update["fields"]["code"] = as_code(self._state)
        if "data" in self._open_panels and not self._alert:  # what was refused stays there to be mended
            update["fields"]["data"] = to_json(self._state)
        return update

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
        """Return key -> [(address, by how much)] for the shown results that the last change moved."""
        if self._before is None:
            return {}
        moved = {}
        for key, table in self._drawn.items():
            earlier = self._before[1].get(key)
            if earlier is not None and not earlier.editable and earlier.query == self._path[key].query:
                changes = [(f"{key}:{r},{c}", _by(difference)) for (r, c), difference in table.since(earlier.values)]
                moved |= {key: changes} if changes else {}
        return moved

    def _status(self, moved):
        if self._before is None or self._state is self._before[0]:
            return ""
        names = list(dict.fromkeys(self._path[key].name for key in self._keys() if not self._path[key].editable))
        described = [_with_heads(name, self._path, moved) for name in names]
        parts = [
            self._what_changed(),
            "Moved: " + ", ".join(filter(None, described)) + "." if any(described) else "No shown result moved.",
        ]
        quiet = [name for name, text in zip(names, described, strict=True) if not text]
        if quiet and any(described):
            parts.append(f"Not moved: {', '.join(quiet)}.")
        return " ".join(filter(None, parts))

    def _what_changed(self):
        state, before = self._state, self._before[0]
        try:
            changes = state.changes_since(before)
        except ValueError:
            return "The sizes changed."
        if len(changes) != 1:
            return f"{len(changes)} entries and settings changed."
        (change,) = changes
        if len(change) == 1:
            then, now = (_setting_of(each, change[0]) for each in (before, state))
            return f"{change[0]}: {then} → {now}."
        name, *place = change
        then, now = (each.inputs[name][*place] for each in (before, state))
        return f"{_label(f'{name}:{place[0]},{place[1]}')}: {then:.6g} → {now:.6g}."


_ACTIONS = {
    "edit": Session._edit,
    "step": Session._step,
    "select": Session._select,
    "set": Session._set,
    "press": Session._press,
    "open": Session._open,
}


def _setting_of(state, name):
    shown = fields(state)
    own = name == "scale" and shown["scale"] == OWN_SCALE
    return shown.get("divisor" if own else name)


def _is_same(state, other):
    try:
        return not state.changes_since(other)
    except ValueError:
        return False


def _choice(text, choices):
    if not str(text).isdecimal() or int(text) not in choices:
        raise ValueError(f"{text!r} is none of the choices, {choices[0]} to {choices[-1]}.")
    return int(text)


def _label(at):
    """Write an address as the lessons do: counted from 1."""
    key, place = at.rsplit(":", 1)
    row, column = place.split(",")
    return f"{key}[{int(row) + 1},{int(column) + 1}]"


def _by(difference):
    sign = "▲" if difference > 0 else "▼"
    size = f"{abs(difference):.{DECIMALS}f}".rstrip("0").rstrip(".")
    return f"{sign} {size}" if size != "0" else f"{sign} tiny"


def _with_heads(name, path, moved):
    """Write a matrix's name if it moved, with its heads if not all did; else nothing."""
    heads = [step.head for step in path.values() if step.name == name]
    found = [path[key].head for key in moved if path[key].name == name]
    if not found or len(found) == len(heads):
        return name if found else ""
    return f"{name} of head {', '.join(str(head + 1) for head in found)}"

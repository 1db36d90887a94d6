"""What a hand did to the workbench, and what its screen has to change."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from mha_course.live.comparing import Comparing, Moment, only_looks
from mha_course.live.effects import moved_entries, moved_keys, sentence
from mha_course.live.table import Table
from mha_course.live.walking import Here, Walking
from mha_course.notation.entry import read_entry
from mha_course.notation.labels import address, label
from mha_course.pictures import workbench
from mha_course.pictures.board import drawn, small_result
from mha_course.pictures.composition import board
from mha_course.pictures.drawing import Drawing
from mha_course.pictures.markup import Markup, escaped
from mha_course.pictures.matrix import Place
from mha_course.pictures.picture import Picture
from mha_course.pictures.scene import Scene, drawings
from mha_course.pictures.update import Actions, Marks, Update
from mha_course.pictures.workbench import LABELS, OWN_SCALE
from mha_course.pipeline.as_code import as_code
from mha_course.pipeline.choices import read_choice
from mha_course.pipeline.goals import read_goal
from mha_course.pipeline.history import History
from mha_course.pipeline.mask_choices import OWN
from mha_course.pipeline.origin import Origin, origin
from mha_course.pipeline.presets import PRESETS, labels, preset
from mha_course.pipeline.pull import pull
from mha_course.pipeline.saving import from_json, to_json
from mha_course.pipeline.stages import read_stage
from mha_course.pipeline.state import MOST_HEADS, State
from mha_course.pipeline.step import Path, Step
from mha_course.pipeline.steps import steps
from mha_course.pipeline.typed_tokens import typed_tokens

STEP = 0.1  # what one press of an arrow key changes
HOW_TO = (
    "Change a number in a box: type, press ↑ or ↓ (with Shift: ten steps), or drag it sideways. "
    "Select any other number to see where it came from."
)
HOW_TO_HIDE = "Space or a second click hides this key from this query, or shows it again."
PINNED = "Pinned: from now on every change is compared with this state. Press again to let go."


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
        self._scene = Scene(columns=(1, 2) if "contributions" in self._stage.names else (0, 1))
        self._head, self._open_panels = 0, frozenset[str]()
        self._selected: str | None = None
        self._bad: str | None = None
        self._alert = ""
        self._before: Moment | None = None  # before the last change
        self._comparing, self._walking = Comparing(), Walking(self._stage.names)
        name = preset_name or own or "article"
        self._adopt(name, preset(name))
        self._history = History((self._preset_name, self._state))
        self._structure, self._drawn = self._structure_now(), self._tables_now({})
        self._drawings = self._drawings_now()

    @property
    def state(self) -> State:
        """The present `State`."""
        return self._comparing.present.state if self._comparing.present else self._state

    @property
    def preset_name(self) -> str:
        """The name of the state that *Reset* goes back to."""
        return self._preset_name

    @property
    def path(self) -> Path:
        """Every matrix of the present state, as `steps` returns them."""
        return self._comparing.present.path if self._comparing.present else self._path

    @property
    def alert(self) -> str:
        """Why something could not be done, if the last time something could not."""
        return self._alert

    def screen(self) -> Markup:
        """Return the markup of the live workbench."""
        controls = workbench.controls(self._state, self._preset_name, self._scene, self._offered)
        hides = "mask" in self._offered
        texts = self._texts()
        board = drawn(self._board, self._path, texts, self._drawings_now())
        result = small_result(self._path, texts) if len(self._board.miniatures) and "result" in texts else Markup("")
        return workbench.screen(self._heading(), controls, board, self._state.inputs, hides, result)

    def still(self) -> Picture:
        """Return the `Picture` that stands for the workbench where no kernel runs."""
        pictures = {name: drawing.picture.html for name, drawing in self._scenery().items()}
        return workbench.still(self._heading(), self._state, drawn(self._board, self._path, self._texts(), pictures))

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
        self._look_along()
        return self._update()

    # What a hand can do

    def _do(self, action: Any) -> None:
        if not only_looks(action):
            self._show_present()
        match action:
            case ["edit", at, text]:
                self._put(at, lambda value: read_entry(text))
            case ["step", at, count]:
                self._put(at, lambda value: round(value + count * STEP, 10), merge=at)
            case ["pull", at, difference]:
                self._change(pull(self._state, self._path, *self._entry(at), float(difference)), merge=at)
            case ["select", at]:
                self._select(at)
            case ["hide", at]:
                self._hide(at)
            case ["set", str(name), str(text)]:
                self._set(name, text)
            case ["press", "undo"]:
                self._return_to(self._history.undo())
            case ["press", "redo"]:
                self._return_to(self._history.redo())
            case ["press", "reset"]:
                self._change(preset(self._preset_name))
            case ["press", "next"]:
                self._walk_on()
            case ["press", "back"]:
                self._walking.back(self._state, self._path)
            case ["press", "before"]:
                self._swap()
            case ["press", "pin"]:
                self._pin()
            case ["press", str(button)] if found := re.fullmatch(r"head/(\d{1,2})", button):
                self._open(int(found[1]) - 1)
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
                self._look_at(replace(self._scene, query=_choice(text, range(len(state.tokens)))))
            case "columns":
                width = min(state.d_k, state.d_v)
                first, second = (_choice(each, range(width)) for each in [*text.split(","), "", ""][:2])
                self._look_at(replace(self._scene, columns=(first, second)))
            case "tokens" | "context_tokens":
                self._change(state.with_tokens(typed_tokens(text), name, self._earlier()))
            case "num_heads":
                self._change(replace(state, num_heads=_choice(text, range(1, MOST_HEADS + 1))))
            case "scale":
                self._change(replace(state, scale=state.divisor if text == OWN_SCALE else text))
            case "divisor":
                self._change(replace(state, scale=self._number("scale", text, state.divisor)))
            case "temperature":
                self._change(replace(state, temperature=self._number("temperature", text, state.temperature)))
            case "mask":
                self._change(state if text == OWN else replace(state, mask=text))
                if text == OWN and isinstance(state.mask, str):
                    raise ValueError(f"Select a score first. {HOW_TO_HIDE}")

    def _hide(self, at: object) -> None:
        """Hide a key from a query, or show it again; the address is that of their score or weight."""
        key, row, column = self._entry(at)
        if "mask" not in self._offered:
            raise ValueError("Nothing can be hidden here: the mask cannot be set.")
        if not self._can_hide(at):
            raise ValueError(f"{label(key, row, column)} cannot be hidden: only a score or a weight can.")
        self._change(self._state.with_toggled(row, column))

    def _can_hide(self, at: object) -> bool:
        return "mask" in self._offered and str(at).startswith(("scores/", "weights/"))

    def _select(self, at: object) -> None:
        """Ask an entry where it came from. Another one ends the walk; a score says which arrows to compare."""
        key, row, column = self._entry(at)
        if at != self._selected:  # a redrawn screen selects the same one again
            self._walking.end()
        self._selected = str(at)
        if self._path[key].name in ("scores", "weights") and "query" not in self._offered:
            self._scene = replace(self._scene, key=column, query=row)

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

    # Stepping through, and comparing

    def _walk_on(self) -> None:
        """Go on to the next stop of the row of what is selected."""
        selected = self._entry(self._selected) if self._origin() else None
        self._walking.next(self._state, self._path, selected, self._scene.query, self._head)

    def _look_along(self) -> None:
        """While a row is walked, show its head and the contributions to its query."""
        row = self._walking.row
        if row and (row.query, row.head) != (self._scene.query, self._head):
            self._scene, self._head = replace(self._scene, query=row.query), row.head
            self._adopt(self._preset_name, self._state)

    def _swap(self) -> None:
        """Show the state before the last change, or the pinned one; or the present one again."""
        if self._comparing.present:
            self._show_present()
        else:
            other = self._comparing.leave(self._moment(), self._before)
            self._adopt(other.preset_name, other.state)

    def _pin(self) -> None:
        """Pin what is shown, or let go of what is pinned."""
        if self._comparing.pinned:
            self._show_present()
            self._comparing.let_go()
        else:
            self._comparing.pin(self._moment())

    def _moment(self) -> Moment:
        return Moment(self._preset_name, self._state, self._path, self._scene.query, self._head)

    def _show_present(self) -> None:
        """Bring the present state back on the screen, if another one is there."""
        present = self._comparing.come_back()
        if present:
            self._scene, self._head = replace(self._scene, query=present.query), present.head
            self._adopt(present.preset_name, present.state)

    # How the state follows

    def _change(self, state: State, preset_name: str | None = None, merge: str | None = None) -> None:
        """Take a state as the next one, if it differs from the present one."""
        preset_name = preset_name or self._preset_name
        if preset_name == self._preset_name and _is_same(state, self._state):
            return
        before = self._moment()
        self._adopt(preset_name, state)
        if self._history.add((preset_name, state), merge):
            self._before = before

    def _return_to(self, moment: tuple[str, State]) -> None:
        """Take up what was before an undo or a redo."""
        self._before = self._moment()
        self._adopt(*moment)

    def _look_at(self, scene: Scene) -> None:
        """Show the contributions to another query, which are not moved ones, or other columns."""
        self._scene, self._before = scene, None
        self._walking.end()
        self._adopt(self._preset_name, self._state)

    def _open(self, head: int) -> None:
        """Bring another head to the front."""
        if head not in range(self._state.num_heads):
            raise ValueError(f"there is no head {head + 1}.")
        self._head = head
        self._walking.end()
        self._adopt(self._preset_name, self._state)

    def _earlier(self) -> list[State]:
        """List what this example was before, the last state first: there more words have a row."""
        past = [state for name, state in self._history.past if name == self._preset_name]
        return [*past, preset(self._preset_name)]

    def _adopt(self, preset_name: str, state: State) -> None:
        """Bring everything into step with a state."""
        query = min(self._scene.query, len(state.tokens) - 1)
        self._path = steps(state, query)  # raises before anything has changed
        columns = self._scene.columns if max(self._scene.columns) < min(state.d_k, state.d_v) else (0, 1)
        self._preset_name, self._state = preset_name, state
        self._scene = replace(self._scene, query=query, columns=columns)
        self._head = min(self._head, state.num_heads - 1)
        self._board = board(self._path, self._stage.names, self._head)

    # What the screen shows

    def _heading(self) -> str:
        return f"Goal: {self._goal.task}" if self._goal else PRESETS[self._preset_name].look_for

    def _texts(self) -> dict[str, dict[Place, tuple[str, str]]]:
        return {key: table.entries for key, table in self._tables_now({}).items()}

    def _scenery(self) -> dict[str, Drawing]:
        return drawings(self._board, self._path, self._scene)

    def _drawings_now(self) -> dict[str, str]:
        return {name: drawing.svg for name, drawing in self._scenery().items()}

    def _structure_now(self) -> tuple[object, ...]:
        """All that cannot be changed entry by entry; where it differs, the screen is drawn anew."""
        state = self._state
        return (
            self._preset_name,
            state.tokens,
            state.context_tokens,
            tuple(state.inputs),
            state.d_k,
            state.d_v,
            self._board,
        )

    def _tables_now(self, earlier: dict[str, Table]) -> dict[str, Table]:
        """Return key -> `Table` of what is shown; what is as it was is not written again."""
        places = self._board.places(self._path)
        return {key: Table.of(self._path[key], places[key], earlier.get(key)) for key in places}

    def _computed(self) -> list[Step]:
        """List the results that this stage is about, in sight or not."""
        names = set(self._stage.names) - ({"concatenation"} if self._state.num_heads == 1 else set())
        return [step for step in self._path.values() if step.name in names and not step.is_input]

    def _update(self) -> Update:
        """Return what the browser has to change."""
        update = self._redrawn()
        found, here = self._origin(), self._walking.here(self._state, self._path)
        moved = {at: by for changes in self._moved().values() for at, by in changes}
        update["marks"] = Marks(
            moved=moved,
            masked=[address(key, *place) for key, table in self._drawn.items() for place in sorted(table.masked)],
            sources=self._shown(here.sources) if here else [address(*each) for each in found.sources] if found else [],
            selected=here.told if here else self._selected,
            bad=self._bad,
            reached=self._shown(here.reached) if here else [],
        )
        update["fields"] = self._fields()
        update["off"], update["on"] = self._off(here), self._on()
        is_of_last_change = not (here or self._comparing.present or self._comparing.pinned)
        update["parts"] = self._parts(here or found, moved.get(self._selected or "") if is_of_last_change else None)
        return update

    def _redrawn(self) -> Update:
        """Return the cells that look different, or the whole screen if more than cells does."""
        structure, before, earlier = self._structure_now(), self._drawn, self._drawings
        is_new = structure != self._structure
        self._structure, self._drawn = structure, self._tables_now({} if is_new else before)
        self._drawings = self._drawings_now()
        if is_new:
            return Update(html=self.screen())
        cells = [
            (address(key, *place), *entry)
            for key, table in self._drawn.items()
            for place, entry in table.unlike(before[key]).items()
        ]
        changed = {name: svg for name, svg in self._drawings.items() if svg != earlier[name]}
        return Update(cells=cells, drawings=changed)

    def _fields(self) -> dict[str, dict[str, str]]:
        shown = {"controls": workbench.fields(self._state, self._preset_name, self._scene)}
        if "code" in self._open_panels:
            shown["code"] = {"code": as_code(self._state)}
        if "data" in self._open_panels and not self._alert:  # what was refused stays there to be mended
            shown["data"] = {"data": to_json(self._state)}
        return shown

    def _off(self, here: Here | None) -> list[str]:
        can = {
            "undo": self._history.can_undo,
            "redo": self._history.can_redo,
            "before": self._comparing.can_swap(self._state, self._before),
            "next": not here.is_last if here else bool(self._computed()),
            "back": here is not None,
        }
        return [name for name, is_possible in can.items() if not is_possible]

    def _on(self) -> list[str]:
        is_on = {"before": self._comparing.present, "pin": self._comparing.pinned}
        return [name for name, moment in is_on.items() if moment]

    def _shown(self, addresses: list[str]) -> list[str]:
        """Leave out the entries that have no cell on the screen, or only one in miniature."""
        shown = {address(view.key, *place) for view in self._board.views for place in view.places}
        return [each for each in addresses if each in shown]

    def _parts(self, found: Origin | Here | None, moved: str | None) -> dict[str, str]:
        hints = [f"The last change moved it by {moved}."] if moved else []
        hints += [HOW_TO_HIDE] if isinstance(found, Origin) and self._can_hide(self._selected) else []
        return {
            "alert": escaped(self._alert),
            "words": escaped(found.words if found else HOW_TO if self._before is None else ""),
            "hint": escaped(" ".join(hints)),
            "arithmetic": escaped(found.arithmetic if found else ""),
            "status": escaped(self._status()),
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
        other = self._comparing.reference(self._before)
        if other is None:
            return {}
        tables = {view.key: self._drawn[view.key] for view in self._board.views}  # not those in miniature
        return moved_entries(tables, other.path, self._path)

    def _status(self) -> str:
        if self._comparing.present:
            return self._comparing.sentence(self._moment())
        other, pinned = self._comparing.reference(self._before), self._comparing.pinned
        if other is None or self._state is other.state:
            return PINNED if pinned else ""
        shown = self._computed()
        said = sentence(self._state, other.state, shown, moved_keys(shown, other.path))
        return f"Since the pin: {said}" if pinned else said


def _is_same(state: State, other: State) -> bool:
    try:
        return not state.changes_since(other)
    except ValueError:
        return False


def _choice(text: str, choices: range) -> int:
    if not text.isdecimal() or int(text) not in choices:
        raise ValueError(f"{text!r} is none of the choices, {choices[0]} to {choices[-1]}.")
    return int(text)

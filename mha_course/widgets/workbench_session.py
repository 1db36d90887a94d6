"""What a hand did to the workbench, and what its screen has to change."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from mha_course.engine.notation.labels import Address, address, label
from mha_course.engine.notation.typed_numbers import read_entry
from mha_course.engine.pictures.markup import Markup, escaped
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.protocol import Actions, Marks, Update
from mha_course.forward.as_code import as_code
from mha_course.forward.forward import forward
from mha_course.forward.history import History
from mha_course.forward.matrices import MATRICES
from mha_course.forward.origin import Origin, origin
from mha_course.forward.path_matrix import Path, PathMatrix
from mha_course.forward.presets import sense_of
from mha_course.forward.pull import pull
from mha_course.forward.saving import from_json, to_json
from mha_course.forward.stages import read_stage
from mha_course.forward.state import State
from mha_course.pictures import workbench_frame
from mha_course.pictures.board import small_result
from mha_course.pictures.drawing_options import DrawingOptions
from mha_course.pictures.who_looks import said_strongly
from mha_course.widgets.change_summary import directions, moved_keys, sentence
from mha_course.widgets.colour_scale import colour_scale
from mha_course.widgets.comparing import Comparing, only_looks
from mha_course.widgets.concatenation import of_output
from mha_course.widgets.controls import HOW_TO_HIDE, OPTIONS_OF_A_DRAWING, with_background, with_setting
from mha_course.widgets.initial_state import Beginning, beginning, of_preset
from mha_course.widgets.snapshot import Snapshot, take_snapshot
from mha_course.widgets.walkthrough_session import LAST_STEP, ShownStop, Walkthrough
from mha_course.widgets.workbench_screen import WorkbenchScreen

STEP = 0.1  # what one press of an arrow key changes
HOW_TO = (
    "Change any underlined number: type, press ↑ or ↓ (with Shift: ten steps), or drag it sideways. "
    "Select any other to see where it came from."
)
PINNED = "Pinned: from now on every change is compared with this state. Press again to let go."


class WorkbenchSession:
    """One workbench in use: the states, what is selected, and the screen that follows from them.

    start: the state to begin with or the name of its preset; None for the goal's. stage: one of `STAGES`.
    goal: one of `GOALS`, or None.
    Errors: `ValueError` listing the names there are, or the stages in which the goal can be reached.

    >>> session = WorkbenchSession("article", "scaled_scores")
    >>> update = session.act([["edit", "W_K:0,2", "5"]])
    >>> update["parts"]["status"]
    'W_K[1,3]: 1 → 5. Moved: K, scores. Not moved: Q.'
    """

    def __init__(self, start: State | str | None = None, stage: str = "all", goal: str | None = None) -> None:
        """Begin with a state, with a preset, or with the one of the goal."""
        self._stage, self._first = read_stage(stage), beginning(start, goal, stage)
        self._offered = self._first.settings(self._stage)
        columns = (1, 2) if "contributions" in self._stage.names else (0, 1)
        head = self._first.goal.head if self._first.goal else 0
        options = DrawingOptions(self._first_word(self._first.name), columns=columns)
        self._now = take_snapshot(self._first.name, self._first.state, self._stage.names, options, head)
        self._before: Snapshot | None = None  # before the last change
        self._history = History((self._first.name, self._first.state))
        self._comparing, self._walkthrough = Comparing(), Walkthrough(self._stage.names)
        self._scales: dict[str, dict[str, float]] = {}  # preset -> how large what gets the fullest colour
        self._screen = WorkbenchScreen(self._now, self._colour_scale())
        self._selected: Address | None = None
        self._drags = 0  # points that were dropped
        self._open_panels = frozenset[str]()
        self._alert = ""
        self._bad: Address | None = None  # whose text was refused

    @property
    def state(self) -> State:
        """The present `State`."""
        return self._present.state

    @property
    def preset_name(self) -> str:
        """The name of the state that *Reset* goes back to."""
        return self._now.preset_name

    @property
    def path(self) -> Path:
        """Every matrix of the present state, as `forward` returns them."""
        return self._present.path

    @property
    def alert(self) -> str:
        """Why something could not be done, if the last time something could not."""
        return self._alert

    @property
    def moved(self) -> dict[Address, str]:
        """Address -> by how much, for the results in sight that the last change moved, like "▲ 0.5"."""
        other = self._comparing.reference(self._before)
        return self._screen.moved(other.path) if other else {}

    def screen(self) -> Markup:
        """Return the markup of the live workbench."""
        now = self._now
        controls = workbench_frame.controls(now.state, now.preset_name, now.options, self._offered)
        goal = self._first.goal
        texts, has_many = self._screen.texts, now.board.is_dense or now.board.heads > 1
        result = small_result(now.board, now.path, texts, goal.about[0] if goal else "") if has_many else Markup("")
        return workbench_frame.screen(
            self._question, controls, self._screen.picture(is_live=True), now.state.inputs, "mask" in self._offered,
            result, address(*now.sense.push) if now.sense.push else "",
        )  # fmt: skip

    def still(self) -> Picture:
        """Return the `Picture` that stands for the workbench where no kernel runs."""
        return workbench_frame.still(self._question, self._beginning.heading, self._now.state, self._screen.picture())

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
        self._follow_the_row()
        return self._update()

    def take_up(self, preset_name: str, state: State) -> None:
        """Show a state that was made from a preset.

        Errors: `ValueError` if that preset cannot be chosen here, or the state cannot be computed.
        """
        if preset_name != self.preset_name:
            self._set("preset", preset_name)
        self._change(state)

    # What a hand can do

    def _do(self, action: Any) -> None:
        if not only_looks(action):
            self._show_present()
        match action:
            case ["pull", at, difference]:
                self._pull(at, float(difference))
                return
        self._let_go()
        match action:
            case ["edit", at, text]:
                self._put(at, lambda value: read_entry(text))
            case ["step", at, count]:
                self._put(at, lambda value: round(value + count * STEP, 10), merge=at)
            case ["drop"]:
                pass
            case ["select", at]:
                self._select(at)
            case ["choose", str(word)]:
                self._choose(word)
            case ["hide", at]:
                self._hide(at)
            case ["set", str(name), str(text)]:
                self._set(name, text)
            case ["press", "load", text]:
                self._change(from_json(text))
            case ["press", str(button)]:
                self._press(button)
            case ["open", panel, is_open]:
                self._open_panels = self._open_panels | {panel} if is_open else self._open_panels - {panel}
            case _:
                raise ValueError(f"{action!r} is nothing that can be done here.")

    def _press(self, button: str) -> None:
        match button:
            case "undo":
                self._return_to(self._history.undo())
            case "redo":
                self._return_to(self._history.redo())
            case "reset":
                self._walkthrough.end()
                self._change(self._beginning.state)
            case "afresh":
                self.take_up(self._first.name, self._first.state)
            case "end":
                self._walkthrough.end()
            case "next":
                self._walk_on()
            case "back":
                self._walkthrough.back(self._now.state, self._now.path)
            case "before":
                self._swap()
            case "pin":
                self._pin()
            case _ if found := re.fullmatch(r"head/(\d{1,2})", button):
                self._open(int(found[1]) - 1)
            case _:
                raise ValueError(f"{button!r} is no button here.")

    def _set(self, name: str, text: str) -> None:
        """Do what was set in one of the controls."""
        if name not in workbench_frame.with_their_fields(self._offered):
            raise ValueError(f"{name} cannot be set here.")
        if name == "preset":
            chosen = of_preset(text)
            self._change(chosen.state, chosen.name)
        elif name in OPTIONS_OF_A_DRAWING:
            self._show(with_background(self._now.options, self._now.state, name, text))
        else:
            self._change(with_setting(self._now.state, name, text, self._earlier()))

    def _hide(self, at: object) -> None:
        """Hide a key from a query, or show it again; the address is that of their score or weight."""
        key, row, column = entry = self._entry(at)
        if "mask" not in self._offered:
            raise ValueError("Nothing can be hidden here: the mask cannot be set.")
        if not self._can_hide(entry):
            raise ValueError(f"{label(key, row, column)} cannot be hidden: only a score or a weight can.")
        self._change(self._now.state.with_toggled(row, column))

    def _can_hide(self, entry: Address | None) -> bool:
        if entry is None or "mask" not in self._offered:
            return False
        return self._now.path[entry[0]].name in ("scores", "weights")

    def _pull(self, at: object, difference: float) -> None:
        """Move a point of the plane. Both its columns, and all pulls until it is dropped, are one change."""
        key, row, column = self._entry(at)
        if self._now.options.at_rest is None:
            self._now = replace(self._now, options=replace(self._now.options, at_rest=self._now.path))
        pulled = pull(self._now.state, self._now.path, key, row, column, difference)
        self._change(pulled, merge=f"{key}:{row} {self._drags}")

    def _let_go(self) -> None:
        """End a drag, if there is one: the axes may follow, and the next one is another change."""
        if self._now.options.at_rest is not None:
            self._drags += 1
            self._now = replace(self._now, options=replace(self._now.options, at_rest=None))

    def _select(self, at: object) -> None:
        """Ask an entry where it came from. Another one ends the walk; a score says which arrows to compare."""
        key, row, column = selected = self._entry(at)
        if selected != self._selected:  # a redrawn screen selects the same one again
            self._walkthrough.end()
        self._selected = selected
        options, name = self._now.options, self._now.path[key].name
        if name in ("scores", "weights"):
            options = replace(options, key=column)
        is_of_a_word = MATRICES[name].labels[0] == "asking" and not self._now.path[key].is_input
        if is_of_a_word and "query" not in self._offered:  # whoever changes another word's numbers still sees this one
            options = replace(options, query=row)
        self._now = replace(self._now, options=options)

    def _choose(self, word: str) -> None:
        """Look at another word; where what it gets from the others is shown in parts, these are its own."""
        options = with_background(self._now.options, self._now.state, "query", word)
        if "query" in self._offered:
            self._show(options)
        else:
            self._now = self._seen(options, self._now.head)

    def _put(self, at: object, change: Callable[[float], float], merge: str | None = None) -> None:
        """Change one entry of an input; if that cannot be, say why and mark it."""
        key, row, column = entry = self._entry(at)
        step = self._now.path[key]
        if not step.is_input:
            raise ValueError(f"{key} is computed: select an entry to see from what.")
        value = float(step.values[row, column])
        try:
            self._change(self._now.state.with_entry(key, row, column, change(value)), merge=merge)
        except ValueError as error:
            self._bad = entry
            raise ValueError(f"{label(key, row, column)}: {error} It stays {value:.6g}.") from None

    def _entry(self, at: object) -> Address:
        """Read an address, as the browser sends it, of an entry that there is now."""
        found = re.fullmatch(r"(.+):(\d{1,4}),(\d{1,4})", str(at))
        if not found or not self._is_there(entry := (found[1], int(found[2]), int(found[3]))):
            raise ValueError(f"{at!r} is no entry of this example.")
        return entry

    def _is_there(self, entry: Address) -> bool:
        key, *place = entry
        path = self._now.path
        return key in path and bool(np.all(np.less(place, path[key].values.shape)))

    # Stepping through, and comparing

    def _walk_on(self) -> None:
        """Go on to the next stop of the row of what is selected."""
        now = self._now
        selected = self._selected if self._origin() else None
        self._walkthrough.next(now.state, now.path, selected, now.options.query, now.head)

    def _follow_the_row(self) -> None:
        """While a row is walked, show its head, the contributions to its query, and the two arrows that meet."""
        row, now = self._walkthrough.row, self._now
        if row and (row.query, row.key, row.head) != (now.options.query, now.options.key, now.head):
            self._now = self._seen(replace(now.options, query=row.query, key=row.key), row.head)

    def _swap(self) -> None:
        """Show the state before the last change, or the pinned one; or the present one again."""
        if self._comparing.present:
            self._show_present()
        else:
            other = self._comparing.leave(self._now, self._before)
            self._now = self._after(other.preset_name, other.state)

    def _pin(self) -> None:
        """Pin what is shown, or let go of what is pinned."""
        if self._comparing.pinned:
            self._show_present()
            self._comparing.let_go()
        else:
            self._comparing.pin(self._now)

    @property
    def _present(self) -> Snapshot:
        """What the learner has made, on the screen or not."""
        return self._comparing.present or self._now

    def _show_present(self) -> None:
        """Bring the present state back on the screen, if another one is there."""
        self._now = self._comparing.come_back() or self._now

    # How the moment follows

    @property
    def _question(self) -> str:
        """What the board is about: a goal, or the question of its stage."""
        return self._beginning.heading if self._first.goal else self._stage.question

    def _colour_scale(self) -> dict[str, float]:
        """Return matrix -> the size that gets the fullest colour: the largest where *Reset* goes back to."""
        name = self._now.preset_name
        if name not in self._scales:
            self._scales[name] = colour_scale(forward(self._beginning.state), self._stage.names)
        return self._scales[name]

    @property
    def _beginning(self) -> Beginning:
        """What *Reset* goes back to."""
        name = self._now.preset_name
        return self._first if name == self._first.name else of_preset(name)

    def _change(self, state: State, preset_name: str | None = None, merge: str | None = None) -> None:
        """Take a state as the next one, if it differs from the present one."""
        before = self._now
        preset_name = preset_name or before.preset_name
        if preset_name == before.preset_name and _is_same(state, before.state):
            return
        if preset_name != before.preset_name:
            self._now = replace(before, options=replace(before.options, query=self._first_word(preset_name)))
        self._now = self._after(preset_name, state)
        if self._history.add((preset_name, state), merge):
            self._before = before

    def _return_to(self, made: tuple[str, State]) -> None:
        """Take up what was before an undo or a redo."""
        self._before, self._now = self._now, self._after(*made)

    def _first_word(self, preset_name: str) -> int:
        """Return which word is chosen to begin with."""
        return 0 if "query" in self._offered else sense_of(preset_name).chosen

    def _show(self, options: DrawingOptions) -> None:
        """Show the contributions to another query, which are not moved ones, or other columns."""
        self._walkthrough.end()
        self._before, self._now = None, self._seen(options, self._now.head)

    def _open(self, head: int) -> None:
        """Bring another head to the front."""
        if head not in range(self._now.state.num_heads):
            raise ValueError(f"there is no head {head + 1}.")
        self._walkthrough.end()
        self._now = self._seen(self._now.options, head)

    def _earlier(self) -> list[State]:
        """List what this example was before, the last state first: there more words have a row."""
        here = self._now.preset_name
        return [*(state for name, state in self._history.past if name == here), self._beginning.state]

    def _after(self, preset_name: str, state: State) -> Snapshot:
        """Compute another state, looked at as this one is."""
        return take_snapshot(preset_name, state, self._stage.names, self._now.options, self._now.head)

    def _seen(self, options: DrawingOptions, head: int) -> Snapshot:
        """Look at the same state in another way."""
        return take_snapshot(self._now.preset_name, self._now.state, self._stage.names, options, head)

    # What the screen has to change

    def _update(self) -> Update:
        """Return what the browser has to change."""
        is_new, update = self._screen.renewed(self._now, self._colour_scale())
        if is_new:
            update["html"] = self.screen()
        found, here = self._origin(), self._walkthrough.here(self._now.state, self._now.path)
        moved = self.moved
        update["marks"] = self._marks(found, here, moved)
        update["fields"] = self._fields()
        update["off"], update["on"] = self._off(here), self._on()
        is_of_last_change = not (here or self._comparing.present or self._comparing.pinned)
        of_selected = moved.get(self._selected) if self._selected and is_of_last_change else None
        update["parts"] = self._parts(here or found, of_selected)
        return update

    def _marks(self, found: Origin | None, here: ShownStop | None, moved: dict[Address, str]) -> Marks:
        in_sight = self._screen.in_sight
        told = in_sight([here.told]) if here and here.told else []
        selected = (told[0] if told else here.told) if here else self._selected
        return Marks(
            moved=directions(moved),
            masked=_written(self._screen.masked()),
            sources=_written(in_sight(here.sources) if here else found.sources if found else []),
            chosen=self._now.options.query if self._now.board.has_sentence else None,
            selected=address(*selected) if selected else None,
            bad=address(*self._bad) if self._bad else None,
            reached=_written(in_sight(here.reached)) if here else [],
            counts=_written(in_sight(self._first.goal.counts(self._now.path))) if self._first.goal else [],
        )

    def _fields(self) -> dict[str, dict[str, str]]:
        now = self._now
        shown = {"controls": workbench_frame.fields(now.state, now.preset_name, now.options)}
        if "code" in self._open_panels:
            shown["code"] = {"code": as_code(now.state)}
        if "data" in self._open_panels and not self._alert:  # what was refused stays there to be mended
            shown["data"] = {"data": to_json(now.state)}
        return shown

    def _off(self, here: ShownStop | None) -> list[str]:
        can = {
            "undo": self._history.can_undo,
            "redo": self._history.can_redo,
            "before": self._comparing.can_swap(self._now.state, self._before),
            "next": not here.is_last if here else bool(self._results()),
            "back": here is not None,
        }
        return [name for name, is_possible in can.items() if not is_possible]

    def _on(self) -> list[str]:
        is_on = {"before": self._comparing.present, "pin": self._comparing.pinned}
        return [name for name, other in is_on.items() if other]

    def _parts(self, found: Origin | ShownStop | None, moved: str | None) -> dict[str, str]:
        hints = [f"The last change moved it by {moved}."] if moved else []
        hints += [LAST_STEP] if isinstance(found, ShownStop) and found.is_last else []
        hints += [HOW_TO_HIDE] if isinstance(found, Origin) and self._can_hide(self._selected) else []
        return {
            "alert": escaped(self._alert),
            "words": escaped(found.words if found else self._how_to() if self._before is None else ""),
            "hint": escaped(" ".join(hints)),
            "arithmetic": self._arithmetic(found),
            "status": escaped(self._status()),
            "goal": self._progress(),
            **({"meaning": said_strongly(said)} if (said := self._now.meaning) else {}),
        }

    def _how_to(self) -> str:
        """Say what to look for, and what a hand can do."""
        return HOW_TO if self._first.goal else f"{self._beginning.heading} {HOW_TO}"

    def _arithmetic(self, found: Origin | ShownStop | None) -> Markup:
        """Write how a number was made, its factors in the colours of their matrices."""
        if found is None:
            return escaped("")
        names = dict.fromkeys(self._now.path[key].name for key, *_ in found.sources)
        return workbench_frame.factors(found.arithmetic, [MATRICES[name].role for name in names])

    def _origin(self) -> Origin | None:
        now = self._now
        if self._selected and not self._is_there(self._selected):
            self._selected = None
        return origin(now.state, now.path, *of_output(now.path, self._selected)) if self._selected else None

    def _progress(self) -> str:
        goal, now = self._first.goal, self._now
        return workbench_frame.progress(*goal.progress(now.state, now.path, self._first.state)) if goal else ""

    def _results(self) -> list[PathMatrix]:
        """List the results that this stage is about, in sight or not."""
        return self._now.results(self._stage.names)

    def _status(self) -> str:
        """Say what the last change did, or what the other state on the screen is."""
        now = self._now
        if self._comparing.present:
            return self._comparing.sentence(now)
        if now.options.at_rest is not None:
            return ""  # one drag, one sentence: when the hand lets go
        other, pinned = self._comparing.reference(self._before), self._comparing.pinned
        if other is None or now.state is other.state:
            return PINNED if pinned else ""
        shown = self._results()
        said = sentence(now.state, other.state, shown, moved_keys(shown, other.path))
        return f"Since the pin: {said}" if pinned else said


def _written(entries: Iterable[Address]) -> list[str]:
    return [address(*each) for each in entries]


def _is_same(state: State, other: State) -> bool:
    try:
        return not state.changes_since(other)
    except ValueError:
        return False

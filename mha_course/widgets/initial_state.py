"""Where a workbench begins: with a preset, with the preset of a goal, or with a state as it was given."""

from dataclasses import dataclass

from mha_course.forward.goals import Goal, read_goal, stages_of
from mha_course.forward.presets import PRESETS, preset, read_preset
from mha_course.forward.stages import ALL, Stage, read_stage
from mha_course.forward.state import State

GIVEN = "given"  # the name of a state that is no preset
GIVEN_HEADING = "A state of your own. Reset brings it back as it was."


@dataclass(frozen=True, eq=False)
class Beginning:
    """What *Reset* goes back to, and what stands above it. goal: what is to be reached from there."""

    name: str
    state: State
    heading: str
    offers_presets: bool = False
    goal: Goal | None = None

    def settings(self, stage: Stage) -> list[str]:
        """List the settings that have a control: what the task of a goal forbids has none."""
        if self.goal is not None:
            return [name for name in stage.settings if name in (*self.goal.may_change, "query")]
        return [*["preset"] * self.offers_presets, *stage.settings]


def of_preset(name: str) -> Beginning:
    """Return where a preset begins. Errors: `ValueError` listing the names there are.

    >>> of_preset("article").heading
    "The article's numbers, with the correct divisor, √3."
    """
    name = read_preset(name)
    return Beginning(name, preset(name), PRESETS[name].hint, offers_presets=True)


def beginning(start: State | str | None, goal: str | None = None, stage: str = ALL) -> Beginning:
    """Return where a workbench begins. start: a state, or the name of a preset; None for the goal's, or the article's.

    stage: the name of the part of the path that it shows.
    Errors: `ValueError` listing the names there are, or for another start or stage than the goal's own.
    """
    if goal is not None:
        return _of_goal(goal, start, stage)
    if isinstance(start, State):
        return Beginning(GIVEN, start, GIVEN_HEADING)
    return of_preset("article" if start is None else start)


def _of_goal(name: str, start: State | str | None, stage: str) -> Beginning:
    goal = read_goal(name)
    fitting = stages_of(goal)
    if read_stage(stage) not in fitting.values():
        raise ValueError(f"stage is {stage!r}, but the goal {name!r} needs one of {list(fitting)}.")
    wanted = GIVEN if isinstance(start, State) else goal.preset if start is None else read_preset(start)
    if wanted != goal.preset:
        raise ValueError(f"preset is {wanted!r}, but the goal {name!r} needs its own, {goal.preset!r}.")
    return Beginning(goal.preset, preset(goal.preset), f"Goal: {goal.task}", goal=goal)

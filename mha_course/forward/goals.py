"""Goals to reach by playing: a task, and how far a state is from it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mha_course.engine.notation.labels import Address
from mha_course.engine.validation import read_choice
from mha_course.forward.path_matrix import Path
from mha_course.forward.stages import ALL, STAGES, Stage
from mha_course.forward.state import State


@dataclass(frozen=True)
class Goal:
    """A task for the hand. `judge(path)` returns whether it is reached, and a sentence on how things stand.

    preset: the state to begin with. may_change: the matrices and settings that may be changed. about: the matrix that
    it is about, with the rows and columns of it that count, all counted from 0; None for all. why: what is said once
    it is reached. most: how many entries may be changed, or None for any number.

    >>> GOALS["look_at_the_third"].task
    'Make innovators give more than 70 % of its attention to disrupt, by changing one entry of W_K.'
    """

    task: str
    preset: str
    judge: Callable[[Path], tuple[bool, str]]
    may_change: tuple[str, ...]
    about: tuple[str, tuple[int, ...] | None, tuple[int, ...] | None]
    why: str
    most: int | None = None

    @property
    def head(self) -> int:
        """The head that it is about, counted from 0."""
        _, _, number = self.about[0].partition("/")
        return int(number or 1) - 1

    def counts(self, path: Path) -> list[Address]:
        """List the entries that it is about.

        >>> from mha_course.forward.presets import preset
        >>> from mha_course.forward.forward import forward
        >>> GOALS["look_at_the_third"].counts(forward(preset("article")))
        [('weights/1', 0, 2)]
        """
        key, rows, columns = self.about
        if key not in path:
            return []
        height, width = path[key].values.shape
        return [(key, r, c) for r in rows or range(height) for c in columns or range(width)]

    def progress(self, state: State, path: Path, start: State) -> tuple[bool, str]:
        """Return (reached, sentence) for a state that began as `start`.

        >>> from mha_course.forward.presets import preset
        >>> from mha_course.forward.forward import forward
        >>> state = preset("article")
        >>> GOALS["look_at_the_third"].progress(state, forward(state), state)
        (False, 'Not yet: innovators gives 43.19 % to disrupt.')
        """
        if _sizes(state) != _sizes(start):
            return False, "Not yet: the matrices have other sizes now. Press Reset to begin again."
        changes = state.changes_since(start)
        reached, sentence = self.judge(path)
        foreign = sorted({name for name, *_ in changes if name not in self.may_change})
        entries = [change for change in changes if len(change) == 3]
        if reached and foreign:
            return False, f"{sentence} But you also changed {', '.join(foreign)}: try without. Reset begins again."
        if reached and self.most is not None and len(entries) > self.most:
            return False, f"{sentence} But you changed {len(entries)} entries: try with {self.most}."
        return reached, f"Reached: {sentence} {self.why}" if reached else f"Not yet: {sentence}"


def _percent(weight: float) -> str:
    return f"{100 * weight:.2f} %"


def _sizes(state: State) -> tuple[int, dict[str, tuple[int, ...]]]:
    return state.num_heads, {name: array.shape for name, array in state.inputs.items()}


def _positions_alike(path: Path) -> tuple[bool, str]:
    encoding = path["positional encoding"].values
    difference = float(np.abs(encoding[0] - encoding[2]).max())
    alike, others = difference < 0.005, float(np.abs(encoding[0] - encoding[1]).max())
    sentence = f"the rows of dog and man differ by {difference:.2f}, those of dog and bites by {others:.2f}."
    return alike and others > 0.5, sentence


def _same_query(path: Path) -> tuple[bool, str]:
    Q = path["Q/1"].values
    difference = float(np.abs(Q[0] - Q[1]).max())
    return difference < 0.05 and float(np.abs(Q).max()) > 0, (
        f"the queries of innovators and create differ by up to {difference:.2f}."
    )


def _best_match(path: Path) -> tuple[bool, str]:
    scores = path["scores/1"].values
    won = int((scores[:, 2] > scores[:, :2].max(axis=1)).sum())
    return won == 3, f"disrupt is the best match of {won} of 3 queries."


def _attends_to_third(path: Path) -> tuple[bool, str]:
    weight = float(path["weights/1"].values[0, 2])
    return weight > 0.7, f"innovators gives {_percent(weight)} to disrupt."


def _undecided(path: Path) -> tuple[bool, str]:
    weights = path["weights/1"].values[1]
    return float(weights.max()) < 0.5, f"the largest weight of create is {_percent(weights.max())}."


def _like_create(path: Path) -> tuple[bool, str]:
    output, V = path["output/1"].values[0], path["V/1"].values
    difference = float(np.abs(output - V[1]).max())
    weight = _percent(path["weights/1"].values[0, 1])
    sentence = f"the output of innovators and the value of create differ by up to {difference:.2f}"
    return difference < 0.1, f"{sentence}; its weight for create is {weight}."


def _different_heads(path: Path) -> tuple[bool, str]:
    first, second = (int(path[f"weights/{head}"].values[2].argmax()) for head in (1, 2))
    weight = float(path["weights/2"].values[2, 0])
    tokens = path["weights/2"].columns or ()
    looks = f"head 1 of disrupt looks at {tokens[first]}, head 2 at {tokens[second]}"
    sentence = f"{looks} ({_percent(weight)} to innovators)."
    return first == 1 and second == 0 and weight > 0.5, sentence


def _two_texts(path: Path) -> tuple[bool, str]:
    weights, tokens = path["weights/1"].values, path["weights/1"].rows or ()
    text = np.array([1, 2, 2])
    is_own = text == text[:, None]  # (n_q, n_k): whether query and key are of the same text
    for query, key in np.argwhere((weights > 0) != is_own):
        if is_own[query, key]:
            return False, f"{tokens[query]} gives nothing to {tokens[key]}, a word of its own text."
        return (
            False,
            f"{tokens[query]} gives {_percent(weights[query, key])} to {tokens[key]}, a word of the other text.",
        )
    return True, "each word sees all of its own text, and nothing of the other."


def _stopped(path: Path) -> tuple[bool, str]:
    carried, part = path["carried/2"].values, path["part/2"].values
    column, rest = float(np.abs(carried[:, 3]).max()), float(np.abs(part[:, :3]).max())
    largest = float(np.abs(part[:, 3]).max())
    return column < 1e-9 and rest > 0.1, f"head 2 adds up to {largest:.2f} to column 4 of the result."


GOALS = {
    "same_waves": Goal(
        "Make the encodings of dog and man alike, but not that of bites: by the wavelengths alone.",
        "positions", _positions_alike, ("wavelengths",),
        ("positional encoding", (0, 2), None),
        "After two positions every wave is back where it began, so position 2 looks like position 0.",
    ),
    "same_query": Goal(
        "Give innovators and create the same query, by changing two entries of W_Q.",
        "article", _same_query, ("W_Q",),
        ("Q/1", (0, 1), None),
        "Equal queries match every key equally well.",
        most=2,
    ),
    "best_match": Goal(
        "Make disrupt the best match of every query, by changing one entry of W_K.",
        "article", _best_match, ("W_K",),
        ("scores/1", None, (2,)),
        "Of all keys, that of disrupt now has the largest dot product with each query.",
        most=1,
    ),
    "look_at_the_third": Goal(
        "Make innovators give more than 70 % of its attention to disrupt, by changing one entry of W_K.",
        "article", _attends_to_third, ("W_K",),
        ("weights/1", (0,), (2,)),
        "Its score for disrupt is ahead of the others now, and softmax turns a lead into a larger weight.",
        most=1,
    ),
    "undecided": Goal(
        "Leave create undecided: no weight in its row above 50 %. Use the temperature alone.",
        "article", _undecided, ("temperature",),
        ("weights/1", (1,), None),
        "A high temperature divides all scores: their gaps shrink, and the weights come nearer to each other.",
    ),
    "two_texts": Goal(
        "Two texts share these three rows: innovators is the first, create disrupt the second. Let neither see the "
        "other: change only the mask, so that all weights between the texts are exactly 0 and all others above 0.",
        "article", _two_texts, ("mask",),
        ("weights/1", None, None),
        "A masked score is −∞, and e^−∞ is exactly 0; the other weights sum to 1.",
    ),
    "borrowed_value": Goal(
        "Make the output of innovators equal to the value of create, to within 0.1 in each column, by changing one "
        "entry of W_Q.",
        "article", _like_create, ("W_Q",),
        ("output/1", (0,), None),
        "Nearly all its attention goes to create, so the weighted sum is nearly that one value.",
        most=1,
    ),
    "stop_carrying": Goal(
        "Let head 2 add nothing to column 4 of the result, for any token, and leave who looks at whom as it is: change "
        "one entry of W_V.",
        "two_heads", _stopped, ("W_V",),
        ("part/2", None, (3,)),
        "Column 4 of what head 2 carries is 0 for every token: whatever the weights, nothing arrives there.",
        most=1,
    ),
    "two_ways": Goal(
        "Head 1 of disrupt looks at create. Make head 2 look at innovators, by more than 50 %, and leave head 1 as "
        "it is: change one entry of W_Q.",
        "two_heads", _different_heads, ("W_Q",),
        ("weights/2", (2,), None),
        "Each head has columns of W_Q of its own: its queries changed, those of head 1 did not.",
        most=1,
    ),
}  # fmt: skip


def read_goal(name: str) -> Goal:
    """Return the goal of that id. Errors: `ValueError` listing the ids."""
    return GOALS[read_choice("goal", name, GOALS)]


def stages_of(goal: Goal) -> dict[str, Stage]:
    """Return by name the stages in which a goal can be reached: they show what it is about, and what may be changed.

    >>> list(stages_of(GOALS["stop_carrying"]))
    ['what_a_head_does', 'all']
    """
    shown = {goal.about[0].partition("/")[0], *goal.may_change}
    return {name: each for name, each in STAGES.items() if name == ALL or shown <= {*each.names, *each.settings}}

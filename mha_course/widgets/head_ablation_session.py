"""One mixing desk of heads in use: what the hand did to it, and what the screen has to change."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mha_course.engine.pictures.markup import Markup, escaped
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.protocol import Actions, Update, are_ticks
from mha_course.language_model.generation_arguments import read_text
from mha_course.language_model.model import Spoken, real_model
from mha_course.maths.which_head import Head
from mha_course.pictures import ablation_panel
from mha_course.pictures.ablation_panel import GROUPS, MANY, AblationResult
from mha_course.pictures.head_names import button_of
from mha_course.widgets.heads_of_text import HeadsRead

WORDS = 10  # tokens that the model writes
NOTHING_READ = "Press Read: the model reads the text, and goes on with it."


class Mix:
    """What the model makes of a text without some heads: its losses at once, its words one by one."""

    def __init__(self, read: HeadsRead, without: frozenset[Head]) -> None:
        """Read the text. Errors: `ValueError` if it has one token alone."""
        model = real_model()
        reading = model.read(read.text, without=without) if without else read.reading
        if len(reading.tokens) < 2:
            raise ValueError("Text: the loss needs at least two tokens. Write more.")
        self._losses = reading.losses.tolist()
        self._words, self.is_done = "", False
        self._more: Iterator[Spoken] = model.stream(read.text, tokens=WORDS, without=without)

    @property
    def result(self) -> AblationResult:
        """What is known by now."""
        return AblationResult(self._losses, self._words)

    def write_on(self) -> None:
        """Write one token more."""
        spoken = next(self._more, None)
        self._words += spoken.text if spoken else ""
        self.is_done = spoken is None


class HeadAblationSession:
    """Switch heads off and on, one or many. text: as it is shown first."""

    def __init__(self, text: str) -> None:
        """Begin with nothing read, and all heads on. Errors: `TypeError` if the text is no string."""
        self._text = read_text(text)
        self._read: HeadsRead | None = None
        self._before: Mix | None = None
        self._after: Mix | None = None
        self._off: frozenset[Head] = frozenset()
        self._drawn: frozenset[Head] = frozenset()  # at random, when that was pressed last
        self._draws = 0
        self._alert = ""

    def screen(self) -> Markup:
        """Return the markup of the screen; its parts come with the first update."""
        return ablation_panel.screen({"text": self._text})

    def still(self) -> Picture:
        """Return the `Picture` that stands for it where no kernel runs."""
        if not self._before or not self._after:
            return ablation_panel.still(self._text, NOTHING_READ)
        words = [
            ("With all heads", self._before.result.words),
            (f"With {len(self._off)} off", self._after.result.words),
        ]
        return ablation_panel.still(self._text, self._sentence(), words)

    def act(self, actions: Actions) -> Update:
        """Do what the hand did, one action after the other, and return what the screen has to change."""
        before = self._read
        if not are_ticks(actions):  # one that was under way takes no sentence away
            self._alert = ""
        for action in actions:
            try:
                self._do(action)
            except (ValueError, TypeError, ImportError, OSError) as error:
                self._alert = str(error)
        return self._update(with_switches=not actions or self._read is not before)

    def _do(self, action: Any) -> None:
        match action:
            case ["tick"]:
                pending = self._pending()
                if pending:
                    pending[0].write_on()
            case ["press", "read"]:
                read = HeadsRead(self._text)
                before = Mix(read, frozenset())
                self._read, self._before = read, before
                self._mix(self._off)
            case ["set", "text", str(text)]:
                self._text = text
            case ["press", str(button)] if self._read is not None:
                self._mix(self._switched(self._read, *button.split()))
            case _:
                raise ValueError(f"{action!r} is nothing that can be done here.")

    def _switched(self, read: HeadsRead, what: str, *which: str) -> frozenset[Head]:
        """Return the heads that are off after a button was pressed."""
        match what, which:
            case "all", ("on",):
                return frozenset()
            case "head", (str(layer), str(head)) if (int(layer), int(head)) in read.heads:
                return self._off ^ {(int(layer), int(head))}
            case "group", (str(job),) if job in GROUPS:
                group = self._group(read, job)
                if group and group <= self._off:
                    return self._off - group
                return self._off | (self._draw(read) if job == "random" else group)
        raise ValueError(f"{what!r} is no button here.")

    def _group(self, read: HeadsRead, job: str) -> frozenset[Head]:
        return self._drawn if job == "random" else frozenset(read.jobs.heads(job))

    def _draw(self, read: HeadsRead) -> frozenset[Head]:
        """Draw heads of those that are on: others each time, but in every notebook the same."""
        on = [head for head in read.heads if head not in self._off]
        picked = np.random.default_rng(self._draws).permutation(len(on))[:MANY]
        self._draws += 1
        self._drawn = frozenset(on[place] for place in picked)
        return self._drawn

    def _mix(self, off: frozenset[Head]) -> None:
        if self._read is not None and self._before is not None:
            self._after, self._off = Mix(self._read, off) if off else self._before, off

    def _pending(self) -> list[Mix]:
        """List the texts that are not written to their end: first the one that changes."""
        return [mix for mix in (self._after, self._before) if mix is not None and not mix.is_done]

    # What the screen shows

    def _sentence(self) -> str:
        if not self._before or not self._after:
            return NOTHING_READ
        return ablation_panel.in_words(self._before.result, self._after.result, self._off)

    def _update(self, with_switches: bool) -> Update:
        read, before, after = self._read, self._before, self._after
        parts: dict[str, str] = {"told": escaped(self._sentence()), "alert": escaped(self._alert)}
        if not read or not before or not after:
            return Update(fields={"controls": {"text": self._text}}, parts=parts)
        if with_switches:
            jobs = {head: read.jobs.of(*head) for head in read.heads}
            parts["switches"] = ablation_panel.switches(jobs, read.jobs.counts)
        parts["results"] = ablation_panel.results(read.reading.tokens, before.result, after.result, self._off)
        is_writing = bool(self._pending())
        written = f"It writes: {after.result.words} With all heads: {before.result.words}"
        parts["status"] = escaped("" if is_writing else written)
        off = [button_of(head) for head in sorted(self._off)]
        groups = [f"group {job}" for job in GROUPS if (group := self._group(read, job)) and group <= self._off]
        return Update(
            fields={"controls": {"text": self._text}},
            on=[*off, *groups, *(["writing"] if is_writing else [])],
            parts=parts,
        )

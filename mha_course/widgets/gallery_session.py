"""One gallery of heads in use: what the hand did to it, and what the screen has to change."""

from typing import Any

from mha_course.engine.notation.counts import counted
from mha_course.engine.pictures.markup import Markup, escaped
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.protocol import Actions, Update
from mha_course.language_model.generation_arguments import read_text
from mha_course.language_model.head_roles import MIXED
from mha_course.maths.which_head import Head
from mha_course.pictures import head_maps
from mha_course.pictures.head_maps import ALL, JOBS, NAMES, Large
from mha_course.pictures.head_names import button_of, name_of
from mha_course.widgets.heads_of_text import HeadsRead

NOTHING_READ = "Press Read: the model reads the text, and each head's job is measured."


class GallerySession:
    """Read a text, choose which heads to see, look at one. text: as it is shown first."""

    def __init__(self, text: str) -> None:
        """Begin with nothing read. Errors: `TypeError` if the text is no string."""
        self._text = read_text(text)
        self._read: HeadsRead | None = None
        self._show, self._open, self._query = ALL, (1, 1), 0
        self._alert = ""

    def screen(self) -> Markup:
        """Return the markup of the screen; its parts come with the first update."""
        return head_maps.screen({"text": self._text})

    def still(self) -> Picture:
        """Return the `Picture` that stands for it where no kernel runs."""
        if self._read is None:
            return head_maps.still(self._text, NOTHING_READ, None)
        counts = self._read.jobs.counts
        shown = f"Shown large: {name_of(self._open)} ({NAMES[self._read.jobs.of(*self._open)]})."
        return head_maps.still(self._read.text, f"{NAMES[MIXED]}: {counted(counts[MIXED], 'head')}", counts, shown)

    def act(self, actions: Actions) -> Update:
        """Do what the hand did, one action after the other, and return what the screen has to change."""
        self._alert, before = "", (self._read, self._show)
        for action in actions:
            try:
                self._do(action)
            except (ValueError, TypeError, ImportError, OSError) as error:
                self._alert = str(error)
        return self._update(with_maps=not actions or before != (self._read, self._show))

    def _do(self, action: Any) -> None:
        match action:
            case ["press", "read"]:
                self._read = HeadsRead(self._text)
                self._query = len(self._read.reading.tokens) - 1
                self._choose(self._show)
            case ["set", "text", str(text)]:
                self._text = text
            case ["set", "show", str(job)] if job in (ALL, *NAMES):
                self._choose(job)
            case ["set", "query", str(place)] if place.isdecimal() and int(place) in self._places():
                self._query = int(place)
            case ["press", str(button)] if button in self._buttons():
                _, layer, head = button.split()
                self._open = int(layer), int(head)
            case _:
                raise ValueError(f"{action!r} is nothing that can be done here.")

    def _choose(self, job: str) -> None:
        """Show the heads of one job, or all, and open the first of them unless the open one is among them."""
        self._show = job
        if self._heads() and (job != ALL or self._open not in self._heads()):
            self._open = self._heads()[0]

    def _heads(self) -> list[Head]:
        """List the heads in sight."""
        if self._read is None:
            return []
        return self._read.heads if self._show == ALL else self._read.jobs.heads(self._show)

    def _buttons(self) -> list[str]:
        return [button_of(head) for head in self._heads()]

    def _places(self) -> range:
        return range(len(self._read.reading.tokens) if self._read else 0)

    # What the screen shows

    def _sentence(self) -> str:
        if self._read is None:
            return NOTHING_READ
        return f"{len(self._places())} tokens read."

    def _update(self, with_maps: bool) -> Update:
        parts: dict[str, str] = {"told": escaped(self._sentence()), "alert": escaped(self._alert)}
        if self._read is not None:
            parts |= {"large": head_maps.large(self._large(self._read))}
            if with_maps:
                parts |= {"show": head_maps.to_show(self._read.jobs.counts, self._show), "maps": self._maps(self._read)}
        return Update(fields={"controls": {"text": self._text}}, on=[button_of(self._open)], parts=parts)

    def _maps(self, read: HeadsRead) -> Markup:
        jobs = read.jobs
        told = {head: f"{NAMES[jobs.of(*head)]}, {jobs.score(*head):.2f}" for head in self._heads()}
        return head_maps.maps(self._heads(), read.reading.weights, told)

    def _large(self, read: HeadsRead) -> Large:
        layer, head = self._open
        return Large(
            self._open,
            read.jobs.of(layer, head),
            read.reading.weights[layer - 1, head - 1],
            {job: float(read.jobs.scores[job][layer - 1, head - 1]) for job in JOBS},
            read.reading.tokens,
            self._query,
        )

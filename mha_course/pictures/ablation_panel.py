"""Draws a mixing desk of heads: a switch for each, and what the model makes of a text with some of them off."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.picture import Picture
from mha_course.language_model.head_roles import MIXED
from mha_course.maths.which_head import Head
from mha_course.pictures.generated_text import visible
from mha_course.pictures.head_maps import NAMES, bare, reading_controls
from mha_course.pictures.head_names import button_of, name_of

SIGNS = {"sink": "·", "previous": "←", "itself": "↓", "induction": "⟳", "punctuation": ",", MIXED: ""}
MANY = 20  # heads that are drawn at random
GROUPS = {  # the job of many heads, or none -> what is written on the button that switches them
    "sink": "the first token",
    "previous": "previous token",
    "itself": "itself",
    "induction": "induction",
    "random": f"{MANY} at random",
}
LARGEST = 25.0  # a loss whose bar is full, in all texts; one by pure guess is 10.8
MUCH = 0.5  # by which a loss has to change to get a sign


class AblationResult(NamedTuple):
    """What the model makes of the text: the loss of each token after the first, and what it writes next."""

    losses: Sequence[float]
    words: str

    @property
    def loss(self) -> float:
        """The mean."""
        return sum(self.losses) / len(self.losses)


def screen(values: Mapping[str, str]) -> Markup:
    """Draw the screen; updates fill its parts."""
    places = (markup.part("switches", tag="div"), markup.part("results", tag="div", data_scrolls=True))
    parts = (
        markup.part(name, role=role) for name, role in (("status", "status"), ("alert", "alert"), ("notice", "alert"))
    )
    return markup.joined([reading_controls(values), *places, *parts], "\n")


def switches(jobs: Mapping[Head, str], counts: Mapping[str, int]) -> Markup:
    """Draw a switch for each head, its job as a sign on it, and those for many heads. counts: heads of each job."""
    groups = (
        markup.button(
            name if job == "random" else f"{name} ({counts[job]})",
            name=f"group {job}",
            title="Switch these heads off, or on again",
        )
        for job, name in GROUPS.items()
    )
    legend = ", ".join(f"{sign} {NAMES[job]}" for job, sign in SIGNS.items() if sign)
    line = markup.element("div", "Switch off: ", *groups, markup.button("all on", name="all on"), data_groups=True)
    return markup.joined(
        [line, _grid(jobs), markup.paragraph(markup.small(f"Columns: layers. Rows: heads. {legend}."))]
    )


def results(tokens: Sequence[str], before: AblationResult, after: AblationResult, off: Collection[Head]) -> Markup:
    """Draw what the model makes of a text before and after. tokens: those of the text."""
    named = (("all on", before), (f"{len(off)} off", after))
    columns = map(_column, tokens[1:], before.losses, after.losses)
    head = markup.row([markup.cell(""), markup.column_header("mean", markup.RIGHT), *columns])
    losses = markup.table(
        "Loss of each token: how little the model expected it. Grey with all heads on.",
        [*(_losses(name, each) for name, each in named), _signs(before, after)],
        head,
        data_losses=True,
    )
    words = [
        markup.row(
            [markup.row_header(name, markup.LIGHT, markup.ONE_LINE), markup.cell(visible(each.words), markup.LEFT)]
        )
        for name, each in named
    ]
    scrolled = markup.element("div", losses, tabindex="0", role="region", aria_label="Loss of each token")
    return markup.joined([scrolled, markup.table("What it writes next", words, data_words=True)])


def in_words(before: AblationResult, after: AblationResult, off: Collection[Head]) -> str:
    """Say what came of it."""
    if not off:
        return f"All heads are on: mean loss {before.loss:.2f}."
    names = f"{len(off)} heads" if len(off) > 5 else ", ".join(map(name_of, sorted(off)))
    return f"Without {names}: mean loss {after.loss:.2f}, with all heads {before.loss:.2f}."


def still(text: str, told: str, words: Sequence[tuple[str, str]] = ()) -> Picture:
    """Draw the desk as it stands where no kernel runs. words: (what is on, what the model then writes)."""
    title = f"A mixing desk for 270 heads of the real model, which reads: {text}"
    lines = [title, told, *(f"{name}: {written}" for name, written in words)]
    return Picture(markup.joined([markup.paragraph(line) for line in lines], "\n"), "\n".join(lines))


def _grid(jobs: Mapping[Head, str]) -> Markup:
    layers, heads = (range(1, 1 + max(each[side] for each in jobs)) for side in (0, 1))
    names = markup.element("i"), *(markup.element("i", str(layer)) for layer in layers)
    rows = (
        cell
        for head in heads
        for cell in (markup.element("i", str(head)), *(_switch((layer, head), jobs[layer, head]) for layer in layers))
    )
    return markup.element("div", *names, *rows, data_switches=True, role="group", aria_label="Heads")


def _switch(head: Head, job: str) -> Markup:
    label = f"{name_of(head)}, {NAMES[job]}"
    return markup.button(SIGNS[job], name=button_of(head), aria_label=label, title=label, tabindex="-1", data_job=job)


def _losses(name: str, result: AblationResult) -> Markup:
    cells = (markup.cell(f"{loss:.1f}", markup.CELL) for loss in result.losses)
    mean = markup.cell(f"{result.loss:.2f}", markup.styles(markup.CELL, "font-weight:700"))
    return markup.row([markup.row_header(name, markup.LIGHT, markup.ONE_LINE), mean, *cells])


def _signs(before: AblationResult, after: AblationResult) -> Markup:
    """Mark what changed much."""
    changes = [after.loss - before.loss, *(new - old for new, old in zip(after.losses, before.losses, strict=True))]
    return markup.row(
        [markup.row_header("change", markup.LIGHT), *(markup.cell(_sign(each), markup.CELL) for each in changes)]
    )


def _column(token: str, *losses: float) -> Markup:
    """Draw the losses of a token as bars that stand beside each other, above its name."""
    bars = (markup.element("i", style=f"height:{min(loss / LARGEST, 1):.0%}") for loss in losses)
    return markup.element("th", markup.element("span", *bars), bare(token), scope="col", style=markup.RIGHT)


def _sign(change: float) -> str:
    return "" if abs(change) < MUCH else "▲" if change > 0 else "▼"

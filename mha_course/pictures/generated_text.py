"""Draws a model that writes: the text token by token, and what it found likely at one place."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.picture import Picture
from mha_course.pictures.lettering import legible
from mha_course.pictures.palette import bar

WAYS = {"likeliest": "the likeliest", "drawn": "sampled at random"}
WHOSE = {"yours": "yours", "model": "the model's"}
SIGNS = str.maketrans({"\n": "↵", "\t": "⇥", "\r": "↵"})
SPACE = "␣"  # where a space at the beginning would be overlooked
_WRITTEN = markup.escaped("← written")


class Alternative(NamedTuple):
    """A token that was likely at a place, and whether it is the one that stands there."""

    text: str
    share: float
    is_written: bool


class WrittenToken(NamedTuple):
    """A token that was written, its share and rank at its place, and the likeliest ones there."""

    text: str
    share: float
    rank: int
    likeliest: Sequence[Alternative]


def screen(controls: Markup) -> Markup:
    """Draw the screen; updates fill its parts."""
    flow = markup.part("flow", tag="div", data_flow=True)
    return markup.joined(
        [
            controls,
            markup.part("told"),
            markup.element("div", flow, markup.part("likeliest", tag="div"), data_row=True),
            markup.part("alert", role="alert"),
            markup.part("status", role="status"),
            markup.part("notice", role="alert"),
        ],
        "\n",
    )


def controls(values: Mapping[str, str], has_own: bool) -> Markup:
    """Draw the controls. values: as they are. has_own: whether there is a learner's attention to choose."""
    prompt = markup.labelled("Text ", markup.field("text", value=values["text"], size="44", autocomplete="off"))
    buttons = [
        markup.button("▶ Write", name="write", title="Let the model continue the text until you press again"),
        markup.button("Write on", name="more", title="Continue from where it was stopped"),
    ]
    own = [markup.labelled("Attention: ", markup.choice("whose", WHOSE, values["whose"]))] if has_own else []
    typed = [
        markup.labelled(f"{label} ", markup.field(name, value=values[name], size="3", autocomplete="off"))
        for name, label in (("temperature", "at temperature"), ("seed", "seed"))
    ]
    chosen = markup.labelled("Next token: ", markup.choice("choose", WAYS, values["choose"]))
    return markup.element("div", prompt, *buttons, *own, chosen, *typed, data_form="controls")


def flow(prompt: Sequence[str], written: Sequence[WrittenToken], at: int) -> Markup:
    """Draw the text: what was given, then a button for each token that was written. at: the one that is looked at."""
    given = markup.element("span", *map(visible, prompt), data_given=True)
    buttons = (
        markup.button(
            visible(each.text),
            name=f"token {place}",
            aria_label=f"Token {place + 1}: {in_words(each.text)}, {share_of(each.share)}",
            aria_pressed="true" if place == at else "false",
        )
        for place, each in enumerate(written)
    )
    return markup.joined([given, *buttons])


def likeliest(written: Sequence[WrittenToken], at: int, temperature: float | None) -> Markup:
    """Draw the likeliest tokens at a place, each with its share as a bar, and a button that takes it.

    temperature: at which it was drawn, if so.
    """
    place = written[at]
    drawn = "" if temperature is None else f", at temperature {temperature:g}"
    rows = [_row(each, _WRITTEN if each.is_written else _take(rank)) for rank, each in enumerate(place.likeliest, 1)]
    if place.rank > len(place.likeliest):
        rare = Alternative(place.text, place.share, is_written=True)
        rows.append(_row(rare, markup.escaped(f"{_WRITTEN} (number {place.rank:,})")))
    return markup.table(f"Likely as token {at + 1}{drawn}", rows, data_likeliest=True)


def still(prompt: str, told: str, written: Sequence[WrittenToken]) -> Picture:
    """Draw the text as it stands where no kernel runs."""
    begin = "The real model continues with: "
    added = markup.joined([visible(each.text) for each in written])
    shown = markup.paragraph(begin, markup.element("span", visible(prompt)), markup.bold(added))
    text = "".join(each.text for each in written)
    lines = [begin + prompt + (f" | {text}" if text else ""), told]
    return Picture(markup.joined([shown, markup.paragraph(told)], "\n"), "\n".join(lines))


def visible(text: str) -> str:
    r"""Return a token's text on one line, with signs for what would not be seen.

    >>> visible(" Paris.\n")
    ' Paris.↵'
    """
    return legible(text.translate(SIGNS)) or "∅"


def in_words(text: str) -> str:
    """Return a token's text as a list shows it, where a space before it counts.

    >>> in_words(" Paris")
    '␣Paris'
    """
    bare = text.lstrip(" ")
    return SPACE * (len(text) - len(bare)) + visible(bare) if bare else SPACE * len(text) or "∅"


def share_of(share: float) -> str:
    """Write a share in percent.

    >>> share_of(0.125), share_of(0.0004)
    ('12 %', 'less than 1 %')
    """
    return f"{100 * share:.0f} %" if share >= 0.005 else "less than 1 %"


def _row(each: Alternative, beside: Markup) -> Markup:
    name = markup.row_header(in_words(each.text), markup.ONE_LINE, "" if each.is_written else markup.LIGHT)
    background = markup.background(bar("output", each.share))
    return markup.row(
        [
            name,
            markup.cell(share_of(each.share), markup.styles(markup.CELL, background)),
            markup.cell(beside, markup.LEFT),
        ]
    )


def _take(rank: int) -> Markup:
    return markup.button("take", name=f"take {rank}", title="Put this token here, and continue from it")

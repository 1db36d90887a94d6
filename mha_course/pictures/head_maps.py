"""Draws many heads as small maps of their weights, to choose from, and one of them large."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mha_course.engine.notation.counts import counted
from mha_course.engine.pictures import markup, svg
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.svg_figure import number
from mha_course.language_model.head_roles import MIXED
from mha_course.maths.which_head import Head
from mha_course.pictures.generated_text import visible
from mha_course.pictures.head_names import button_of, in_words, name_of
from mha_course.pictures.heat_map import LETTER, LEVELS, SIDE, filled, heat_map
from mha_course.pictures.palette import bar
from mha_course.pictures.sentence import MOST, sentence

JOBS = {  # name -> what it is called on a screen, and what is measured
    "sink": ("the first token", "the weight that later queries give to the first token"),
    "previous": ("the previous token", "the weight that each query gives to the token before it"),
    "itself": ("itself", "the weight that each query gives to its own token"),
    "induction": ("copying (induction)", "on 20 random tokens, written twice: the weight on the token that followed "
                  "the same token before"),
    "punctuation": ("punctuation", "the weight on punctuation marks before the query"),
}  # fmt: skip
NAMES = {job: name for job, (name, _) in JOBS.items()} | {MIXED: "mixed: none of these"}
ALL = "all"


@dataclass(frozen=True, eq=False)
class Large:
    """One head as it is shown large. weights: (n, n). scores: job -> its score. query: the place looked at."""

    head: Head
    job: str
    weights: np.ndarray
    scores: Mapping[str, float]
    tokens: Sequence[str]
    query: int


def screen(values: Mapping[str, str]) -> Markup:
    """Draw the screen; updates fill its parts."""
    row = markup.element(
        "div",
        markup.part("maps", tag="div", role="group", data_maps=True, aria_label="Heads"),
        markup.part("large", tag="div", data_large=True),
        data_row=True,
    )
    parts = (markup.part(name, role=role) for name, role in (("alert", "alert"), ("notice", "alert")))
    return markup.joined([reading_controls(values), markup.part("show", tag="div"), row, *parts], "\n")


def reading_controls(values: Mapping[str, str]) -> Markup:
    """Draw the field for a sentence with the button that lets the model read it, and what is told about it."""
    field = markup.field("text", value=values["text"], size="58", autocomplete="off")
    button = markup.button("Read", name="read", title="Let the model read this text")
    told = markup.part("told", role="status", tag="span")
    return markup.element("div", markup.labelled("Text ", field), button, told, data_form="controls")


def to_show(counts: Mapping[str, int], shown: str) -> Markup:
    """Draw what chooses the heads to be seen. counts: job -> how many heads have it."""
    whole = f"all {sum(counts.values())}, layer by layer"
    options = {ALL: whole} | {job: f"{name} ({counts[job]})" for job, name in NAMES.items()}
    measured = markup.small(JOBS[shown][1] + "." if shown in JOBS else "")
    chooser = markup.labelled("Heads: ", markup.choice("show", options, shown))
    return markup.element("div", chooser, " ", measured, data_form="show")


def maps(heads: Iterable[Head], weights: np.ndarray, told: Mapping[Head, str]) -> Markup:
    """Draw a button with a small map for each head. weights: (layers, heads, n, n). told: what each is, in words."""
    return markup.joined(_map(head, weights[head[0] - 1, head[1] - 1], told[head]) for head in heads)


def large(read: Large) -> Markup:
    """Draw one head: who looks at whom, the shares of one query as numbers, and its score for each job."""
    tokens = [bare(text) for text in read.tokens]
    shares = np.clip(read.weights.astype(float), 0, 1)  # a float32 may say a little more than 1
    title = f"{name_of(read.head)}: {in_words(read.head)} · {NAMES[read.job]}"
    scores = ", ".join(f"{JOBS[job][0]} {score:.2f}" for job, score in read.scores.items())
    queries = {str(place): f"{place + 1} {token}" for place, token in enumerate(tokens)}
    chooser = markup.labelled("Query ", markup.choice("query", queries, str(read.query)))
    rows = [
        _share(f"{place + 1} {token}", float(share))
        for place, (token, share) in enumerate(zip(tokens, shares[read.query], strict=True))
        if place <= read.query
    ]
    asked = markup.joined([chooser, markup.table("looks at", rows, data_shares=True)])
    if len(tokens) <= MOST:
        drawing = sentence(shares, tokens, read.query, key="weights")
    else:
        drawing = heat_map(shares, tokens, tokens, read.query, side=max(SIDE, LETTER * len(tokens)))
    below = markup.paragraph(markup.small(f"Its scores, mean weights: {scores}."))
    shown = markup.element("div", markup.element("div", drawing.svg), markup.element("div", asked), data_beside=True)
    return markup.element("div", markup.paragraph(markup.bold(title)), shown, below, data_form="large")


def still(text: str, told: str, counts: Mapping[str, int] | None, shown: str = "") -> Picture:
    """Draw the gallery as it stands where no kernel runs. shown: the head that was looked at, in words."""
    title = f"What 270 heads of the real model do with: {text}"
    named = [
        f"{name}: {measured}" if counts is None else f"{name}: {counted(counts[job], 'head')}"
        for job, (name, measured) in JOBS.items()
    ]
    lines = [title, told, *(f"- {each}" for each in named), *([shown] if shown else [])]
    html = [markup.paragraph(title), markup.paragraph(told), markup.bullets(named)]
    return Picture(markup.joined([*html, *([markup.paragraph(shown)] if shown else [])], "\n"), "\n".join(lines))


def bare(text: str) -> str:
    """Return a token without the spaces around it, unless it is nothing else.

    >>> bare(" create"), bare("  ")
    ('create', '␣␣')
    """
    return visible(text.strip(" ")) if text.strip(" ") else "␣" * len(text) or "∅"


def _share(name: str, share: float) -> Markup:
    look = markup.styles(markup.CELL, markup.background(bar("weights", share)))
    return markup.row([markup.row_header(name, markup.LIGHT, markup.ONE_LINE), markup.cell(f"{share:.2f}", look)])


def _map(head: Head, weights: np.ndarray, told: str) -> Markup:
    levels = np.round(weights * LEVELS)
    ways = ((filled(levels == level), level) for level in range(1, LEVELS + 1))
    shades = (svg.shape("path", d=way, fill_opacity=number(level / LEVELS)) for way, level in ways if way)
    n = len(weights)
    drawing = svg.written(svg.shape("svg", *shades, viewBox=f"0 0 {n} {n}", aria_hidden="true"))
    name = name_of(head)
    return markup.button(
        markup.joined([drawing, name]), name=button_of(head), aria_label=f"{name} {told}", tabindex="-1"
    )

"""The number that the first page offers: what it moves is recorded when the site is built, so nobody waits for it."""

import json
from itertools import product

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.svg import changes
from mha_course.forward.forward import forward
from mha_course.forward.meaning import meaning
from mha_course.forward.presets import PRESETS, preset
from mha_course.pictures.sentence import sentence
from mha_course.pictures.who_looks import said_strongly

EXAMPLE = "steals"
VALUES = (-1, 0, 0.25, 0.5, 0.75, 1, 2, 3)
OFFERED = 0.0
NAME = "W_Q, row 1, column 2"
LABEL = markup.joined(["W", markup.element("sub", "Q"), " makes each word's question. Row 1, column 2:"])
BELOW = "Below 0 nothing moves: the ball, which got no weight at 0, matches even less."
SENSE = PRESETS[EXAMPLE].sense
ENTRY = SENSE.push
WORDS = range(len(preset(EXAMPLE).tokens))


def shown(value, word):
    """Return the drawing of who looks at whom with one value of the number and one chosen word, and what it means."""
    path = forward(preset(EXAMPLE).with_entry(*ENTRY, float(value)))
    weights = path["weights/1"]
    drawing = sentence(weights.values, weights.rows, word, key=weights.key)
    return drawing, said_strongly(meaning(path, word, sense=SENSE))


def recorded():
    """Return what every value of the number changes on the page, whichever word is chosen, for the page's script.

    places: [element, attribute] of all that ever differs. states: value -> word -> what stands in these places, and the
    sentence below. below: word -> what is said of a number below 0.
    """
    every = {(value, word): shown(value, word) for value, word in product(VALUES, WORDS)}
    first, _ = every[OFFERED, SENSE.chosen]
    there = {key: _differing(first.root, drawing.root) for key, (drawing, _) in every.items()}
    at_first = {
        place: old for drawing, _ in every.values() for place, old in _differing(drawing.root, first.root).items()
    }
    states = {
        f"{value:g}": [[[*(at_first | there[value, word]).values()], every[value, word][1]] for word in WORDS]
        for value in VALUES
    }
    return {"values": [*states], "places": [*at_first], "states": states, "below": {SENSE.chosen: BELOW}}


def stage():
    """Write the picture with its number, as it stands before anybody pushes it."""
    drawing, said = shown(OFFERED, SENSE.chosen)
    less, more = (markup.button(sign, aria_label=label) for sign, label in (("−", "Less"), ("+", "More")))
    number = markup.element("output", f"{OFFERED:g}", aria_label=NAME)
    stepper = markup.element("p", less, number, more, class_="stepper", role="group", aria_label=NAME)
    parts = [
        markup.paragraph("A word looks at the others. Choose another word, or push the number: + or −.", class_="ask"),
        markup.element("div", drawing.svg, class_="sentence"),
        markup.paragraph(said, class_="said", role="status"),
        markup.element(
            "div", _parameters(), markup.element("div", markup.paragraph(LABEL), stepper),
            markup.paragraph(class_="why", role="status"),
            markup.paragraph(markup.link("See every number", "00_start_here.html"), class_="all"),
            class_="push",
        ),
        markup.element("script", markup.Markup(f"globalThis.RECORDED = {_as_script(recorded())};")),
    ]  # fmt: skip
    return markup.element("div", *parts, class_="stage")


def _differing(before, after):
    return {(at, name): new for at, name, new in changes(before, after)}


def _parameters():
    """Draw all numbers of the matrix in which the offered one stands."""
    name, *place = ENTRY
    rows = (
        markup.row(
            markup.cell(f"{entry:g}", class_="pushed" if [r, c] == place else "used" if entry else None)
            for c, entry in enumerate(line)
        )
        for r, line in enumerate(preset(EXAMPLE).inputs[name])
    )
    return markup.element("table", markup.element("tbody", *rows), class_="parameters", aria_hidden="true")


def _as_script(value):
    return json.dumps(value, separators=(",", ":")).replace("</", "<\\/")

"""Draws the screen on which a model is trained: curves, the weights of every head, and what the model writes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.svg_figure import SvgFigure
from mha_course.engine.pictures.theme import verdict_colours
from mha_course.maths.which_head import Head
from mha_course.pictures.head_names import button_of, in_words
from mha_course.pictures.heat_map import SIDE, SMALL_SIDE, heat_map
from mha_course.pictures.learning_curves import last_of_axis
from mha_course.pictures.palette import bar

MOST_LARGE = 2  # heads whose maps are large
SEEN = 0.005  # smaller weights are left blank

SPEEDS = {"1": "one step per picture", "5": "5 steps a picture", "1000": "as fast as it can"}
BUTTONS = {  # name -> what is written on it, and what it does
    "play": ("▶ Train", "Train until you press again"),
    "step": ("One step", "Train one step"),
    "reset": ("Reset", "Back to step 0"),
}
LABELS = {
    "skill": "To learn",
    "lengths": "Words of",
    "num_layers": "Layers",
    "num_heads": "Heads in each",
    "seed": "Seed",
    "speed": "Speed",
    "text": "Sentence",
    "at": "Look back to step",
}


@dataclass(frozen=True, eq=False)
class Read:
    """A sentence as the model reads it now. weights: of every head. query: the place that is looked at.

    counts: where there is a right answer. Shapes: letters, asking, answers and guesses n each, weights (n, n_k).
    """

    letters: str
    asking: Sequence[str]  # what stands where the queries come from: the letters, or numbers of places
    answers: str
    guesses: str
    counts: Sequence[bool]
    weights: Mapping[Head, np.ndarray]
    off: frozenset[Head]
    query: int


def training_screen(controls: Markup, heads: Iterable[Head]) -> Markup:
    """Draw the screen; updates fill its parts."""
    heads = list(heads)
    left = markup.element("div", *(markup.part(name, tag="div") for name in ("curves", "slider", "tests")))
    maps = markup.element("div", *map(_place, heads), data_heads="few" if len(heads) <= MOST_LARGE else "many")
    return markup.joined(
        [
            markup.part("words"),
            controls,
            markup.part("told"),
            markup.element("div", left, maps, data_row=True),
            markup.element("div", _sentence(lambda name: markup.part(name, tag="tr"), heads), data_scrolls=True),
            markup.part("alert", role="alert"),
            markup.part("status", role="status"),
            markup.part("notice", role="alert"),
        ],
        "\n",
    )


def controls(choices: Mapping[str, Mapping[str, str]], values: Mapping[str, str]) -> Markup:
    """Draw the controls. choices: name -> value -> text; what has none is typed. values: as they are."""
    buttons = [markup.button(sign, name=name, title=words) for name, (sign, words) in BUTTONS.items()]
    fields = [
        markup.labelled(LABELS[name], " ", markup.choice(name, options, values[name]))
        for name, options in choices.items()
        if len(options) > 1
    ]
    typed = [
        markup.labelled(LABELS[name], " ", markup.field(name, value=values[name], size=size, autocomplete="off"))
        for name, size in (("seed", "4"), ("text", "16"))
    ]
    return markup.element("div", *buttons, *fields, *typed, data_form="controls")


def slider(steps: int) -> Markup:
    """Draw the slider back through time, as long as the axis above it."""
    end = str(last_of_axis(steps))
    field = markup.field("at", type="range", min="0", max=end, step="1", aria_label=LABELS["at"])
    return markup.element("div", field, data_form="time")


def parts(read: Read) -> dict[str, str]:
    """Draw the parts that show how the model reads: each head's weights, and the rows of the table below them."""
    maps: dict[str, str] = {_map(head): drawn.svg for head, drawn in _maps(read).items()}
    return maps | {name: markup.joined(cells) for name, cells in _rows(read, _button).items()}


def tested(found: Mapping[int, tuple[float, float]], trained: Iterable[int]) -> Markup:
    """Draw what tests found: length of the words -> accuracy, and the weight where the answers are.

    trained: the lengths that the model is trained on.
    """
    trained = set(trained)
    names = (f"{length} ✓" if length in trained else str(length) for length in found)
    head = markup.row([markup.column_header("letters"), *map(markup.column_header, names)])
    rows = (
        [markup.row_header(name), *(_part(role, each[place]) for each in found.values())]
        for place, (name, role) in enumerate((("accuracy", "output"), ("weight", "weights")))
    )
    return markup.table("Tested on new sentences (✓: trained on these)", map(markup.row, rows), head, data_tests=True)


def still(words: str, told: str, curves: SvgFigure, read: Read) -> Picture:
    """Draw the screen as it stands where no kernel runs."""
    maps = [(f"{in_words(head)}{': off' if head in read.off else ''}", each) for head, each in _maps(read).items()]
    boxes = [markup.joined([markup.paragraph(name), each.picture.html]) for name, each in maps]
    rows = _rows(read, lambda letter, place: letter)
    table = _sentence(lambda name: markup.element("tr", *rows[name]), read.weights)
    shown = markup.side_by_side([curves.picture.html, *boxes], "flex-end")
    html = markup.joined([markup.paragraph(words), markup.paragraph(told), shown, table], "\n")
    written = "".join(guess if counts else "·" for guess, counts in zip(read.guesses, read.counts, strict=True))
    lines = [words, told, curves.text, *(f"{name}. {each.text}" for name, each in maps)]
    return Picture(html, "\n".join([*lines, f"Sentence: {read.letters}", f"The model writes: {written}"]))


def _place(head: Head) -> Markup:
    """Draw where the weights of a head come, below the button that switches it off and on."""
    button = markup.button(in_words(head), name=button_of(head), title="Switch this head off or on")
    return markup.element("div", button, markup.part(_map(head), tag="div"))


def _map(head: Head) -> str:
    return f"map {head[0]} {head[1]}"


def _maps(read: Read) -> dict[Head, SvgFigure]:
    side = SIDE if len(read.weights) <= MOST_LARGE else SMALL_SIDE
    return {
        head: heat_map(weights, read.asking, read.letters, read.query, side) for head, weights in read.weights.items()
    }


def _sentence(row: Callable[[str], Markup], heads: Iterable[Head]) -> Markup:
    """Draw the table around its rows."""
    names = ["reads", "right", "writes", *(_map(head) + " row" for head in heads)]
    return markup.table("What the model reads and writes", map(row, names), data_sentence=True)


def _rows(read: Read, letter: Callable[[str, int], str]) -> dict[str, list[Markup]]:
    """Draw the cells of each row. A head's are its weights for the chosen query. letter: draws one."""
    letters = [letter(each, place) for place, each in enumerate(read.letters)]
    right = zip(read.answers, read.counts, strict=True)
    rows = {
        "reads": [
            _header("it reads"),
            *(markup.cell(each, markup.SQUARE, data_chosen=place == read.query) for place, each in enumerate(letters)),
        ],
        "right": [_header("right"), *(markup.cell(each if counts else "", markup.SQUARE) for each, counts in right)],
        "writes": [_header("it writes"), *_verdicts(read)],
    }
    return rows | {
        f"{_map(head)} row": [_header(f"{in_words(head)} looks at"), *map(_weight, read.weights[head][read.query])]
        for head in read.weights
    }


def _header(text: str) -> Markup:
    return markup.row_header(text, markup.LIGHT, markup.ONE_LINE)


def _button(letter: str, place: int) -> Markup:
    return markup.button(letter, name=f"letter {place}", aria_label=f"Position {place + 1}: {letter}")


def _verdicts(read: Read) -> Iterable[Markup]:
    """Yield what the model writes at each place, with a sign of whether it is right."""
    for guess, answer, counts in zip(read.guesses, read.answers, read.counts, strict=True):
        if not counts:
            yield markup.cell(guess, markup.styles(markup.SQUARE, markup.QUIET))
        else:
            is_right = guess == answer
            colour = verdict_colours("right" if is_right else "wrong")[1]
            yield markup.cell(
                f"{guess} {'✓' if is_right else '✗'}", markup.styles(markup.SQUARE, markup.background(colour))
            )


def _part(role: str, part: float) -> Markup:
    return markup.cell(f"{part:.2f}", markup.styles(markup.CELL, markup.background(bar(role, part))))


def _weight(weight: float) -> Markup:
    text = f"{weight:.2f}" if weight >= SEEN else ""
    return markup.cell(text, markup.styles(markup.SQUARE, markup.background(bar("weights", float(weight)))))

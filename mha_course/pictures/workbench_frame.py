"""Draws the workbench: the picture of a path, and around it the controls and messages."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, zip_longest

from mha_course.engine.pictures import markup
from mha_course.engine.pictures.markup import Markup
from mha_course.engine.pictures.picture import Picture
from mha_course.forward import mask_choices, presets, scales, typed_tokens
from mha_course.forward.state import State
from mha_course.pictures import board_markup
from mha_course.pictures.drawing_options import DrawingOptions
from mha_course.pictures.palette import tint

HEADS = (1, 2, 3, 4, 6, 8)
OWN_SCALE = "own"
NUMBER = r"-?[\d.]+(?:e[+-]?\d+)?"
OPERAND = rf"\({NUMBER}\)|{NUMBER}"  # a negative one stands in brackets
PRODUCT = re.compile(f"({OPERAND})·({OPERAND})")
FACTOR = 0.6  # how strongly a factor is coloured
MOST_TO_PAIR = 4  # columns of which any two can span the plane
LABELS = {
    "preset": "Example",
    "tokens": "Tokens",
    "context_tokens": "Context",
    "num_heads": "Heads",
    "scale": "Divide by",
    "divisor": "that is",
    "temperature": "Temperature",
    "mask": "Mask",
    "query": "Row",
    "columns": "Plane of",
}
FIRST = {  # name -> what is written on a button, and what it does
    "back": ("‹", "One step back (key: p)"),
    "next": ("Step ›", "Step through the making of one row (key: n)"),
    "undo": ("↶", "Undo"),
    "redo": ("↷", "Redo"),
}
MORE = {
    "before": ("⇄ Compare", "Before and after the last change (key: s)"),
    "pin": ("Pin", "Compare with this state from now on"),
    "reset": ("Reset", "Reset"),
}
AS_LEFT = markup.joined(["This is how you left it.", markup.button("Start afresh", name="afresh")], " ")
NOTHING = Markup("")
LARGER = "Larger, for the back row"
WITH = {"tokens": ("context_tokens",), "scale": ("divisor",)}  # what is offered together with a setting


def still(question: str, told: str, state: State, path_picture: Picture) -> Picture:
    """Draw what the workbench shows where no kernel runs: its question, the picture, what it tells, the settings.

    >>> from mha_course.forward.presets import preset
    >>> print(still("Who looks at whom?", "Play.", preset("article"), Picture("<b>2</b>", "2")).text)
    Who looks at whom?
    2
    Play.
    num_heads 1 · scale √d_k = 1.73205 · temperature 1
    """
    name = f"{scales.LABELS[state.scale]} = " if isinstance(state.scale, str) else ""
    line = f"num_heads {state.num_heads} · scale {name}{state.divisor:.6g} · temperature {state.temperature:.6g}"
    line += "" if state.mask == "none" else f" · mask {mask_choices.mask_of(state.mask).label}"
    below = [markup.paragraph(told), markup.paragraph(markup.small(line))]
    html = markup.joined([markup.paragraph(markup.bold(question)), path_picture.html, *below], "\n")
    return Picture(html, f"{question}\n{path_picture.text}\n{told}\n{line}")


def screen(
    question: str,
    controls: Markup,
    path_picture: Picture,
    inputs: Iterable[str],
    hides: bool = False,
    result: Markup = NOTHING,
    push: str = "",
) -> Markup:
    """Draw the live workbench; its parts have names, by which updates reach them.

    inputs: the names of the matrices that can be changed. hides: whether scores can be hidden by hand.
    result: what stands beside the messages. push: the address of the entry that is under the hand to begin with.

    >>> 'data-part="picture"' in screen("Who looks?", Markup(""), Picture("<b>2</b>", "2"), ("X", "W_Q"))
    True
    """
    names = ",".join(inputs)
    picture = markup.part("picture", path_picture.html, tag="div", data_inputs=names, data_hides=hides, data_push=push)
    head = markup.element(
        "div", markup.paragraph(question, class_="mha-question"), _first_buttons(), class_="mha-header"
    )
    return markup.joined([head, controls, picture, _messages(result)], "\n")


def controls(state: State, preset_name: str, options: DrawingOptions, offered: Iterable[str]) -> Markup:
    """Draw what stands behind *More …*: the settings that are offered, what compares, the state as text.

    >>> from mha_course.forward.presets import preset
    >>> "Temperature" in controls(preset("article"), "article", DrawingOptions(), offered=["temperature"])
    True
    """
    values = fields(state, preset_name, options)
    shown = [name for name in with_their_fields(offered) if name != "context_tokens" or state.context_tokens]
    larger = markup.button("A+", data_larger=True, aria_pressed="false", aria_label=LARGER, title=LARGER)
    content = [
        *(_control(name, values[name], state) for name in shown),
        markup.element("span", *_buttons(MORE), larger, class_="mha-buttons"),
    ]
    fields_of_it = markup.element("div", *content, data_form="controls")
    return markup.element("div", fields_of_it, _code_panel(), _data_panel(), class_="mha-more")


def _first_buttons() -> Markup:
    more = markup.button("More …", data_more=True, aria_expanded="false")
    return markup.element("span", *_buttons(FIRST), more, class_="mha-buttons")


def _buttons(named: Mapping[str, tuple[str, str]]) -> list[Markup]:
    return [markup.button(sign, name=name, aria_label=words, title=words) for name, (sign, words) in named.items()]


def factors(text: str, roles: Sequence[str]) -> Markup:
    """Write arithmetic, the two factors of each product in the colours of the matrices that they come from.

    roles: of the two matrices; without two of them the text stays as it is.

    >>> factors("2·3 = 6", ["query"])
    '2·3 = 6'
    """
    if len(roles) != 2:
        return markup.escaped(text)
    parts = PRODUCT.split(text)  # between, left, right, between, …
    products = [_product(pair, roles) for pair in zip(parts[1::3], parts[2::3], strict=True)]
    return markup.joined(each for pair in zip_longest(parts[::3], products, fillvalue="") for each in pair)


def _product(pair: Sequence[str], roles: Sequence[str]) -> Markup:
    return markup.joined(
        [board_markup.factor(each, tint(role, FACTOR)) for each, role in zip(pair, roles, strict=True)], "·"
    )


def with_their_fields(offered: Iterable[str]) -> list[str]:
    """List the names of all fields that the settings have.

    >>> with_their_fields(["scale", "mask"])
    ['scale', 'divisor', 'mask']
    """
    return [field for name in offered for field in (name, *WITH.get(name, ()))]


def settings(state: State) -> dict[str, str]:
    """Write every setting of a state.

    >>> from mha_course.forward.presets import preset
    >>> settings(preset("article"))["divisor"]
    '1.73205'
    """
    return {
        "tokens": ", ".join(state.tokens),
        "context_tokens": ", ".join(state.context_tokens or ()),
        "num_heads": str(state.num_heads),
        "scale": state.scale if isinstance(state.scale, str) else OWN_SCALE,
        "divisor": f"{state.divisor:.6g}",
        "temperature": f"{state.temperature:.6g}",
        "mask": state.mask if isinstance(state.mask, str) else mask_choices.OWN,
    }


def fields(state: State, preset_name: str, options: DrawingOptions) -> dict[str, str]:
    """Return the texts that the fields of the controls show."""
    columns = ",".join(map(str, options.columns))
    return settings(state) | {"preset": preset_name, "query": str(options.query), "columns": columns}


def progress(is_reached: bool, sentence: str) -> Markup:
    """Draw how far a goal is."""
    return markup.element("span", sentence, data_reached=is_reached)


def _control(name: str, value: str, state: State) -> Markup:
    options = _options(name, state)
    field = markup.choice(name, options, value) if options else markup.field(name, value=value, **KINDS_OF_TEXT[name])
    return markup.labelled(LABELS[name], " ", field)


def _options(name: str, state: State) -> dict[str, str]:
    """Return the ids that a setting can be chosen from, with their labels; none for what is typed."""
    match name:
        case "preset":
            return presets.labels()
        case "num_heads":
            return {str(each): str(each) for each in sorted({*HEADS, state.num_heads})}
        case "scale":
            return scales.LABELS | {OWN_SCALE: "own number"}
        case "mask":
            return mask_choices.LABELS | {mask_choices.OWN: "own, by hand"}
        case "columns":
            pairs = combinations(range(min(state.d_k, state.d_v, MOST_TO_PAIR)), 2)
            return {f"{i},{j}": f"columns {i + 1} and {j + 1}" for i, j in pairs}
        case "query":
            return {str(i): token for i, token in enumerate(state.tokens)}
    return {}


KINDS_OF_TEXT = {
    "tokens": {"size": "32", "title": typed_tokens.HOW},
    "context_tokens": {"size": "32", "title": typed_tokens.HOW},
    "divisor": {"size": "7", "inputmode": "decimal"},
    "temperature": {"size": "5", "inputmode": "decimal"},
}


def _messages(result: Markup) -> Markup:
    """Draw the strip: what is asked and answered stands in it, always in the same height."""
    parts = [
        *([markup.element("div", result, class_="mha-result")] if result else []),
        markup.part("goal", role="status"),
        markup.part("notice", role="alert"),
        markup.part("alert", role="alert"),
        markup.part("words"),
        markup.part("arithmetic", aria_live="polite"),
        markup.part("status", role="status"),
        markup.part("hint"),
    ]
    return markup.part("messages", *parts, tag="div", role="group", aria_label="What the board says", tabindex="0")


def _code_panel() -> Markup:
    return markup.folded(
        "As code",
        markup.paragraph("These NumPy lines compute the same numbers. Copy them into a cell."),
        markup.area("code", "The state as NumPy code", readonly=True),
        _copy_button("code"),
        data_form="code",
    )


def _data_panel() -> Markup:
    return markup.folded(
        "As data",
        markup.paragraph("Keep or share this text. Paste one here and press Load to see its numbers."),
        markup.area("data", "The state as JSON"),
        _copy_button("data"),
        " ",
        markup.button("Load", name="load", data_with="data"),
        data_form="data",
    )


def _copy_button(field: str) -> Markup:
    return markup.button("Copy", data_copy=field)

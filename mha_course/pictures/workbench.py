"""Draws the workbench: the picture of a path, and around it the controls and messages."""

from collections.abc import Iterable
from itertools import combinations

from mha_course.pictures.scene import Scene
from mha_course.pipeline import mask_choices, presets, scales, typed_tokens
from mha_course.pipeline.state import State
from mha_course.workbook.pictures import markup
from mha_course.workbook.pictures.markup import Markup
from mha_course.workbook.pictures.picture import Picture

HEADS = (1, 2, 3, 4, 6, 8)
OWN_SCALE = "own"
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
BUTTONS = {  # name -> what is written on it, and what it does
    "back": ("‹", "One step back (key: p)"),
    "next": ("Step ›", "Step through the way of one row (key: n)"),
    "before": ("⇄", "Before and after the last change (key: s)"),
    "pin": ("Pin", "Compare with this state from now on"),
    "undo": ("↶", "Undo"),
    "redo": ("↷", "Redo"),
    "reset": ("Reset", "Reset"),
}
NOTHING = Markup("")
LARGER = "Larger, for the back row"
WITH = {"tokens": ("context_tokens",), "scale": ("divisor",)}  # what is offered together with a setting


def still(heading: str, state: State, path_picture: Picture) -> Picture:
    """Draw what the workbench shows where no kernel runs: a heading, the settings, the matrices.

    >>> from mha_course.pipeline.presets import preset
    >>> print(still("Play.", preset("article"), Picture("<b>2</b>", "2")).text)
    Play.
    num_heads 1 · scale √d_k = 1.73205 · temperature 1
    2
    """
    name = f"{scales.LABELS[state.scale]} = " if isinstance(state.scale, str) else ""
    line = f"num_heads {state.num_heads} · scale {name}{state.divisor:.6g} · temperature {state.temperature:.6g}"
    line += "" if state.mask == "none" else f" · mask {mask_choices.mask_of(state.mask).label}"
    html = markup.joined([markup.paragraph(heading), markup.paragraph(line), path_picture.html], "\n")
    return Picture(html, f"{heading}\n{line}\n{path_picture.text}")


def screen(
    heading: str,
    controls: Markup,
    path_picture: Picture,
    inputs: Iterable[str],
    hides: bool = False,
    result: Markup = NOTHING,
) -> Markup:
    """Draw the live workbench; its parts have names, by which updates reach them.

    inputs: the names of the matrices that can be changed. hides: whether scores can be hidden by hand.
    result: what stands beside the messages.

    >>> 'data-part="picture"' in screen("Play.", Markup(""), Picture("<b>2</b>", "2"), ("X", "W_Q"))
    True
    """
    names = ",".join(inputs)
    picture = markup.part("picture", path_picture.html, tag="div", data_inputs=names, data_hides=hides)
    parts = [markup.paragraph(heading), controls, picture, _messages(result), _code_panel(), _data_panel()]
    return markup.joined(parts, "\n")


def controls(state: State, preset_name: str, scene: Scene, offered: Iterable[str]) -> Markup:
    """Draw the controls of the settings that are offered, with undo, redo and reset.

    >>> from mha_course.pipeline.presets import preset
    >>> "Temperature" in controls(preset("article"), "article", Scene(), offered=["temperature"])
    True
    """
    values = fields(state, preset_name, scene)
    shown = [name for name in with_their_fields(offered) if name != "context_tokens" or state.context_tokens]
    buttons = [markup.button(sign, name=name, aria_label=words, title=words) for name, (sign, words) in BUTTONS.items()]
    buttons.append(markup.button("A+", data_larger=True, aria_pressed="false", aria_label=LARGER, title=LARGER))
    content = [
        *(_control(name, values[name], state) for name in shown),
        markup.element("span", *buttons, class_="mha-buttons"),
    ]
    return markup.element("div", *content, data_form="controls")


def with_their_fields(offered: Iterable[str]) -> list[str]:
    """List the names of all fields that the settings have.

    >>> with_their_fields(["scale", "mask"])
    ['scale', 'divisor', 'mask']
    """
    return [field for name in offered for field in (name, *WITH.get(name, ()))]


def settings(state: State) -> dict[str, str]:
    """Write every setting of a state.

    >>> from mha_course.pipeline.presets import preset
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


def fields(state: State, preset_name: str, scene: Scene) -> dict[str, str]:
    """Return the texts that the fields of the controls show."""
    columns = ",".join(map(str, scene.columns))
    return settings(state) | {"preset": preset_name, "query": str(scene.query), "columns": columns}


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
    parts = [
        *([markup.element("div", result, class_="mha-result")] if result else []),
        markup.part("goal", role="status"),
        markup.part("notice", role="alert"),
        markup.part("alert", role="alert"),
        markup.part("words"),
        markup.part("hint"),
        markup.part("arithmetic", aria_live="polite"),
        markup.part("status", role="status"),
    ]
    return markup.part("messages", *parts, tag="div")


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

"""Draws the workbench: the picture of a path, and around it the controls and messages."""

from html import escape

from mha_course.pictures.picture import Picture
from mha_course.pipeline import mask_choices, presets, scales

HEADS = (1, 2, 3, 4, 6, 8)
OWN_SCALE = "own"


def still(heading, state, path_picture):
    """Draw what the workbench shows where no kernel runs: a heading, the settings, the matrices.

    >>> from mha_course.pipeline.presets import preset
    >>> print(still("Play.", preset("article"), Picture("<b>2</b>", "2")).text)
    Play.
    num_heads 1 · scale √d_k = 1.73205 · temperature 1
    2
    """
    name = f"{scales.LABELS[state.scale]} = " if isinstance(state.scale, str) else ""
    line = f"num_heads {state.num_heads} · scale {name}{state.divisor:.6g} · temperature {state.temperature:.6g}"
    line += "" if state.mask == "none" else f" · mask {mask_choices.LABELS[state.mask]}"
    html = f"<p>{escape(heading)}</p>\n<p>{escape(line)}</p>\n{path_picture.html}"
    return Picture(html, f"{heading}\n{line}\n{path_picture.text}")


def bench(heading, controls_html, path_picture, inputs):
    """Draw the live workbench; its parts have names, by which messages reach them.

    inputs: the names of the matrices that can be changed.

    >>> 'data-part="picture"' in bench("Play.", "", Picture("<b>2</b>", "2"), ("X", "W_Q"))
    True
    """
    return f"""<p>{escape(heading)}</p>
<div data-part="controls">{controls_html}</div>
<div data-part="picture" data-inputs="{",".join(inputs)}">{path_picture.html}</div>
<div data-part="messages">
<p data-part="goal" role="status"></p>
<p data-part="alert" role="alert"></p>
<p data-part="words"></p>
<p data-part="arithmetic" aria-live="polite"></p>
<p data-part="status" role="status"></p>
</div>
<details data-panel="code"><summary>As code</summary>
<p>These NumPy lines compute the same numbers. Copy them into a cell.</p>
<textarea name="code" readonly aria-label="The state as NumPy code"></textarea>
<button type="button" data-copy="code">Copy</button></details>
<details data-panel="data"><summary>As data</summary>
<p>Keep or share this text. Paste one here and press Load to see its numbers.</p>
<textarea name="data" aria-label="The state as JSON"></textarea>
<button type="button" data-copy="data">Copy</button>
<button type="button" name="load" data-with="data">Load</button></details>"""


def controls(state, preset_name, settings, query):
    """Draw the controls of some settings, with undo, redo and reset. preset_name: None for no presets.

    >>> from mha_course.pipeline.presets import preset
    >>> "Temperature" in controls(preset("article"), None, ("temperature",), query=0)
    True
    """
    values = fields(state) | {"preset": preset_name, "query": str(query)}
    written = {
        "tokens": _text("tokens", "Tokens", values, 'size="32"')
        + (_text("context_tokens", "Context", values, 'size="32"') if state.context_tokens else ""),
        "num_heads": _choice("num_heads", "Heads", values, {str(n): str(n) for n in sorted({*HEADS, state.num_heads})}),
        "scale": _choice("scale", "Divide by", values, scales.LABELS | {OWN_SCALE: "own number"})
        + _text("divisor", "that is", values, 'size="7" inputmode="decimal"'),
        "temperature": _text("temperature", "Temperature", values, 'size="5" inputmode="decimal"'),
        "mask": _choice("mask", "Mask", values, mask_choices.LABELS),
        "query": _choice("query", "Contributions to", values, {str(i): t for i, t in enumerate(state.tokens)}),
    }
    examples = "" if preset_name is None else _choice("preset", "Example", values, presets.labels())
    buttons = "".join(
        f'<button type="button" name="{name}">{name.capitalize()}</button>' for name in ("undo", "redo", "reset")
    )
    return examples + "".join(written[name] for name in settings) + buttons


def fields(state):
    """Return the texts that the controls of a state show.

    >>> from mha_course.pipeline.presets import preset
    >>> fields(preset("article"))["divisor"]
    '1.73205'
    """
    return {
        "tokens": ", ".join(state.tokens),
        "context_tokens": ", ".join(state.context_tokens or ()),
        "num_heads": str(state.num_heads),
        "scale": state.scale if isinstance(state.scale, str) else OWN_SCALE,
        "divisor": f"{state.divisor:.6g}",
        "temperature": f"{state.temperature:.6g}",
        "mask": state.mask,
    }


def _text(name, label, values, attributes):
    return f'<label>{label} <input name="{name}" value="{escape(values[name])}" {attributes}></label>'


def _choice(name, label, values, options):
    listed = "".join(
        f'<option value="{escape(value)}"{" selected" if value == values[name] else ""}>{escape(text)}</option>'
        for value, text in options.items()
    )
    return f'<label>{label} <select name="{name}">{listed}</select></label>'

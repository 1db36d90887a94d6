"""Draws the whole path from the inputs to the result, or some of its matrices."""

from dataclasses import replace
from html import escape

import numpy as np

from mha_course.notation.digits import DECIMALS
from mha_course.pictures.chain import chain
from mha_course.pictures.matrix import matrix
from mha_course.pictures.palette import KINDS
from mha_course.pictures.picture import Picture
from mha_course.pipeline.mask_choices import MASKS, may_attend

ENCODING = ("embeddings", "positions", "wavelengths", "positional encoding")
SECTIONS = (
    ("Where X comes from: embeddings + positional encoding", ENCODING),
    ("Inputs", ("X", "context")),
    ("Weight matrices", ("W_Q", "W_K", "W_V")),
)
HEAD_SECTIONS = (("Q", "K", "V"), ("scores", "weights"), ("contributions", "output"))
MADE = {  # what a heading says, by the matrices below it
    ("scores",): "scores = Q · Kᵀ / scale",
    ("weights",): "weights = softmax of every row of the scores",
    ("scores", "weights"): "scores = Q · Kᵀ / scale  →  softmax of every row  →  weights",
    ("output",): "output = weights · V",
    ("contributions", "output"): "weights · V: what each token contributes  →  their sum, the output",
}
LAST_SECTION = ("The heads' outputs side by side  →  · W_O  →  result", ("concatenation", "W_O", "result"))


def whole_path(path, names=None, addressed=False):
    """Draw the matrices of a path under headings that say what happens.

    path: what `steps` returned. names: the matrices to draw; all of them if None.
    addressed: whether entries carry their address, as a widget needs it.

    >>> from mha_course.pipeline.presets import preset
    >>> from mha_course.pipeline.steps import steps
    >>> whole_path(steps(preset("the article")), names=("X", "Q")).text.splitlines()[:2]
    ['Inputs', 'X (3 × 4): tokens down, d_model across']
    """
    sections = []
    for heading, found in layout(path, names):
        pictures = [_picture(path[key], path, addressed) for key in found]
        sections.append((heading, chain(*pictures)))
    html = "".join(f'<p style="margin:10px 0 2px"><b>{escape(title)}</b></p>{part.html}' for title, part in sections)
    return Picture(html, "\n".join(f"{title}\n{part.text}" for title, part in sections))


def layout(path, names=None):
    """List (heading, keys) of the matrices to draw, in the order of the computation.

    >>> from mha_course.pipeline.presets import preset
    >>> from mha_course.pipeline.steps import steps
    >>> layout(steps(preset("the article")), names=("scores", "weights"))
    [('scores = Q · Kᵀ / scale  →  softmax of every row  →  weights', ['scores/1', 'weights/1'])]
    """
    num_heads = sum(step.name == "Q" for step in path.values())
    blocks = [(title, list(members)) for title, members in SECTIONS]
    for head in range(1, num_heads + 1):
        prefix = f"Head {head}: " if num_heads > 1 else ""
        for members in HEAD_SECTIONS:
            shown = tuple(name for name in members if names is None or name in names)
            blocks.append((prefix + _made(shown, path), [f"{name}/{head}" for name in shown]))
    blocks.append((LAST_SECTION[0], list(LAST_SECTION[1])))
    wanted = {key for key, step in path.items() if names is None or step.name in names}
    blocks = [(title, [key for key in keys if key in wanted]) for title, keys in blocks]
    return [(title, keys) for title, keys in blocks if keys]


def _made(shown, path):
    source = "context" if "context" in path else "X"
    projections = [f"{name} = {'X' if name == 'Q' else source} · W_{name}" for name in shown]
    made = MADE.get(shown, ",  ".join(projections))
    mask = MASKS[path["weights/1"].mask]
    return made if mask is None else made.replace("softmax", f"softmax ({mask.hides} masked)")


def decimals_of(step):
    """Return how many decimals a matrix of the path is written with: inputs need few, and may need many.

    >>> from mha_course.pipeline.presets import preset
    >>> from mha_course.pipeline.steps import steps
    >>> decimals_of(steps(preset("the article"))["scores/1"])
    4
    """
    return None if step.editable else DECIMALS


def _picture(step, path, addressed):
    title = step.name
    if step.query is not None:
        title = f"contributions to {path[f'output/{step.head + 1}'].rows[step.query]}"
    kind = KINDS[step.name]
    if step.name in ("W_Q", "W_K", "W_V") and "Q/2" in path:
        kind = replace(kind, columns=f"h·{kind.columns}")
    allowed = may_attend(step.mask, step.values.shape)
    masked = () if allowed is None else set(map(tuple, np.argwhere(~allowed).tolist()))
    key = step.key if addressed else None
    decimals = decimals_of(step)
    return matrix(step.values, step.name, step.rows, step.columns, title, kind, decimals, key=key, masked=masked)

"""Draws the whole path from the inputs to the result, or some of its matrices."""

from collections.abc import Container
from dataclasses import replace

import numpy as np

from mha_course.notation.digits import DECIMALS
from mha_course.pictures import markup
from mha_course.pictures.chain import chain
from mha_course.pictures.matrix import matrix
from mha_course.pictures.picture import Picture
from mha_course.pipeline.mask_choices import mask_of, may_attend
from mha_course.pipeline.matrices import MATRICES
from mha_course.pipeline.step import Path, Step

# What the heading of each group says; where it says nothing, the formulas of what is shown.
GROUPS = {
    "encoding": "Where X comes from: embeddings + positional encoding",
    "inputs": "Inputs",
    "parameters": "Weight matrices",
    "projections": "",
    "weights": "scores = Q · Kᵀ / scale  →  {softmax} of every row  →  weights",
    "outputs": "weights · V: what each token contributes  →  their sum, the output",
    "result": "The heads' outputs side by side  →  · W_O  →  result",
}


def whole_path(path: Path, names: Container[str] | None = None, addressed: bool = False) -> Picture:
    """Draw the matrices of a path under headings that say what happens.

    path: what `steps` returned. names: the matrices to draw; all of them if None.
    addressed: whether entries carry their address, as a widget needs it.

    >>> from mha_course.pipeline.presets import preset
    >>> from mha_course.pipeline.steps import steps
    >>> whole_path(steps(preset("article")), names=("X", "Q")).text.splitlines()[:2]
    ['Inputs', 'X (3 × 4): tokens down, d_model across']
    """
    sections = []
    for heading, found in layout(path, names):
        pictures = [_picture(path[key], path, addressed) for key in found]
        sections.append((heading, chain(*pictures)))
    html = markup.joined(part for title, drawn in sections for part in (_title(title), drawn.html))
    return Picture(html, "\n".join(f"{title}\n{drawn.text}" for title, drawn in sections))


def _title(text: str) -> markup.Markup:
    return markup.paragraph(markup.bold(text), style=markup.HEADING)


def layout(path: Path, names: Container[str] | None = None) -> list[tuple[str, list[str]]]:
    """List (heading, keys) of the matrices to draw, in the order of the computation.

    >>> from mha_course.pipeline.presets import preset
    >>> from mha_course.pipeline.steps import steps
    >>> layout(steps(preset("article")), names=("scores", "weights"))
    [('scores = Q · Kᵀ / scale  →  softmax of every row  →  weights', ['scores/1', 'weights/1'])]
    """
    heads = _by_query_head(path)
    sections = [("", group, [*path.values()]) for group in ("encoding", "inputs", "parameters")]
    for head, own in heads.items():
        prefix = f"Head {head + 1}: " if len(heads) > 1 else ""
        sections += [(prefix, group, own) for group in ("projections", "weights", "outputs")]
    sections.append(("", "result", [path[name] for name in (*MATRICES["result"].of, "result")]))
    drawn = []
    for prefix, group, steps in sections:
        shown = [s for s in steps if MATRICES[s.name].group == group and (names is None or s.name in names)]
        if shown:
            drawn.append((prefix + _heading(group, shown, path), [step.key for step in shown]))
    return drawn


def _by_query_head(path: Path) -> dict[int, list[Step]]:
    """Return query head -> its matrices; a shared key/value head stands with the first that looks with it."""
    first: dict[int | None, int] = {}
    for step in path.values():
        if step.query_head is not None:
            first.setdefault(step.key_head, step.query_head)
    found: dict[int, list[Step]] = {}
    for step in path.values():
        if step.head is not None:
            found.setdefault(first[step.key_head] if step.query_head is None else step.query_head, []).append(step)
    return found


def _heading(group: str, steps: list[Step], path: Path) -> str:
    """Say how the matrices of a group are made: one of them by its formula, several as the group says."""
    formulas = [formula for step in steps if (formula := MATRICES[step.name].formula)]
    is_alone = len(steps) == 1 and formulas
    heading = GROUPS[group] if GROUPS[group] and not is_alone else ",  ".join(formulas)
    hidden = mask_of(path["weights/1"].mask).hides
    softmax = f"softmax ({hidden} masked)" if hidden else "softmax"
    return heading.format(softmax=softmax, context="context" if "context" in path else "X")


def decimals_of(step: Step) -> int | None:
    """Return how many decimals a matrix of the path is written with: inputs need few, and may need many."""
    return None if step.is_input else DECIMALS


def _picture(step: Step, path: Path, addressed: bool) -> Picture:
    title, kind = step.name, MATRICES[step.name]
    if step.query is not None:
        title = f"contributions to {(path['output/1'].rows or ())[step.query]}"
    if kind.group == "parameters" and "Q/2" in path:
        kind = replace(kind, columns=f"h·{kind.columns}")
    allowed = may_attend(step.mask, step.values.shape)
    masked = () if allowed is None else set(map(tuple, np.argwhere(~allowed).tolist()))
    key = step.key if addressed else None
    decimals = decimals_of(step)
    return matrix(step.values, step.name, step.rows, step.columns, title, kind, decimals, key=key, masked=masked)

"""What this lesson asks before its cells run."""

from functools import cache

import numpy as np

from mha_course.engine.asking.question_text import number, order
from mha_course.maths.masks import causal_mask
from mha_course.maths.multi_head import MultiHeadAttention
from mha_course.maths.norms import layer_norm
from mha_course.maths.sublayer import AttentionSublayer

FORMS = {
    "pre": lambda mha, x: AttentionSublayer(mha, norm="pre")(x),
    "alone": lambda mha, x: mha(x).output,
    "sum": lambda mha, x: x + mha(x).output,
    "post": lambda mha, x: AttentionSublayer(mha, norm="post")(x),
}


@cache
def _sizes():
    """The size of the rows after 24 sublayers of each kind, random as those of the lesson."""
    rng = np.random.default_rng(0)
    layers = [MultiHeadAttention.random(d_model=64, num_heads=4, rng=rng) for _ in range(24)]
    start = rng.normal(size=(10, 64))
    sizes = {}
    for name, form in FORMS.items():
        rows = start
        for mha in layers:
            rows = form(mha, rows)
        sizes[name] = float(np.sqrt((rows**2).mean()))
    return sizes


def _rows_that_change(english_changes, french_changes):
    """How many rows of a decoder change with the last token of the one sentence, or of the other."""
    rng = np.random.default_rng(1)
    english, french = rng.normal(size=(5, 8)), rng.normal(size=(4, 8))
    read, look_back, cross = (AttentionSublayer(MultiHeadAttention.random(8, 2, rng)) for _ in range(3))
    W_1, W_2 = rng.normal(size=(8, 32)), rng.normal(size=(32, 8))

    def _decoded(source, target):
        memory = read(source)
        rows = cross(look_back(target, mask=causal_mask(len(target))), key=memory)
        return layer_norm(rows + np.maximum(rows @ W_1, 0) @ W_2)

    other_english, other_french = english.copy(), french.copy()
    other_english[-1] += english_changes
    other_french[-1] += french_changes
    return int((_decoded(other_english, other_french) != _decoded(english, french)).any(axis=-1).sum())


PREDICTIONS = (
    order("stacks.signal", """
        24 sublayers with random parameters, one after the other. In the three lines above, larger rows give
        a larger output, though one smaller than the rows. What does attention read in each form? Put the four forms in
        order of the size of their rows at the end, the smallest first.

        - x + attention(x)  [sum]
        - attention(x) alone  [alone]
        - pre-norm  [pre]
        - post-norm  [post]
        """, right=lambda: sorted(_sizes(), key=_sizes().get),
        numbers=lambda: (
            f"in this order the sizes are {', '.join(f'{size:.3g}' for size in sorted(_sizes().values()))}."
        )),
    number("stacks.english-token", """
        The last of the five English tokens is changed. How many of the decoder's four rows, one for each French token,
        will change?
        """, right=lambda: _rows_that_change(1, 0),
        numbers=lambda: (
            "every French token may attend to the whole English sentence. If the last French token is changed instead, "
            f"{_rows_that_change(0, 1)} row changes: there the causal mask holds."
        )),
)  # fmt: skip

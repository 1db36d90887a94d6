"""Predictions of the lesson on a real model. What only the model can tell was measured, and stands in its notebook."""

import numpy as np

from mha_course.engine.asking.question_text import choice, number
from mha_course.maths.attention import attention
from mha_course.maths.masks import causal_mask
from mha_course.maths.rotary import rotate

ARROW = [[1.0, 0.0]]
LOSSES = {"right": 2.98, "no causal mask": 1.02}  # on the notebook's text of 78 tokens
FIRST_TIME = 7.4  # the loss of a made-up name
WITHOUT_COPYING = {"text": (3.0, 3.0), "name": (0.2, 2.0)}  # before and after


def _product(query: int, key: int) -> float:
    """The product of two arrows (1, 0) that are turned to their positions."""
    return float((rotate(ARROW, [query]) @ rotate(ARROW, [key]).T)[0, 0])


def _changed_loss() -> str:
    rise = LOSSES["no causal mask"] - LOSSES["right"]
    return "same" if abs(rise) < 0.5 else "higher" if rise > 0 else "lower"


def _last_rows(may_attend: np.ndarray) -> list[np.ndarray]:
    """The last token's row after each of two layers, whose parameters are random."""
    rng = np.random.default_rng(0)
    X, rows = rng.normal(size=(5, 4)), []
    for W_Q, W_K, W_V in rng.normal(size=(2, 3, 4, 4)):
        X = X + attention(X @ W_Q, X @ W_K, X @ W_V, mask=may_attend).output
        rows.append(X[-1])
    return rows


def _distances() -> list[float]:
    """How far the last token's row is from what it was with the mask, after each layer."""
    layers = zip(_last_rows(causal_mask(5)), _last_rows(np.ones((5, 5), bool)), strict=True)
    return [float(abs(one - other).max()) for one, other in layers]


def _same_after() -> str:
    first, second = (distance < 1e-9 for distance in _distances())
    return {(True, True): "both", (True, False): "first", (False, False): "neither"}[first, second]


def _harmed() -> str:
    text, name = (after - before > 0.5 for before, after in WITHOUT_COPYING.values())
    return {(True, True): "both", (True, False): "text", (False, True): "name", (False, False): "none"}[text, name]


PREDICTIONS = (
    number("real_model.same-distance", f"""
        The arrow (1, 0) is a query at position 3, and a key at position 1. Both are turned to their positions: their
        product is {_product(3, 1):.4f}. What is the product of a query at position 103 and a key at 101?
        """, right=lambda: round(_product(103, 101), 4),
        numbers=lambda: (
            "both arrows are turned by 100 radians more, and the angle between them is 2 radians as before: the "
            f"cosine of 2 is {np.cos(2):.4f}."
        ),
        tolerance=0.005),
    choice("real_model.loss-without-mask", f"""
        A model reads a text with a loss of {LOSSES['right']:.2f}. Now the causal mask that it was trained with is left
        out. What is the loss on the same text?

        - higher
          Every row differs from what it was trained on, but one thing helps more.
        - the same  [same]
          Each row but the last sees more tokens now, and so is another row.
        - lower
          Each token sees the very token that it is to predict. As in lesson 7: too good.
        """, right=_changed_loss, numbers=lambda: f"it is {LOSSES['no causal mask']:.2f}."),
    choice("real_model.without-mask", """
        The last token may look at all tokens anyway, with a causal mask or without. Somebody leaves the mask out. When
        is the last token's row still what it was?

        - after every layer  [both]
          It looks at the same tokens, but from the second layer on their rows differ.
        - after the first layer, but not after the second  [first]
          In the first layer it sees what it saw before. There all other tokens have looked ahead, so the second layer
          gives it other keys and values.
        - not even after the first layer  [neither]
          Its own row of the mask hides nothing, so the first layer gives it what it gave before.
        """, right=_same_after,
        numbers=lambda: (
            f"in a small stack with random parameters, the rows differ by {_distances()[0]:.2f} after the first layer, "
            f"and by up to {_distances()[1]:.2f} after the second."
        )),
    choice("real_model.copying-off", f"""
        A made-up name costs {FIRST_TIME} a token when it comes first, and {WITHOUT_COPYING['name'][0]} when it comes
        again. An ordinary text, in which few pairs come again, costs {WITHOUT_COPYING['text'][0]}. Four of 270
        heads look at what followed the same token before. We switch them off. Which loss rises by more than 0.5: that
        on the ordinary text, or that on the name when it comes again?

        - both of them  [both]
          In an ordinary text there is little to copy, word for word.
        - that on the name  [name]
          A made-up name can only be copied, and without these four that works far less well.
        - that on the ordinary text  [text]
          There hardly any token can be copied: grammar and knowledge help.
        - neither of them  [none]
          266 other heads are left, but they do not make up for these four.
        """, right=_harmed,
        numbers=lambda: (
            ", ".join(
                f"on the {what} it goes from {before} to {after}" for what, (before, after) in WITHOUT_COPYING.items()
            )
            + "."
        )),
    number("real_model.rows-without-cache", """
        A model writes 100 tokens one by one. Nothing is kept: at each step, the keys of all tokens so far are computed
        anew, at the first step 1 row, then 2, then 3. How many rows of keys does a head compute in all?
        """, right=lambda: sum(range(1, 101)),
        numbers=lambda: f"1 + 2 + … + 100 is 100 · 101 / 2. Whoever keeps them computes {100}."),
)  # fmt: skip

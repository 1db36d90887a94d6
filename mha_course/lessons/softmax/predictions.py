"""Predictions of lesson 4."""

import numpy as np

from mha_course.engine.asking.question_text import choice, order
from mha_course.engine.asking.truths import listed
from mha_course.maths.attention import softmax

PLAIN, SHIFTED = [2, 4, 4], [1002, 1004, 1004]
ROWS = np.array([[0.0, 1.0], [1000.0, 1001.0]])
TEMPERATURES = {"4": 4, "0.25": 0.25, "100": 100, "1": 1}


def _what_shifting_does():
    shifted, plain = softmax(SHIFTED), softmax(PLAIN)
    if np.allclose(shifted, plain):
        return "same"
    return "sharper" if shifted.max() > plain.max() else "equal"


def _first_row():
    """The first row's weights, where both rows subtract the largest score of all."""
    with np.errstate(all="ignore"):
        exponentials = np.exp(ROWS - ROWS.max())
        return (exponentials / exponentials.sum(axis=-1, keepdims=True))[0]


def _what_becomes_of_it():
    if np.isnan(_first_row()).all():
        return "nan"
    return "same" if np.allclose(_first_row(), softmax(ROWS[0])) else "equal"


def _largest_share(temperature):
    return float(softmax([2, 4, 5], temperature=temperature).max())


PREDICTIONS = (
    choice("softmax.shift", """
        Each score grows by 1000. What is the softmax of 1002, 1004, 1004, compared with that of 2, 4, 4?

        - nearly equal weights, about 0.33 each  [equal]
          Next to 1000 a difference of 2 is small. But weights depend on differences, not on ratios.
        - the same weights  [same]
          Every exponential grows by the same factor, and so does their sum.
        - sharper weights: the first goes to 0  [sharper]
          The first is behind by 2, as before. Only a larger gap would make the weights sharper.
        """, right=_what_shifting_does,
        numbers=lambda: f"it was {listed(softmax(PLAIN))}, and is {listed(softmax(SHIFTED))}."),
    choice("softmax.whole-maximum", """
        The rows are (0, 1) and (1000, 1001). From both we subtract 1001, the largest score of all. What weights does
        the first row get?

        - none: it becomes `nan`  [nan]
          On paper the weights stay the same. A computer rounds both exponentials to 0, and 0/0 has no value.
        - the same as before, 0.27 and 0.73  [same]
          On paper they are: only differences matter. But a 64-bit float rounds both of these exponentials to 0.
        - 0.5 and 0.5  [equal]
          Both exponentials are rounded to 0. But a weight is then 0 divided by their sum, 0/0.
        """, right=_what_becomes_of_it,
        numbers=lambda: f"{listed(_first_row())}, where its own maximum would give {listed(softmax(ROWS[0]))}."),
    order("softmax.temperature", """
        The scores are 2, 4 and 5. At which temperature is the weight of the 5 largest? Put that temperature first,
        then the others, in order of falling weight.

        - T = 4  [4]
        - T = 0.25  [0.25]
        - T = 100  [100]
        - T = 1  [1]
        """, right=lambda: sorted(TEMPERATURES, key=lambda name: -_largest_share(TEMPERATURES[name])),
        numbers=lambda: (
            "in this order the largest weights are "
            f"{listed(sorted(map(_largest_share, TEMPERATURES.values()))[::-1])}. Dividing by a number below 1 "
            "stretches the differences; dividing by a number above 1 shrinks them."
        )),
)  # fmt: skip

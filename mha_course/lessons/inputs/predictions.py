"""Predictions of lesson 1."""

import numpy as np

from mha_course.engine.asking.question_text import choice, number
from mha_course.engine.asking.truths import listed
from mha_course.forward.examples import sentence
from mha_course.maths.attention import attention
from mha_course.maths.inputs import tokenize

THREE = np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 0, 0]])  # the lesson's embeddings of three tokens
ORDER = [2, 0, 1]
FLAT = np.array([1, 2, 4])


def _outputs():
    """What attention makes of the rows, and of the same rows in another order."""
    shuffled = THREE[ORDER]
    return attention(THREE, THREE, THREE).output, attention(shuffled, shuffled, shuffled).output


def _what_shuffling_does():
    before, after = _outputs()
    if np.allclose(after, before):
        return "same"
    return "moved" if np.allclose(after, before[ORDER]) else "new"


PREDICTIONS = (
    number("inputs.token-count", """
        How many tokens does our sentence have? *Innovators create and disrupt in equal measure.*
        """, right=lambda: len(tokenize(sentence)),
        numbers=lambda: f"{', '.join(f'`{token}`' for token in tokenize(sentence))}: the full stop counts."),
    choice("inputs.shuffle", """
        We shuffle the tokens. What will the outputs be?

        - rows with new numbers  [new]
          Each token still attends to the same three tokens, so it mixes the same rows with the same weights.
        - the same rows, in the old order  [same]
          Row 1 of the output belongs to the token that is now in row 1.
        - the same rows, in the new order  [moved]
          Each token takes its output with it to its new position.
        """, right=_what_shuffling_does,
        numbers=lambda: (
            f"the third token's output was {listed(_outputs()[0][2])}, in row 3. "
            f"Now row 1 is {listed(_outputs()[1][0])}."
        )),
    choice("inputs.flat-minus-column", """
        `flat` has the shape (3,). What is the shape of `flat - flat[:, None]`?

        - (3,)
          Two arrays of this shape would give it. But one of the two is a column.
        - (3, 1)
          The column has this shape. The other array counts as a row, (1, 3).
        - (3, 3)
          A row and a column: each is repeated until both fill a whole table.
        - none: it is an error  [none]
          (3,) counts as (1, 3), and a 1 fits every size.
        """, right=lambda: str((FLAT - FLAT[:, None]).shape),
        numbers=lambda: f"{FLAT.size} numbers have become {FLAT.size**2}."),
)  # fmt: skip

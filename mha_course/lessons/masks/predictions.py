"""Predictions of lesson 7."""

import numpy as np

from mha_course.engine.asking.question_text import choice, number
from mha_course.engine.asking.truths import listed
from mha_course.forward.examples import article
from mha_course.maths.attention import attention, project, softmax
from mha_course.maths.masks import causal_mask, padding_mask

SCORES, MAY_ATTEND = np.array([-2.0, -1.0, 3.0]), np.array([True, True, False])


def _weights(mask=None):
    Q, K, V = (project(article.X, W) for W in (article.W_Q, article.W_K, article.W_V))
    return attention(Q, K, V, mask=mask).weights


def _both():
    return (causal_mask(4) & padding_mask([2], n_k=4))[0]


PREDICTIONS = (
    number("masks.first-token", """
        Without a mask, *innovators*, the first token, gives itself a weight of 0.14. What will this weight be under
        the causal mask?
        """, right=lambda: float(_weights(causal_mask(3))[0, 0]),
        numbers=lambda: (
            f"its row was {listed(_weights()[0])}, and is {listed(_weights(causal_mask(3))[0])}. "
            "A softmax over a single key gives it a weight of 1."
        ),
        tolerance=0.001),
    number("masks.how-many", """
        A sentence of 2 tokens is padded to 4. Its mask has 4 × 4 entries and hides both the future and the padding. How
        many entries are True?
        """, right=lambda: int(_both().sum()),
        numbers=lambda: f"the rows have {', '.join(str(row.sum()) for row in _both())} True entries."),
    choice("masks.score-zero", """
        The scores are −2, −1 and 3, and the third key must be hidden. Its score is multiplied by 0. Which key gets the
        largest weight?

        - the first  [first]
          Its score is the lowest of the three.
        - the third, the hidden one  [hidden]
          A score of 0 is not small: it is above −1 and −2.
        - the second  [second]
          It has the highest visible score. But the hidden key now has 0, which is higher.
        """, right=lambda: ("first", "second", "hidden")[softmax(SCORES * MAY_ATTEND).argmax()],
        numbers=lambda: f"the weights are {listed(softmax(SCORES * MAY_ATTEND))}."),
)  # fmt: skip

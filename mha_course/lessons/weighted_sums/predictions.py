"""Predictions of lesson 5."""

import numpy as np

from mha_course.engine.asking.question_text import choice, number, order
from mha_course.engine.asking.truths import listed
from mha_course.forward.examples import article
from mha_course.maths.attention import attention, contributions, project


def _attention(scale=None):
    return attention(*_queries_keys_values(), scale=scale)


def _queries_keys_values():
    return [project(article.X, W) for W in (article.W_Q, article.W_K, article.W_V)]


def _contribution():
    """What disrupt contributes to output 1, with the article's scale."""
    return contributions(_attention(scale=1).weights, _queries_keys_values()[2])[0, 2]


def _most_like():
    """The value row, or the mean of all, that the output of create is nearest to."""
    V = _queries_keys_values()[2]
    rows = dict(zip(article.tokens, V, strict=True)) | {"mean": V.mean(axis=0)}
    return min(rows, key=lambda name: np.linalg.norm(rows[name] - _attention(scale=1).output[1]))


def _distances():
    """token -> how far its output lies from the value of create, in the two columns of the drawing."""
    corner = _queries_keys_values()[2][1, 1:]
    outputs = _attention().output[:, 1:]
    return {token: float(np.linalg.norm(row - corner)) for token, row in zip(article.tokens, outputs, strict=True)}


PREDICTIONS = (
    number("weighted_sums.contribution", """
        *Disrupt* has the same weight, 0.4683, and its value row is (2, 6, 3). What is the second entry of its
        contribution?
        """, right=lambda: round(float(_contribution()[1]), 4),
        numbers=lambda: f"0.4683 · 6. The whole contribution is {listed(_contribution())}.", tolerance=0.011),
    choice("weighted_sums.looks-like", """
        *Create* attends to itself with a weight of 0.98. Which row will its output most resemble?

        - the mean of all values, (1.7, 5.3, 2)  [mean]
          The mean would need equal weights. A mix leans towards the value with the largest weight.
        - the value of innovators, (1, 2, 3)  [innovators]
          *Create* gives *innovators* almost no weight. Being first gives a row no advantage.
        - the value of create, (2, 8, 0)  [create]
          With a weight of nearly 1, nearly the whole row comes through.
        - the value of disrupt, (2, 6, 3)  [disrupt]
          *Create* gives *disrupt* only 0.02, so that row hardly changes the output.
        """, right=_most_like, numbers=lambda: f"the output is {listed(_attention(scale=1).output[1])}."),
    order("weighted_sums.nearest", """
        The corner of *create* is at (8, 0). Put the three outputs in order of their distance from it, nearest first.

        - output of disrupt  [disrupt]
        - output of innovators  [innovators]
        - output of create  [create]
        """, right=lambda: sorted(_distances(), key=_distances().get),
        numbers=lambda: (
            f"in this order the distances are {listed(sorted(_distances().values()))}. The weights of *create* "
            f"are {listed(sorted(_attention().weights[:, 1])[::-1])}: a larger weight pulls the output nearer."
        )),
)  # fmt: skip

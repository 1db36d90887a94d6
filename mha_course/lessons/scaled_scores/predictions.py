"""Predictions of lesson 3."""

from functools import cache

import numpy as np

from mha_course.engine.asking.question_text import choice, order
from mha_course.engine.asking.truths import listed
from mha_course.forward.examples import article
from mha_course.maths.attention import project, scaled_scores, softmax

DIVISORS = {"d_k": 3, "one": 1, "√d_model": 2, "√d_k": 3**0.5}
WIDTHS = [2**i for i in range(11)]


def _scores(scale):
    return scaled_scores(project(article.X, article.W_Q), project(article.X, article.W_K), scale=scale)


def _by_key():
    """The dot products with each key, added up over the queries."""
    return _scores(1).sum(axis=0)


@cache
def _variances():
    """d_k -> the variance of dot products, drawn as the lesson draws them."""
    rng = np.random.default_rng(0)
    draws = {d: (rng.normal(size=(2000, d)), rng.normal(size=(2000, d))) for d in WIDTHS}
    return {d: float((queries * keys).sum(axis=1).var()) for d, (queries, keys) in draws.items()}


def _growth():
    variances = _variances()
    power = np.log(variances[1024] / variances[1]) / np.log(1024)
    return {0: "stays", 1: "root", 2: "linear"}[round(2 * power)]


def _share_of_create(divisor):
    return float(softmax(_scores(divisor))[1, 1])


PREDICTIONS = (
    choice("scaled_scores.largest-key", """
        For each key, add up its dot products with the three queries. Which token's key gets the largest sum? Look at
        the rows of K: (0, 1, 1), (4, 4, 0), (2, 3, 1).

        - innovators
          The key of *innovators* is the shortest of the three, so there is little to multiply.
        - disrupt
          The key of *disrupt* has no zero. But the 4 and 4 of *create* outweigh that.
        - create
          A long key gets large dot products with every query that points its way.
        """, right=lambda: article.tokens[_by_key().argmax()],
        numbers=lambda: "the sums are {} for innovators, {} for create, {} for disrupt.".format(
            *(f"{total:.0f}" for total in _by_key())
        )),
    choice("scaled_scores.variance", """
        Queries and keys are random, all entries independent, with mean 0 and variance 1. d_k grows from 1 to
        1024. What will the variance of their dot products do?

        - stay the same  [stays]
          Each product is spread as before, but there are more of them to add up.
        - grow like d_k  [linear]
          Variances of independent numbers add up.
        - grow like √d_k  [root]
          The typical size of a dot product grows like √d_k: it is the root of the variance.
        """, right=_growth,
        numbers=lambda: f"{', '.join(f'{_variances()[d]:.1f} at d_k = {d}' for d in (1, 32, 1024))}."),
    order("scaled_scores.divisors", """
        Here are four divisors found in code. Put them in order of the weight that *create* then gives to itself, the
        largest weight first.

        - √d_model = 2  [√d_model]
        - d_k = 3  [d_k]
        - √d_k = 1.73  [√d_k]
        - 1  [one]
        """, right=lambda: sorted(DIVISORS, key=lambda name: -_share_of_create(DIVISORS[name])),
        numbers=lambda: (
            f"in this order the weights are {listed(sorted(map(_share_of_create, DIVISORS.values()))[::-1])}. "
            "The larger the divisor, the flatter the weights."
        )),
)  # fmt: skip

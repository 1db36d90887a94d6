"""Predictions of lesson 3."""

from functools import cache

import numpy as np

from mha_course.maths.projections import project
from mha_course.maths.scores import scaled_scores
from mha_course.maths.softmax import softmax
from mha_course.pipeline.examples import article
from mha_course.workbook.asking.kinds import Choice, Option, Order
from mha_course.workbook.asking.prediction import Prediction, listed

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


PREDICTIONS = {
    "scaled_scores.largest-key": Prediction(
        text="Which token's key will get the largest numbers? Look at the rows of K: (0, 1, 1), (4, 4, 0), (2, 3, 1).",
        kind=Choice(
            {
                "innovators": Option(
                    "innovators",
                    "The key of *innovators* is the shortest of the three, so there is little to multiply.",
                ),
                "disrupt": Option("disrupt", "The key of *disrupt* has no zero. But 4 and 4 outweigh that."),
                "create": Option("create", "A long key gets large products with every query that points its way."),
            }
        ),
        truth=lambda: article.tokens[_by_key().argmax()],
        numbers=lambda: "the three queries together give {} to innovators, {} to create, {} to disrupt.".format(
            *(f"{total:.0f}" for total in _by_key())
        ),
    ),
    "scaled_scores.variance": Prediction(
        text=(
            "Queries and keys are drawn at random, all entries independent, with mean 0 and variance 1. d_k grows from "
            "1 to 1024. What will the variance of their dot products do?"
        ),
        kind=Choice(
            {
                "stays": Option(
                    "stay the same", "Each product spreads as before, but there are more of them to add up."
                ),
                "linear": Option("grow like d_k", "Variances of independent numbers add up."),
                "root": Option(
                    "grow like √d_k", "The typical size of a number grows like √d_k: it is the root of the variance."
                ),
            }
        ),
        truth=_growth,
        numbers=lambda: f"{', '.join(f'{_variances()[d]:.1f} at d_k = {d}' for d in (1, 32, 1024))}.",
    ),
    "scaled_scores.divisors": Prediction(
        text=(
            "Four divisors that are found in code. Put them in order of the share that *create* then gives to itself, "
            "the largest share first."
        ),
        kind=Order({"√d_model": "√d_model = 2", "d_k": "d_k = 3", "√d_k": "√d_k = 1.73", "one": "1"}),
        truth=lambda: sorted(DIVISORS, key=lambda name: -_share_of_create(DIVISORS[name])),
        numbers=lambda: (
            f"in this order the shares are {listed(sorted(map(_share_of_create, DIVISORS.values()))[::-1])}. "
            "The larger the divisor, the flatter the shares."
        ),
    ),
}

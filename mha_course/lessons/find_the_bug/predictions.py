"""Predictions: how much several experiments see together, and what a check of shapes lets pass."""

import itertools

import numpy as np

from mha_course.engine.asking.question_text import choice, number
from mha_course.maths.attention import attention, scaled_scores, softmax

SEEN_BY = {  # the pieces of the lesson: which experiments change their output
    1: {"one head alone", "hidden tokens changed", "all values 1"},
    2: {"hidden tokens changed"},
    3: {"hidden tokens changed", "all values 1"},
    4: set(),
    5: {"one sentence alone", "one head alone", "hidden tokens changed"},
    6: {"one head alone"},
    7: {"columns twice"},
}


def _fewest():
    """Return the smallest set of experiments that sees every piece which any experiment sees."""
    seen = [names for names in SEEN_BY.values() if names]
    experiments = sorted(set().union(*seen))
    sets = (chosen for size in range(7) for chosen in itertools.combinations(experiments, size))
    return next(chosen for chosen in sets if all(names & set(chosen) for names in seen))


SEVEN = {
    "no scale": lambda Q, K, V, seen: softmax(Q @ K.T, mask=seen) @ V,
    "divided by d_k": lambda Q, K, V, seen: softmax(Q @ K.T / Q.shape[-1], mask=seen) @ V,
    "scaled after softmax": lambda Q, K, V, seen: softmax(Q @ K.T, mask=seen) / Q.shape[-1] ** 0.5 @ V,
    "softmax over queries": lambda Q, K, V, seen: softmax(scaled_scores(Q, K).T, mask=seen.T).T @ V,
    "mask inverted": lambda Q, K, V, seen: attention(Q, K, V, ~seen).output,
    "mask after softmax": lambda Q, K, V, seen: (softmax(scaled_scores(Q, K)) * seen) @ V,
    "no mask": lambda Q, K, V, seen: attention(Q, K, V).output,
}


def _shapes():
    Q, K, V, seen = np.ones((2, 4)), np.ones((3, 4)), np.ones((3, 4)), np.ones((2, 3), bool)
    return [mistake(Q, K, V, seen).shape for mistake in SEVEN.values()]


def _in_turns():
    """Return attention of 6 queries and 5 keys, and that in which keys take turns with queries, two at a time."""
    rng = np.random.default_rng(6)
    Q, K, V = rng.normal(size=(6, 3)), rng.normal(size=(5, 3)), rng.normal(size=(5, 2))
    turns = [attention(Q[s : s + 2], K[s : s + 2], V[s : s + 2]).output for s in (0, 2, 4)]
    return attention(Q, K, V).output, np.concatenate(turns)


def _keys_too():
    whole, turns = _in_turns()
    if np.allclose(whole, turns):
        return "same"
    return "mean" if np.allclose(whole.mean(axis=0), turns.mean(axis=0)) else "other"


PREDICTIONS = (
    number("find_the_bug.fewest-experiments", """
        What is the smallest number of these experiments that together see all six bugs?
        """, right=lambda: len(_fewest()), numbers=lambda: f"they are {', '.join(_fewest())}."),
    number("find_the_bug.shapes-alone", """
        A published check calls attention with all-ones inputs and compares the *shape* of the output. We give it seven
        classic mistakes. How many does it let pass?
        """, right=lambda: sum(shape == (2, 4) for shape in _shapes()),
        numbers=lambda: f"their outputs have the shapes {', '.join(f'{n} × {d}' for n, d in _shapes())}."),
    choice("find_the_bug.keys-too", """
        Now the keys take turns as well: queries 1 and 2 get keys 1 and 2 only, and so on. In every turn the weights
        sum to 1. What comes out?

        - the same rows  [same]
          A query would have to give keys of other turns the weight 0.
        - other rows with the same mean  [mean]
          Nothing keeps the mean: keys of other turns are lost.
        - other rows  [other]
          The weights of a query sum to 1 over *all* keys, not over those of a turn.
        """, right=_keys_too,
        numbers=lambda: "the first row begins with {:.2f} before, and with {:.2f} now.".format(
            *(rows[0, 0] for rows in _in_turns())
        )),
)  # fmt: skip

"""What a head does, as far as its weights say: where they go, measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mha_course.engine.validation import read_count
from mha_course.maths.array_arguments import read_array
from mha_course.maths.which_head import Head

REPEATED, SEED = 20, 0  # random tokens, written twice
FEWEST, LAST = 1000, 40_000  # their ids: neither single bytes nor the rarest words
MARKS = frozenset(".,;:!?…-–—()[]{}\"'“”‘’«»")

# From which mean weight on a head has a job. A head with two jobs is named after the first in this order, if that is
# "induction" (where there is nothing to copy, such a head looks at the first token), and else after the larger score.
LEAST = {"induction": 0.6, "sink": 0.7, "previous": 0.5, "itself": 0.5, "punctuation": 0.5}
MIXED = "mixed"


@dataclass(frozen=True, eq=False, repr=False)
class HeadRoles:
    """The score of each head for each job, (layers, heads), and the job that it has."""

    scores: dict[str, np.ndarray]
    names: np.ndarray  # (layers, heads)

    @property
    def counts(self) -> dict[str, int]:
        """How many heads have each job, and how many none."""
        return {job: int(np.count_nonzero(self.names == job)) for job in (*LEAST, MIXED)}

    def of(self, layer: int, head: int) -> str:
        """Return the job of a head, both numbers counted from 1; "mixed" if it has none."""
        return str(self.names[layer - 1, head - 1])

    def score(self, layer: int, head: int) -> float:
        """Return a head's score for its job; of a mixed one, the largest."""
        name, at = self.of(layer, head), (layer - 1, head - 1)
        return float(self.scores[name][at] if name != MIXED else max(scores[at] for scores in self.scores.values()))

    def heads(self, job: str) -> list[Head]:
        """List the heads with a job, the one with the highest score first. Errors: `ValueError` for no such job."""
        if job not in (*LEAST, MIXED):
            raise ValueError(f"job is {job!r}, but must be one of {', '.join((*LEAST, MIXED))}.")
        found = [(int(layer) + 1, int(head) + 1) for layer, head in np.argwhere(self.names == job)]
        return sorted(found, key=lambda each: -self.score(*each))

    def __repr__(self) -> str:
        counts = (f"{job} {count}" for job, count in self.counts.items())
        return f"{type(self).__name__}({', '.join(counts)})"


def head_jobs(weights: np.ndarray, tokens: Sequence[str], repeated: np.ndarray | None = None) -> HeadRoles:
    """Measure what every head does with a text: how much of their weight the later queries give to what.

    sink: to the first token. previous: to the token before (from the third query on; for the second, that is the
    first). itself: to the query's own token. punctuation: to the marks before it, the first token not counted.
    induction: on repeated tokens, to the token that came after the same one before.

    Shapes: weights (layers, heads, n, n), one text for each of the n tokens; repeated (layers, heads, m, m), the
    weights of a text whose second half says its first again, like `repeated_tokens`; without it, nobody copies.
    Errors: `ValueError` if the shapes do not fit.

    >>> ahead = [[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
    >>> jobs = head_jobs(np.array([[ahead, np.eye(4)]]), ["a", "b", "c", "d"])
    >>> jobs
    HeadRoles(induction 0, sink 0, previous 1, itself 1, punctuation 0, mixed 0)
    >>> jobs.heads("previous"), jobs.scores["sink"]
    ([(1, 1)], array([[0.33333333, 0.        ]]))
    """
    weights = _read("weights", weights)
    if weights.shape[-1] != len(tokens):
        raise ValueError(f"weights has shape {weights.shape}, but there are {len(tokens)} tokens.")
    nothing = np.zeros(weights.shape[:2])
    scores = {
        "induction": nothing if repeated is None else _induction(_read("repeated", repeated)),
        "sink": _mean(weights[:, :, 1:, 0]),
        "previous": _mean(np.diagonal(weights, -1, 2, 3)[:, :, 1:]),
        "itself": _mean(np.diagonal(weights, 0, 2, 3)[:, :, 1:]),
        "punctuation": _punctuation(weights, [bool(text.strip()) and set(text.strip()) <= MARKS for text in tokens]),
    }
    if scores["induction"].shape != nothing.shape:
        raise ValueError(f"repeated is of {scores['induction'].shape} layers and heads, weights of {nothing.shape}.")
    return HeadRoles(scores, _names(scores))


def repeated_tokens(count: int = REPEATED, seed: int = SEED) -> list[int]:
    """Return the ids of random tokens, all of them twice: who copies is seen on the second half.

    count: how many different ones, from 1 to 39,000. seed: of the random choice, a whole number from 0.
    Errors: `ValueError` or `TypeError` naming the argument that does not fit.

    >>> ids = repeated_tokens()
    >>> len(ids), ids[:20] == ids[20:]
    (40, True)
    """
    count, seed = read_count("count", count, most=LAST - FEWEST), read_count("seed", seed, least=0)
    ids = np.random.default_rng(seed).choice(np.arange(FEWEST, LAST), size=count, replace=False)
    return ids.tolist() * 2


def _read(name: str, weights: np.ndarray) -> np.ndarray:
    array = read_array(name, weights)
    if array.ndim != 4 or array.shape[-1] != array.shape[-2]:
        raise ValueError(f"{name} has shape {array.shape}, but must be (layers, heads, n, n).")
    return array


def _names(scores: dict[str, np.ndarray]) -> np.ndarray:
    """Return the job of each head, as its name."""
    names = list(scores)
    enough = np.array([np.where(scores[name] >= LEAST[name], scores[name], 0) for name in names])
    enough[0] = np.where(enough[0] > 0, 2, 0)  # more than any weight
    best = np.where(enough.max(axis=0) > 0, enough.argmax(axis=0), len(names))
    return np.array([*names, MIXED])[best]


def _induction(weights: np.ndarray) -> np.ndarray:
    half = weights.shape[-1] // 2
    return _mean(np.diagonal(weights, 1 - half, 2, 3)[:, :, 1:])  # queries from half on


def _punctuation(weights: np.ndarray, is_mark: Sequence[bool]) -> np.ndarray:
    marks = np.flatnonzero(is_mark)
    marks = marks[marks > 0]
    if not len(marks) or marks[0] + 1 == len(is_mark):
        return np.zeros(weights.shape[:2])
    before = np.tril(weights, -1)[:, :, marks[0] + 1 :, marks]  # (layers, heads, queries, marks)
    return _mean(before.sum(axis=-1))


def _mean(weights: np.ndarray) -> np.ndarray:
    """Return the mean over the last axis, (layers, heads); 0 where it is empty."""
    return weights.mean(axis=-1) if weights.shape[-1] else np.zeros(weights.shape[:-1])

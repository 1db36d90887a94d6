"""What the tests of lesson 3 need: other right answers, and every truth worked out a second time, on paper."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import scipy.linalg

from mha_course import scaled_scores
from mha_course.lessons.other_ways import as_float16, as_float32, scores_with_loops


def each_as(kind, function):
    """Give back rows of Python's own numbers."""

    def rows(array):
        return [rows(row) for row in array] if array.ndim else kind(float(array))

    return lambda *given: rows(np.asarray(function(*given)))


RIGHT = {
    "scaled_scores.dot": [
        lambda q, k: sum(q * k),
        np.dot,
        lambda q, k: np.einsum("i,i", q, k),
        lambda q, k: float(k @ q),
        lambda q, k: np.float32((q * k).sum()),
        each_as(Decimal, np.dot),
        each_as(Fraction, np.dot),
        as_float16(np.dot),
    ],
    "scaled_scores.scaled": [
        scores_with_loops,
        lambda Q, K: (Q / np.sqrt(Q.shape[-1])) @ K.T,
        lambda Q, K: Q @ (K.T / Q.shape[1] ** 0.5),
        lambda Q, K: Q @ K.T * K.shape[-1] ** -0.5,
        lambda Q, K: (Q / K.shape[1] ** 0.25) @ (K / K.shape[1] ** 0.25).T,
        lambda Q, K: np.einsum("ik,jk->ij", Q, K) / len(Q[0]) ** (1 / 2),
        as_float32(scaled_scores),
        as_float16(scaled_scores),
        each_as(Decimal, scaled_scores),
        each_as(Fraction, scaled_scores),
        each_as(np.float16, scaled_scores),
        lambda Q, K: scaled_scores(Q, K).astype(object),
        lambda Q, K: np.array([Fraction(float(s)) for s in scaled_scores(Q, K).flat]).reshape(len(Q), -1),
        lambda Q, K: tuple(scaled_scores(Q, K)),
        lambda Q, K: tuple(q @ K.T / len(q) ** 0.5 for q in Q),
        lambda Q, K: (q @ K.T / len(q) ** 0.5 for q in Q),
        lambda Q, K: ((q @ k / len(q) ** 0.5 for k in K) for q in Q),
        lambda Q, K: map(lambda q: q @ K.T / len(q) ** 0.5, Q),
        lambda Q, K: [map(lambda k, q=q: q @ k / len(q) ** 0.5, K) for q in Q],
    ],
    "scaled_scores.batch": [
        lambda Q, K: np.matmul(Q, K.swapaxes(-2, -1)) / K.shape[-1] ** 0.5,
        as_float16(scaled_scores),
        lambda Q, K: np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(K.shape[-1]),
        lambda Q, K: (Q * Q.shape[-1] ** -0.5) @ np.moveaxis(K, -1, -2),
        as_float32(scaled_scores),
    ],
    "scaled_scores.keys": [
        lambda Q, S: (np.linalg.inv(Q) @ S * np.sqrt(len(Q))).T,
        lambda Q, S: S.T @ np.linalg.inv(Q).T * len(Q) ** 0.5,
        lambda Q, S: np.array([np.linalg.solve(Q, column) for column in S.T]) * Q.shape[1] ** 0.5,
        lambda Q, S: np.linalg.lstsq(Q / np.sqrt(Q.shape[-1]), S, rcond=None)[0].swapaxes(0, 1),
        lambda Q, S: np.transpose(np.linalg.pinv(Q) @ (S * math.sqrt(len(Q)))).tolist(),
        lambda Q, S: scipy.linalg.solve(Q, S).T / len(Q) ** -0.5,
        as_float32(lambda Q, S: np.linalg.solve(Q * Q.shape[-1] ** -0.5, S).T),
    ],
}  # fmt: skip

TRUTHS = {
    "scaled_scores.largest-key": "create",
    "scaled_scores.variance": "linear",
    "scaled_scores.divisors": ["one", "√d_k", "√d_model", "d_k"],
    "scaled_scores.which-root": "8",
    "scaled_scores.forgotten-transpose": "error",
    "scaled_scores.forgotten-scale": "factor",
    "scaled_scores.same-width": "QK",
    "scaled_scores.positions-afterwards": "shares",
}

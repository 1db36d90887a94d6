"""What the tests of lesson 4 need: other right answers, and every truth worked out a second time, on paper."""

import math

import numpy as np
import scipy.optimize
import scipy.special

from mha_course import softmax
from mha_course.lessons.other_ways import as_float32, divided_by_its_sum, softmax_with_loops

RIGHT = {
    "softmax.strongest": [
        lambda w: np.argmax(w, -1),
        lambda w: w.argmax(axis=w.ndim - 1).tolist(),
        lambda w: np.argsort(w, axis=-1)[..., -1],
        lambda w: w.argmax(axis=-1).astype(object),
        lambda w: np.uint8(w.argmax(axis=-1)),
    ],
    "softmax.ratio": [
        lambda s, ratio: abs(s[0] - s[1]) / math.log(ratio),
        lambda s, ratio: np.ptp(s) / np.log(ratio),
        lambda s, ratio: np.diff(np.sort(s))[0] / np.log(ratio),
        lambda s, ratio: 1 / (np.log(ratio) / (max(s) - min(s))),
        lambda s, ratio: (max(s) - min(s)) * np.log10(np.e) / np.log10(ratio),
        lambda s, ratio: scipy.optimize.brentq(lambda t: max(s) - min(s) - t * math.log(ratio), 1e-9, 1e6),
        as_float32(lambda s, ratio: (s.max() - s.min()) / np.log(ratio)),
    ],
    "softmax.table": [
        lambda s: softmax_with_loops(s, 1),
        lambda s: scipy.special.softmax(s, axis=-1),
        lambda s: np.exp(s - np.logaddexp.reduce(s, axis=-1, keepdims=True)),
        lambda s: np.array([divided_by_its_sum(np.exp(row - max(row))) for row in s]),
        lambda s: np.exp(scipy.special.log_softmax(s, axis=1)),
        lambda s: [[1 / sum(np.exp(other - each) for other in row) for each in row] for row in s],
        as_float32(lambda s: softmax(s)),
    ],
    "softmax.general": [
        softmax_with_loops,
        lambda s, t: softmax((s - s.max(axis=-1, keepdims=True)) / t),
        as_float32(softmax),
        lambda s, t: softmax(s, temperature=t),
        lambda s, t: scipy.special.softmax(s / t, axis=-1),
        lambda s, t: np.exp(s / t - np.logaddexp.reduce(s / t, axis=-1, keepdims=True)),
        lambda s, t: np.apply_along_axis(lambda row: divided_by_its_sum(np.exp((row - max(row)) / t)), -1, s),
        lambda s, t: divided_by_its_sum(np.exp(s - s.max(axis=-1, keepdims=True)) ** (1 / t)),
        lambda s, t: np.reshape([softmax(row / t) for row in s.reshape(-1, s.shape[-1])], s.shape).tolist(),
    ],
    "softmax.new_key": [
        lambda row, p: np.log(np.exp(row).sum()) + np.log(p / (1 - p)),
        lambda row, p: scipy.special.logsumexp(row) + scipy.special.logit(p),
        lambda row, p: math.log(sum(map(math.exp, row)) * p / (1 - p)),
        lambda row, p: np.logaddexp.reduce(row) - np.log(1 / p - 1),
        lambda row, p: row[0] - np.log(softmax(row)[0] * (1 - p) / p),
        lambda row, p: scipy.optimize.brentq(lambda s: softmax(np.append(row, s))[-1] - p, -30, 30, xtol=1e-12),
        as_float32(lambda row, p: np.log(np.exp(row).sum() * p / (1 - p))),
    ],
}  # fmt: skip

NEVER_NEGATIVE = ("softmax.strongest", "softmax.table", "softmax.ratio", "softmax.general", "softmax.new_key")

TRUTHS = {
    "softmax.shift": "same",
    "softmax.whole-maximum": "nan",
    "softmax.temperature": ["0.25", "1", "4", "100"],
    "softmax.axis": "keys",
    "softmax.what-stays": "add",
    "softmax.ratio-at-temperature-2": "root",
    "softmax.four-times-as-wide": "2",
    "softmax.another-context-word": "column",
}

TRUE_SENTENCES = {"softmax.true-sentences.1": ["as-much", "nine-tenths", "never-nothing"]}

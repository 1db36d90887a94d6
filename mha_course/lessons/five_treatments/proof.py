"""What the tests of lesson 16 need: other right answers, and every truth worked out a second time, on paper."""

import math

import numpy as np
import scipy.linalg

from mha_course import merge_heads, project, split_heads
from mha_course.lessons.other_ways import as_float32, filled_in_a_loop


def different_with_loops(heads):
    found = []
    for head in heads:
        if not any(abs(head - other).max() < 1e-6 for other in found):
            found.append(head)
    return len(found)


RIGHT = {
    "five_treatments.different": [
        different_with_loops,
        lambda heads: sum(not any(np.allclose(head, other) for other in heads[:i]) for i, head in enumerate(heads)),
        lambda heads: len(np.unique(np.round(heads, 8), axis=0)),
        lambda heads: len({tuple(np.round(head, 9).ravel()) for head in heads}),
        lambda heads: len({np.isclose(head, heads).all(axis=(1, 2)).argmax() for head in heads}),
        lambda heads: np.linalg.matrix_rank(
            np.array([[float(np.allclose(head, other)) for other in heads] for head in heads])
        ),
        as_float32(lambda heads: len({tuple(np.round(head, 4).ravel().tolist()) for head in heads})),
    ],
    "five_treatments.full_form": [
        lambda W, h: np.kron(np.eye(h), W),
        lambda W, h: np.block([[W if i == j else 0 * W for j in range(h)] for i in range(h)]),
        lambda W, h: scipy.linalg.block_diag(*[W] * h),
        lambda W, h: np.tile(W, (h, h)) * np.kron(np.eye(h), 0 * W + 1),
        lambda W, h: filled_in_a_loop(
            (h * len(W),) * 2,
            lambda r, c: W[r % len(W), c % len(W)] if r // len(W) == c // len(W) else 0,
        ),
        lambda W, h: np.einsum("hg,rc->hrgc", np.eye(h), W).reshape(h * len(W), -1),
        lambda W, h: merge_heads(split_heads(np.eye(h * len(W)), h) @ W),
    ],
    "five_treatments.whole_row": [
        lambda X, W, h: split_heads(project(X, W), h),
        lambda X, W, h: np.stack([X @ part for part in np.split(W, h, axis=-1)], axis=-3),
        lambda X, W, h: np.einsum("...nd,dhk->...hnk", X, W.reshape(len(W), h, -1)),
        lambda X, W, h: X[..., None, :, :] @ split_heads(W, h),
        lambda X, W, h: (X @ W).reshape(*X.shape[:-1], h, -1).swapaxes(-2, -3).tolist(),
        lambda X, W, h: np.moveaxis([project(X, part) for part in np.hsplit(W, h)], 0, -3),
        lambda X, W, h: np.stack(np.split(np.dot(X, W), h, axis=-1), axis=-3),
        as_float32(lambda X, W, h: X[..., None, :, :] @ W.reshape(len(W), h, -1).swapaxes(0, 1)),
    ],
    "five_treatments.weights": [
        lambda samples: (samples - 0.5) * (12 / len(samples)) ** 0.5,
        lambda samples: (2 * samples - 1) * np.sqrt(3 / samples.shape[0]),
        as_float32(lambda samples: (samples - 0.5) / np.sqrt(len(samples) / 12)),
        lambda samples: [[(a - 0.5) * math.sqrt(12 / len(samples)) for a in row] for row in samples],
        lambda samples: samples * np.sqrt(12 / len(samples)) - np.sqrt(3 / len(samples)),
        lambda samples: np.interp(samples, [0, 1], [-((3 / len(samples)) ** 0.5), (3 / len(samples)) ** 0.5]),
        lambda samples: (samples - 1 / 2) / np.sqrt(1 / 12) / np.sqrt(samples.shape[0]),
        lambda samples: ((row - 0.5) * (len(samples) / 12) ** -0.5 for row in samples),
    ],
}  # fmt: skip

NEVER_NEGATIVE = ("five_treatments.different",)

TRUTHS = {
    "five_treatments.size-of-scores": "2.0",
    "five_treatments.different-rows": 1,
    "five_treatments.other-half": "second",
    "five_treatments.positive": "key",
    "five_treatments.shared-count": "112",
    "five_treatments.unshifted": "nan",
    "five_treatments.no-output-matrix": "mix",
    "five_treatments.repeated-lengths": "sentences",
}

"""What the tests of lesson 9 need: other right answers, and every truth worked out a second time, on paper."""

import math

import numpy as np

from mha_course import layer_norm
from mha_course.lessons.other_ways import as_float16, as_float32, filled_in_a_loop


def normalised_from(centred, eps):
    return centred * len(centred) ** 0.5 / np.sqrt(centred @ centred + len(centred) * eps)


def sublayers_with(eps):
    def norm(x):
        return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)

    return lambda x, attend: (norm(x + attend(x)), x + attend(norm(x)))


RIGHT = {
    "residual_and_norm.residual": [
        lambda x, attend: attend(x) + x,
        lambda x, attend: np.add(x, attend(x)).tolist(),
        lambda x, attend: sum((x, attend(x))),
        lambda x, attend: np.stack([x, attend(x)]).sum(axis=0),
        lambda x, attend: [row + added for row, added in zip(x, attend(x))],
        lambda x, attend: filled_in_a_loop(x.shape, lambda *at: x[at] + attend(x)[at]),
        lambda x, attend: np.einsum("s...->...", [attend(x), x]),
        as_float32(lambda x, attend: x + attend(x)),
    ],
    "residual_and_norm.row": [
        lambda row, eps: layer_norm(row[None], eps=eps)[0],
        lambda row, eps: (row - np.mean(row)) / np.sqrt(np.var(row) + eps),
        lambda row, eps: (row - row.mean()) * ((row**2).mean() - row.mean() ** 2 + eps) ** -0.5,
        lambda row, eps: (row - row.mean()) / (row.std() ** 2 + eps) ** 0.5,
        lambda row, eps: [(a - sum(row) / len(row)) / math.sqrt(np.var(row) + eps) for a in row],
        lambda row, eps: normalised_from(row - row.mean(), eps),
        lambda row, eps: layer_norm([row, row], np.ones(len(row)), np.zeros(len(row)), eps)[1],
        lambda row, eps: normalised_from(row @ (np.eye(len(row)) - 1 / len(row)), eps),
        as_float32(lambda row, eps: (row - np.average(row)) / np.hypot(row.std(), np.sqrt(eps))),
    ],
    "residual_and_norm.layer_norm": [
        lambda x, gain, bias, eps: (x - x.mean(axis=-1, keepdims=True))
        * (gain / np.sqrt(x.var(axis=-1, keepdims=True) + eps))
        + bias,
        lambda x, gain, bias, eps: gain * (x - x.mean(-1)[..., None]) / np.sqrt(x.var(-1)[..., None] + eps) + bias,
        as_float16(layer_norm),
        lambda x, gain, bias, eps: np.apply_along_axis(lambda r: (r - r.mean()) / (r.var() + eps) ** 0.5, -1, x) * gain
        + bias,
        as_float32(layer_norm),
    ],
    "residual_and_norm.undo": [
        lambda y, gain, bias, mean, root: (y - bias) / gain * root[..., None] + mean[..., None],
        lambda y, gain, bias, mean, root: (root[..., None] * ((y - bias) * (1 / gain)) + mean[..., None]).tolist(),
        lambda y, gain, bias, mean, root: (
            np.moveaxis(np.moveaxis((y - bias) / gain, -1, 0) * root + mean, 0, -1)
        ),
        lambda y, gain, bias, mean, root: filled_in_a_loop(
            y.shape, lambda *at: (y[at] - bias[at[-1]]) / gain[at[-1]] * root[at[:-1]] + mean[at[:-1]]
        ),
        lambda y, gain, bias, mean, root: y * np.einsum("...n,d->...nd", root, 1 / gain)
        + (mean[..., None] - np.einsum("...n,d->...nd", root, bias / gain)),
        as_float32(lambda y, gain, bias, mean, root: (y - bias) / gain * root[..., None] + mean[..., None]),
    ],
    "residual_and_norm.both": [
        lambda x, attend: [layer_norm(attend(x) + x), attend(layer_norm(x)) + x],
        lambda x, attend: np.stack([layer_norm(x + attend(x)), x + attend(layer_norm(x))]),
        lambda x, attend: (layer_norm(x + attend(x)), x + attend(layer_norm(x))),
        lambda x, attend: (made for made in (layer_norm(attend(x) + x), attend(layer_norm(x)) + x)),
        lambda x, attend: (
            np.apply_along_axis(lambda row: normalised_from(row - row.mean(), 1e-5), -1, x + attend(x)).tolist(),
            x + attend(np.apply_along_axis(lambda row: normalised_from(row - row.mean(), 1e-5), -1, x)),
        ),
        lambda x, attend: tuple(map(np.float32, (layer_norm(x + attend(x)), x + attend(layer_norm(x))))),
        lambda x, attend: (
            layer_norm(x + attend(x), np.ones(x.shape[-1]), np.zeros(x.shape[-1])),
            np.sum([x, attend(layer_norm(x, eps=1e-5))], axis=0),
        ),
    ],
    "residual_and_norm.repair": [
        lambda x, attend, gain, bias: x + attend(layer_norm(x, gain, bias)),
        lambda x, attend, gain, bias: np.add(attend(layer_norm(x) * gain + bias), x).tolist(),
        lambda x, attend, gain, bias: attend(layer_norm(x) * gain + bias) + x,
        lambda x, attend, gain, bias: sum((x, attend(gain * (x - x.mean(-1, keepdims=True))
        / (x.var(-1, keepdims=True) + 1e-5) ** 0.5 + bias))),
        lambda x, attend, gain, bias: x + attend(
            np.apply_along_axis(lambda row: normalised_from(row - row.mean(), 1e-5) * gain + bias, -1, x)
        ),
        as_float32(lambda x, attend, gain, bias: x + attend(layer_norm(x, gain, bias))),
    ],
    "residual_and_norm.dropout": [
        lambda weights, kept, rate: np.where(kept, weights / (1 - rate), 0),
        lambda weights, kept, rate: weights / (1 - rate) * kept.astype(int),
        as_float32(lambda weights, kept, rate: kept * weights / (1 - rate)),
        lambda weights, kept, rate: np.multiply(weights, kept / (1 - rate)).tolist(),
        lambda weights, kept, rate: np.divide(weights, 1 - rate, where=kept, out=np.zeros(weights.shape)),
        lambda weights, kept, rate: np.einsum("...,...->...", weights, kept) / (1 - rate),
        lambda weights, kept, rate: filled_in_a_loop(weights.shape, lambda *at: kept[at] and weights[at] / (1 - rate)),
        lambda weights, kept, rate: np.ma.array(weights / (1 - rate), mask=~kept).filled(0),
        lambda weights, kept, rate: weights * kept + weights * kept * rate / (1 - rate),
    ],
}  # fmt: skip

WRONG = [("residual_and_norm.both", sublayers_with(eps=0))]

NEVER_NEGATIVE = ("residual_and_norm.dropout",)

TRUTHS = {
    "residual_and_norm.zero-weights": "same",
    "residual_and_norm.changed-row": 1,
    "residual_and_norm.sum-after-dropout": 0.75,
    "residual_and_norm.how-many-means": "320",
    "residual_and_norm.which-line": "pre",
    "residual_and_norm.rate": "1.11",
    "residual_and_norm.what-fits": "mixed",
    "residual_and_norm.ten-times": "softmax",
}

"""What the tests of lesson 11 need: other right answers, and every truth worked out a second time, on paper."""

from decimal import Decimal
from functools import reduce

import numpy as np

from mha_course import causal_mask, layer_norm
from mha_course.lessons.other_ways import as_float32


def passed(x, layers):
    for layer in layers:
        x = layer(x)
    return x


def decoder_layer(x, memory, attend, cross_attend, feed, norm, mask):
    after_self = norm(x + attend(x, mask))
    after_cross = norm(after_self + cross_attend(after_self, memory))
    return norm(after_cross + feed(after_cross))


RIGHT = {
    "stacks.feed_forward": [
        lambda x, W_1, b_1, W_2, b_2: np.maximum(x @ W_1 + b_1, 0) @ W_2 + b_2,
        lambda x, W_1, b_1, W_2, b_2: ((x @ W_1 + b_1).clip(min=0) @ W_2 + b_2).tolist(),
        lambda x, W_1, b_1, W_2, b_2: b_2 + ((x @ W_1 + b_1) * (x @ W_1 + b_1 > 0)) @ W_2,
        lambda x, W_1, b_1, W_2, b_2: np.apply_along_axis(
            lambda row: np.where((wide := row @ W_1 + b_1) < 0, 0, wide) @ W_2 + b_2, -1, x
        ),
        lambda x, W_1, b_1, W_2, b_2: sum(
            np.maximum(x @ column + b, 0)[..., None] * row
            for column, b, row in zip(W_1.T, b_1, W_2, strict=True)
        ) + b_2,
        lambda x, W_1, b_1, W_2, b_2: (np.abs(wide := x @ W_1 + b_1) + wide) @ W_2 / 2 + b_2,
        as_float32(lambda x, W_1, b_1, W_2, b_2: np.maximum(x @ W_1 + b_1, 0) @ W_2 + b_2),
    ],
    "stacks.encoder_layer": [
        lambda x, attend, feed, norm: norm((after := norm(x + attend(x))) + feed(after)),
        lambda x, attend, feed, norm: layer_norm((after := layer_norm(attend(x) + x)) + feed(after)).tolist(),
        lambda x, attend, feed, norm: reduce(lambda rows, add: norm(rows + add(rows)), (attend, feed), x),
        lambda x, attend, feed, norm: norm(sum(f(norm(x + attend(x))) for f in (feed, lambda rows: rows))),
        lambda x, attend, feed, norm: layer_norm((after := layer_norm(x + attend(x))) + feed(after)),
        as_float32(lambda x, attend, feed, norm: norm((after := norm(x + attend(x))) + feed(after))),
    ],
    "stacks.decoder_layer": [
        lambda x, memory, attend, cross_attend, feed, norm: decoder_layer(
            x, memory, attend, cross_attend, feed, norm, causal_mask(x.shape[-2])
        ),
        lambda x, memory, attend, cross_attend, feed, norm: decoder_layer(
            x, memory, attend, cross_attend, feed, layer_norm, np.tril(np.ones((x.shape[-2],) * 2, bool))
        ).tolist(),
        lambda x, memory, attend, cross_attend, feed, norm: decoder_layer(
            x, memory, attend, cross_attend, feed, layer_norm, np.tri(x.shape[-2])
        ),
        lambda x, memory, attend, cross_attend, feed, norm: reduce(
            lambda rows, add: norm(rows + add(rows)),
            (
                lambda rows: attend(rows, np.tri(rows.shape[-2], dtype=bool)),
                lambda rows: cross_attend(rows, memory),
                feed,
            ),
            x,
        ),
        lambda x, memory, attend, cross_attend, feed, norm: decoder_layer(
            x,
            memory,
            attend,
            cross_attend,
            feed,
            norm,
            [[k <= q for k in range(x.shape[-2])] for q in range(x.shape[-2])],
        ),
    ],
    "stacks.stack": [
        lambda x, layers, norm: norm(reduce(lambda rows, layer: layer(rows), layers, x)),
        lambda x, layers, norm: layer_norm(reduce(lambda rows, layer: layer(rows), layers, x)).tolist(),
        lambda x, layers, norm: norm(passed(x, layers)),
        lambda x, layers, norm: layer_norm(passed(x, list(layers))),
        lambda x, layers, norm: norm(
            x + sum(passed(x, layers[: i + 1]) - passed(x, layers[:i]) for i in range(len(layers)))
        ),
        as_float32(lambda x, layers, norm: norm(passed(x, layers))),
    ],
    "stacks.parameters": [
        lambda d_model, d_ff: (4 * d_model**2, 2 * d_model * d_ff + d_ff + d_model, 4 * d_model),
        lambda d_model, d_ff: [4 * d_model * d_model, d_ff * (d_model + 1) + d_model * (d_ff + 1), 4 * d_model],
        lambda d_model, d_ff: tuple(
            sum(np.ones(shape).size for shape in shapes)
            for shapes in (
                [(d_model, d_model)] * 4,
                [(d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,)],
                [(d_model,)] * 4,
            )
        ),
        lambda d_model, d_ff: np.array([4 * d_model**2, (2 * d_model + 1) * d_ff + d_model, 4 * d_model]),
        lambda d_model, d_ff: map(Decimal, (4 * d_model**2, 2 * d_model * d_ff + d_ff + d_model, 4 * d_model)),
    ],
}  # fmt: skip

NEVER_NEGATIVE = ("stacks.parameters",)

TRUTHS = {
    "stacks.signal": ["alone", "post", "pre", "sum"],
    "stacks.english-token": 4,
    "stacks.one-row": "alone",
    "stacks.how-many-norms": "13",
    "stacks.twice-the-text": "4",
    "stacks.add-ten": "same",
    "stacks.silent-head": "first",
}

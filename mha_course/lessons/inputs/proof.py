"""What the tests of lesson 1 need: other right answers, and every truth worked out a second time, on paper."""

import math

import numpy as np

from mha_course import positional_encoding
from mha_course.lessons.other_ways import as_float32, filled_in_a_loop


def filled(positions, d_model):
    table = np.zeros((len(positions), d_model))
    for row, position in enumerate(positions):
        for i in range(0, d_model, 2):
            table[row, i] = np.sin(position / 10000 ** (i / d_model))
            table[row, i + 1] = np.cos(position / 10000 ** (i / d_model))
    return table


def pairs_doubled(positions, d_model):
    """Return the angle of every column, that of a pair twice."""
    return positions[:, None] / 10000 ** (np.arange(d_model) // 2 * 2 / d_model)


RIGHT = {
    "inputs.ids": [
        lambda rows, table: [table.tolist().index(row) for row in rows.tolist()],
        lambda rows, table: ((rows[:, None] - table) ** 2).sum(axis=-1).argmin(axis=1),
        lambda rows, table: np.nonzero((rows[:, None] == table).all(axis=-1))[1],
        lambda rows, table: [i for row in rows for i, each in enumerate(table) if np.array_equal(row, each)],
        lambda rows, table: (rows @ table.T - (table * table).sum(axis=1) / 2).argmax(axis=1),
        lambda rows, table: map({tuple(row): i for i, row in enumerate(table)}.get, map(tuple, rows)),
    ],
    "inputs.from_ids": [
        lambda ids, table, pe: np.array([table[i] + pe[place] for place, i in enumerate(ids)]),
        lambda ids, table, pe: table[ids] + pe[np.arange(len(ids))],
        lambda ids, table, pe: np.take(table, ids, axis=0) + pe[: ids.shape[0], :],
        lambda ids, table, pe: np.eye(len(table))[ids] @ table + np.eye(len(ids), len(pe)) @ pe,
        lambda ids, table, pe: (row + other for row, other in zip(table[ids], pe, strict=False)),
        lambda ids, table, pe: filled_in_a_loop(
            (len(ids), table.shape[1]), lambda t, c: table[ids[t], c] + pe[t, c]
        ),
        lambda ids, table, pe: np.float32(table)[ids] + np.float32(pe)[: len(ids)],
    ],
    "inputs.add_positions": [
        lambda x: np.array([s + positional_encoding(len(s), x.shape[-1]) for s in x]),
        lambda x: positional_encoding(*x.shape[1:]) + x,
        lambda x: x + np.tile(positional_encoding(*x.shape[1:]), (len(x), 1, 1)),
        lambda x: (positional_encoding(*x.shape[1:]) + s for s in x),
        lambda x: filled_in_a_loop(x.shape, lambda s, t, c: x[s, t, c] + positional_encoding(t + 1, x.shape[2])[t, c]),
        lambda x: np.float32(x) + np.float32(positional_encoding(*x.shape[1:])),
        lambda x: np.swapaxes([x[:, t] + p for t, p in enumerate(positional_encoding(*x.shape[1:]))], 0, 1),
    ],
    "inputs.angles": [
        lambda p, d: [[pos / 10000 ** (2 * i / d) for i in range(d // 2)] for pos in p],
        lambda p, d: np.outer(p, 10000.0 ** (-np.arange(0, d, 2) / d)),
        lambda p, d: p[:, None] * np.exp(-np.log(10000) * np.arange(0, d, 2) / d),
        lambda p, d: np.stack([p / 10000 ** (2 * i / d) for i in range(d // 2)], axis=1),
        lambda p, d: np.einsum("p,i->pi", p, 1 / 100 ** (4 * np.arange(d // 2) / d)),
        lambda p, d: p.reshape(-1, 1) / np.logspace(0, 4, d // 2, endpoint=False),
        lambda p, d: filled_in_a_loop((len(p), d // 2), lambda row, i: p[row] * math.pow(10000, -2 * i / d)),
        as_float32(lambda p, d: np.divide.outer(p, 10000 ** (np.arange(0, d, 2) / d))),
    ],
    "inputs.encoding": [
        filled,
        as_float32(filled),
        lambda p, d: positional_encoding(max(p) + 1, d)[p],
        lambda p, d: np.where(np.arange(d) % 2, *(f(pairs_doubled(p, d)) for f in (np.cos, np.sin))),
        lambda p, d: np.sin(pairs_doubled(p, d) + np.arange(d) % 2 * np.pi / 2),
        lambda p, d: np.dstack([f(pairs_doubled(p, d)[:, ::2]) for f in (np.sin, np.cos)]).reshape(len(p), -1),
        lambda p, d: np.array([f(p / 10000 ** (i / d)) for i in range(0, d, 2) for f in (np.sin, np.cos)]).T,
        lambda p, d: [[(math.cos if c % 2 else math.sin)(n / 10000 ** ((c - c % 2) / d)) for c in range(d)] for n in p],
    ],
}  # fmt: skip

NEVER_NEGATIVE = ("inputs.ids", "inputs.angles")

TRUTHS = {
    "inputs.flat-minus-column": "(3, 3)",
    "inputs.token-count": 8,
    "inputs.shuffle": "moved",
    "inputs.same-word-twice": "difference",
    "inputs.without-positions": "same",
    "inputs.one-wave": "repeats",
    "inputs.what-is-looked-up": "9 × 8",
    "inputs.the-mix": "all",
}

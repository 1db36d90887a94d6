"""What the tests of lesson 15 need: other right answers, and every truth worked out a second time, on paper."""

import math
from fractions import Fraction

import numpy as np

from mha_course import attention, repeat_heads, rotate, scaled_scores, softmax
from mha_course.lessons.other_ways import as_float32


def turned_row(row, position):
    d_k, turned = len(row), np.empty(len(row))
    for column in range(0, d_k, 2):
        angle = position / 100000 ** (column / d_k)
        turned[column] = row[column] * math.cos(angle) - row[column + 1] * math.sin(angle)
        turned[column + 1] = row[column] * math.sin(angle) + row[column + 1] * math.cos(angle)
    return turned


def turned_in_place(rows, positions):
    d_k, turned = rows.shape[-1], np.empty(rows.shape)
    angles = np.outer(positions, 100000 ** (-np.arange(0, d_k, 2) / d_k))
    turned[:, 0::2] = rows[:, 0::2] * np.cos(angles) - rows[:, 1::2] * np.sin(angles)
    turned[:, 1::2] = rows[:, 1::2] * np.cos(angles) + rows[:, 0::2] * np.sin(angles)
    return turned


def turned_as_complex_numbers(rows, positions):
    angles = np.outer(positions, 100000 ** (-np.arange(0, rows.shape[-1], 2) / rows.shape[-1]))
    turned = (rows[:, 0::2] + 1j * rows[:, 1::2]) * np.exp(1j * angles)
    return np.stack([turned.real, turned.imag], axis=-1).reshape(rows.shape)


def turned_with_a_matrix_for_each_pair(rows, positions):
    n, d_k = rows.shape
    angles = positions[:, None] / 100000 ** (np.arange(0, d_k, 2) / d_k)
    turns = np.array([[np.cos(angles), np.sin(angles)], [-np.sin(angles), np.cos(angles)]])  # (2, 2, n, d_k / 2)
    return np.einsum("npa,abnp->npb", rows.reshape(n, -1, 2), turns).reshape(n, d_k)


def step_with_a_loop(q, k, v, K, V):
    keys, values = [*K, k], [*V, v]
    exponentials = [math.exp(sum(a * b for a, b in zip(q, key, strict=True)) / math.sqrt(len(q))) for key in keys]
    output = sum(power * value for power, value in zip(exponentials, values, strict=True)) / sum(exponentials)
    return output, np.array(keys), np.array(values)


def step_in_two_parts(q, k, v, K, V):
    """Weigh what the tokens before give against what the newest gives itself."""
    own, others = math.exp(q @ k / len(q) ** 0.5), np.exp(K @ q / len(q) ** 0.5)
    return (others @ V + own * v) / (others.sum() + own), np.append(K, k[None], axis=0), np.append(V, v[None], axis=0)


def step_in_a_larger_room(q, k, v, K, V):
    n = len(K)
    keys, values = np.zeros((n + 10, len(k))), np.zeros((n + 10, len(v)))
    keys[:n], keys[n], values[:n], values[n] = K, k, V, v
    weights = softmax(scaled_scores(q[None], keys), mask=np.arange(n + 10)[None] <= n)
    return (weights @ values)[0], keys[: n + 1], values[: n + 1]


def looked_at_again(size):
    """Which key each query of the second half has to look at, as a table of True and False."""
    return np.eye(size, k=1 - size // 2, dtype=bool) & (np.arange(size) >= size // 2)[:, None]


RIGHT = {
    "real_model.rotary": [
        lambda rows, positions: rotate(rows, positions, base=100_000),
        turned_as_complex_numbers,
        turned_with_a_matrix_for_each_pair,
        lambda rows, positions: [turned_row(row, position).tolist() for row, position in zip(rows, positions)],
        as_float32(turned_in_place),
        lambda rows, positions: turned_in_place(rows, positions)[None][0],
    ],
    "real_model.cache": [
        lambda q, k, v, K, V: (
            attention(q[None], np.vstack([K, k]), np.vstack([V, v])).output[0], np.vstack([K, k]), np.vstack([V, v]),
        ),
        step_with_a_loop,
        lambda *given: step_with_a_loop(*map(np.float32, given)),
        lambda q, k, v, K, V: [list(part) for part in step_with_a_loop(q, k, v, K, V)],
        step_in_two_parts,
        step_in_a_larger_room,
    ],
    "real_model.cache_size": [
        lambda layers, h, kv, d_k, n, size: layers * kv * n * 2 * d_k * size,
        lambda layers, h, kv, d_k, n, size: math.prod([2, layers, kv, d_k, n, size]),
        lambda layers, h, kv, d_k, n, size: np.zeros((2, layers, kv, n, d_k)).size * size,
        lambda layers, h, kv, d_k, n, size: sum(2 * kv * d_k * size for _ in range(layers) for _ in range(n)),
        lambda layers, h, kv, d_k, n, size: Fraction(2 * h, h // kv) * layers * d_k * n * size,
        lambda layers, h, kv, d_k, n, size: np.array([2.0 * layers * kv * d_k * n * size]).sum(),
    ],
    "real_model.induction": [
        lambda w: [np.diagonal(head, offset=1 - len(head) // 2)[1:].mean() for head in w],
        lambda w: np.einsum("hqk,qk->h", w, looked_at_again(w.shape[-1])) / (w.shape[-1] // 2),
        lambda w: (w * looked_at_again(w.shape[-1])).sum(axis=(1, 2)) / looked_at_again(w.shape[-1]).sum(),
        lambda w: [np.mean([head[i + head.shape[0] // 2, i + 1] for i in range(len(head) // 2)]) for head in w],
        as_float32(lambda w: w[:, looked_at_again(w.shape[-1])].mean(axis=1)),
        lambda w: np.trace(w[:, w.shape[1] // 2 :, 1 : w.shape[1] // 2 + 1], axis1=1, axis2=2) * 2 / w.shape[1],
    ],
    "real_model.shared": [
        lambda K, h: repeat_heads(K, h),
        lambda K, h: K[..., np.arange(h) * K.shape[-3] // h, :, :],
        lambda K, h: np.take(K, np.arange(h) // (h // K.shape[-3]), axis=-3),
        lambda K, h: np.repeat(K, h // K.shape[-3], axis=K.ndim - 3),
        lambda K, h: np.stack([K[..., i // (h // K.shape[-3]), :, :] for i in range(h)], axis=-3),
        lambda K, h: np.broadcast_to(
            K[..., None, :, :], (*K.shape[:-2], h // K.shape[-3], *K.shape[-2:])
        ).reshape(*K.shape[:-3], h, *K.shape[-2:]).tolist(),
        as_float32(lambda K, h: np.moveaxis(np.moveaxis(K, -3, -1).repeat(h // K.shape[-3], axis=-1), -1, -3)),
    ],
}  # fmt: skip

NEVER_NEGATIVE = ("real_model.cache_size", "real_model.induction")

TRUTHS = {
    "real_model.same-distance": -0.4161,
    "real_model.loss-without-mask": "lower",
    "real_model.without-mask": "first",
    "real_model.copying-off": "name",
    "real_model.rows-without-cache": 5050,
    "real_model.what-is-turned": "QK",
    "real_model.what-is-saved": "cache",
    "real_model.large-weight": "open",
    "real_model.greedy-and-temperature": "same",
    "real_model.hidden-afterwards": "0.25",
}

"""Right answers to every exercise by other routes than its own: loops, einsum, the course, other kinds of numbers."""

import math
from decimal import Decimal
from fractions import Fraction
from functools import reduce

import numpy as np
import scipy.linalg
import scipy.optimize
import scipy.special

from mha_course import (
    MultiHeadAttention,
    attention,
    attention_gradients,
    causal_mask,
    contributions,
    embed,
    layer_norm,
    merge_heads,
    multi_head_attention,
    padding_mask,
    positional_encoding,
    project,
    scaled_scores,
    softmax,
    split_heads,
    weighted_sum,
)


def softmax_with_loops(scores, temperature=1.0):
    scores = np.asarray(scores, dtype=float)
    result = np.empty(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        row = [float(s) / temperature for s in scores[place]]
        powers = [np.exp(s - max(row)) for s in row]
        result[place] = [power / sum(powers) for power in powers]
    return result


def masked_softmax_with_loops(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    result = np.zeros(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        if mask[place].any():
            result[place][mask[place]] = softmax_with_loops(scores[place][mask[place]])
    return result


def packed_block_by_block(lengths):
    mask, start = np.zeros((lengths.sum(), lengths.sum()), bool), 0
    for length in lengths:
        mask[start : start + length, start : start + length] = causal_mask(length)
        start += length
    return mask


def first_of_its_text(lengths):
    starts = np.cumsum(lengths) - lengths
    return np.repeat(starts, lengths)


def one_hot_texts(lengths):
    return np.repeat(np.eye(len(lengths)), lengths, axis=0)


def shapes_of_arrays(batch, h, n_q, n_k, d_model, d_k, d_v):
    layer = MultiHeadAttention(
        *(np.ones((d_model, h * width)) for width in (d_k, d_k, d_v)), np.ones((h * d_v, d_model)), h
    )
    X, context = np.ones((batch, n_q, d_model)), np.ones((batch, n_k, d_model))
    made, wide = layer(X, key=context), (X @ layer.W_Q, context @ layer.W_K, context @ layer.W_V)
    return (*(split_heads(each, h).shape for each in wide), made.weights.shape, made.output.shape)


def slope_of_scores(weights, dA):
    return weights * (dA - (weights * dA).sum(axis=-1, keepdims=True))


def measured(loss, array, push=1e-5):
    """Push every entry up and down, and divide."""
    slopes, array = np.empty(array.shape), np.asarray(array, dtype=float)
    for place in np.ndindex(array.shape):
        pushed = np.zeros(array.shape)
        pushed[place] = push
        slopes[place] = (loss(array + pushed) - loss(array - pushed)) / (2 * push)
    return slopes


def slopes_named(found, place=...):
    return found.Q[place], found.K[place], found.V[place]


def back_through_a_head(Q, K, V, G, weights):
    dS = slope_of_scores(weights, G @ V.T) / Q.shape[-1] ** 0.5
    return dS @ K, dS.T @ Q, weights.T @ G


def scores_with_loops(Q, K):
    return [[sum(a * b for a, b in zip(q, k)) / len(q) ** 0.5 for k in K.tolist()] for q in Q.tolist()]  # noqa: B905


def as_float32(function):
    return lambda *given: np.asarray(function(*(np.float32(a) if isinstance(a, np.ndarray) else a for a in given)))


def as_float16(function):
    """Compute as usual, and give back half of the digits."""
    return lambda *given: np.asarray(function(*given)).astype(np.float16)


def each_as(kind, function):
    """Give back rows of Python's own numbers."""

    def rows(array):
        return [rows(row) for row in array] if array.ndim else kind(float(array))

    return lambda *given: rows(np.asarray(function(*given)))


def questions_with_a_loop(has, wants, d_model):
    W_Q = np.zeros((d_model, d_model), np.float32)
    for i in range(len(has)):
        W_Q[has[i]][wants[i]] = 1
    return W_Q


def heads_with_a_loop(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (np.split(wide, num_heads, axis=-1) for wide in (X @ W_Q, context @ W_K, context @ W_V))
    outputs = [attention(q, k, v).output for q, k, v in zip(Q, K, V, strict=True)]
    return sum(o @ W for o, W in zip(outputs, np.split(W_O, num_heads, axis=0), strict=True))


def heads_with_einsum(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (wide.reshape(*wide.shape[:-1], num_heads, -1) for wide in (X @ W_Q, context @ W_K, context @ W_V))
    weights = softmax(np.einsum("...qhd,...khd->...hqk", Q, K) * Q.shape[-1] ** -0.5)
    return np.einsum("...hqk,...khd->...qhd", weights, V).reshape(*X.shape[:-1], -1) @ W_O


def two_designed_heads(X, V, W_Q, W_K):
    shares = softmax(np.stack([X @ W_Q, 0 * X]) @ (X @ W_K).T / X.shape[1] ** 0.5)
    return np.hstack([*(shares @ V)]) @ np.vstack([np.eye(V.shape[1]), -np.eye(V.shape[1])])


def previous_by_design(n, W):
    """Return the product of two matrices of which the second is any that has an inverse."""
    return np.eye(n, k=-1) @ np.linalg.inv(W).T @ W.T


def parts_with_loops(heads, W_O):
    parts = np.zeros((len(heads), heads.shape[1], W_O.shape[1]))
    for i, t, c, v in np.ndindex(*parts.shape, heads.shape[2]):
        parts[i, t, c] += heads[i, t, v] * W_O[i * heads.shape[2] + v, c]
    return parts


def repeated_letter_by_letter(word, n):
    ids = [word[i % len(word)] for i in range(n)]
    return ids, [*ids[1:], word[n % len(word)]], [letter in ids[:i] for i, letter in enumerate(ids)]


def looks_with_loops(ids):
    return [[0 < k <= q and ids[k - 1] == ids[q] for k in range(len(ids))] for q in range(len(ids))]


def looks_by_shifting(ids):
    same = ids[:, None] == ids  # the earlier place of the letter; what is good stands one place behind it
    looks = np.zeros(same.shape, bool)
    looks[:, 1:] = same[:, :-1]
    return np.tril(looks)


def share_with_loops(weights, looks, counts):
    sums = [sum(w for w, is_good in zip(*rows, strict=True) if is_good) for rows in zip(weights, looks, strict=True)]
    return np.mean([found for found, is_counted in zip(sums, counts, strict=True) if is_counted])


def with_zeros(heads, off):
    kept = heads.astype(float)
    kept[off - 1] = 0
    return kept


def head_alone(heads, number):
    """Return the concatenation in which all other heads are zeros."""
    return np.hstack([head if i == number else 0 * head for i, head in enumerate(heads)])


def verdict_of(n_q, n_k, d_k, d_v, seed=0):
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
    right = softmax_with_loops(scores_with_loops(Q, K)) @ V
    return lambda candidate: candidate(Q, K, V).shape == (n_q, d_v) and np.allclose(candidate(Q, K, V), right)


def self_attention_by(split):
    def attend(X, W_Q, W_K, W_V, num_heads):
        return merge_heads(attention(*(split(X @ W, num_heads) for W in (W_Q, W_K, W_V))).output)

    return attend


def filled(positions, d_model):
    table = np.zeros((len(positions), d_model))
    for row, position in enumerate(positions):
        for i in range(0, d_model, 2):
            table[row, i] = np.sin(position / 10000 ** (i / d_model))
            table[row, i + 1] = np.cos(position / 10000 ** (i / d_model))
    return table


def filled_in_a_loop(shape, at):
    """Fill a table of zeros in a loop. at: what stands in a place, from its numbers."""
    table = np.zeros(shape)
    for place in np.ndindex(shape):
        table[place] = at(*place)
    return table


def pairs_doubled(positions, d_model):
    """Return the angle of every column, that of a pair twice."""
    return positions[:, None] / 10000 ** (np.arange(d_model) // 2 * 2 / d_model)


def divided_by_its_sum(powers):
    return powers / powers.sum(axis=-1, keepdims=True)


def mixed_before_the_division(scores, V):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers @ V / powers.sum(axis=-1, keepdims=True)


def first_is_the_rest(shares):
    return np.array([1 - shares.sum(), *shares])


def with_ones(V):
    return np.column_stack([V, np.ones(len(V))])


def each_replaced(V, output):
    """Yield the table of the values and ones, with each row in turn replaced by the output."""
    for i in range(len(V)):
        yield with_ones(np.where(np.arange(len(V))[:, None] == i, output, V))


def side_by_side_in_a_table(outputs):
    width = outputs[0].shape[-1]
    table = np.empty((*outputs[0].shape[:-1], len(outputs) * width))
    for i, output in enumerate(outputs):
        table[..., i * width : (i + 1) * width] = output
    return table


def attention_over_what_is_seen(Q, K, V, mask):
    output = np.zeros(Q.shape[:3] + V.shape[3:])
    for b, h, q in np.ndindex(Q.shape[:3]):
        seen = np.flatnonzero(mask[b, min(q, mask.shape[1] - 1)])
        if len(seen):
            output[b, h, q] = softmax(K[b, h, seen] @ Q[b, h, q] / Q.shape[3] ** 0.5) @ V[b, h, seen]
    return output


def normalised_from(centred, eps):
    return centred * len(centred) ** 0.5 / np.sqrt(centred @ centred + len(centred) * eps)


def norm_of_rows(x):
    return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)


def tells_by(candidate, agree):
    rng = np.random.default_rng(7)
    Q, K, V = rng.uniform(-1, 1, (4, 3)), rng.uniform(-1, 1, (6, 3)), rng.uniform(-1, 1, (6, 5))
    made, right = candidate(Q, K, V), attention(Q, K, V).output
    return made.shape == right.shape and agree(made, right)


def agrees_with_sines_and_cosines(candidate):
    Q, K, V = (
        np.sin(np.arange(10.0)).reshape(2, 5),
        np.cos(np.arange(15.0)).reshape(3, 5),
        np.arange(12.0).reshape(3, 4),
    )
    made = candidate(Q, K, V)
    return made.shape == (2, 4) and np.allclose(made, scipy.special.softmax(Q @ K.T / 5**0.5, axis=1) @ V)


def raises_nothing_when_compared(candidate):
    Q, K, V = np.random.default_rng(3).normal(size=(3, 4, 5))
    try:
        np.testing.assert_allclose(candidate(Q[:3], K, V[:, :2]), attention(Q[:3], K, V[:, :2]).output, atol=1e-8)
    except AssertionError:
        return False
    return True


def passed(x, layers):
    for layer in layers:
        x = layer(x)
    return x


def decoder_layer(x, memory, attend, ask, feed, norm, mask):
    after_self = norm(x + attend(x, mask))
    after_cross = norm(after_self + ask(after_self, memory))
    return norm(after_cross + feed(after_cross))


RIGHT = {
    "inputs.lookup": [
        lambda ids, table: np.eye(len(table))[ids] @ table,
        lambda ids, table: [table[i] for i in ids],
        embed,
        lambda ids, table: np.take(table, ids, axis=0),
        lambda ids, table: map(table.__getitem__, ids),
        lambda ids, table: filled_in_a_loop((len(ids), table.shape[1]), lambda row, c: table[ids[row]][c]),
        lambda ids, table: np.einsum("nv,vd->nd", ids[:, None] == np.arange(len(table)), table),
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
    "queries_keys_values.entry": [
        lambda X, W, r, c: X[r] @ W[:, c],
        lambda X, W, r, c: (X @ W)[r, c],
        lambda X, W, r, c: float(sum(X[r, i] * W[i, c] for i in range(len(W)))),
        lambda X, W, r, c: np.array((X @ W)[r, c]),
        lambda X, W, r, c: np.einsum("i,i", X[r], W[:, c]),
        lambda X, W, r, c: project(X, W).tolist()[r][c],
        lambda X, W, r, c: math.fsum(X[r] * W.T[c]),
        lambda X, W, r, c: np.eye(len(X))[r] @ X @ W[:, c],
        as_float32(lambda X, W, r, c: np.inner(X[r], W[:, c])),
    ],
    "queries_keys_values.questions": [
        questions_with_a_loop,
        lambda has, wants, d_model: sum(np.outer(np.eye(d_model)[h], np.eye(d_model)[w]) for h, w in zip(has, wants)),  # noqa: B905
        lambda has, wants, d_model: np.eye(d_model)[has].T @ np.eye(d_model)[wants],
        lambda has, wants, d_model: np.bincount(has * d_model + wants, minlength=d_model**2).reshape(d_model, d_model),
        lambda has, wants, d_model: [
            [int((row, column) in set(zip(has.tolist(), wants.tolist()))) for column in range(d_model)]  # noqa: B905
            for row in range(d_model)
        ],
        lambda has, wants, d_model: (
            (has[:, None, None] == np.arange(d_model)[:, None]) & (wants[:, None, None] == np.arange(d_model))
        ).any(axis=0),
    ],
    "queries_keys_values.qkv": [
        lambda X, context, W_Q, W_K, W_V: [project(X, W_Q), project(context, W_K), project(context, W_V)],
        lambda X, context, W_Q, W_K, W_V: tuple(
            (A @ W).tolist() for A, W in ((X, W_Q), (context, W_K), (context, W_V))
        ),
        lambda X, context, W_Q, W_K, W_V: (A @ W for A, W in ((X, W_Q), (context, W_K), (context, W_V))),
        lambda X, context, *weights: map(np.matmul, (X, context, context), weights),
        lambda X, context, *weights: tuple(map(W.T.__matmul__, A) for A, W in zip((X, context, context), weights)),  # noqa: B905
    ],
    "queries_keys_values.fused": [
        lambda X, W: np.split(X @ W, 3, axis=-1),
        lambda X, W: tuple(X @ part for part in np.split(W, 3, axis=1)),
        lambda X, W: np.moveaxis((X @ W).reshape(*X.shape[:-1], 3, -1), -2, 0),
        lambda X, W: split_heads(project(X, W), 3),
        lambda X, W: (project(X, part) for part in np.hsplit(W, 3)),
        lambda X, W: np.einsum("nd,dck->cnk", X, W.reshape(len(W), 3, -1)),
        lambda X, W: [(X @ W[:, i * W.shape[1] // 3 : (i + 1) * W.shape[1] // 3]).tolist() for i in range(3)],
        lambda X, W: [rows.T for rows in np.split(W.T @ X.T, 3)],
        as_float32(lambda X, W: np.split(np.dot(X, W), 3, axis=-1)),
    ],
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
        scaled_scores,
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
        scaled_scores,
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
    "softmax.rows": [
        softmax,
        softmax_with_loops,
        lambda s: (np.exp(s).T / np.exp(s).sum(axis=1)).T,
        lambda s: scipy.special.softmax(s, axis=1),
        lambda s: [np.exp(row) / np.exp(row).sum() for row in s],
        lambda s: np.exp(s) / (np.exp(s) @ np.ones((s.shape[1], 1))),
        lambda s: np.einsum("qk,q->qk", np.exp(s), 1 / np.exp(s).sum(axis=1)),
        lambda s: np.exp(s - np.logaddexp.reduce(s, axis=1)[:, None]),
        lambda s: np.apply_along_axis(softmax, 1, s),
    ],
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
    "softmax.general": [
        softmax,
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
    "weighted_sums.one": [
        np.matmul,
        lambda s, V: (s * V.T).sum(axis=1),
        lambda s, V: sum(a * v for a, v in zip(s, V)),  # noqa: B905
        lambda s, V: np.einsum("k,kd->d", s, V),
        lambda s, V: weighted_sum(s[None], V)[0],
        lambda s, V: contributions(s[None], V)[0].sum(axis=0),
        lambda s, V: [float(sum(s * column)) for column in V.T],
        lambda s, V: np.cumsum(s[:, None] * V, axis=0)[-1],
        lambda s, V: (np.diag(s) @ V).sum(axis=0),
        as_float32(lambda s, V: np.dot(V.T, s)),
    ],
    "weighted_sums.missing_value": [
        lambda s, V, output: (output - sum(a * v for a, v in zip(s, V))) / s[-1],  # noqa: B905
        lambda s, V, output: (output - weighted_sum(s[None, :-1], V)[0]) / s[-1],
        lambda s, V, output: (output - (s[:-1, None] * V).sum(axis=0)) / s[-1],
        lambda s, V, output: np.linalg.solve(s[-1:, None], (output - s[:-1] @ V)[None])[0],
        lambda s, V, output: output / s[-1] - np.einsum("k,kd->d", s[:-1] / s[-1], V),
        lambda s, V, output: [float((o - s[:-1] @ column) / s[-1]) for o, column in zip(output, V.T, strict=True)],
        as_float32(lambda s, V, output: (output - V.T @ s[: len(V)]) / s[len(V)]),
    ],
    "weighted_sums.attention": [
        lambda Q, K, V: attention(Q, K, V).output,
        lambda Q, K, V: softmax_with_loops((Q / Q.shape[-1] ** 0.5) @ K.swapaxes(-1, -2)) @ V,
        as_float32(lambda Q, K, V: attention(Q, K, V).output),
        as_float16(lambda Q, K, V: attention(Q, K, V).output),
        lambda Q, K, V: scipy.special.softmax(scaled_scores(Q, K), axis=-1) @ V,
        lambda Q, K, V: weighted_sum(softmax(Q @ np.moveaxis(K, -1, -2), temperature=Q.shape[-1] ** 0.5), V),
        lambda Q, K, V: np.einsum(
            "...qk,...kd->...qd", softmax(np.einsum("...qd,...kd->...qk", Q, K) / Q.shape[-1] ** 0.5), V
        ),
        lambda Q, K, V: mixed_before_the_division(scaled_scores(Q, K), V),
        lambda Q, K, V: filled_in_a_loop(
            Q.shape[:-1] + V.shape[-1:],
            lambda *at: softmax(K[at[:-2]] @ Q[at[:-1]] * len(Q[at[:-1]]) ** -0.5) @ V[at[:-2]][:, at[-1]],
        ),
    ],
    "weighted_sums.from_inputs": [
        lambda X, context, W_Q, W_K, W_V: attention(X @ W_Q, context @ W_K, context @ W_V).output,
        lambda X, context, W_Q, W_K, W_V: softmax(X @ (W_Q @ W_K.T) @ context.T / W_K.shape[1] ** 0.5) @ context @ W_V,
        lambda X, context, W_Q, W_K, W_V: weighted_sum(softmax(scaled_scores(X @ W_Q, context @ W_K)), context @ W_V),
        lambda X, context, W_Q, W_K, W_V: MultiHeadAttention(W_Q, W_K, W_V, np.eye(W_V.shape[1]), 1)(X, context).output,
        lambda X, context, W_Q, W_K, W_V: [
            softmax((context @ W_K) @ (x @ W_Q) / W_Q.shape[1] ** 0.5) @ (context @ W_V) for x in X
        ],
        lambda X, context, W_Q, W_K, W_V: np.einsum(
            "qk,kd,dv->qv", softmax(np.einsum("qd,kd->qk", X @ W_Q * len(W_Q.T) ** -0.5, context @ W_K)), context, W_V
        ),
        lambda X, context, W_Q, W_K, W_V: mixed_before_the_division(
            np.array(scores_with_loops(project(X, W_Q), project(context, W_K))), project(context, W_V)
        ),
        as_float32(lambda X, context, W_Q, W_K, W_V: attention(X @ W_Q, context @ W_K, context @ W_V).output),
    ],
    "weighted_sums.reach": [
        lambda V, o: np.linalg.solve(np.hstack([V, np.ones((len(V), 1))]).T, [*o, 1]),
        lambda V, o: np.append(o, 1) @ np.linalg.inv(np.hstack([V, np.ones((len(V), 1))])),
        lambda V, o: np.linalg.lstsq(np.vstack([np.ones(len(V)), V.T]), np.array([1, *o]), rcond=None)[0],
        lambda V, o: first_is_the_rest(np.linalg.solve((V[1:] - V[0]).T, o - V[0])),
        lambda V, o: [float(np.linalg.det(at) / np.linalg.det(with_ones(V))) for at in each_replaced(V, o)],
        lambda V, o: scipy.linalg.solve(with_ones(V).T, np.r_[o, 1]).tolist(),
        as_float32(lambda V, o: np.linalg.solve(with_ones(V).T, np.append(o, 1))),
    ],
    "heads.split": [
        split_heads,
        lambda wide, h: np.stack(np.split(wide, h, axis=-1), axis=-3),
        lambda wide, h: np.moveaxis(wide.reshape(*wide.shape[:-1], h, -1), -2, -3),
        lambda wide, h: np.einsum("...nhd->...hnd", wide.reshape(*wide.shape[:-1], h, -1)).tolist(),
        lambda wide, h: np.stack(
            [wide[..., i * wide.shape[-1] // h : (i + 1) * wide.shape[-1] // h] for i in range(h)], axis=-3
        ),
        lambda wide, h: np.hsplit(wide, h) if wide.ndim == 2 else [np.hsplit(sentence, h) for sentence in wide],
        lambda wide, h: np.take(wide, np.arange(wide.shape[-1]).reshape(h, -1), axis=-1).swapaxes(-3, -2),
        lambda wide, h: wide[..., None, :, :] @ np.array(np.split(np.eye(wide.shape[-1]), h, axis=1)),
        as_float32(split_heads),
    ],
    "heads.merge": [
        merge_heads,
        lambda heads: np.concatenate([heads[..., i, :, :] for i in range(heads.shape[-3])], axis=-1),
        lambda heads: np.einsum("...hnd->...nhd", heads).reshape(*heads.shape[:-3], heads.shape[-2], -1).tolist(),
        lambda heads: side_by_side_in_a_table(np.moveaxis(heads, -3, 0)),
        lambda heads: np.hstack(heads) if heads.ndim == 3 else [np.hstack(sentence) for sentence in heads],
        lambda heads: np.stack([heads[..., t, :].reshape(*heads.shape[:-3], -1) for t in range(heads.shape[-2])], -2),
        lambda heads: heads.swapaxes(-1, -2).reshape(*heads.shape[:-3], -1, heads.shape[-2]).swapaxes(-1, -2),
        as_float32(lambda heads: np.concatenate(np.moveaxis(heads, -3, 0), axis=-1)),
    ],
    "heads.copy_and_average": [
        lambda X, V: two_designed_heads(X, V, 100 * np.eye(X.shape[1]), np.eye(X.shape[1])),
        lambda X, V: two_designed_heads(X, V, np.eye(X.shape[1]), 500 * np.eye(X.shape[1])),
        lambda X, V: two_designed_heads(X, V, 15 * np.eye(X.shape[1]), 15 * np.eye(X.shape[1])),
        lambda X, V: V - V.mean(axis=0),
        lambda X, V: [[entry - sum(column) / len(V) for entry, column in zip(row, V.T, strict=True)] for row in V],
        lambda X, V: (np.eye(len(V)) - 1 / len(V)) @ V,
        as_float32(lambda X, V: V - np.ones((len(V), len(V))) @ V / len(V)),
    ],
    "heads.multi_head": [
        lambda X, context, W_Q, W_K, W_V, W_O, h: multi_head_attention(X, W_Q, W_K, W_V, W_O, h, context).output,
        heads_with_a_loop,
        heads_with_einsum,
        as_float32(heads_with_einsum),
        as_float16(heads_with_einsum),
        lambda X, context, W_Q, W_K, *rest: heads_with_einsum(X, context, W_Q / 2, W_K * 2, *rest),
    ],
    "masks.causal": [
        causal_mask,
        lambda n: np.tril(np.ones((n, n), bool)),
        lambda n: np.tri(n, dtype=bool).astype(object),
        lambda n: ((k <= q for k in range(n)) for q in range(n)),
        lambda n: ~np.triu(np.ones((n, n), bool), k=1),
        lambda n: [[k <= q for k in range(n)] for q in range(n)],
    ],
    "masks.padding": [
        padding_mask,
        lambda lengths, n_k: np.array([[[k < length for k in range(n_k)]] for length in lengths]),
        lambda lengths, n_k: np.arange(n_k) < lengths[:, None, None],
        lambda lengths, n_k: np.less.outer(np.arange(n_k), lengths).T[:, None],
        lambda lengths, n_k: ([[True] * n + [False] * (n_k - n)] for n in lengths.tolist()),
        lambda lengths, n_k: np.tri(n_k + 1, n_k, -1, dtype=bool)[lengths][:, None],
        lambda lengths, n_k: np.expand_dims(~(np.arange(n_k) >= lengths[:, None]), 1),
        lambda lengths, n_k: filled_in_a_loop((len(lengths), 1, n_k), lambda s, _, k: k < lengths[s]) == 1,
        lambda lengths, n_k: np.where(np.arange(n_k) < lengths.reshape(-1, 1, 1), True, False),
    ],
    "masks.packed": [
        lambda lengths: scipy.linalg.block_diag(*map(causal_mask, lengths.tolist())),
        lambda lengths: np.tril(np.equal.outer(*[np.repeat(np.arange(len(lengths)), lengths)] * 2)),
        packed_block_by_block,
        lambda lengths: [
            [first <= k <= q for k in range(lengths.sum())]
            for q, first in enumerate(np.repeat(lengths.cumsum() - lengths, lengths))
        ],
        lambda lengths: causal_mask(lengths.sum()) & (np.arange(lengths.sum()) >= first_of_its_text(lengths)[:, None]),
        lambda lengths: (one_hot_texts(lengths) @ one_hot_texts(lengths).T == 1) & causal_mask(int(lengths.sum())),
    ],
    "masks.softmax": [
        masked_softmax_with_loops,
        lambda scores, mask: softmax(scores, mask=mask),
        lambda scores, mask: np.nan_to_num(softmax_with_loops(np.where(mask, scores, -np.inf))),
        lambda scores, mask: softmax(np.where(mask, scores, -1e9)) * mask,
        lambda scores, mask: softmax(np.float32(scores), mask=mask),
    ],
    "masks.attention": [
        lambda Q, K, V, mask: attention(Q, K, V, mask).output,
        lambda Q, K, V, mask: masked_softmax_with_loops(scaled_scores(Q, K), mask[:, None]) @ V,
        lambda Q, K, V, mask: (softmax(np.where(mask[:, None], scaled_scores(Q, K), -1e9)) * mask[:, None]) @ V,
        lambda Q, K, V, mask: np.stack(
            [attention(q, k, v, np.tile(m, (Q.shape[2] // len(m), 1))).output for q, k, v, m in zip(Q, K, V, mask)]  # noqa: B905
        ),
        lambda Q, K, V, mask: softmax(Q @ K.swapaxes(2, 3) * Q.shape[-1] ** -0.5, mask=mask[:, None]) @ V,
        lambda Q, K, V, mask: attention(Q, K, V, mask[:, None]).output.tolist(),
        lambda Q, K, V, mask: np.stack(
            [attention(Q[:, i], K[:, i], V[:, i], mask).output for i in range(Q.shape[1])], axis=1
        ),
        lambda Q, K, V, mask: np.einsum(
            "bhqk,bhkd->bhqd",
            softmax(np.einsum("bhqd,bhkd->bhqk", Q, K) / np.sqrt(Q.shape[3]), mask=np.expand_dims(mask, 1)),
            V,
        ),
        lambda Q, K, V, mask: np.where(
            mask.any(axis=-1)[:, None, :, None],
            scipy.special.softmax(np.where(mask[:, None], scaled_scores(Q, K), -1e30), axis=-1) @ V,
            0,
        ),
        attention_over_what_is_seen,
    ],
    "cross_attention.shapes": [
        lambda b, h, n, m, w, k, v: ([b, h, n, k], [b, h, m, k], [b, h, m, v], [b, h, n, m], [b, n, w]),
        lambda *sizes: tuple(map(np.array, shapes_of_arrays(*sizes))),
        shapes_of_arrays,
        lambda b, h, n, m, w, k, v: (*((b, h, *size) for size in ((n, k), (m, k), (m, v), (n, m))), (b, n, w)),
        lambda b, h, n, m, w, k, v: [(b, h, *each) for each in ([n, k], [m, k], [m, v], [n, m])] + [(b, n, w)],
    ],
    "cross_attention.three_masks": [
        lambda read, n, written, m: (
            padding_mask(read, n), causal_mask(m) & padding_mask(written, m), padding_mask(read, n)
        ),
        lambda read, n, written, m: (
            np.arange(n) < read[:, None, None],
            np.arange(m) < np.minimum(np.arange(1, m + 1)[:, None], written[:, None, None]),
            np.arange(n) < read.reshape(-1, 1, 1),
        ),
        lambda read, n, written, m: (
            [[[k < length for k in range(n)]] for length in read],
            [[[k <= q and k < length for k in range(m)] for q in range(m)] for length in written],
            [[[k < length for k in range(n)]] for length in read],
        ),
        lambda read, n, written, m: (
            ~(np.arange(n) >= read[:, None])[:, None],
            np.stack([causal_mask(m) & (np.arange(m) < length) for length in written]),
            np.expand_dims(np.less.outer(np.arange(n), read).T, 1),
        ),
        lambda read, n, written, m: (
            padding_mask(read, n),
            np.tril(np.repeat(padding_mask(written, m), m, axis=1)),
            padding_mask(read, n).astype(object),
        ),
    ],
    "cross_attention.one_head": [
        lambda X, C, W_Q, W_K, W_V, real: attention(X @ W_Q, C @ W_K, C @ W_V, mask=np.tile(real, (len(X), 1))).output,
        lambda X, C, W_Q, W_K, W_V, real: attention(X @ W_Q, C[real] @ W_K, C[real] @ W_V).output,
        lambda X, C, W_Q, W_K, W_V, real: softmax_with_loops(scaled_scores(X @ W_Q, C[real] @ W_K)) @ C[real] @ W_V,
        lambda X, C, W_Q, W_K, W_V, real: softmax(
            np.where(real, X @ (W_Q @ W_K.T) @ C.T / W_Q.shape[1] ** 0.5, -1e9)
        ) @ (C @ W_V),
        lambda X, C, W_Q, W_K, W_V, real: [
            attention(x[None] @ W_Q, C @ W_K, C @ W_V, mask=real[None]).output[0] for x in X
        ],
        lambda X, C, W_Q, W_K, W_V, real: np.einsum(
            "qk,kv->qv", masked_softmax_with_loops(scaled_scores(X @ W_Q, C @ W_K), real), C @ W_V
        ),
        as_float16(
            lambda X, C, W_Q, W_K, W_V, real: attention(X @ W_Q, C[: real.sum()] @ W_K, C[: real.sum()] @ W_V).output
        ),
    ],
    "cross_attention.multi_head": [
        lambda X, C, W_Q, W_K, W_V, W_O, h, mask: MultiHeadAttention(W_Q, W_K, W_V, W_O, h)(X, key=C, mask=mask).output,
        lambda X, C, W_Q, W_K, W_V, W_O, h, mask: merge_heads(
            attention(*(split_heads(wide, h) for wide in (X @ W_Q, C @ W_K, C @ W_V)), mask=mask[:, None]).output
        )
        @ W_O,
        lambda X, C, W_Q, W_K, W_V, W_O, h, mask: sum(
            attention(X @ q, C @ k, C @ v, mask=mask).output @ o
            for q, k, v, o in zip(
                *(np.split(W, h, axis=1) for W in (W_Q, W_K, W_V)), np.split(W_O, h), strict=True
            )
        ),
        lambda X, C, W_Q, W_K, W_V, W_O, h, mask: np.stack(
            [
                MultiHeadAttention(W_Q, W_K, W_V, W_O, h)(x, c, mask=np.tile(m, (len(x) // len(m), 1))).output
                for x, c, m in zip(X, C, mask, strict=True)
            ]
        ),
        lambda X, C, W_Q, W_K, W_V, W_O, h, mask: merge_heads(
            masked_softmax_with_loops(scaled_scores(split_heads(X @ W_Q, h), split_heads(C @ W_K, h)), mask[:, None])
            @ split_heads(C @ W_V, h)
        )
        @ W_O,
    ],
    "residual_and_norm.residual": [
        lambda x, attend: attend(x) + x,
        lambda x, attend: np.add(x, attend(x)).tolist(),
        lambda x, attend: sum((x, attend(x))),
        lambda x, attend: np.stack([x, attend(x)]).sum(axis=0),
        lambda x, attend: [row + added for row, added in zip(x, attend(x))],  # noqa: B905
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
        layer_norm,
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
        lambda x, attend: (norm_of_rows(x + attend(x)), x + attend(norm_of_rows(x))),
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
        lambda x, attend, gain, bias: np.add(attend(norm_of_rows(x) * gain + bias), x).tolist(),
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
    "what_a_head_does.scores": [
        lambda X, context, M, d_k: X @ (M @ context.T) / np.sqrt(d_k),
        lambda X, context, M, d_k: (context @ M.T @ X.T).T * d_k**-0.5,
        lambda X, context, M, d_k: np.einsum("qi,ij,kj->qk", X, M, context) / d_k**0.5,
        lambda X, context, M, d_k: scaled_scores(X @ M, context, scale=d_k**0.5),
        lambda X, context, M, d_k: [[float(x @ M @ c) / d_k**0.5 for c in context] for x in X],
        as_float32(lambda X, context, M, d_k: (X / d_k**0.5) @ M @ context.T),
    ],
    "what_a_head_does.previous": [
        lambda n: np.eye(n, k=-1) @ np.eye(n).T,
        lambda n: np.eye(n) @ np.eye(n, k=1).T,
        lambda n: np.tri(n, k=-1) - np.tri(n, k=-2),
        lambda n: previous_by_design(n, np.eye(n) + np.tri(n)),
        lambda n: [[float(k == q - 1) for k in range(n)] for q in range(n)],
        lambda n: np.arange(n) == np.arange(n)[:, None] - 1,
        lambda n: np.eye(n + 1)[:n, 1:],
    ],
    "what_a_head_does.turned": [
        lambda W_Q, A: W_Q @ np.linalg.inv(A.T),
        lambda W_Q, A: W_Q @ np.linalg.inv(A).T,
        lambda W_Q, A: np.linalg.solve(A, W_Q.T).T,
        lambda W_Q, A: [np.linalg.solve(A, row) for row in W_Q],
        lambda W_Q, A: (np.linalg.inv(A) @ W_Q.T).T,
        lambda W_Q, A: np.einsum("ij,kj->ik", W_Q, np.linalg.inv(A)).tolist(),
    ],
    "what_a_head_does.parts": [
        lambda heads, W_O: heads @ W_O.reshape(len(heads), -1, W_O.shape[1]),
        lambda heads, W_O: [h @ W for h, W in zip(heads, np.split(W_O, len(heads)), strict=True)],
        lambda heads, W_O: np.stack([head_alone(heads, i) @ W_O for i in range(len(heads))]),
        lambda heads, W_O: np.einsum("hnv,hvd->hnd", heads, W_O.reshape(len(heads), heads.shape[2], -1)),
        lambda heads, W_O: heads @ split_heads(W_O.T, len(heads)).mT,
        parts_with_loops,
        as_float32(lambda heads, W_O: heads @ np.array(np.split(W_O, len(heads)))),
    ],
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
        lambda x, attend, feed, norm: norm_of_rows((after := norm_of_rows(x + attend(x))) + feed(after)),
        as_float32(lambda x, attend, feed, norm: norm((after := norm(x + attend(x))) + feed(after))),
    ],
    "stacks.decoder_layer": [
        lambda x, memory, attend, ask, feed, norm: decoder_layer(
            x, memory, attend, ask, feed, norm, causal_mask(x.shape[-2])
        ),
        lambda x, memory, attend, ask, feed, norm: decoder_layer(
            x, memory, attend, ask, feed, layer_norm, np.tril(np.ones((x.shape[-2],) * 2, bool))
        ).tolist(),
        lambda x, memory, attend, ask, feed, norm: decoder_layer(
            x, memory, attend, ask, feed, norm_of_rows, np.tri(x.shape[-2])
        ),
        lambda x, memory, attend, ask, feed, norm: reduce(
            lambda rows, add: norm(rows + add(rows)),
            (lambda rows: attend(rows, np.tri(rows.shape[-2], dtype=bool)), lambda rows: ask(rows, memory), feed),
            x,
        ),
        lambda x, memory, attend, ask, feed, norm: decoder_layer(
            x, memory, attend, ask, feed, norm, [[k <= q for k in range(x.shape[-2])] for q in range(x.shape[-2])]
        ),
    ],
    "stacks.stack": [
        lambda x, layers, norm: norm(reduce(lambda rows, layer: layer(rows), layers, x)),
        lambda x, layers, norm: layer_norm(reduce(lambda rows, layer: layer(rows), layers, x)).tolist(),
        lambda x, layers, norm: norm(passed(x, layers)),
        lambda x, layers, norm: norm_of_rows(passed(x, list(layers))),
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
    "find_the_bug.divisor": [
        lambda dots, weights: (dots[0] - dots[1]) / (math.log(weights[0]) - math.log(weights[1])),
        lambda dots, weights: (max(dots) - min(dots)) / np.log(max(weights) / min(weights)),
        lambda dots, weights: 1 / np.polyfit(dots, np.log(weights), 1)[0],
        lambda dots, weights: np.ptp(dots) / np.ptp(np.log(weights)),
        lambda dots, weights: np.mean(np.diff(dots) / np.diff(np.log(weights))),
        lambda dots, weights: [(dots[-1] - dots[0]) / np.log(weights[-1] / weights[0])][0].item(),
    ],
    "find_the_bug.one_line": [
        self_attention_by(lambda wide, h: wide.reshape(len(wide), h, -1).swapaxes(0, 1)),
        self_attention_by(split_heads),
        self_attention_by(lambda wide, h: np.stack(np.split(wide, h, axis=-1))),
        self_attention_by(lambda wide, h: wide.T.reshape(h, -1, len(wide)).swapaxes(-1, -2)),
        self_attention_by(lambda wide, h: np.array(np.hsplit(wide, h))),
        lambda X, W_Q, W_K, W_V, h: np.hstack(
            [
                attention(*(X @ W for W in head)).output
                for head in zip(*(np.split(W, h, axis=1) for W in (W_Q, W_K, W_V)), strict=True)
            ]
        ),
        as_float32(self_attention_by(split_heads)),
    ],
    "find_the_bug.two_lines": [
        lambda Q, K, V, lengths: attention(Q, K, V, padding_mask(lengths, K.shape[1])).output,
        lambda Q, K, V, lengths: [
            attention(q, k[:length], v[:length]).output for q, k, v, length in zip(Q, K, V, lengths, strict=True)
        ],
        lambda Q, K, V, lengths: softmax(
            Q @ K.swapaxes(1, 2) * Q.shape[-1] ** -0.5, mask=(np.arange(K.shape[1]) < lengths[:, None])[:, None]
        ) @ V,
        lambda Q, K, V, lengths: masked_softmax_with_loops(
            np.array([scores_with_loops(q, k) for q, k in zip(Q, K, strict=True)]),
            padding_mask(lengths, K.shape[1]),
        ) @ V,
        as_float32(lambda Q, K, V, lengths: attention(Q, K, V, padding_mask(lengths.astype(int), K.shape[1])).output),
    ],
    "find_the_bug.check": [
        verdict_of(3, 4, 5, 2),
        verdict_of(2, 5, 3, 4),
        verdict_of(7, 3, 6, 1, seed=1),
        lambda candidate: all(verdict_of(3, 4, 5, 2, seed)(candidate) for seed in range(5)),
        lambda candidate: tells_by(candidate, lambda made, right: np.abs(made - right).max() < 1e-9),
        lambda candidate: np.array(tells_by(candidate, np.allclose)),
        lambda candidate: tells_by(candidate, lambda made, right: math.dist(made.flat, right.flat) < 1e-6),
        agrees_with_sines_and_cosines,
        raises_nothing_when_compared,
    ],
    "find_the_bug.keys_in_turns": [
        lambda o, s, p, t: (s[:, None] * o + t[:, None] * p) / (s + t)[:, None],
        lambda o, s, p, t: o + (t / (s + t))[:, None] * (p - o),
        lambda o, s, p, t: [np.average(pair, axis=0, weights=sums).tolist() for *pair, sums in zip(o, p, zip(s, t))],  # noqa: B905
        lambda o, s, p, t: np.einsum("bn,bnd->nd", np.stack([s, t]) / (s + t), np.stack([o, p])),
        lambda o, s, p, t: ((o.T * s + p.T * t) / (s + t)).T,
        as_float32(lambda o, s, p, t: (o * s[:, None] + p * t[:, None]) / np.add(s, t)[:, None]),
        lambda o, s, p, t: (softmax(np.log([s, t]).T)[:, None, :] @ np.stack([o, p], axis=1))[:, 0],
    ],
    "learning.softmax": [
        lambda w, dA: w * dA - w * (w * dA).sum(axis=1, keepdims=True),
        lambda w, dA: [(np.diag(row) - np.outer(row, row)) @ slope for row, slope in zip(w, dA)],  # noqa: B905
        lambda w, dA: w * (dA - np.einsum("qk,qk->q", w, dA)[:, None]),
        lambda w, dA: filled_in_a_loop(
            w.shape, lambda q, k: sum(w[q, j] * ((j == k) - w[q, k]) * dA[q, j] for j in range(w.shape[1]))
        ),
        lambda w, dA: w * (dA - np.diag(w @ dA.T)[:, None]),
        as_float32(lambda w, dA: w * (dA - np.sum(w * dA, axis=-1)[:, np.newaxis])),
    ],
    "learning.queries_keys": [
        lambda Q, K, dS: (dS @ K / np.sqrt(Q.shape[1]), dS.T @ Q / np.sqrt(K.shape[1])),
        lambda Q, K, dS: (dS @ (K / K.shape[1] ** 0.5), (Q.T @ dS).T / Q.shape[1] ** 0.5),
        lambda Q, K, dS: [np.einsum(*by) / len(K.T) ** 0.5 for by in (("qk,kd->qd", dS, K), ("qk,qd->kd", dS, Q))],
        lambda Q, K, dS: ([sum(s * k for s, k in zip(row, K)) / len(Q.T) ** 0.5 for row in dS],  # noqa: B905
                          [sum(s * q for s, q in zip(row, Q)) / len(Q.T) ** 0.5 for row in dS.T]),  # noqa: B905
        lambda Q, K, dS: [np.float32(dS @ K / Q.shape[1] ** 0.5), np.float32(dS.T @ Q / Q.shape[1] ** 0.5)],
    ],
    "learning.shared": [
        lambda X, dQ: (X.mT @ dQ).mean(axis=0),
        lambda X, dQ: np.einsum("bnm,bnd->md", X, dQ) / len(X),
        lambda X, dQ: X.reshape(-1, X.shape[-1]).T @ dQ.reshape(-1, dQ.shape[-1]) / len(dQ),
        lambda X, dQ: sum(x.T @ slope for x, slope in zip(X, dQ)) / X.shape[0],  # noqa: B905
        lambda X, dQ: np.tensordot(X, dQ, axes=([0, 1], [0, 1])) / len(X),
        as_float32(lambda X, dQ: np.mean([np.dot(x.T, slope) for x, slope in zip(X, dQ)], axis=0)),  # noqa: B905
    ],
    "learning.step": [
        lambda S, V, T, rate: S - rate * slope_of_scores(softmax(S), (softmax(S) @ V - T) @ V.T),
        lambda S, V, T, rate: S + rate * slope_of_scores(softmax(S), (T - softmax(S) @ V) @ V.T),
        lambda S, V, T, rate: S - rate * attention_gradients(S, np.eye(len(V)), V, softmax(S) @ V - T, scale=1).Q,
        lambda S, V, T, rate: S - rate * measured(lambda moved: ((softmax(moved) @ V - T) ** 2).sum() / 2, S),
        lambda S, V, T, rate: [
            (s - rate * (np.diag(w) - np.outer(w, w)) @ V @ (w @ V - t)).tolist() for s, t, w in zip(S, T, softmax(S))  # noqa: B905
        ],
    ],
    "learning.one_head": [
        lambda Q, K, V, G, mask: slopes_named(attention_gradients(Q, K, V, G, mask=mask)),
        lambda Q, K, V, G, mask: slopes_named(attention_gradients(*(x[None] for x in (Q, K, V, G)), mask=mask), 0),
        lambda Q, K, V, G, mask: back_through_a_head(Q, K, V, G, attention(Q, K, V, mask=mask).weights),
        lambda Q, K, V, G, mask: back_through_a_head(Q, K, V, G, masked_softmax_with_loops(scaled_scores(Q, K), mask)),
        lambda Q, K, V, G, mask: [
            measured(lambda moved: (G * attention(moved, K, V, mask=mask).output).sum(), Q),
            measured(lambda moved: (G * attention(Q, moved, V, mask=mask).output).sum(), K),
            measured(lambda moved: (G * attention(Q, K, moved, mask=mask).output).sum(), V),
        ],
    ],
    "heads_that_learn.repeated": [
        lambda word, n: (np.resize(word, n), np.resize(word, n + 1)[1:], np.arange(n) >= len(word)),
        lambda word, n: (np.tile(word, n)[:n], np.tile(np.roll(word, -1), n)[:n], np.arange(1, n + 1) > len(word)),
        repeated_letter_by_letter,
        lambda word, n: (word[np.arange(n) % len(word)], word[(np.arange(n) + 1) % len(word)],
                         [False] * len(word) + [True] * (n - len(word))),
        lambda word, n: (*(np.take(word, range(i, n + i), mode="wrap") for i in (0, 1)), ~(np.arange(n) < len(word))),
        lambda word, n: tuple(np.array([[word[i % len(word)], word[(i + 1) % len(word)], i // len(word) > 0]
                                        for i in range(n)]).T),
    ],
    "heads_that_learn.looks": [
        looks_with_loops,
        looks_by_shifting,
        lambda ids: np.tril(ids[:, None] == np.concatenate([[-1], ids[:-1]])),
        lambda ids: (np.subtract.outer(ids, np.insert(ids, 0, 99)[:-1]) == 0) & causal_mask(len(ids)),
        lambda ids: np.eye(12)[ids] @ np.eye(12)[ids].T @ np.eye(len(ids), k=1) * np.tri(len(ids)) > 0,
        lambda ids: np.array([np.append(False, ids[:-1] == ids[q]) & (np.arange(len(ids)) <= q)
                              for q in range(len(ids))]),
    ],
    "heads_that_learn.share": [
        share_with_loops,
        lambda weights, looks, counts: (weights * looks)[counts].sum() / counts.sum(),
        lambda weights, looks, counts: np.einsum("qk,qk,q->", weights, looks, counts) / np.count_nonzero(counts),
        lambda weights, looks, counts: np.average((weights * looks).sum(axis=1), weights=counts),
        lambda weights, looks, counts: weights[looks & counts[:, None]].sum() / counts.sum(),
        lambda weights, looks, counts: np.diagonal(weights @ looks.T) @ counts / sum(counts),
        lambda weights, looks, counts: np.where(looks, weights, 0).astype(np.float32).sum(-1).mean(where=counts),
    ],
    "heads_that_learn.off": [
        lambda heads, W_O, off: merge_heads(with_zeros(heads, off)) @ W_O,
        lambda heads, W_O, off: merge_heads(heads) @ W_O - head_alone(heads, off - 1) @ W_O,
        lambda heads, W_O, off: (with_zeros(heads, off) @ W_O.reshape(len(heads), -1, W_O.shape[1])).sum(axis=0),
        lambda heads, W_O, off: sum(h @ W for i, (h, W) in enumerate(zip(heads, np.split(W_O, len(heads)), strict=True))
                                    if i != off - 1),
        lambda heads, W_O, off: np.concatenate([h * (i != off) for i, h in enumerate(heads, 1)], axis=-1) @ W_O,
        as_float32(lambda heads, W_O, off: np.hstack(list(with_zeros(heads, off))) @ W_O),
    ],
    "five_treatments.parameters": [
        lambda d, h: (4 * d**2 + d, 3 * (d // h) ** 2 + d**2 + d),
        lambda d, h: (4 * d**2 + d, 3 * Fraction(d, h) ** 2 + d**2 + d),
        lambda d, h: map(Decimal, (4 * d**2 + d, 3 * (d // h) ** 2 + d**2 + d)),
        lambda d, h: [sum(np.ones((n, n)).size for n in widths) + d for widths in ([d] * 4, [d // h] * 3 + [d])],
        lambda d, h: np.array([4 * d * d + d, 3 * (d / h) ** 2 + d * d + d]),
        lambda d, h: tuple(np.polyval([3, 0, d * d + d], width) for width in (d, d / h)),
        lambda d, h: (
            sum(d * (d // h) for _ in range(3 * h)) + d * d + d,
            sum((d // h) ** 2 for _ in "QKV") + d * d + d,
        ),
        lambda d, h: (3 * width**2 + d * (d + 1) for width in (d, d // h)),
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
        lambda draws: (draws - 0.5) * (12 / len(draws)) ** 0.5,
        lambda draws: (2 * draws - 1) * np.sqrt(3 / draws.shape[0]),
        as_float32(lambda draws: (draws - 0.5) / np.sqrt(len(draws) / 12)),
        lambda draws: [[(a - 0.5) * math.sqrt(12 / len(draws)) for a in row] for row in draws],
        lambda draws: draws * np.sqrt(12 / len(draws)) - np.sqrt(3 / len(draws)),
        lambda draws: np.interp(draws, [0, 1], [-((3 / len(draws)) ** 0.5), (3 / len(draws)) ** 0.5]),
        lambda draws: (draws - 1 / 2) / np.sqrt(1 / 12) / np.sqrt(draws.shape[0]),
        lambda draws: ((row - 0.5) * (len(draws) / 12) ** -0.5 for row in draws),
    ],
}  # fmt: skip

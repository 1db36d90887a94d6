"""Right answers to every exercise by other routes than its own: loops, einsum, the course, other kinds of numbers."""

from decimal import Decimal
from fractions import Fraction

import numpy as np

from mha_course import (
    attention,
    causal_mask,
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


def heads_with_a_loop(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (np.split(wide, num_heads, axis=-1) for wide in (X @ W_Q, context @ W_K, context @ W_V))
    outputs = [attention(q, k, v).output for q, k, v in zip(Q, K, V, strict=True)]
    return sum(o @ W for o, W in zip(outputs, np.split(W_O, num_heads, axis=0), strict=True))


def heads_with_einsum(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (wide.reshape(*wide.shape[:-1], num_heads, -1) for wide in (X @ W_Q, context @ W_K, context @ W_V))
    weights = softmax(np.einsum("...qhd,...khd->...hqk", Q, K) * Q.shape[-1] ** -0.5)
    return np.einsum("...hqk,...khd->...qhd", weights, V).reshape(*X.shape[:-1], -1) @ W_O


def verdict_of(n_q, n_k, d_k, d_v, seed=0):
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
    right = softmax_with_loops(scores_with_loops(Q, K)) @ V
    return lambda candidate: candidate(Q, K, V).shape == (n_q, d_v) and np.allclose(candidate(Q, K, V), right)


def in_turns(Q, rows):
    return [Q[start : start + rows] for start in range(0, len(Q), rows)]


def blocks_into_a_table(Q, K, V, rows):
    output, most, start = np.empty((Q.shape[0], V.shape[1])), 0, 0
    while start < len(Q):
        scores = np.einsum("qd,kd->qk", Q[start : start + rows], K) * Q.shape[1] ** -0.5
        output[start : start + rows] = (softmax(scores)[..., None] * V).sum(axis=1)
        most, start = max(most, scores.size), start + rows
    return output, most


def filled(positions, d_model):
    table = np.zeros((len(positions), d_model))
    for row, position in enumerate(positions):
        for i in range(0, d_model, 2):
            table[row, i] = np.sin(position / 10000 ** (i / d_model))
            table[row, i + 1] = np.cos(position / 10000 ** (i / d_model))
    return table


RIGHT = {
    "inputs.lookup": [lambda ids, table: np.eye(len(table))[ids] @ table, lambda ids, table: [table[i] for i in ids]],
    "inputs.add_positions": [
        lambda x: np.array([s + positional_encoding(len(s), x.shape[-1]) for s in x]),
        lambda x: positional_encoding(*x.shape[1:]) + x,
    ],
    "inputs.angles": [
        lambda p, d: [[pos / 10000 ** (2 * i / d) for i in range(d // 2)] for pos in p],
        lambda p, d: np.outer(p, 10000.0 ** (-np.arange(0, d, 2) / d)),
        lambda p, d: p[:, None] * np.exp(-np.log(10000) * np.arange(0, d, 2) / d),
    ],
    "inputs.encoding": [filled, as_float32(filled)],
    "queries_keys_values.entry": [
        lambda X, W, r, c: X[r] @ W[:, c],
        lambda X, W, r, c: (X @ W)[r, c],
        lambda X, W, r, c: float(sum(X[r, i] * W[i, c] for i in range(len(W)))),
        lambda X, W, r, c: np.array((X @ W)[r, c]),
    ],
    "queries_keys_values.project": [
        np.matmul,
        np.dot,
        lambda X, W: np.einsum("...nd,dk->...nk", X, W),
        lambda X, W: (W.T @ X.swapaxes(-1, -2)).swapaxes(-1, -2),
        as_float32(np.matmul),
        lambda X, W: (X @ W).tolist(),
        as_float16(np.matmul),
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
    "scaled_scores.products": [
        lambda Q, K: np.dot(Q, K.T),
        lambda Q, K: (K @ Q.T).T,
        np.inner,
        lambda Q, K: np.einsum("qd,kd->qk", Q, K),
        lambda Q, K: [[float(q @ k) for k in K] for q in Q],
        lambda Q, K: (Q[:, None] * K[None]).sum(axis=-1),
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
    "softmax.shares": [softmax, softmax_with_loops, lambda row: 1 / np.exp(row[None] - row[:, None]).sum(axis=-1)],
    "softmax.rows": [softmax, softmax_with_loops, lambda s: (np.exp(s).T / np.exp(s).sum(axis=1)).T],
    "softmax.stable": [softmax, softmax_with_loops, as_float32(softmax), as_float16(softmax)],
    "softmax.strongest": [
        lambda w: np.argmax(w, -1),
        lambda w: w.argmax(axis=w.ndim - 1).tolist(),
        lambda w: np.argsort(w, axis=-1)[..., -1],
        lambda w: w.argmax(axis=-1).astype(object),
        lambda w: np.uint8(w.argmax(axis=-1)),
    ],
    "softmax.general": [
        softmax,
        softmax_with_loops,
        lambda s, t: softmax((s - s.max(axis=-1, keepdims=True)) / t),
        as_float32(softmax),
    ],
    "weighted_sums.one": [np.matmul, lambda s, V: (s * V.T).sum(axis=1), lambda s, V: sum(a * v for a, v in zip(s, V))],  # noqa: B905
    "weighted_sums.weighted_sum": [
        weighted_sum,
        lambda w, V: (w[..., None] * V[..., None, :, :]).sum(axis=-2),
        as_float32(np.matmul),
    ],
    "weighted_sums.attention": [
        lambda Q, K, V: attention(Q, K, V).output,
        lambda Q, K, V: softmax_with_loops((Q / Q.shape[-1] ** 0.5) @ K.swapaxes(-1, -2)) @ V,
        as_float32(lambda Q, K, V: attention(Q, K, V).output),
        as_float16(lambda Q, K, V: attention(Q, K, V).output),
    ],
    "weighted_sums.from_inputs": [
        lambda X, context, W_Q, W_K, W_V: attention(X @ W_Q, context @ W_K, context @ W_V).output,
        lambda X, context, W_Q, W_K, W_V: softmax(X @ (W_Q @ W_K.T) @ context.T / W_K.shape[1] ** 0.5) @ context @ W_V,
    ],
    "heads.concatenate": [
        lambda outputs: np.concatenate(outputs, -1),
        lambda outputs: merge_heads(np.stack(outputs, axis=-3)),
        lambda outputs: np.block(outputs) if outputs[0].ndim == 2 else np.dstack(outputs),
    ],
    "heads.split": [
        split_heads,
        lambda wide, h: np.stack(np.split(wide, h, axis=-1), axis=-3),
        lambda wide, h: np.moveaxis(wide.reshape(*wide.shape[:-1], h, -1), -2, -3),
    ],
    "heads.merge": [
        merge_heads,
        lambda heads: np.concatenate([heads[..., i, :, :] for i in range(heads.shape[-3])], axis=-1),
        lambda heads: np.einsum("...hnd->...nhd", heads).reshape(*heads.shape[:-3], heads.shape[-2], -1).tolist(),
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
    ],
    "masks.both": [
        lambda lengths, n: causal_mask(n) & padding_mask(lengths, n),
        lambda lengths, n: np.tri(n, dtype=bool) * padding_mask(lengths, n),
        lambda lengths, n: ~(~causal_mask(n) | ~padding_mask(lengths, n)),
        lambda lengths, n: np.stack([causal_mask(n) & (np.arange(n) < length) for length in lengths]),
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
    ],
    "sublayer.residual": [lambda x, attend: attend(x) + x, lambda x, attend: np.add(x, attend(x)).tolist()],
    "sublayer.row": [
        lambda row, eps: layer_norm(row[None], eps=eps)[0],
        lambda row, eps: (row - np.mean(row)) / np.sqrt(np.var(row) + eps),
        lambda row, eps: (row - row.mean()) * ((row**2).mean() - row.mean() ** 2 + eps) ** -0.5,
        lambda row, eps: (row - row.mean()) / (row.std() ** 2 + eps) ** 0.5,
    ],
    "sublayer.layer_norm": [
        layer_norm,
        lambda x, gain, bias, eps: gain * (x - x.mean(-1)[..., None]) / np.sqrt(x.var(-1)[..., None] + eps) + bias,
        as_float16(layer_norm),
        lambda x, gain, bias, eps: np.apply_along_axis(lambda r: (r - r.mean()) / (r.var() + eps) ** 0.5, -1, x) * gain
        + bias,
        as_float32(layer_norm),
    ],
    "sublayer.both": [
        lambda x, attend: [layer_norm(attend(x) + x), attend(layer_norm(x)) + x],
        lambda x, attend: np.stack([layer_norm(x + attend(x)), x + attend(layer_norm(x))]),
    ],
    "sublayer.dropout": [
        lambda weights, kept, rate: np.where(kept, weights / (1 - rate), 0),
        lambda weights, kept, rate: weights / (1 - rate) * kept.astype(int),
        as_float32(lambda weights, kept, rate: kept * weights / (1 - rate)),
    ],
    "reading_code.parameters": [
        lambda d, h: (4 * d**2 + d, 3 * (d // h) ** 2 + d**2 + d),
        lambda d, h: (4 * d**2 + d, 3 * Fraction(d, h) ** 2 + d**2 + d),
        lambda d, h: map(Decimal, (4 * d**2 + d, 3 * (d // h) ** 2 + d**2 + d)),
        lambda d, h: [sum(np.ones((n, n)).size for n in widths) + d for widths in ([d] * 4, [d // h] * 3 + [d])],
    ],
    "reading_code.whole_row": [
        lambda X, W, h: split_heads(project(X, W), h),
        lambda X, W, h: np.stack([X @ part for part in np.split(W, h, axis=-1)], axis=-3),
        lambda X, W, h: np.einsum("...nd,dhk->...hnk", X, W.reshape(len(W), h, -1)),
    ],
    "reading_code.weights": [
        lambda draws: (draws - 0.5) * (12 / len(draws)) ** 0.5,
        lambda draws: (2 * draws - 1) * np.sqrt(3 / draws.shape[0]),
        as_float32(lambda draws: (draws - 0.5) / np.sqrt(len(draws) / 12)),
    ],
    "reading_code.check": [
        verdict_of(3, 4, 5, 2),
        verdict_of(2, 5, 3, 4),
        verdict_of(7, 3, 6, 1, seed=1),
        lambda candidate: all(verdict_of(3, 4, 5, 2, seed)(candidate) for seed in range(5)),
    ],
    "reading_code.blocks": [
        lambda Q, K, V, rows: (
            np.vstack([attention(Q[i : i + rows], K, V).output for i in range(0, len(Q), rows)]),
            max(len(Q[i : i + rows]) * len(K) for i in range(0, len(Q), rows)),
        ),
        lambda Q, K, V, rows: (
            [row for i in range(0, len(Q), rows) for row in attention(Q[i : i + rows], K, V).output],
            Q[:rows].shape[0] * K.shape[0],
        ),
        lambda Q, K, V, rows: (
            np.concatenate([softmax(few @ K.T) @ V for few in in_turns(Q / Q.shape[-1] ** 0.5, rows)]),
            max(len(few) for few in in_turns(Q, rows)) * len(K),
        ),
        lambda Q, K, V, rows: (
            np.vstack([softmax_with_loops((few[:, None] * K).sum(-1) / len(K[0]) ** 0.5) @ V
                       for few in np.array_split(Q, range(rows, len(Q), rows))]),
            min(rows, len(Q)) * len(K),
        ),
        lambda Q, K, V, rows: (np.array([attention(q[None], K, V).output[0] for q in Q]), min(rows, len(Q)) * len(K)),
        blocks_into_a_table,
    ],
}  # fmt: skip

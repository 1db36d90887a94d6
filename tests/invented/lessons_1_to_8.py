"""Answers to the exercises of lessons 1 to 8, written from the tasks alone: wrong ones, and right ones by detours."""

import math

import numpy as np

from mha_course import attention, causal_mask, merge_heads, padding_mask, positional_encoding, softmax, split_heads


def ids_right_distance(rows, embeddings):
    d = ((rows[:, None] - embeddings[None]) ** 2).sum(-1)
    return d.argmin(1)


def ids_any(rows, embeddings):
    return np.array([np.argmax((embeddings == r).any(axis=1)) for r in rows])


def ids_axis0(rows, embeddings):
    return np.array([np.argmax((embeddings == r).all(axis=0)) for r in rows])


def ids_from_one(rows, embeddings):
    return np.array([list(map(tuple, embeddings)).index(tuple(r)) + 1 for r in rows])


def ids_first_entry_from_one(rows, embeddings):
    return np.array([np.argmax(embeddings[:, 0] == r[0]) + 1 for r in rows])


def add_right_loop(embedded):
    out = []
    for s in embedded:
        out.append(s + positional_encoding(len(s), s.shape[1]))
    return np.array(out)


def add_batch_axis(embedded):
    n = embedded.shape[0]
    d = embedded.shape[-1]
    return embedded + positional_encoding(n, d)


def add_by_sentence(embedded):
    return embedded + positional_encoding(embedded.shape[0], embedded.shape[2])[:, None, :]


def add_times(embedded):
    s, n, d = embedded.shape
    return embedded * positional_encoding(n, d)


def add_reversed_minus(embedded):
    s, n, d = embedded.shape
    return embedded - positional_encoding(n, d)[::-1]


def ang_right_outer(positions, d_model):
    return np.outer(positions, np.exp(-np.log(10000) * np.arange(0, d_model, 2) / d_model))


def ang_thousand(positions, d_model):
    p = np.arange(d_model // 2)
    return positions[:, None] / 1000 ** (2 * p / d_model)


def ang_own_positions(positions, d_model):
    p = np.arange(d_model // 2)
    return np.arange(len(positions))[:, None] / 10000 ** (2 * p / d_model)


def ang_all_columns(positions, d_model):
    i = np.arange(d_model)
    return positions[:, None] / 10000 ** (2 * (i // 2) / d_model)


def ang_no_d(positions, d_model):
    p = np.arange(d_model // 2)
    return positions[:, None] / 10000.0 ** (2 * p)


def ang_turned(positions, d_model):
    p = np.arange(d_model // 2)
    return (positions[:, None] / 10000 ** (p / d_model)).T


def enc_right_phase(positions, d_model):
    c = np.arange(d_model)
    ang = positions[:, None] / 10000 ** ((c - c % 2) / d_model)
    return np.sin(ang + c % 2 * np.pi / 2)


def enc_cos_first(positions, d_model):
    out = np.zeros((len(positions), d_model))
    ang = positions[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    out[:, 0::2], out[:, 1::2] = (np.cos(ang), np.sin(ang))
    return out


def enc_degrees(positions, d_model):
    out = np.zeros((len(positions), d_model))
    ang = np.deg2rad(positions[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model))
    out[:, 0::2], out[:, 1::2] = (np.sin(ang), np.cos(ang))
    return out


def enc_sines(positions, d_model):
    ang = positions[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    return np.sin(np.repeat(ang, 2, axis=1))


def enc_halves_one(positions, d_model):
    ang = (positions[:, None] + 1) / 10000 ** (np.arange(0, d_model, 2) / d_model)
    return np.hstack([np.sin(ang), np.cos(ang)])


def q_right_onehots(has, wants, d_model):
    I = np.eye(d_model)
    return I[has].T @ I[wants]


def q_turned(has, wants, d_model):
    W = np.zeros((d_model, d_model))
    for h, w in zip(has, wants):
        W[w, h] = 1
    return W


def q_block(has, wants, d_model):
    W = np.zeros((d_model, d_model))
    for h in has:
        W[h, wants] = 1
    return W


def q_identity(has, wants, d_model):
    W = np.eye(d_model)
    W[has, wants] = 1
    return W


def q_from_one(has, wants, d_model):
    W = np.zeros((d_model, d_model))
    W[wants - 1, has - 1] = 1
    return W


def qkv_right_einsum(X, context, W_Q, W_K, W_V):
    return (np.einsum("nd,dk->nk", X, W_Q), np.dot(context, W_K), np.dot(context, W_V))


def qkv_keys_x(X, context, W_Q, W_K, W_V):
    return (X @ W_Q, X @ W_K, context @ W_V)


def qkv_all_x(X, context, W_Q, W_K, W_V):
    return (X @ W_Q, X @ W_K, X @ W_V)


def qkv_swapped(X, context, W_Q, W_K, W_V):
    return (context @ W_Q, X @ W_K, X @ W_V)


def qkv_two(X, context, W_Q, W_K, W_V):
    return (context @ W_Q, context @ W_V, context @ W_K)


def fus_right_split(X, W):
    return tuple(np.split(X @ W, 3, axis=1))


def fus_rows(X, W):
    return np.split(X @ W, 3)


def fus_turns(X, W):
    cut = X @ W
    return (cut[:, ::3], cut[:, 1::3], cut[:, 2::3])


def fus_reshape(X, W):
    cut = X @ W
    return cut.reshape(3, len(X), -1)


def fus_two(X, W):
    d = W.shape[1] // 3
    Y = X @ W
    return (Y[:, d : 2 * d - 1], Y[:, : d - 1], Y[:, 2 * d : -1])


def dot_right(query, key):
    return query @ key


def dot_mean(query, key):
    return np.mean(query * key)


def dot_sums(query, key):
    return query.sum() * key.sum()


def dot_prod(query, key):
    return np.prod(query * key)


def sc_right_before(Q, K):
    s = Q.shape[1] ** 0.25
    return Q / s @ (K / s).T


def sc_len(Q, K):
    d_k = len(Q)
    return Q @ K.T / np.sqrt(d_k)


def sc_no_root(Q, K):
    d_k = Q.shape[-1]
    return Q / d_k @ K.T


def sc_soft(Q, K):
    return softmax(Q @ K.T / np.sqrt(Q.shape[1]))


def sc_two(Q, K):
    return K @ Q.T * np.sqrt(K.shape[1])


def sb_right_einsum(Q, K):
    return np.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.shape[-1])


def sb_axis1(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[1])


def sb_T(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[-1])


def sb_fixed(Q, K):
    return Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[-1])


def sb_two(Q, K):
    return K @ np.swapaxes(Q, -1, -2)


def ke_right_inv(Q, scores):
    return (np.linalg.inv(Q) @ scores).T * np.sqrt(len(Q))


def ke_not_turned(Q, scores):
    return np.linalg.solve(Q, scores * np.sqrt(Q.shape[1]))


def ke_div(Q, scores):
    return np.linalg.solve(Q, scores / np.sqrt(Q.shape[1])).T


def ke_no_root(Q, scores):
    return np.linalg.solve(Q, scores).T


def ke_two(Q, scores):
    return np.linalg.solve(Q.T, scores * len(Q)).T


def st_right_sort(weights):
    return np.argsort(-weights, axis=-1, kind="stable")[..., 0]


def st_max(weights):
    return weights.max(axis=-1)


def st_axis0(weights):
    return np.argmax(weights, axis=-2)


def st_flat(weights):
    return np.argmax(weights)


def ra_right(scores, ratio):
    return np.ptp(scores) / np.log(ratio)


def ra_sign(scores, ratio):
    return (scores[0] - scores[1]) / np.log(ratio)


def ra_log2(scores, ratio):
    return abs(scores[0] - scores[1]) / np.log2(ratio)


def ra_nolog(scores, ratio):
    return abs(scores[0] - scores[1]) / ratio


def ra_quot(scores, ratio):
    return max(scores) / min(scores) / np.log(ratio)


def ra_two(scores, ratio):
    return np.log(ratio) / (scores[0] - scores[1])


def so_right_log(scores, temperature):
    z = scores / temperature
    return np.exp(z - np.logaddexp.reduce(z, axis=-1, keepdims=True))


def so_naive(scores, temperature):
    e = np.exp(scores / temperature)
    return e / e.sum(axis=-1, keepdims=True)


def so_all(scores, temperature):
    z = scores / temperature
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum()


def so_globalmax(scores, temperature):
    z = scores / temperature
    e = np.exp(z - z.max())
    return e / e.sum(axis=-1, keepdims=True)


def so_axis1(scores, temperature):
    z = scores / temperature
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def so_two(scores, temperature):
    z = scores * temperature
    e = 2.0 ** (z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def ne_right(row, share):
    return np.log(share) - np.log1p(-share) + np.log(np.sum(np.exp(row)))


def ne_part(row, share):
    others = np.exp(row).sum()
    return np.log(others * share)


def ne_exp(row, share):
    return np.exp(row).sum() * share / (1 - share)


def ne_sum(row, share):
    return np.log(np.exp(row.sum()) * share / (1 - share))


def ne_two(row, share):
    return np.log10(np.exp(row).sum() * (1 - share) / share)


def mi_right_loop(shares, known, output):
    rest = output.astype(float).copy()
    for s, v in zip(shares, known):
        rest -= s * v
    return rest / shares[len(known)]


def mi_no_div(shares, known, output):
    return output - shares[:-1] @ known


def mi_plain(shares, known, output):
    return (output - known.sum(axis=0)) / shares[-1]


def mi_first(shares, known, output):
    return (output - shares[1:] @ known) / shares[0]


def mi_two(shares, known, output):
    return (shares[:-1] @ known - output) * shares[-1]


def fi_right_folded(X, context, W_Q, W_K, W_V):
    M = W_Q @ W_K.T / np.sqrt(W_K.shape[1])
    return softmax(X @ M @ context.T) @ (context @ W_V)


def fi_dmodel(X, context, W_Q, W_K, W_V):
    Q, K, V = (X @ W_Q, context @ W_K, context @ W_V)
    return softmax(Q @ K.T / np.sqrt(X.shape[1])) @ V


def fi_overflow(X, context, W_Q, W_K, W_V):
    e = np.exp(X @ W_Q @ (context @ W_K).T / np.sqrt(W_Q.shape[1]))
    return e / e.sum(axis=1, keepdims=True) @ (context @ W_V)


def fi_weights(X, context, W_Q, W_K, W_V):
    return softmax(X @ W_Q @ (context @ W_K).T / np.sqrt(W_Q.shape[1]))


def fi_two_b(X, context, W_Q, W_K, W_V):
    Q, K = (X @ W_Q, context @ W_K)
    V = context @ W_V
    return softmax(K @ Q.T / K.shape[1]).T @ V


def re_right_lstsq(V, output):
    equations = np.c_[V, np.ones(len(V))].T
    return np.linalg.lstsq(equations, np.append(output, 1), rcond=None)[0]


def re_zero(V, output):
    equations = np.vstack([V.T, np.ones(len(V))])
    return np.linalg.solve(equations, np.append(output, 0))


def re_soft(V, output):
    equations = np.vstack([V.T, np.ones(len(V))])
    return softmax(np.linalg.solve(equations, np.append(output, 1)))


def re_clip(V, output):
    equations = np.vstack([V.T, np.ones(len(V))])
    return np.clip(np.linalg.solve(equations, np.append(output, 1)), 0, None)


def re_turn(V, output):
    equations = np.hstack([V, np.ones((len(V), 1))])
    return np.linalg.solve(equations, np.append(output, 1))


def sp_right_stack(wide, num_heads):
    return np.stack(np.split(wide, num_heads, axis=-1), axis=-3)


def sp_straight(wide, num_heads):
    *b, n, w = wide.shape
    return wide.reshape(*b, num_heads, n, w // num_heads)


def sp_front(wide, num_heads):
    *b, n, w = wide.shape
    return wide.reshape(*b, n, num_heads, -1).swapaxes(0, 1)


def sp_confused(wide, num_heads):
    *b, n, w = wide.shape
    return wide.reshape(*b, n, w // num_heads, num_heads).swapaxes(-3, -2)


def sp_two(wide, num_heads):
    return np.stack([wide[..., i::num_heads] for i in range(num_heads)][::-1], axis=-3)


def me_right_concat(heads):
    return np.concatenate([heads[..., i, :, :] for i in range(heads.shape[-3])], axis=-1)


def me_straight(heads):
    *b, h, n, d = heads.shape
    return heads.reshape(*b, n, h * d)


def me_sum(heads):
    return heads.sum(axis=-3)


def me_below(heads):
    *b, h, n, d = heads.shape
    return heads.reshape(*b, h * n, d)


def me_two(heads):
    *b, h, n, d = heads.shape
    return np.moveaxis(heads[..., ::-1, :, :], -3, -1).reshape(*b, n, h * d)


def co_right_direct(X, V):
    return V - V.mean(axis=0)


def _diff(X, V, q1, q2, o1, o2):
    d, dv = (X.shape[1], V.shape[1])
    I = np.eye(d)
    W_Q = np.stack([q1 * I, q2 * I])
    W_K = np.stack([I, I])
    heads = attention(X @ W_Q, X @ W_K, V).output
    return merge_heads(heads) @ np.concatenate([o1 * np.eye(dv), o2 * np.eye(dv)])


def co_added(X, V):
    return _diff(X, V, 1000, 0, 1, 1)


def co_weak(X, V):
    return _diff(X, V, 1, 0, 1, -1)


def co_sign(X, V):
    return _diff(X, V, 500, 0, -1, 1)


def co_two(X, V):
    return _diff(X, V, 5, 1, 1, -1)


def co_mean(X, V):
    return _diff(X, V, 100, 0, 0, 1)


def mh_right_loop(X, context, W_Q, W_K, W_V, W_O, num_heads):
    d, dv = (W_Q.shape[1] // num_heads, W_V.shape[1] // num_heads)
    total = 0
    for h in range(num_heads):
        s, t = (slice(h * d, (h + 1) * d), slice(h * dv, (h + 1) * dv))
        total = total + attention(X @ W_Q[:, s], context @ W_K[:, s], context @ W_V[:, t]).output @ W_O[t]
    return total


def mh_one(X, context, W_Q, W_K, W_V, W_O, num_heads):
    return attention(X @ W_Q, context @ W_K, context @ W_V).output @ W_O


def mh_no_wo(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (split_heads(z, num_heads) for z in (X @ W_Q, context @ W_K, context @ W_V))
    return merge_heads(attention(Q, K, V).output)


def mh_merge(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (split_heads(z, num_heads) for z in (X @ W_Q, context @ W_K, context @ W_V))
    o = attention(Q, K, V).output
    return o.reshape(*X.shape[:-1], -1) @ W_O


def mh_two(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (split_heads(z, num_heads) for z in (X @ W_Q, X @ W_K, X @ W_V))
    return merge_heads(attention(Q, K, V).output) @ W_O.T


def mh_two_b(X, context, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (split_heads(z, num_heads) for z in (X @ W_Q, context @ W_K, context @ W_V))
    o = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(W_Q.shape[1])) @ V
    return merge_heads(o) @ W_O / num_heads


def go_right_slice(n_q, n_k):
    return np.tri(n_k, dtype=bool)[n_k - n_q :]


def go_start(n_q, n_k):
    return np.arange(n_k) <= np.arange(n_q)[:, None]


def go_strict(n_q, n_k):
    return np.arange(n_k) < np.arange(n_k - n_q, n_k)[:, None]


def go_all(n_q, n_k):
    return np.ones((n_q, n_k), bool)


def go_two(n_q, n_k):
    return np.arange(n_k)[None] > np.arange(n_q)[:, None]


def pa_right_list(lengths, n_k):
    return np.array([[[j < L for j in range(n_k)]] for L in lengths]).reshape(len(lengths), 1, n_k)


def pa_le(lengths, n_k):
    return np.arange(n_k) <= lengths[:, None, None]


def pa_axis(lengths, n_k):
    return (np.arange(n_k) < lengths[:, None])[..., None]


def pa_front(lengths, n_k):
    return np.arange(n_k) >= n_k - lengths[:, None, None]


def pa_two(lengths, n_k):
    return ~(np.arange(n_k) <= lengths[:, None, None])


def pk_right_blocks(lengths):
    n = lengths.sum()
    m = np.zeros((n, n), bool)
    s = 0
    for L in lengths:
        m[s : s + L, s : s + L] = np.tri(L)
        s += L
    return m


def pk_blocks(lengths):
    t = np.repeat(np.arange(len(lengths)), lengths)
    return t[:, None] == t


def pk_causal(lengths):
    return causal_mask(int(lengths.sum()))


def pk_upper(lengths):
    t = np.repeat(np.arange(len(lengths)), lengths)
    return (t[:, None] == t) & np.triu(np.ones((len(t), len(t)), bool))


def pk_two(lengths):
    t = np.repeat(np.arange(len(lengths)), lengths)
    return t[:, None] != t


def ms_right_clip(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    s = np.where(mask, scores, -np.inf)
    top = np.max(s, axis=-1, keepdims=True, initial=-np.inf)
    top = np.where(np.isinf(top), 0.0, top)
    e = np.exp(s - top)
    z = e.sum(-1, keepdims=True)
    return np.divide(e, z, out=np.zeros_like(e), where=z > 0)


def ms_after(scores, mask):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) * mask


def ms_zero(scores, mask):
    s = np.where(mask, scores, 0)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def ms_1e9(scores, mask):
    s = np.where(mask, scores, -1000000000.0)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def ms_two(scores, mask):
    s = np.where(mask, -np.inf, scores)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def ma_right_loop(Q, K, V, mask):
    out = np.zeros((*Q.shape[:-1], V.shape[-1]))
    for b in range(Q.shape[0]):
        for h in range(Q.shape[1]):
            out[b, h] = (
                softmax(
                    Q[b, h] @ K[b, h].T / np.sqrt(Q.shape[-1]), mask=np.broadcast_to(mask[b], (Q.shape[2], K.shape[2]))
                )
                @ V[b, h]
            )
    return out


def ma_noscale(Q, K, V, mask):
    return softmax(Q @ K.swapaxes(-1, -2), mask=mask[:, None]) @ V


def ma_values(Q, K, V, mask):
    w = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return w * mask[:, None] @ V


def ma_two(Q, K, V, mask):
    return softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-2]), mask=~mask[:, None]) @ V


def sh_right(batch, h, n_q, n_k, d_model, d_k, d_v):
    lead = (batch, h)
    return (lead + (n_q, d_k), lead + (n_k, d_k), lead + (n_k, d_v), lead + (n_q, n_k), (batch, n_q, d_model))


def sh_out(batch, h, n_q, n_k, d_model, d_k, d_v):
    return (
        (batch, h, n_q, d_k),
        (batch, h, n_k, d_k),
        (batch, h, n_k, d_v),
        (batch, h, n_q, n_k),
        (batch, n_q, h * d_v),
    )


def sh_v(batch, h, n_q, n_k, d_model, d_k, d_v):
    return (
        (batch, h, n_q, d_k),
        (batch, h, n_k, d_k),
        (batch, h, n_q, d_v),
        (batch, h, n_q, n_k),
        (batch, n_q, d_model),
    )


def sh_two(batch, h, n_q, n_k, d_model, d_k, d_v):
    return (
        (batch, n_q, h, d_k),
        (batch, n_k, h, d_k),
        (batch, n_k, h, d_v),
        (batch, h, n_k, n_q),
        (batch, n_q, d_model),
    )


def sh_heads(batch, h, n_q, n_k, d_model, d_k, d_v):
    return (
        (batch, h, n_q, d_k),
        (batch, h, n_k, d_k),
        (batch, h, n_k, d_v),
        (batch, h, n_q, n_k),
        (batch, h, n_q, d_model),
    )


def tm_right_and(read, n_read, written, n_written):
    e = np.arange(n_read) < read[:, None, None]
    t = np.arange(n_written)
    return (e, (t < written[:, None, None]) & (t <= t[:, None]), e.copy())


def tm_nocausal(read, n_read, written, n_written):
    e = padding_mask(read, n_read)
    return (e, np.repeat(padding_mask(written, n_written), n_written, axis=1), e)


def tm_cross(read, n_read, written, n_written):
    return (
        padding_mask(read, n_read),
        padding_mask(written, n_written) & causal_mask(n_written),
        padding_mask(written, n_read),
    )


def tm_or(read, n_read, written, n_written):
    e = padding_mask(read, n_read)
    return (e, padding_mask(written, n_written) | causal_mask(n_written), e)


def tm_two(read, n_read, written, n_written):
    e = padding_mask(read, n_read)
    return (e & causal_mask(n_read), np.broadcast_to(causal_mask(n_written), (len(written), n_written, n_written)), e)


def cm_right(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    outs = []
    for Wq, Wk, Wv in zip(*(np.split(W, num_heads, axis=1) for W in (W_Q, W_K, W_V))):
        q, k, v = (X @ Wq, context @ Wk, context @ Wv)
        outs.append(softmax(q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1]), mask=mask) @ v)
    return np.concatenate(outs, axis=-1) @ W_O


def cm_nomask(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    Q, K, V = (split_heads(z, num_heads) for z in (X @ W_Q, context @ W_K, context @ W_V))
    return merge_heads(softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])) @ V) @ W_O


def cm_scale(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    Q, K, V = (split_heads(z, num_heads) for z in (X @ W_Q, context @ W_K, context @ W_V))
    return merge_heads(softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(W_Q.shape[-1]), mask=mask[:, None]) @ V) @ W_O


def cm_wk(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    Q, K, V = (split_heads(z, num_heads) for z in (X @ W_Q, context @ W_K, context @ W_K))
    o = merge_heads(softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), mask=mask[:, None]) @ V)
    return o @ W_O[: o.shape[-1]] if o.shape[-1] <= len(W_O) else o[..., : len(W_O)] @ W_O


def cm_two(X, context, W_Q, W_K, W_V, W_O, num_heads, mask):
    Q, K, V = (split_heads(z, num_heads) for z in (X @ W_Q, context @ W_K, context @ W_V))
    o = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), mask=~mask[:, None]) @ V
    return o.reshape(len(X), X.shape[1], -1) @ W_O


INVENTED = (
    ("inputs.ids", ids_right_distance, ()),
    ("inputs.ids", ids_any, ("any entry that agrees counts",)),
    ("inputs.ids", ids_axis0, ("all over the tokens' axis (columns), not over a row",)),
    ("inputs.ids", ids_from_one, ("the ids begin at 1",)),
    ("inputs.ids", ids_first_entry_from_one, ("only the first entry is compared", "the ids begin at 1")),
    ("inputs.add_positions", add_right_loop, ()),
    ("inputs.add_positions", add_batch_axis, ("n is taken from the batch axis",)),
    ("inputs.add_positions", add_by_sentence, ("every sentence as a whole gets one row, by its number in the batch",)),
    ("inputs.add_positions", add_times, ("the encoding is multiplied with the embedding",)),
    ("inputs.add_positions", add_reversed_minus, ("positions run from the end", "the encoding is subtracted")),
    ("inputs.angles", ang_right_outer, ()),
    ("inputs.angles", ang_thousand, ("the base is 1000",)),
    ("inputs.angles", ang_own_positions, ("rows are counted instead of using the positions given",)),
    ("inputs.angles", ang_all_columns, ("a column for each column of the model, not for each pair",)),
    ("inputs.angles", ang_no_d, ("the exponent lacks the division by d_model",)),
    ("inputs.angles", ang_turned, ("2 missing in the exponent", "table is turned")),
    ("inputs.encoding", enc_right_phase, ()),
    ("inputs.encoding", enc_cos_first, ("cosines in the even columns",)),
    ("inputs.encoding", enc_degrees, ("angles taken in degrees",)),
    ("inputs.encoding", enc_sines, ("only sines",)),
    ("inputs.encoding", enc_halves_one, ("columns in halves", "positions begin at 1")),
    ("queries_keys_values.questions", q_right_onehots, ()),
    ("queries_keys_values.questions", q_turned, ("rows and columns exchanged",)),
    ("queries_keys_values.questions", q_block, ("every pair of has and wants gets a 1",)),
    ("queries_keys_values.questions", q_identity, ("begins with the identity",)),
    ("queries_keys_values.questions", q_from_one, ("counted from 1", "rows and columns exchanged")),
    ("queries_keys_values.qkv", qkv_right_einsum, ()),
    ("queries_keys_values.qkv", qkv_keys_x, ("keys are made from X",)),
    ("queries_keys_values.qkv", qkv_all_x, ("all three from X",)),
    ("queries_keys_values.qkv", qkv_swapped, ("queries from the context and the rest from X",)),
    ("queries_keys_values.qkv", qkv_two, ("W_K and W_V are exchanged", "queries from the context")),
    ("queries_keys_values.fused", fus_right_split, ()),
    ("queries_keys_values.fused", fus_rows, ("cut by rows",)),
    ("queries_keys_values.fused", fus_turns, ("columns taken in turns",)),
    ("queries_keys_values.fused", fus_reshape, ("cut by a reshape of the whole",)),
    ("queries_keys_values.fused", fus_two, ("K and Q exchanged", "the last column of each is lost")),
    ("scaled_scores.dot", dot_right, ()),
    ("scaled_scores.dot", dot_mean, ("mean instead of sum",)),
    ("scaled_scores.dot", dot_sums, ("sums multiplied",)),
    ("scaled_scores.dot", dot_prod, ("product of all",)),
    ("scaled_scores.scaled", sc_right_before, ()),
    ("scaled_scores.scaled", sc_len, ("d_k is taken as the number of queries",)),
    ("scaled_scores.scaled", sc_no_root, ("only Q is divided by d_k, no root",)),
    ("scaled_scores.scaled", sc_soft, ("softmax is taken too",)),
    ("scaled_scores.scaled", sc_two, ("multiplied by the root", "keys go down")),
    ("scaled_scores.batch", sb_right_einsum, ()),
    ("scaled_scores.batch", sb_axis1, ("d_k from axis 1",)),
    ("scaled_scores.batch", sb_T, ("K.T turns all axes",)),
    ("scaled_scores.batch", sb_fixed, ("swapaxes(1, 2): fixed axes",)),
    ("scaled_scores.batch", sb_two, ("no scale", "result turned")),
    ("scaled_scores.keys", ke_right_inv, ()),
    ("scaled_scores.keys", ke_not_turned, ("not transposed at the end",)),
    ("scaled_scores.keys", ke_div, ("divided by the root once more",)),
    ("scaled_scores.keys", ke_no_root, ("the scores are taken for the products",)),
    ("scaled_scores.keys", ke_two, ("multiplied by d_k", "Q is transposed")),
    ("softmax.strongest", st_right_sort, ()),
    ("softmax.strongest", st_max, ("the largest weight itself, not its key",)),
    ("softmax.strongest", st_axis0, ("over the queries",)),
    ("softmax.strongest", st_flat, ("no axis: a single number",)),
    ("softmax.ratio", ra_right, ()),
    ("softmax.ratio", ra_sign, ("sign when the second is larger",)),
    ("softmax.ratio", ra_log2, ("log base 2",)),
    ("softmax.ratio", ra_nolog, ("divides by the ratio without a log",)),
    ("softmax.ratio", ra_quot, ("ratio of scores instead of difference",)),
    ("softmax.ratio", ra_two, ("upside down", "sign lost for the second")),
    ("softmax.general", so_right_log, ()),
    ("softmax.general", so_naive, ("the largest is not subtracted",)),
    ("softmax.general", so_all, ("the sum runs over everything",)),
    ("softmax.general", so_globalmax, ("one largest for the whole table",)),
    ("softmax.general", so_axis1, ("axis 1 fixed",)),
    ("softmax.general", so_two, ("temperature multiplies", "powers of 2 instead of e")),
    ("softmax.new_key", ne_right, ()),
    ("softmax.new_key", ne_part, ("the share is a part of the others' sum, not of the whole",)),
    ("softmax.new_key", ne_exp, ("the exponential is returned, no log",)),
    ("softmax.new_key", ne_sum, ("sum of the scores instead of their exponentials",)),
    ("softmax.new_key", ne_two, ("share and rest exchanged", "log base 10")),
    ("weighted_sums.missing_value", mi_right_loop, ()),
    ("weighted_sums.missing_value", mi_no_div, ("not divided by the last weight",)),
    ("weighted_sums.missing_value", mi_plain, ("sum of known without weights",)),
    ("weighted_sums.missing_value", mi_first, ("the first weight is taken for the missing one",)),
    ("weighted_sums.missing_value", mi_two, ("multiplied", "signs exchanged")),
    ("weighted_sums.from_inputs", fi_right_folded, ()),
    ("weighted_sums.from_inputs", fi_dmodel, ("root of d_model",)),
    ("weighted_sums.from_inputs", fi_overflow, ("own softmax without subtracting the largest",)),
    ("weighted_sums.from_inputs", fi_weights, ("returns the weights",)),
    ("weighted_sums.from_inputs", fi_two_b, ("values from X", "scale d_k without root")),
    ("weighted_sums.reach", re_right_lstsq, ()),
    ("weighted_sums.reach", re_zero, ("shares sum to 0",)),
    ("weighted_sums.reach", re_soft, ("normalised by a softmax at the end",)),
    ("weighted_sums.reach", re_clip, ("negative shares cut off",)),
    ("weighted_sums.reach", re_turn, ("V is not transposed",)),
    ("heads.split", sp_right_stack, ()),
    ("heads.split", sp_straight, ("reshaped straight",)),
    ("heads.split", sp_front, ()),
    ("heads.split", sp_confused, ("d_k and h confused in the reshape",)),
    ("heads.split", sp_two, ("every h-th column", "heads in reverse")),
    ("heads.merge", me_right_concat, ()),
    ("heads.merge", me_straight, ("reshape without swapping",)),
    ("heads.merge", me_sum, ("added instead of side by side",)),
    ("heads.merge", me_below, ("one below the other",)),
    ("heads.merge", me_two, ("columns of the heads interleaved", "order reversed")),
    ("heads.copy_and_average", co_right_direct, ()),
    ("heads.copy_and_average", co_added, ("the second head is added",)),
    ("heads.copy_and_average", co_weak, ("head 1 has scores of 1 and 0 only",)),
    ("heads.copy_and_average", co_sign, ("head 2 minus head 1",)),
    ("heads.copy_and_average", co_two, ("head 1 weak", "head 2 is also weighted by its own")),
    ("heads.copy_and_average", co_mean, ("head 2 alone is returned",)),
    ("heads.multi_head", mh_right_loop, ()),
    ("heads.multi_head", mh_one, ("heads are not cut: one big head",)),
    ("heads.multi_head", mh_no_wo, ("W_O is forgotten",)),
    ("heads.multi_head", mh_merge, ("merge by a plain reshape",)),
    ("heads.multi_head", mh_two, ("self-attention: context not used", "W_O transposed")),
    ("heads.multi_head", mh_two_b, ("heads averaged through equal division", "scale from the whole width")),
    ("masks.goes_on", go_right_slice, ()),
    ("masks.goes_on", go_start, ("queries begin at position 0",)),
    ("masks.goes_on", go_strict, ("a token does not see itself",)),
    ("masks.goes_on", go_all, ("new tokens see all that came before, and each other entirely",)),
    ("masks.goes_on", go_two, ("True means hidden", "queries from 0")),
    ("masks.padding", pa_right_list, ()),
    ("masks.padding", pa_le, ("one too many: <=",)),
    ("masks.padding", pa_axis, ("the axis of size 1 at the end",)),
    ("masks.padding", pa_front, ("padding in front",)),
    ("masks.padding", pa_two, ("numbers 0 and 1 turned round", "one too many")),
    ("masks.packed", pk_right_blocks, ()),
    ("masks.packed", pk_blocks, ("not causal",)),
    ("masks.packed", pk_causal, ("sees all earlier texts too",)),
    ("masks.packed", pk_upper, ("wrong triangle",)),
    ("masks.packed", pk_two, ("texts seen from other texts only", "not causal")),
    ("masks.softmax", ms_right_clip, ()),
    ("masks.softmax", ms_after, ("mask after the softmax, rows not normalised again",)),
    ("masks.softmax", ms_zero, ("hidden scores set to 0 instead of minus infinity",)),
    ("masks.softmax", ms_1e9, ("empty rows get equal weights, because of -1e9",)),
    ("masks.softmax", ms_two, ("mask read the wrong way round", "empty rows become nan")),
    ("masks.attention", ma_right_loop, ()),
    ("masks.attention", ma_noscale, ("no scale",)),
    ("masks.attention", ma_values, ("the output is masked by zeroed values instead of the scores",)),
    ("masks.attention", ma_two, ("scale of n_k", "mask inverted")),
    ("cross_attention.shapes", sh_right, ()),
    ("cross_attention.shapes", sh_out, ("output is as wide as all heads together",)),
    ("cross_attention.shapes", sh_v, ("V has as many rows as queries",)),
    ("cross_attention.shapes", sh_two, ("weights turned", "heads behind the tokens in Q, K, V")),
    ("cross_attention.shapes", sh_heads, ("the head axis is kept in the output",)),
    ("cross_attention.three_masks", tm_right_and, ()),
    ("cross_attention.three_masks", tm_nocausal, ("the decoder's mask is not causal",)),
    ("cross_attention.three_masks", tm_cross, ("the cross mask is made from the written lengths",)),
    ("cross_attention.three_masks", tm_or, ("or instead of and",)),
    ("cross_attention.three_masks", tm_two, ("padding is ignored in the decoder", "encoder causal")),
    ("cross_attention.multi_head", cm_right, ()),
    ("cross_attention.multi_head", cm_nomask, ("the mask is left out",)),
    ("cross_attention.multi_head", cm_scale, ("root of the whole width of W_Q",)),
    ("cross_attention.multi_head", cm_wk, ("values are made with W_K",)),
    ("cross_attention.multi_head", cm_two, ("merge without swapping axes", "mask inverted")),
)
